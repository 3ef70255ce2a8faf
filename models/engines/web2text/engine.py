"""The web2text engine: keep blocks that networks on the collapsed DOM label as content."""

from dataclasses import dataclass
from typing import Final

from winnow.models._kernel import Rule
from winnow.models.engines.web2text.model import Web2TextModel


@dataclass(frozen=True, slots=True)
class Web2TextEngine:
    """Judges blocks; a sentence has the verdict of its block, and plain text is kept whole.

    Attributes:
        threshold: given when the model was built: natural log-odds that a block needs in addition
            to the trained ones; a higher one keeps less.
    """

    model: Web2TextModel
    threshold: float = 0.0

    name: Final = "web2text"

    @property
    def digest(self) -> str:
        """Digest of the weight file."""
        return self.model.digest

    @property
    def rule(self) -> Rule:
        """The networks' labels, computed while the tree of the page exists."""
        return Rule.web2text(self.model.networks)
