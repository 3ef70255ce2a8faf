"""The public sets: how each marks its content, and how it was labelled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from winnow.lab.sets.gold import GoldSet
from winnow.models._kernel import PAGE_TYPES
from winnow.models.engines.hybrid import PageType


@dataclass(frozen=True, slots=True)
class Convention:
    """How to read the gold texts of a set.

    `winnow.lab.train.hybrid.doubts` counts what they have in addition to the body text.

    Attributes:
        gold: how content is marked.
        is_by_rule: labelled by rules, or selected with the results of other tools, so these pages
            do not rank tools.
            weight: weight of one of its pages in training.
    """

    gold: GoldSet = GoldSet.PLAIN
    is_by_rule: bool = False
    weight: float = 1.0


# labels by rule are trusted less; only one set each has whole pages of all types, and languages
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
# collections of articles and forums since 2013, labelled by people or by the publisher
MODERN: Final = (
    *("turing", "fundus", "fundus-eval", "harvest", "leogao", "newspaper4k", "postlight", "jocmp"),
)


def engine_type(name: str, page_type: str) -> str:
    """Return the page type from a set's labels; empty if it is not one of the engine's types.

    Only WCXB labels articles: in other sets nearly every page is an article.
    """
    is_known = page_type in PAGE_TYPES and (name == "wcxb" or page_type != PageType.ARTICLE)
    return page_type if is_known else ""
