"""Pages to the language model that judges each of them: declared, detected, and one that fits."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from models._kernel import Blocks, Sentences, guess_by_script, guess_languages
from models.errors import ModelError
from models.ngram.model import NgramModel

# The first one judges pages that declare nothing.
SHIPPED: Final = ("en", "el", "pl", "ru", "zh")

# A detector this sure of a language without a model is believed; else the page itself is.
SURE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Limits:
    """What a page in the language of a model stays below, or at least in one of the two.

    Beyond both, the page is in another language; beyond one, the detector is asked.

    Attributes:
        bits_per_token: over a whole page, menus included.
        oov_rate: unknown tokens / tokens.
    """

    bits_per_token: float
    oov_rate: float


# Between the pages in the language and those in others, by `bench/quality/languages.py fits`.
_ENGLISH: Final = Limits(16.0, 0.2)
LIMITS: Final = {
    "en": _ENGLISH,
    "el": Limits(14.7, 0.39),
    "pl": Limits(15.8, 0.22),
    "ru": Limits(16.6, 0.27),
    "zh": Limits(14.0, 0.11),
}


@dataclass(frozen=True, slots=True)
class PageScores:
    """The sentences of one page, scored by the model that was chosen for it.

    Attributes:
        model: the one that scored; when none fits, a stand-in whose values say little.
        language: BCP 47 primary subtag of the page as far as known, else empty.
        is_judged: whether the model knows the language of the page.
    """

    sentences: Sentences
    model: NgramModel
    language: str
    is_judged: bool


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

    def score(self, pages: Sequence[Blocks], declared: Sequence[str]) -> list[PageScores]:
        """Choose a model for each page, split the page into sentences and score them.

        A page is first tried with the model of the only language of its script, else of the
        language that it declares, else with the first model. Only a page that does not fit it
        well is shown to the detector, and tried with the model of the language found; the model
        that knows more of its tokens stays.

        Args:
            pages: their blocks.
            declared: the `lang` of each page as it stands there; may be anything.
        """
        hints = [primary_subtag(lang) for lang in declared]
        written = guess_by_script(list(pages))
        first = [
            self._by_language.get(script or hint, self.default)
            for script, hint in zip(written, hints, strict=True)
        ]
        scored = [
            _scores(model, sentences, hint)
            for model, sentences, hint in zip(first, _scored(first, pages), hints, strict=True)
        ]
        doubtful = [index for index, each in enumerate(scored) if _is_doubtful(each)]
        found = self._reconsidered(
            [pages[index] for index in doubtful], [scored[index] for index in doubtful]
        )
        for index, scores in zip(doubtful, found, strict=True):
            scored[index] = scores
        return scored

    def _reconsidered(
        self, pages: Sequence[Blocks], tried: Sequence[PageScores]
    ) -> list[PageScores]:
        """Ask the detector about pages that their first model does not fit well."""
        guesses = guess_languages(list(pages))
        default = self.default
        second = [self._by_language.get(language, default) for language, _sure in guesses]
        again = [index for index, model in enumerate(second) if model is not tried[index].model]
        sentences = _scored([second[index] for index in again], [pages[index] for index in again])
        rescored = dict(zip(again, sentences, strict=True))
        found = []
        for index, ((language, sure), old) in enumerate(zip(guesses, tried, strict=True)):
            spoken = language if sure >= SURE else old.language or language
            new = _scores(second[index], rescored.get(index, old.sentences), spoken)
            found.append(old if _is_better(old, new) else new)
        return found


def _scored(models: Sequence[NgramModel], pages: Sequence[Blocks]) -> list[Sentences]:
    """Score each page with its model: one call a model."""
    sentences: dict[int, Sentences] = {}
    for model in dict.fromkeys(models):
        own = [index for index, other in enumerate(models) if other is model]
        sentences.update(zip(own, model.score([pages[index] for index in own]), strict=True))
    return [sentences[index] for index in range(len(pages))]


def _scores(model: NgramModel, sentences: Sentences, otherwise: str) -> PageScores:
    """Return the scores; `otherwise` is the language of the page if the model does not fit."""
    if sentences.tokens == 0:
        return PageScores(sentences, model, otherwise, is_judged=True)
    fits = not all(_is_beyond(sentences, _limits(model)))
    return PageScores(sentences, model, model.language if fits else otherwise, fits)


def _limits(model: NgramModel) -> Limits:
    return LIMITS.get(model.language, _ENGLISH)


def _is_beyond(sentences: Sentences, limits: Limits) -> tuple[bool, bool]:
    """Tell of bits and of unknown tokens whether there are more than the limits allow."""
    tokens = sentences.tokens
    is_unlikely = -sentences.log2_prob > limits.bits_per_token * tokens
    return is_unlikely, sentences.oov > limits.oov_rate * tokens


def _is_doubtful(scores: PageScores) -> bool:
    return any(_is_beyond(scores.sentences, _limits(scores.model)))


def _is_better(one: PageScores, other: PageScores) -> bool:
    """Tell whether `one` knows the language when `other` does not, or knows more tokens."""
    if one.is_judged != other.is_judged:
        return one.is_judged
    tokens = (one.sentences.tokens, other.sentences.tokens)
    return one.is_judged and one.sentences.oov * tokens[1] < other.sentences.oov * tokens[0]


def primary_subtag(lang: str) -> str:
    """Return `pt` for `pt-BR`; what pages declare may be anything, so only letters count."""
    subtag = lang.replace("_", "-").partition("-")[0].strip().lower()
    return subtag if subtag.isascii() and subtag.isalpha() and len(subtag) in {2, 3} else ""
