"""Training text -> a model file."""

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Final

from winnow.lab.train.language.corpus import (
    CorpusFile,
    CorpusReader,
    no_progress,
    sampled_texts,
    text_bytes,
)
from winnow.lab.train.language.punkt_training import train_punkt
from winnow.models._kernel import KERNEL_VERSION, ModelFacts
from winnow.models._kernel.lab import Counter
from winnow.models.errors import ModelError
from winnow.models.ngram.punkt import PunktLists

MAX_ORDER: Final = 3
MAX_COUNT: Final = (1 << 64) - 1  # the kernel counts in 64 bits
# One line per this many is held out; more of a small text, for reliable quantiles.
HELD_OUT_EVERY: Final = 128
HELD_OUT_EVERY_OF_SMALL: Final = 32
SMALL_TEXT_BYTES: Final = 20_000_000
# 10 MB give Punkt some 170 abbreviations and 140 starters in English; more adds little.
PUNKT_SAMPLE_BYTES: Final = 10_000_000
PUNKT_SEED: Final = 1


class Tokeniser(IntEnum):
    """Variants of the tokeniser (`models/kernel/src/ngram/tokens.rs`)."""

    FOLDED = 1  # lower case
    CASED = 2
    SPLIT = 3  # lower case, separate apostrophes


@dataclass(frozen=True, slots=True)
class Source:
    """The kind of text of a corpus file, and its licence."""

    domain: str
    licence: str


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How to train a model.

    Attributes:
        order: longest n-gram, 1 to 3.
        language: BCP 47 primary subtag of the text.
        tokeniser: variant of the tokeniser.
        min_counts: how often an n-gram must occur to be listed, unigrams first, not descending.
        min_gain: bits of text that leaving an n-gram out must cost for it to be listed.
        weights: weights of the orders, unigrams first, summing to less than 1 (the rest goes to
            unknown words); None: chosen on held-out lines.
        punkt_bytes: size of the sample that the sentence splitter learns from.
        punkt_min_count: minimum count of a word in the sample to keep its contexts.
        sources: sources of the files by name, for the provenance.
    """

    order: int = 2
    language: str = ""
    tokeniser: Tokeniser = Tokeniser.FOLDED
    min_counts: tuple[int, int, int] = (1, 1, 1)
    min_gain: float = 0.0
    weights: tuple[float, ...] | None = None
    punkt_bytes: int = PUNKT_SAMPLE_BYTES
    punkt_min_count: int = 2
    sources: Mapping[str, Source] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse an impossible plan.

        Raises:
            ModelError: order, counts, gain or weights are outside their range.
        """
        if not 1 <= self.order <= MAX_ORDER:
            raise ModelError(f"the order of a model must be 1, 2 or 3, not {self.order}")
        counts = list(self.min_counts)
        if counts != sorted(counts) or not 1 <= counts[0] <= counts[-1] <= MAX_COUNT:
            raise ModelError(
                f"minimum counts must be at least 1, at most {MAX_COUNT}, "
                "and must not descend with the order"
            )
        if not self.min_gain >= 0:
            raise ModelError("the minimum gain must be at least 0")
        if self.weights is not None and not self._weights_fit(self.weights):
            raise ModelError(
                f"there must be {self.order} weights, each above 0, with a sum below 1 "
                "(the rest is for unknown words)"
            )

    def _weights_fit(self, weights: tuple[float, ...]) -> bool:
        return len(weights) == self.order and min(weights) > 0 and sum(weights) < 1


@dataclass(frozen=True, slots=True)
class Stages:
    """Callbacks of a training.

    Attributes:
        begin: called with the name of a stage and the file bytes it will read (0: unknown).
        advance: called with the file bytes read since the last call.
    """

    begin: Callable[[str, int], None] = field(default=lambda _name, _bytes: None)
    advance: Callable[[int], None] = no_progress


def train_model(
    corpus: Sequence[Path], target: Path, plan: TrainingPlan, stages: Stages | None = None
) -> ModelFacts:
    """Train a model on text files, one paragraph per line, and write it to `target`.

    The same files and plan give the same bytes. Counts spill into nameless files in the folder
    of `target`; memory stays below 256 MB.

    Raises:
        ModelError: the text has no tokens, or a file name occurs twice.
        OSError: a file cannot be read or written.
    """
    stages = stages or Stages()
    if len({path.name for path in corpus}) != len(corpus):
        raise ModelError("two files of the corpus have the same name")
    stages.begin("learning sentence ends", 0)
    total = sum(map(text_bytes, corpus))
    punkt = _learn_punkt(corpus, total, plan)
    table = punkt.to_table()
    file_bytes = sum(path.stat().st_size for path in corpus)
    stages.begin("counting", file_bytes)
    with tempfile.TemporaryDirectory(prefix=".winnow-", dir=target.parent) as folder:
        counter = Counter(
            plan.order,
            plan.tokeniser,
            hold_out=held_out_every(total) if plan.weights is None else 0,
            punkt_table=table,
            folder=folder,
        )
        files = _count(corpus, counter, stages.advance)
        stages.begin("writing", 0)
        return counter.train(
            target,
            weights=_padded(plan.weights),
            min_counts=plan.min_counts,
            min_gain=plan.min_gain,
            provenance=_provenance(files, plan),
            punkt_lists=punkt.to_text().encode(),
        )


def _learn_punkt(corpus: Sequence[Path], total: int, plan: TrainingPlan) -> PunktLists:
    if not plan.punkt_bytes:
        return train_punkt([])
    texts = sampled_texts(corpus, total, plan.punkt_bytes, PUNKT_SEED)
    return train_punkt(texts, plan.punkt_min_count)


def held_out_every(total: int) -> int:
    """Return N to hold out one line in N, by the size of the text."""
    return HELD_OUT_EVERY_OF_SMALL if total < SMALL_TEXT_BYTES else HELD_OUT_EVERY


def _count(
    corpus: Sequence[Path], counter: Counter, advance: Callable[[int], None]
) -> list[CorpusFile]:
    """Count all files in one pass each, and return their facts."""
    files = []
    for path in corpus:
        reader = CorpusReader(path, advance)
        for chunk in reader.chunks():
            counter.feed(chunk)
        counter.feed(b"\n")
        files.append(reader.file)
    return files


def _padded(weights: tuple[float, ...] | None) -> tuple[float, float, float] | None:
    if weights is None:
        return None
    first, second, third = (*weights, 0.0, 0.0)[:MAX_ORDER]
    return first, second, third


def _provenance(files: Sequence[CorpusFile], plan: TrainingPlan) -> bytes:
    """Return a model's provenance, which depends only on the text and the plan."""
    said = {
        "language": plan.language,
        "made_by": f"winnow {KERNEL_VERSION}",
        "made_from": [
            {
                "name": file.name,
                "sha256": file.sha256,
                "text_bytes": file.text_bytes,
                **(asdict(plan.sources[file.name]) if file.name in plan.sources else {}),
            }
            for file in files
        ],
        "punkt": {
            "sample_bytes": plan.punkt_bytes,
            "seed": PUNKT_SEED,
            "min_count": plan.punkt_min_count,
        },
    }
    return json.dumps(said, ensure_ascii=False, sort_keys=True).encode(errors="replace")
