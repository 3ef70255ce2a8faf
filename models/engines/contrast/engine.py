"""Keep the blocks that content explains better than boilerplate: the contrast engine."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from winnow.models._kernel import Rule
from winnow.models.engines.contrast.parameters import ContrastParameters
from winnow.models.ngram import NgramModel
from winnow.models.ngram.model import DATA

BOILERPLATE: Final = DATA / "boilerplate.winnow"
_DEFAULTS: Final = ContrastParameters()


@dataclass(frozen=True, slots=True)
class ContrastEngine:
    """Judges blocks by two models of language, smoothed over the page; needs no labels.

    The model of boilerplate, of menus, links and notices, was counted beside one model of content,
    the first of the language models, which scores pages in every language: what the two say is
    comparable, and each page is scored twice and not three times.
    A token that neither model knows decides nothing, so a page in another language is judged by
    the lengths of its blocks, their links and their places.
    """

    boilerplate: NgramModel
    parameters: ContrastParameters = field(default_factory=ContrastParameters)

    name: Final = "contrast"

    @classmethod
    def load(cls, path: Path = BOILERPLATE, parameters: ContrastParameters = _DEFAULTS) -> Self:
        """Map the model of boilerplate at `path`.

        Raises:
            ModelError: it is missing, truncated, corrupt, foreign or of another version.
        """
        return cls(NgramModel.open(path), parameters)

    @property
    def threshold(self) -> float:
        """The margin in bits a token that speaks for neither content nor boilerplate."""
        return self.parameters.offset

    @property
    def digest(self) -> str:
        """That of the model of boilerplate."""
        return self.boilerplate.digest

    @property
    def rule(self) -> Rule:
        """The first language model against the one of boilerplate."""
        return Rule.contrast(self.boilerplate.kernel, self.parameters)
