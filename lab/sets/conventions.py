"""The public sets: how each marks its content, and what its gold text holds beside the body."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lab.sets.gold import GoldSet
from models._kernel import PAGE_TYPES
from models.engines.hybrid import PageType


class Held(StrEnum):
    """Whether gold texts hold blocks of a role."""

    YES = "yes"
    NO = "no"
    SOME = "some"  # annotators or rules did not agree: nothing can be learnt from it


@dataclass(frozen=True, slots=True)
class Convention:
    """What the gold text of a set is, as its makers say and as counts on its pages show.

    Attributes:
        gold: how content is marked.
        title, standfirst, captions, bylines: whether they are part of the text.
        is_by_rule: labelled by rules, or chosen by what other tools do well: no tool is ranked by
            these pages.
    """

    gold: GoldSet = GoldSet.PLAIN
    title: Held = Held.SOME
    standfirst: Held = Held.SOME
    captions: Held = Held.SOME
    bylines: Held = Held.SOME
    is_by_rule: bool = False


_YES, _NO, _SOME = Held.YES, Held.NO, Held.SOME

CONVENTIONS: Final[Mapping[str, Convention]] = {
    "cleaneval": Convention(GoldSet.CLEANEVAL, _YES, _YES, _YES, _SOME),
    "dragnet": Convention(GoldSet.DRAGNET, _YES, _YES, _SOME, _SOME),
    "page-signal": Convention(GoldSet.PAGE_SIGNAL, _YES, _YES, _SOME, _YES),
    "daniel": Convention(GoldSet.DANIEL, _YES, _YES, _NO, _NO),
    "wcxb": Convention(GoldSet.PLAIN, _NO, _SOME, _YES, _NO),
    "turing": Convention(GoldSet.PLAIN, _NO, _NO, _NO, _NO),
    "fundus": Convention(GoldSet.PLAIN, _NO, _YES, _NO, _NO),
    "fundus-eval": Convention(GoldSet.PLAIN, _NO, _SOME, _NO, _NO),
    "harvest": Convention(GoldSet.PLAIN, _NO, _SOME, _SOME, _NO),
    "leogao": Convention(GoldSet.PLAIN, _YES, _YES, _YES, _YES),
    "newspaper4k": Convention(GoldSet.PLAIN, _NO, _NO, _NO, _NO),
    "postlight": Convention(GoldSet.PLAIN, _NO, _NO, _YES, _NO),
    "jocmp": Convention(GoldSet.PLAIN, _NO, _NO, _YES, _NO),
    "jsonld": Convention(GoldSet.PLAIN, _NO, _NO, _NO, _NO, is_by_rule=True),
    "recipes": Convention(GoldSet.PLAIN, _SOME, _YES, _YES, _NO, is_by_rule=True),
    "containers": Convention(GoldSet.PLAIN, _NO, _SOME, _SOME, _NO, is_by_rule=True),
}

# one collection each of articles and forums since 2013, labelled by people or by publisher
MODERN: Final = (
    *("turing", "fundus", "fundus-eval", "harvest", "leogao", "newspaper4k", "postlight", "jocmp"),
)


def told_type(name: str, page_type: str) -> str:
    """Return the type that a set tells of a page, empty where it tells none of the engine's.

    Articles of other sets than WCXB are not told: every page there is one.
    """
    is_known = page_type in PAGE_TYPES and (name == "wcxb" or page_type != PageType.ARTICLE)
    return page_type if is_known else ""
