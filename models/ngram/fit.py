"""Does a sample fit a model: what a page in the language of the model stays below."""

from dataclasses import dataclass
from typing import Final

from models._kernel import Sentences
from models.ngram.model import NgramModel


@dataclass(frozen=True, slots=True)
class Limits:
    """What the sample of a page in the language of a model stays below, in one of the two or both.

    Beyond both, the page is in another language; beyond one, the detector is asked.

    Attributes:
        bits_per_token: -log2 P of the sample / tokens.
        oov_rate: unknown tokens / tokens.
    """

    bits_per_token: float
    oov_rate: float


# Midway between the pages in the language and those in others, on the training part of the DAnIEL
# pages: `bench/quality/languages.py fits` prints both. English pages of shops and forums are less
# like prose (with dragnet and WCXB the middle is at 18.0 and 0.29), but German and French, which
# none of the sets hold, are nearer to English than Polish is: the limits stand between.
_ENGLISH: Final = Limits(16.0, 0.2)
LIMITS: Final = {
    "en": _ENGLISH,
    "el": Limits(13.7, 0.35),
    "pl": Limits(15.7, 0.22),
    "ru": Limits(16.6, 0.23),
    "zh": Limits(14.0, 0.08),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A model for a page.

    Attributes:
        language: BCP 47 primary subtag of the page as far as known, else empty.
        fits: whether the page is in the language of the model.
        is_sure: whether the detector need not be asked.
        bits_per_token: of the sample.
    """

    model: NgramModel
    language: str
    fits: bool
    is_sure: bool
    bits_per_token: float


def undoubted(model: NgramModel, language: str) -> Choice:
    """Believe the script, or what a page without letters declares: digits are alike everywhere."""
    fits = model.language == language
    return Choice(model, language, fits, is_sure=True, bits_per_token=0.0)


def judged(model: NgramModel, sample: Sentences, otherwise: str) -> Choice:
    """Judge the model by a sample; `otherwise` is the language if it does not fit."""
    limits = LIMITS.get(model.language, _ENGLISH)
    tokens = max(1, sample.tokens)
    bits_per_token = -sample.log2_prob / tokens
    is_likely = bits_per_token <= limits.bits_per_token
    is_known = sample.oov <= limits.oov_rate * tokens
    fits = is_likely or is_known
    language = model.language if fits else otherwise
    return Choice(model, language, fits, is_likely and is_known, bits_per_token)


def better(old: Choice, new: Choice) -> Choice:
    """Return the one that fits when the other does not, else the one that is less surprised.

    As good as each other, the first one stays if it fits: the page named it.
    """
    if old.fits != new.fits:
        return old if old.fits else new
    return old if old.fits and old.bits_per_token <= new.bits_per_token else new
