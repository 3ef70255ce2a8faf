"""Drop every sentence above a perplexity threshold (Fernández-Pichel et al. 2023)."""

import math
from dataclasses import dataclass
from typing import Final

from winnow.models._kernel import Rule
from winnow.models.errors import OptionsError

# Best F on the training part of CleanEval; the sweep is in docs/calibration.md.
DEFAULT_THRESHOLD: Final = 12000.0
# Best F on the training part, by site, of the DAnIEL pages in the language; sweeps in the same
# file. A Chinese token is a character, and its perplexity is lower.
CALIBRATED: Final = {"el": 8000.0, "pl": 32000.0, "ru": 48000.0, "zh": 800.0}
# The others have no labelled set: 28 times the perplexity of the model's held-out lines, like the
# middle one of the values above, and 5 times for Japanese, like Chinese.
FROM_HELD_OUT: Final = {
    "ar": 84000.0,
    "bg": 18000.0,
    "ca": 9200.0,
    "cs": 51000.0,
    "da": 11000.0,
    "de": 36000.0,
    "es": 13000.0,
    "fa": 18000.0,
    "fi": 69000.0,
    "fr": 12000.0,
    "gl": 10000.0,
    "he": 34000.0,
    "hi": 9500.0,
    "hu": 41000.0,
    "id": 15000.0,
    "it": 23000.0,
    "ja": 260.0,
    "ko": 290000.0,
    "nb": 17000.0,
    "nl": 13000.0,
    "pt": 21000.0,
    "ro": 22000.0,
    "sv": 24000.0,
    "tr": 86000.0,
    "uk": 43000.0,
    "vi": 6700.0,
}
THRESHOLDS: Final = {**CALIBRATED, **FROM_HELD_OUT}


@dataclass(frozen=True, slots=True)
class PerplexityEngine:
    """Judges each sentence by itself; pages in a language without a model are kept whole.

    A language model cannot judge a language outside its training data: every sentence would be
    unlikely, and the page would become empty. By the thresholds of languages, a page in another
    language keeps at least its likeliest sentence; a given threshold is exact.

    Attributes:
        given: the threshold for pages in any language; None uses each language's own.
    """

    given: float | None = None

    name: Final = "perplexity"
    digest: Final = ""

    def __post_init__(self) -> None:
        """Raise `OptionsError` for an invalid threshold."""
        if not 1 <= self.threshold < math.inf:
            raise OptionsError(
                f"threshold {self.threshold}: a perplexity must be at least 1 and finite"
            )

    @property
    def threshold(self) -> float:
        """The given threshold, else the one for English and languages without their own."""
        return DEFAULT_THRESHOLD if self.given is None else self.given

    @property
    def rule(self) -> Rule:
        """Each sentence by itself, against the threshold of the language."""
        by_language = THRESHOLDS if self.given is None else {}
        return Rule.perplexity(self.threshold, list(by_language.items()))
