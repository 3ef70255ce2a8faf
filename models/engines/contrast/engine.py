"""The contrast engine: keep blocks that content explains better than boilerplate."""

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
    """Judges blocks by two language models, smoothed over the page; needs no labels.

    The boilerplate model, of menus, links and notices, was counted with one content model: the
    first of the language models, which scores pages in every language. So the two scores are
    comparable, and each page is scored twice instead of three times. Tokens unknown to both models
    have no effect: a page in another language is judged by the lengths, links and places of its
    blocks.
    """

    boilerplate: NgramModel
    parameters: ContrastParameters = field(default_factory=ContrastParameters)

    name: Final = "contrast"

    @classmethod
    def load(cls, path: Path = BOILERPLATE, parameters: ContrastParameters = _DEFAULTS) -> Self:
        """Map the boilerplate model at `path`.

        Raises:
            ModelError: it is missing, truncated, corrupt, foreign or of another version.
        """
        return cls(NgramModel.open(path), parameters)

    @property
    def threshold(self) -> float:
        """The margin in bits of a token that favours neither content nor boilerplate."""
        return self.parameters.offset

    @property
    def digest(self) -> str:
        """Digest of the boilerplate model."""
        return self.boilerplate.digest

    @property
    def rule(self) -> Rule:
        """The first language model against the boilerplate model."""
        return Rule.contrast(self.boilerplate.kernel, self.parameters)
