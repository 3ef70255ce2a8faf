"""Keep the blocks that networks on the collapsed DOM call content: the web2text engine."""

from dataclasses import dataclass
from typing import Final

from winnow.models._kernel import Rule
from winnow.models.engines.web2text.model import Web2TextModel


@dataclass(frozen=True, slots=True)
class Web2TextEngine:
    """A sentence shares the verdict of its block; text without markup is kept whole.

    Attributes:
        threshold: what the model was built with: natural log-odds that a block must have beyond
            those it was trained to need; more keeps less.
    """

    model: Web2TextModel
    threshold: float = 0.0

    name: Final = "web2text"

    @property
    def digest(self) -> str:
        """That of the weight file."""
        return self.model.digest

    @property
    def rule(self) -> Rule:
        """As the networks label the blocks while the tree of their page is there."""
        return Rule.web2text(self.model.networks)
