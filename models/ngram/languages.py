"""A set of language models: pages to judged pages, each by the model of its language."""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, Self

from winnow.models import _kernel
from winnow.models._kernel import Blocks, JudgedPage, Rule
from winnow.models.errors import ModelError
from winnow.models.ngram.ceiling import Ceiling
from winnow.models.ngram.model import NgramModel

# The first one judges pages without a declared language.
SHIPPED: Final = (
    *("en", "ar", "bg", "ca", "cs", "da", "de", "el", "es", "fa", "fi", "fr", "gl", "he", "hi"),
    *("hu", "id", "it", "ja", "ko", "nb", "nl", "pl", "pt", "ro", "ru", "sv", "tr", "uk", "vi"),
    "zh",
)


class LanguageModels:
    """A set of language models, at most one per language. Thread-safe."""

    def __init__(self, models: Sequence[NgramModel]) -> None:
        """Take open models; the first one judges pages without a declared language.

        Raises:
            ModelError: the set is empty, or two models have the same language.
        """
        if not models:
            raise ModelError("there is no language model")
        self._models: Final = tuple(models)
        self._by_language: Final = {model.language: model for model in models}
        if len(self._by_language) != len(models):
            twice = sorted(model.language for model in models)
            raise ModelError(f"two models of one language: {', '.join(twice)}")
        self.kernel: Final = _kernel.LanguageModels(
            [(model.kernel, model.language) for model in models]
        )

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[NgramModel, ...]]]:
        """Pickle as the models."""
        return type(self), (self._models,)

    @classmethod
    @cache
    def shipped(cls) -> Self:
        """Map all shipped models, once in a process.

        Raises:
            ModelError: one of them cannot be used.
        """
        return cls([NgramModel.shipped(language) for language in SHIPPED])

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Map a model file, or all `.winnow` files of a folder in the order of their names.

        English comes first all the same: most pages that declare no language are in it.

        Raises:
            ModelError: a file cannot be used, or the folder holds none.
        """
        path = Path(path)
        paths = sorted(path.glob("*.winnow")) if path.is_dir() else [path]
        if not paths:
            raise ModelError(f"{path}: the folder has no model (*.winnow)")
        models = [NgramModel.open(each) for each in paths]
        return cls(sorted(models, key=lambda model: model.language != SHIPPED[0]))

    @property
    def digest(self) -> str:
        """Hex digest of all models; for a single model its own digest."""
        digests = [model.digest for model in self._models]
        return (
            digests[0] if len(digests) == 1 else hashlib.sha256(repr(digests).encode()).hexdigest()
        )

    @property
    def default(self) -> NgramModel:
        """The first model: it judges pages without a declared language."""
        return self._models[0]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the models, the default one first."""
        return tuple(self._by_language)

    @property
    def without_quantiles(self) -> tuple[str, ...]:
        """The languages of models without quantiles of held-out sentences."""
        return tuple(
            language for language, model in self._by_language.items() if model.quantile(0.5) is None
        )

    def read_ahead(self) -> None:
        """Read all files into memory; call it before reporting readiness."""
        for model in self._models:
            model.read_ahead()

    def judge(
        self,
        rule: Rule,
        pages: Sequence[Blocks],
        *,
        scores_dropped: bool = False,
        ceiling: Ceiling | None = None,
    ) -> list[JudgedPage]:
        """Choose a model for each page, split it into sentences, score and judge them.

        One kernel call, which releases the GIL: see `winnow.models._kernel.LanguageModels`.

        Args:
            rule: of an engine, see `Engine.rule`.
            pages: with the blocks that the engine reads.
            scores_dropped: also score the sentences of dropped blocks that the engine
                does not need to score.
            ceiling: kept sentences of running text above it are dropped.
        """
        highest, share = None, None
        if ceiling is not None and ceiling.is_quantile:
            share = ceiling.value
        elif ceiling is not None:
            highest = ceiling.value
        return self.kernel.judge(rule, pages, scores_dropped, highest, share)
