"""The hybrid engine: keep blocks that a network and trees classify as content."""

from dataclasses import dataclass
from typing import Final

from winnow.models._kernel import Rule
from winnow.models.engines.hybrid import HybridModel, HybridOptions


@dataclass(frozen=True, slots=True)
class HybridEngine:
    """Judges blocks; a sentence has the verdict of its block."""

    model: HybridModel
    options: HybridOptions

    name: Final = "hybrid"

    @property
    def threshold(self) -> float:
        """The probability in the options; 0 if each page has its own threshold."""
        return self.options.threshold or 0.0

    @property
    def digest(self) -> str:
        """Digest of the parameter file."""
        return self.model.digest

    @property
    def rule(self) -> Rule:
        """The rule of the model, with these options."""
        return self.model.rule(self.options)
