"""The public sets: how each marks its content, and by whom it was labelled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from winnow.lab.sets.gold import GoldSet
from winnow.models._kernel import PAGE_TYPES
from winnow.models.engines.hybrid import PageType


@dataclass(frozen=True, slots=True)
class Convention:
    """How to read the gold texts of a set.

    What they hold beside the body is counted by `winnow.lab.train.hybrid.doubts`.

    Attributes:
        gold: how content is marked.
        is_by_rule: labelled by rules, or chosen by what other tools do well: no tool is ranked by
            these pages.
        weight: what one of its pages weighs in training.
    """

    gold: GoldSet = GoldSet.PLAIN
    is_by_rule: bool = False
    weight: float = 1.0


# labels by rule are trusted less; whole pages of all sorts, and languages, stand in one set each
_BY_RULE: Final = Convention(is_by_rule=True, weight=0.4)

CONVENTIONS: Final[Mapping[str, Convention]] = {
    "cleaneval": Convention(GoldSet.CLEANEVAL, weight=1.25),
    "dragnet": Convention(GoldSet.DRAGNET),
    "page-signal": Convention(GoldSet.PAGE_SIGNAL),
    "daniel": Convention(GoldSet.DANIEL, weight=1.5),
    "wcxb": Convention(),
    "turing": Convention(),
    "fundus": Convention(),
    "fundus-eval": Convention(),
    "harvest": Convention(),
    "leogao": Convention(),
    "newspaper4k": Convention(),
    "postlight": Convention(),
    "jocmp": Convention(),
    "jsonld": _BY_RULE,
    "recipes": _BY_RULE,
    "containers": _BY_RULE,
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
