"""Pages to the language model that judges each of them: declared, detected, and one that fits."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from models._kernel import Blocks, Sentences, guess_by_script, guess_languages, sample_pages
from models.errors import ModelError
from models.ngram.model import NgramModel

# The first one judges pages that declare nothing.
SHIPPED: Final = ("en", "el", "pl", "ru", "zh")

# A detector this sure of a language without a model is believed; else the page itself is.
SURE: Final = 0.5


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
# pages: `bench/quality/languages.py fits` prints both.
_ENGLISH: Final = Limits(15.4, 0.19)
LIMITS: Final = {
    "en": _ENGLISH,
    "el": Limits(13.7, 0.35),
    "pl": Limits(15.7, 0.22),
    "ru": Limits(16.6, 0.23),
    "zh": Limits(14.0, 0.08),
}


@dataclass(frozen=True, slots=True)
class PageScores:
    """The sentences of one page, scored by one model.

    Attributes:
        model: the one that scored; when it does not know the language, its values say little.
        language: BCP 47 primary subtag of the page as far as known, else empty.
        is_judged: whether the model knows the language of the page.
    """

    sentences: Sentences
    model: NgramModel
    language: str
    is_judged: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A model for a page.

    Attributes:
        language: BCP 47 primary subtag of the page as far as known, else empty.
        fits: whether the page is in the language of the model.
        is_sure: whether the detector need not be asked.
        oov_rate: unknown tokens / tokens of the sample.
    """

    model: NgramModel
    language: str
    fits: bool
    is_sure: bool
    oov_rate: float


class LanguageModels:
    """Language models side by side, at most one a language. Safe to share between threads."""

    def __init__(self, models: Sequence[NgramModel]) -> None:
        """Take open models; the first one judges pages that declare no language.

        Raises:
            ModelError: there is none, or two are of the same language.
        """
        if not models:
            raise ModelError("no language model is given")
        self._models: Final = tuple(models)
        self._by_language: Final = {model.language: model for model in models}
        if len(self._by_language) != len(models):
            twice = sorted(model.language for model in models)
            raise ModelError(f"two models of one language: {', '.join(twice)}")

    @classmethod
    def shipped(cls) -> Self:
        """Map all models that come with the project.

        Raises:
            ModelError: one of them cannot be used.
        """
        return cls([NgramModel.shipped(language) for language in SHIPPED])

    @classmethod
    def open(cls, path: Path) -> Self:
        """Map a model file, or all `.winnow` files of a folder in the order of their names.

        Raises:
            ModelError: a file cannot be used, or the folder holds none.
        """
        paths = sorted(path.glob("*.winnow")) if path.is_dir() else [path]
        if not paths:
            raise ModelError(f"{path}: no model (*.winnow) in this folder")
        return cls([NgramModel.open(each) for each in paths])

    @property
    def digest(self) -> str:
        """Hex digest of all models: that of the model itself when there is one."""
        digests = [model.digest for model in self._models]
        return (
            digests[0] if len(digests) == 1 else hashlib.sha256(repr(digests).encode()).hexdigest()
        )

    @property
    def default(self) -> NgramModel:
        """The first model: it judges pages that declare nothing."""
        return self._models[0]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the models, the default one first."""
        return tuple(self._by_language)

    def read_ahead(self) -> None:
        """Bring all files into memory; call it before reporting readiness."""
        for model in self._models:
            model.read_ahead()

    def score(
        self, pages: Sequence[Blocks], declared: Sequence[str], only: NgramModel | None = None
    ) -> list[PageScores]:
        """Choose a model for each page, split the page into sentences and score them.

        Args:
            pages: their blocks.
            declared: the `lang` of each page as it stands there; may be anything.
            only: scores every page; the choice then tells the language alone.
        """
        choices = self.choose(pages, declared)
        models = [only or choice.model for choice in choices]
        scored = zip(choices, models, _scored(models, pages), strict=True)
        return [
            PageScores(sentences, model, choice.language, choice.fits and model is choice.model)
            for choice, model, sentences in scored
        ]

    def choose(self, pages: Sequence[Blocks], declared: Sequence[str]) -> list[Choice]:
        """Choose a model for each page by a sample of its text.

        A script of one language decides. Else the model of the declared language is tried, else
        the first model. Only a page that does not fit it well is shown to the detector, and tried
        with the model of the language found; the model that knows more of the tokens stays.

        Args:
            pages: their blocks.
            declared: the `lang` of each page as it stands there; may be anything.
        """
        samples = sample_pages(list(pages))
        hints = [primary_subtag(lang) for lang in declared]
        written = guess_by_script(samples)
        first = [
            self._by_language.get(script or hint, self.default)
            for script, hint in zip(written, hints, strict=True)
        ]
        choices = [
            _undoubted(model, script or hint)
            if script is None or script == model.language
            else _choice(model, sample, script or hint)
            for model, hint, script, sample in zip(
                first, hints, written, _scored(first, samples), strict=True
            )
        ]
        doubtful = [index for index, choice in enumerate(choices) if not choice.is_sure]
        found = self._reconsidered(
            [samples[index] for index in doubtful], [choices[index] for index in doubtful]
        )
        for index, choice in zip(doubtful, found, strict=True):
            choices[index] = choice
        return choices

    def _reconsidered(self, samples: Sequence[Blocks], tried: Sequence[Choice]) -> list[Choice]:
        """Ask the detector about pages that their first model does not fit well."""
        guesses = guess_languages(list(samples))
        models = [self._by_language.get(language, self.default) for language, _sure in guesses]
        spoken = [
            language if sure >= SURE else old.language or language
            for (language, sure), old in zip(guesses, tried, strict=True)
        ]
        scored = zip(models, _scored(models, samples), spoken, strict=True)
        found = [_choice(*each) for each in scored]
        return [_better(old, new) for old, new in zip(tried, found, strict=True)]


def _scored(models: Sequence[NgramModel], pages: Sequence[Blocks]) -> list[Sentences]:
    """Score each page with its model: one call a model."""
    sentences: dict[int, Sentences] = {}
    for model in dict.fromkeys(models):
        own = [index for index, other in enumerate(models) if other is model]
        sentences.update(zip(own, model.score([pages[index] for index in own]), strict=True))
    return [sentences[index] for index in range(len(pages))]


def _undoubted(model: NgramModel, language: str) -> Choice:
    """Believe the script, or what a page without letters declares: digits are alike everywhere."""
    fits = model.language == language
    return Choice(model, language, fits, is_sure=True, oov_rate=0.0)


def _choice(model: NgramModel, sample: Sentences, otherwise: str) -> Choice:
    """Judge the model by a sample; `otherwise` is the language if it does not fit."""
    limits = LIMITS.get(model.language, _ENGLISH)
    tokens = max(1, sample.tokens)
    oov_rate = sample.oov / tokens
    is_likely = -sample.log2_prob <= limits.bits_per_token * tokens
    is_known = oov_rate <= limits.oov_rate
    fits = is_likely or is_known
    language = model.language if fits else otherwise
    return Choice(model, language, fits, is_likely and is_known, oov_rate)


def _better(old: Choice, new: Choice) -> Choice:
    """Return the one that fits when the other does not, else the one that knows more tokens.

    As good as each other, the first one stays if it fits: the page or its script named it.
    """
    if old.fits != new.fits:
        return old if old.fits else new
    return old if old.fits and old.oov_rate <= new.oov_rate else new


def primary_subtag(lang: str) -> str:
    """Return `pt` for `pt-BR`; what pages declare may be anything, so only letters count."""
    subtag = lang.replace("_", "-").partition("-")[0].strip().lower()
    return subtag if subtag.isascii() and subtag.isalpha() and len(subtag) in {2, 3} else ""
