"""The highest accepted perplexity of a sentence, as a value or relative to a model."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ceiling:
    """A perplexity, or a quantile of the perplexities of a model's own held-out sentences.

    Attributes:
        value: at least 1, or 0 to 1 for a quantile.
        is_quantile: whether `value` is a quantile.
    """

    value: float
    is_quantile: bool

    def __str__(self) -> str:
        """Return the text of the option: `4000` or `q.95`."""
        return f"q{self.value:g}" if self.is_quantile else f"{self.value:g}"
