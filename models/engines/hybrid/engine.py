"""Keep the blocks that trees and a network call content: the hybrid engine."""

from dataclasses import dataclass
from typing import Final

from winnow.models._kernel import Rule
from winnow.models.engines.hybrid import HybridModel, HybridOptions


@dataclass(frozen=True, slots=True)
class HybridEngine:
    """A sentence shares the verdict of its block."""

    model: HybridModel
    options: HybridOptions

    name: Final = "hybrid"

    @property
    def threshold(self) -> float:
        """The probability of the options; 0 when each page has its own."""
        return self.options.threshold or 0.0

    @property
    def digest(self) -> str:
        """That of the parameter file."""
        return self.model.digest

    @property
    def rule(self) -> Rule:
        """That of the model, with these options."""
        return self.model.rule(self.options)
