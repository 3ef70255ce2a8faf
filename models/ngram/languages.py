"""Pages to the language model that judges each of them: declared, detected, and one that fits."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from models._kernel import Blocks, Sentences, guess_by_script, guess_languages, sample_pages
from models.errors import ModelError
from models.ngram.fit import Choice, better, judged, undoubted
from models.ngram.model import ModelPair, NgramModel

# The first one judges pages that declare nothing.
SHIPPED: Final = ("en", "el", "pl", "ru", "zh")

# A detector this sure of a language without a model is believed; else the page itself is.
SURE: Final = 0.5


@dataclass(frozen=True, slots=True)
class PageScores:
    """The sentences of one page, scored by one model.

    Attributes:
        model: the one that scored; when it does not know the language, its values say little.
        language: BCP 47 primary subtag of the page as far as known, else empty.
        language_score: how sure that is, see `Choice`.
        is_judged: whether the model knows the language of the page.
    """

    sentences: Sentences
    model: NgramModel
    language: str
    language_score: float
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
    def open(cls, path: Path | str) -> Self:
        """Map a model file, or all `.winnow` files of a folder in the order of their names.

        Raises:
            ModelError: a file cannot be used, or the folder holds none.
        """
        path = Path(path)
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
        self, pages: Sequence[Blocks], declared: Sequence[str], only: ModelPair | None = None
    ) -> list[PageScores]:
        """Choose a model for each page, split the page into sentences and score them.

        Args:
            pages: their blocks.
            declared: the `lang` of each page as it stands there; may be anything.
            only: the first of these scores every page, and the second one the same sentences,
                see `NgramModel.score_again`; the choice then tells the language alone.
        """
        choices = self.choose(pages, declared)
        models = [only.first if only else choice.model for choice in choices]
        found = only.first.score_twice(pages, only.second) if only else _scored(models, pages)
        return [
            PageScores(
                sentences,
                model,
                choice.language,
                choice.score,
                choice.fits and model is choice.model,
            )
            for choice, model, sentences in zip(choices, models, found, strict=True)
        ]

    def choose(self, pages: Sequence[Blocks], declared: Sequence[str]) -> list[Choice]:
        """Choose a model for each page by a sample of its text.

        A script of one language decides. Else the model of the declared language is tried, else
        the first model. Only a page that does not fit it well is shown to the detector, and tried
        with the model of the language found; the model that the sample surprises less stays.

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
            undoubted(model, script or hint, is_seen=script is not None)
            if script is None or script == model.language
            else judged(model, sample, scored, script or hint)
            for model, hint, script, sample, scored in zip(
                first, hints, written, samples, _scored(first, samples), strict=True
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
        spoken = [
            language if sure >= SURE else old.language or language
            for (language, sure), old in zip(guesses, tried, strict=True)
        ]
        rivals = [
            self._rivals(language, old)
            for (language, _sure), old in zip(guesses, tried, strict=True)
        ]
        found = [
            replace(old, language=language) if not old.fits else old
            for old, language in zip(tried, spoken, strict=True)
        ]
        for model in self._models:
            own = [index for index, models in enumerate(rivals) if model in models]
            scored = model.score([samples[index] for index in own])
            for index, sentences in zip(own, scored, strict=True):
                new = judged(model, samples[index], sentences, spoken[index])
                found[index] = better(found[index], new)
        return [
            replace(choice, score=max(choice.score, sure))
            if choice.language == detected
            else choice
            for choice, (detected, sure) in zip(found, guesses, strict=True)
        ]

    def _rivals(self, detected: str, tried: Choice) -> tuple[NgramModel, ...]:
        """Return the models to try: of the language detected, else all but the one tried.

        A detector that confirms what does not fit well was shown two scripts on one page.
        """
        model = self._by_language.get(detected, self.default)
        if model is not tried.model:
            return (model,)
        others = self._models if detected in self._by_language else ()
        return tuple(other for other in others if other is not model)


def _scored(models: Sequence[NgramModel], pages: Sequence[Blocks]) -> list[Sentences]:
    """Score each page with its model: one call a model."""
    sentences: dict[int, Sentences] = {}
    for model in dict.fromkeys(models):
        own = [index for index, other in enumerate(models) if other is model]
        sentences.update(zip(own, model.score([pages[index] for index in own]), strict=True))
    return [sentences[index] for index in range(len(pages))]


def primary_subtag(lang: str) -> str:
    """Return `pt` for `pt-BR`; what pages declare may be anything, so only letters count."""
    subtag = lang.replace("_", "-").partition("-")[0].strip().lower()
    return subtag if subtag.isascii() and subtag.isalpha() and len(subtag) in {2, 3} else ""
