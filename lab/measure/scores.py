"""The scores of one cleaned page against its gold text."""

from dataclasses import dataclass
from typing import Final

from winnow.lab.measure.metrics import (
    Overlap,
    aligned_overlap,
    char_similarity,
    cosine_distance,
    euclidean_distance,
    kl_divergence,
    occ_overlap,
    voc_overlap,
    word_f1,
    word_similarity,
)
from winnow.lab.measure.tokens import normalised, tokens
from winnow.lab.sets.gold import GoldPage

# a result shorter than this share of its gold counts as almost empty (Barbaresi and Lejeune 2020)
ALMOST_EMPTY: Final = 0.1


@dataclass(frozen=True, slots=True)
class Passages:
    """How many of a page's passages a text has.

    Attributes:
        required, forbidden: passages that must and must not appear.
        kept, leaked: how many of these do appear.
    """

    required: int = 0
    kept: int = 0
    forbidden: int = 0
    leaked: int = 0


@dataclass(frozen=True, slots=True)
class Costs:
    """CPU milliseconds of one page: for cleaning, and for a bare parse."""

    clean_ms: float = 0.0
    parse_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class PageScore:
    """The figures of one page, as defined in `winnow.lab.measure.metrics`."""

    page_id: str
    group: str
    page_type: str
    language: str
    occ: Overlap
    voc: Overlap
    aligned: Overlap
    word_f1: float
    cosine: float
    euclidean: float
    kl: float
    word_similarity: float
    char_similarity: float
    result_chars: int  # white space normalised
    gold_chars: int
    passages: Passages
    costs: Costs

    @property
    def is_empty(self) -> bool:
        """Whether the result has no text."""
        return self.result_chars == 0

    @property
    def is_almost_empty(self) -> bool:
        """Whether the result has less than a tenth of the gold's characters."""
        return self.is_empty or self.result_chars < ALMOST_EMPTY * self.gold_chars


def score_page(result: str, page: GoldPage, costs: Costs) -> PageScore:
    """Compare the cleaned text of a page with its gold.

    Raises:
        ValueError: the texts are too long to align (`winnow.models._kernel.lab.lcs_length`).
    """
    found, wanted = tokens(result, page.language), tokens(page.text, page.language)
    return PageScore(
        page_id=page.page_id,
        group=page.group,
        page_type=page.page_type,
        language=page.language,
        occ=occ_overlap(found, wanted),
        voc=voc_overlap(found, wanted),
        aligned=aligned_overlap(found, wanted),
        word_f1=word_f1(result, page.text),
        cosine=cosine_distance(found, wanted),
        euclidean=euclidean_distance(found, wanted),
        kl=kl_divergence(found, wanted),
        word_similarity=word_similarity(found, wanted),
        char_similarity=char_similarity(result, page.text),
        result_chars=len(normalised(result)),
        gold_chars=len(normalised(page.text)),
        passages=count_passages(result, page),
        costs=costs,
    )


def count_passages(result: str, page: GoldPage) -> Passages:
    """Count the non-empty passages in the text, with white space normalised."""
    text = normalised(result)
    required, forbidden = _passages(page.required), _passages(page.forbidden)
    return Passages(
        required=len(required),
        kept=sum(passage in text for passage in required),
        forbidden=len(forbidden),
        leaked=sum(passage in text for passage in forbidden),
    )


def _passages(written: tuple[str, ...]) -> list[str]:
    return [passage for passage in map(normalised, written) if passage]
