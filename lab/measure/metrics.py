"""Compare the result and the gold text of one page: overlaps, distances and similarities.

An empty result has precision and recall 0. Pages with an empty gold text do not measure an engine:
the caller leaves them out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

from winnow.lab.measure.tokens import lowered_words, normalised, symbols
from winnow.models._kernel.lab import char_edit_distance, edit_distance, lcs_length

# probability of a token that one side lacks, in `kl_divergence` (Barbaresi and Lejeune 2020)
KL_FLOOR: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Overlap:
    """Overlap of a result and a gold text, in tokens."""

    common: int
    result: int
    gold: int

    @property
    def precision(self) -> float:
        """Share of the result that is gold; 0 for an empty result."""
        return self.common / self.result if self.result else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold that was found; 0 for an empty gold."""
        return self.common / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall of this page."""
        return f_measure(self.precision, self.recall)


def f_measure(precision: float, recall: float) -> float:
    """Return the harmonic mean of both, 0 when both are 0."""
    together = precision + recall
    return 2 * precision * recall / together if together else 0.0


def occ_overlap(result: Iterable[str], gold: Iterable[str]) -> Overlap:
    """Compare multisets of tokens: `occ_eval` of Barbaresi and Lejeune (2020)."""
    found, wanted = Counter(result), Counter(gold)
    return Overlap((found & wanted).total(), found.total(), wanted.total())


def voc_overlap(result: Iterable[str], gold: Iterable[str]) -> Overlap:
    """Compare sets of tokens: `voc_eval` of Barbaresi and Lejeune (2020)."""
    found, wanted = set(result), set(gold)
    return Overlap(len(found & wanted), len(found), len(wanted))


def aligned_overlap(result: Sequence[str], gold: Sequence[str]) -> Overlap:
    """Compare by the longest common subsequence of tokens: CleanEval's word alignment, exact.

    Raises:
        ValueError: the texts are too long to be aligned (`winnow.models._kernel.lab.lcs_length`).
    """
    left, right = symbols(result, gold)
    return Overlap(lcs_length(left, right), len(left), len(right))


def word_f1(result: str, gold: str) -> float:
    r"""Return the F1 of the multisets of lower-cased `\w+`, the measure of WCXB."""
    return occ_overlap(lowered_words(result), lowered_words(gold)).f1


def cosine_distance(result: Iterable[str], gold: Iterable[str]) -> float:
    """Return 1 - cosine of the token counts, in 0..1; 1 when either text is empty."""
    found, wanted = Counter(result), Counter(gold)
    length = sqrt(_squares(found) * _squares(wanted))
    product = sum(count * found[token] for token, count in wanted.items())
    return max(0.0, 1.0 - product / length) if length else 1.0


def euclidean_distance(result: Iterable[str], gold: Iterable[str]) -> float:
    """Return the euclidean distance of the token counts over both vocabularies."""
    found, wanted = Counter(result), Counter(gold)
    return sqrt(sum((found[t] - wanted[t]) ** 2 for t in found.keys() | wanted.keys()))


def kl_divergence(result: Iterable[str], gold: Iterable[str]) -> float:
    """Return D(P_gold || P_result) in nats, smaller is better.

    It is over the union of both vocabularies; a token that one text lacks has probability
    `KL_FLOOR`. Probabilities are not normalised again, so the value can be slightly negative.
    """
    found, wanted = Counter(result), Counter(gold)
    found_total, wanted_total = found.total() or 1, wanted.total() or 1
    divergence = 0.0
    for token in found.keys() | wanted.keys():
        p_gold = wanted[token] / wanted_total or KL_FLOOR
        p_result = found[token] / found_total or KL_FLOOR
        divergence += p_gold * log(p_gold / p_result)
    return divergence


def word_similarity(result: Sequence[str], gold: Sequence[str]) -> float:
    """Return 1 - Levenshtein distance / longer length, on tokens; 1 for two empty texts.

    Raises:
        ValueError: the texts are too long to be compared
                (`winnow.models._kernel.lab.edit_distance`).
    """
    left, right = symbols(result, gold)
    longer = max(len(left), len(right))
    return 1.0 - edit_distance(left, right) / longer if longer else 1.0


def char_similarity(result: str, gold: str) -> float:
    """Return 1 - Levenshtein distance / longer length, on characters, white space normalised.

    Errors as for `word_similarity`.
    """
    left, right = normalised(result), normalised(gold)
    longer = max(len(left), len(right))
    return 1.0 - char_edit_distance(left, right) / longer if longer else 1.0


def _squares(counts: Counter[str]) -> int:
    return sum(count * count for count in counts.values())
