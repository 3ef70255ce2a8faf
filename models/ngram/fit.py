"""Does a sample fit a model: what a page in the language of the model stays below."""

import re
from dataclasses import dataclass
from typing import Final

from models._kernel import Blocks, Sentences
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
# pages: `python -m lab.measure.languages fits` prints both. English pages of shops and forums are
# less like prose (over all sets the middle is at 16.3 and 0.27), but German and French, which
# none of the sets hold, are nearer to English than Polish is: the limits stand between.
_ENGLISH: Final = Limits(15.0, 0.2)
LIMITS: Final = {
    "en": _ENGLISH,
    "el": Limits(13.7, 0.35),
    "pl": Limits(15.7, 0.22),
    "ru": Limits(16.6, 0.23),
    "zh": Limits(14.0, 0.08),
}


# Letters of the languages that are not written in Latin ones. Scores alone do not tell: drawn lines
# are likely characters for a model of Chinese, brackets and unknown words for one of Russian.
_LETTERS: Final = {
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "zh": re.compile("[\u3400-\u4dbf\u4e00-\u9fff]"),
}
# share of the letters of a sample that are those of its language; of text in Russian with names and
# addresses in English more than half are
_LEAST_LETTERS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Choice:
    """A model for a page.

    Attributes:
        language: BCP 47 primary subtag of the page as far as known, else empty.
        fits: whether the page is in the language of the model.
        is_sure: whether the detector need not be asked.
        surprise: bits a token of the sample less the limit of the model. Models of little text
            are surprised more by their own language; the limits make them comparable.
        score: how sure it is that the page is in the language, 0 to 1: 1 where its script tells,
            else by the surprise of the model or by the detector; 0 where only the page says so.
    """

    model: NgramModel
    language: str
    fits: bool
    is_sure: bool
    surprise: float
    score: float = 0.0


def undoubted(model: NgramModel, language: str, *, is_seen: bool) -> Choice:
    """Believe the script, or what a page without letters declares: digits are alike everywhere."""
    fits = model.language == language
    return Choice(model, language, fits, is_sure=True, surprise=0.0, score=float(is_seen))


def judged(model: NgramModel, sample: Blocks, scored: Sentences, otherwise: str) -> Choice:
    """Judge the model by the sample it scored; `otherwise` is the language if it does not fit."""
    limits = LIMITS.get(model.language, _ENGLISH)
    tokens = max(1, scored.tokens)
    surprise = -scored.log2_prob / tokens - limits.bits_per_token
    is_written = has_letters_of(model.language, sample.text)
    is_likely = is_written and surprise <= 0
    is_known = is_written and scored.oov <= limits.oov_rate * tokens
    fits = is_likely or is_known
    language = model.language if fits else otherwise
    score = 1 / (1 + 2**surprise) if fits else 0.0
    return Choice(model, language, fits, is_likely and is_known, surprise, score)


def has_letters_of(language: str, text: str) -> bool:
    """Whether the text may be in the language; of one in Latin letters any text may be."""
    letters = _LETTERS.get(language)
    if letters is None:
        return True
    return len(letters.findall(text)) > _LEAST_LETTERS * sum(map(str.isalpha, text))


def better(old: Choice, new: Choice) -> Choice:
    """Return the one that fits when the other does not, else the less surprised one.

    As good as each other, the first one stays if it fits: the page named it.
    """
    if old.fits != new.fits:
        return old if old.fits else new
    return old if old.fits and old.surprise <= new.surprise else new
