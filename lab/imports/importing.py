"""Language models of other programs -> model files."""

import hashlib
import json
import math
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TypeAlias

from winnow.lab.imports.arpa import LOG10_OF_ZERO, ArpaNgram, ArpaReader
from winnow.lab.imports.storable import StorableReader
from winnow.lab.train.language.training import Stages, Tokeniser
from winnow.models._kernel import KERNEL_VERSION, ModelFacts
from winnow.models._kernel.lab import Importer
from winnow.models.ngram.punkt import NO_PUNKT, PunktLists

BATCH_NGRAMS: Final = 20_000
LOG2_OF_10: Final = math.log2(10)
_START: Final = "<s>"
_UNKNOWN: Final = "<unk>"
# PyPlexity's weights of its orders, unigrams first, and its addition to every probability.
PYPLEXITY_WEIGHTS: Final = ((1.0,), (0.2, 0.8), (0.1, 0.3, 0.6))
PYPLEXITY_FLOOR: Final = 1e-6
PYPLEXITY_START: Final = "#"
MAX_FLOOR_SHARE: Final = 0.5
# The smallest backoff weight in a model file is 2^-120; SRILM writes -99 for 0.
_LEAST_LOG10_WEIGHT: Final = -36.0

# Words, log2 P, log2 of the weight as a history.
Row: TypeAlias = tuple[list[str], float, float]


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """Facts of a model that another program's file does not have.

    Attributes:
        language: BCP 47 primary subtag of its training text.
        tokeniser: tokeniser variant; None: folded unless a word of the file has a capital
        letter.
        punkt: parameters of the sentence splitter.
    """

    language: str = ""
    tokeniser: Tokeniser | None = None
    punkt: PunktLists = NO_PUNKT


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import.

    Attributes:
        facts: facts of the new model file.
        left_out: number of n-grams that cannot occur, because one of their words is not exactly
        one of our tokens, or whose probability is 0.
    """

    facts: ModelFacts
    left_out: int


@dataclass(frozen=True, slots=True)
class _Made:
    """A model to send to the kernel; `rows` has None for an n-gram left out."""

    rows: Iterable[Row | None]
    tokeniser: Tokeniser
    order: int
    interpolated: bool
    unknown_log2: float
    weights: tuple[float, ...] = ()


def import_arpa(
    path: Path, target: Path, plan: ImportPlan, stages: Stages | None = None
) -> Imported:
    """Write the backoff model of an ARPA file to `target`; `.gz` and `.zst` are decompressed.

    Raises:
        ModelError: the file is not an ARPA file, is damaged, or its order is above 3.
        OSError: a file cannot be read or written.
    """
    stages = stages or Stages()
    stages.begin("looking at the words", path.stat().st_size)
    survey = _survey(ArpaReader(path, stages.advance))
    stages.begin("reading", path.stat().st_size)
    reader = ArpaReader(path, stages.advance)
    made = _Made(
        rows=map(_arpa_row, reader),
        tokeniser=plan.tokeniser or survey.tokeniser,
        order=len(reader.counts),
        interpolated=False,
        unknown_log2=survey.unknown_log10 * LOG2_OF_10,
    )
    return _write(path, target, plan, made)


@dataclass(frozen=True, slots=True)
class _Survey:
    tokeniser: Tokeniser
    unknown_log10: float


def _survey(reader: ArpaReader) -> _Survey:
    """Read the words. Without `<unk>`, an unknown word is as likely as the least likely word."""
    tokeniser = Tokeniser.FOLDED
    unknown, lowest = LOG10_OF_ZERO, 0.0
    for ngram in islice(reader, reader.counts[0]):
        word = _arpa_word(ngram.words[0])
        if word == _UNKNOWN:
            unknown = ngram.log10_prob
        elif not word.startswith("<") and ngram.log10_prob > LOG10_OF_ZERO:
            lowest = min(lowest, ngram.log10_prob)
            if word != word.lower():
                tokeniser = Tokeniser.CASED
    return _Survey(tokeniser, unknown if unknown > LOG10_OF_ZERO else lowest)


def _arpa_word(word: str) -> str:
    return _UNKNOWN if word == "<UNK>" else word


def _arpa_row(ngram: ArpaNgram) -> Row | None:
    words = [_arpa_word(word) for word in ngram.words]
    weight = max(ngram.log10_backoff, _LEAST_LOG10_WEIGHT) * LOG2_OF_10
    if words == [_START]:  # it is never predicted, so its probability in the file is arbitrary
        return words, 0.0, weight
    if ngram.log10_prob <= LOG10_OF_ZERO:
        return None
    return words, ngram.log10_prob * LOG2_OF_10, weight


def import_pyplexity(
    path: Path, target: Path, plan: ImportPlan, stages: Stages | None = None
) -> Imported:
    """Write a model of PyPlexity (a Storable list of hashes, highest order first) to `target`.

    Its probabilities are interpolated with its weights, but as in the paper: P(w2 | w1) with P(w2).
    It adds one in a million for unknown words; here this is subtracted from the other weights, so
    that probabilities sum to 1. All n-grams below the highest order are held in memory.

    Raises:
        ModelError: the file is not such a model, or is truncated.
        OSError: a file cannot be read or written.
    """
    stages = stages or Stages()
    reader = StorableReader(path)
    order = reader.hashes()
    file_bytes = path.stat().st_size

    def entries(of_order: int) -> Iterator[tuple[str, float]]:
        stages.begin(f"reading n-grams of order {of_order}", file_bytes)
        return reader.entries(order - of_order, stages.advance)

    unigrams = dict(entries(1))
    words = len(unigrams.keys() - {PYPLEXITY_START}) + 1
    share = min(MAX_FLOOR_SHARE, words * PYPLEXITY_FLOOR)
    weights = tuple(weight * (1 - share) for weight in PYPLEXITY_WEIGHTS[order - 1])
    mixture = _Mixture(weights, share / words, unigrams)
    made = _Made(
        rows=mixture.rows(entries),
        tokeniser=plan.tokeniser or Tokeniser.SPLIT,
        order=order,
        interpolated=True,
        unknown_log2=math.log2(mixture.floor),
        weights=weights,
    )
    return _write(path, target, plan, made)


class _Mixture:
    """Converts probabilities of each order to interpolated ones."""

    def __init__(
        self, weights: tuple[float, ...], floor: float, unigrams: dict[str, float]
    ) -> None:
        self._weights = weights
        self.floor = floor
        self._lower: dict[str, float] = {}
        self._unigrams = unigrams

    def rows(self, entries: Callable[[int], Iterator[tuple[str, float]]]) -> Iterator[Row | None]:
        """Yield all n-grams, lower orders first; `entries` reads one order."""
        for key, probability in self._unigrams.items():
            yield self._row(key, 1, probability)
        for order in range(2, len(self._weights) + 1):
            is_wanted_later = order < len(self._weights)
            for key, probability in entries(order):
                yield self._row(key, order, probability)
                if is_wanted_later:
                    self._lower[key] = probability

    def _row(self, key: str, order: int, probability: float) -> Row | None:
        words = key.split(" ")
        if len(words) != order or words == [PYPLEXITY_START]:
            return None
        likely = self._weights[order - 1] * probability + self.floor
        if order > 1:
            likely += self._weights[0] * self._unigrams.get(words[-1], 0.0)
        if order > 2:  # noqa: PLR2004 - trigrams
            likely += self._weights[1] * self._lower.get(" ".join(words[1:]), 0.0)
        if order > 1 and words[0] == PYPLEXITY_START:
            words[0] = _START
        return words, math.log2(min(likely, 1.0)), 0.0


def _write(path: Path, target: Path, plan: ImportPlan, made: _Made) -> Imported:
    left_out = 0
    with tempfile.TemporaryDirectory(prefix=".winnow-", dir=target.parent) as folder:
        importer = Importer(made.tokeniser, folder)
        rest = iter(made.rows)
        while batch := list(islice(rest, BATCH_NGRAMS)):
            rows = [row for row in batch if row is not None]
            left_out += len(batch) - importer.add(rows)
        first, second, third = (*made.weights, 0.0, 0.0, 0.0)[:3]
        facts = importer.write(
            target,
            order=made.order,
            smoothing="interpolated" if made.interpolated else "backoff",
            unknown_log2=made.unknown_log2,
            weights=(first, second, third),
            punkt_table=plan.punkt.to_table(),
            provenance=_provenance(path, plan),
            punkt_lists=plan.punkt.to_text().encode(),
        )
    return Imported(facts, left_out)


def _provenance(path: Path, plan: ImportPlan) -> bytes:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    said = {
        "language": plan.language,
        "made_by": f"winnow {KERNEL_VERSION}",
        "imported_from": {"name": path.name, "sha256": digest},
    }
    return json.dumps(said, ensure_ascii=False, sort_keys=True).encode(errors="replace")
