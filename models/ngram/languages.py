"""Language models side by side: pages to judged pages, each by the model of its language."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

from winnow.models import _kernel
from winnow.models._kernel import Blocks, JudgedPage, Rule
from winnow.models.errors import ModelError
from winnow.models.ngram.ceiling import Ceiling
from winnow.models.ngram.model import NgramModel

# The first one judges pages that declare nothing.
SHIPPED: Final = ("en", "el", "pl", "ru", "zh")


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
        self._kernel: Final = _kernel.LanguageModels(
            [(model.kernel, model.language) for model in models]
        )

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[NgramModel, ...]]]:
        """Travel as the models."""
        return type(self), (self._models,)

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

    @property
    def without_quantiles(self) -> tuple[str, ...]:
        """The languages of the models that know no quantiles of held-out sentences."""
        return tuple(
            language for language, model in self._by_language.items() if model.quantile(0.5) is None
        )

    def read_ahead(self) -> None:
        """Bring all files into memory; call it before reporting readiness."""
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

        One call of the kernel, which releases the GIL: see `winnow.models._kernel.LanguageModels`.

        Args:
            rule: that of an engine, see `Engine.rule`.
            pages: as that engine cut them.
            scores_dropped: score the sentences of dropped blocks too, where the engine does without
                their scores.
            ceiling: above which kept sentences of running text go.
        """
        highest, share = None, None
        if ceiling is not None and ceiling.is_quantile:
            share = ceiling.value
        elif ceiling is not None:
            highest = ceiling.value
        return self._kernel.judge(rule, pages, scores_dropped, highest, share)
