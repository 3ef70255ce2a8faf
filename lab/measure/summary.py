"""Page scores -> figures of a set: means over pages, shares, and F on the means."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from winnow.lab.measure.metrics import Overlap, f_measure
from winnow.lab.measure.scores import PageScore


@dataclass(frozen=True, slots=True)
class Ratios:
    """Means over pages of precision and recall, and F on these means."""

    precision: float
    recall: float

    @property
    def f(self) -> float:
        """Harmonic mean of the mean precision and the mean recall."""
        return f_measure(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of one engine on one group of pages.

    Attributes:
        pages: how many pages, at least 1.
        occ, voc, aligned: on multisets, sets and longest common subsequences of tokens.
        word_f1: mean over pages of F1 (not F on means), the measure of WCXB.
        cosine, euclidean, kl: mean distances, smaller is better.
        word_similarity, char_similarity: mean edit similarities.
        empty, almost_empty: shares of pages; almost empty includes empty.
        passages: over all passages of the group, not per page; None without passages.
        clean_ms: mean CPU milliseconds per page.
        parse_ratio: CPU of cleaning over CPU of bare parses; 0 if not measured.
    """

    pages: int
    occ: Ratios
    voc: Ratios
    aligned: Ratios
    word_f1: float
    cosine: float
    euclidean: float
    kl: float
    word_similarity: float
    char_similarity: float
    empty: float
    almost_empty: float
    passages: "PassageShares | None"
    clean_ms: float
    parse_ratio: float


@dataclass(frozen=True, slots=True)
class PassageShares:
    """Passages of a group of pages.

    Attributes:
        kept: share of the required passages that appear (recall).
        leaked: share of the forbidden passages that appear.
        precision: share of required passages among all that appear.
    """

    kept: float
    leaked: float
    precision: float

    @property
    def f(self) -> float:
        """Harmonic mean of precision and share kept."""
        return f_measure(self.precision, self.kept)


def summarise(scores: Sequence[PageScore]) -> Summary:
    """Return the figures of a group of pages.

    Raises:
        ValueError: there are no pages.
    """
    if not scores:
        raise ValueError("a summary needs at least one page")
    parse_ms = sum(score.costs.parse_ms for score in scores)
    clean_ms = sum(score.costs.clean_ms for score in scores)
    return Summary(
        pages=len(scores),
        occ=_ratios([score.occ for score in scores]),
        voc=_ratios([score.voc for score in scores]),
        aligned=_ratios([score.aligned for score in scores]),
        word_f1=fmean(score.word_f1 for score in scores),
        cosine=fmean(score.cosine for score in scores),
        euclidean=fmean(score.euclidean for score in scores),
        kl=fmean(score.kl for score in scores),
        word_similarity=fmean(score.word_similarity for score in scores),
        char_similarity=fmean(score.char_similarity for score in scores),
        empty=fmean(score.is_empty for score in scores),
        almost_empty=fmean(score.is_almost_empty for score in scores),
        passages=_passages(scores),
        clean_ms=clean_ms / len(scores),
        parse_ratio=clean_ms / parse_ms if parse_ms else 0.0,
    )


def _ratios(overlaps: Sequence[Overlap]) -> Ratios:
    return Ratios(fmean(o.precision for o in overlaps), fmean(o.recall for o in overlaps))


def _passages(scores: Sequence[PageScore]) -> PassageShares | None:
    required = sum(score.passages.required for score in scores)
    forbidden = sum(score.passages.forbidden for score in scores)
    if not required:
        return None
    kept = sum(score.passages.kept for score in scores)
    leaked = sum(score.passages.leaked for score in scores)
    return PassageShares(
        kept=kept / required,
        leaked=leaked / forbidden if forbidden else 0.0,
        precision=kept / (kept + leaked) if kept + leaked else 0.0,
    )
