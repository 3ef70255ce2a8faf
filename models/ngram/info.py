"""The contents of a model file except its table."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self, TypeVar

from winnow.models._kernel import ModelFacts

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Figures:
    """Sizes, weights and training figures. Triples go by order, unigrams first.

    Attributes:
        order: longest n-gram.
        tokeniser: number of the variant of the token rule.
        interpolated: whether listed values are interpolated; else scoring backs off.
        unknown_log2: log2 P of a token that is not in the model.
        weights: share of each order in a probability; 0 beyond `order`.
        listed: n-grams in the file.
        seen: different n-grams in the training text; zeros for an imported model.
        min_counts: n-grams with fewer occurrences are not listed.
        min_gain: least cost, in bits of training text, of leaving out a listed n-gram.
        held_out_tokens: tokens held out to choose the weights; 0 if the weights were given.
        held_out_oov: the held-out tokens without a unigram.
        held_out_log2: sum of their log2 P, by the listed n-grams.
    """

    order: int
    tokeniser: int
    interpolated: bool
    unknown_log2: float
    weights: tuple[float, float, float]
    listed: tuple[int, int, int]
    seen: tuple[int, int, int]
    min_counts: tuple[int, int, int]
    min_gain: float
    training_tokens: int
    training_sentences: int
    held_out_tokens: int
    held_out_oov: int
    held_out_log2: float

    @classmethod
    def of(cls, facts: ModelFacts) -> Self:
        """Convert the kernel's record."""
        return cls(
            order=facts.order,
            tokeniser=facts.tokeniser,
            interpolated=facts.smoothing == "interpolated",
            unknown_log2=facts.unknown_log2,
            weights=_triple(facts.weights),
            listed=_triple(facts.listed),
            seen=_triple(facts.seen),
            min_counts=_triple(facts.min_counts),
            min_gain=facts.min_gain,
            training_tokens=facts.training_tokens,
            training_sentences=facts.training_sentences,
            held_out_tokens=facts.held_out_tokens,
            held_out_oov=facts.held_out_oov,
            held_out_log2=facts.held_out_log2,
        )


def _triple(values: Sequence[Number]) -> tuple[Number, Number, Number]:
    first, second, third = values
    return first, second, third


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model file as a whole.

    Attributes:
        digest: hex SHA-256 of the contents.
        language: BCP 47 primary subtag, empty if unknown.
        table_bytes: size of the table of n-grams.
        provenance: the origin, as JSON.
        punkt_abbreviations: number of abbreviations of the sentence splitter.
    """

    digest: str
    language: str
    file_bytes: int
    table_bytes: int
    figures: Figures
    provenance: str
    punkt_abbreviations: int

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, with the provenance as an object."""
        return {
            **asdict(self),
            "held_out_perplexity": self.held_out_perplexity,
            "bytes_per_ngram": self.bytes_per_ngram,
            "provenance": json.loads(self.provenance or "{}"),
        }

    @property
    def made_from(self) -> list[dict[str, Any]]:
        """The files of its corpus: name, digest and size, domain and licence where known."""
        said = json.loads(self.provenance or "{}")
        return list(said.get("made_from", [])) if isinstance(said, dict) else []

    @property
    def held_out_perplexity(self) -> float:
        """Perplexity of the held-out lines; 0 if none were held out."""
        figures = self.figures
        if not figures.held_out_tokens:
            return 0.0
        return float(2.0 ** (-figures.held_out_log2 / figures.held_out_tokens))

    @property
    def bytes_per_ngram(self) -> float:
        """Table bytes per n-gram."""
        return self.table_bytes / max(1, sum(self.figures.listed))
