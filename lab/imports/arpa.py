r"""ARPA text (KenLM, SRILM) -> n-grams with log10 probabilities and backoff weights.

The format (SRILM's `ngram-format(5)`): `\data\`, the number of n-grams of each order, then one
section per order, then `\end\`. Each line has a log10 probability, the words and, except in the
last order, an optional log10 backoff weight.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import inf
from pathlib import Path
from typing import Final

from winnow.lab.train.language.corpus import no_progress, text_chunks
from winnow.models.errors import ModelError

MAX_LINE_BYTES: Final = 1 << 16
MAX_LINES_BEFORE_DATA: Final = 1000
MAX_ORDER: Final = 3
# What SRILM writes for log10 of 0.
LOG10_OF_ZERO: Final = -99.0


@dataclass(frozen=True, slots=True)
class ArpaNgram:
    """One n-gram of a file; log10_backoff is 0 if the file has none, -99 for a weight of 0."""

    words: tuple[str, ...]
    log10_prob: float
    log10_backoff: float


class ArpaReader:
    """Reads one file from beginning to end, once.

    Attributes:
        counts: numbers of n-grams in the file's header, unigrams first.
    """

    def __init__(self, path: Path, progress: Callable[[int], None] = no_progress) -> None:
        """Read the head of a file.

        Raises:
            ModelError: it is not an ARPA file, or its order is above 3.
            OSError: it cannot be read or is damaged.
        """
        self._path: Final = path
        self._lines = _lines(path, progress)
        self._number = 0
        for line in islice(self._each_line(), MAX_LINES_BEFORE_DATA):
            if line == b"\\data\\":
                break
        else:
            raise ModelError(f"{path}: not an ARPA file: it has no line \\data\\")
        self.counts: Final = self._read_counts()

    def __iter__(self) -> Iterator[ArpaNgram]:
        r"""Yield the n-grams, lower orders first.

        Raises:
            ModelError: a line is not an n-gram, or a section has another count than in `\data\`.
            OSError: the file cannot be read or is damaged.
        """
        for order, count in enumerate(self.counts, start=1):
            if order > 1:
                self._expect(f"\\{order}-grams:")
            for _ in range(count):
                yield self._ngram(self._line(), order)
        self._expect("\\end\\")

    def _read_counts(self) -> tuple[int, ...]:
        counts: list[int] = []
        while (line := self._line()) != b"\\1-grams:":
            order, equals, count = line.removeprefix(b"ngram ").partition(b"=")
            if not equals or order.strip() != b"%d" % (len(counts) + 1):
                raise self._refused(rf"not a count of n-grams: {line[:40]!r}")
            counts.append(self._count(count))
        if not 1 <= len(counts) <= MAX_ORDER:
            raise ModelError(
                f"{self._path}: order {len(counts)}; the order of a model must be 1 to {MAX_ORDER}"
            )
        return tuple(counts)

    def _count(self, text: bytes) -> int:
        if not text.strip().isdigit() or len(text) > len("1000000000000"):
            raise self._refused(f"not a number: {text[:40]!r}")
        return int(text)

    def _ngram(self, line: bytes, order: int) -> ArpaNgram:
        fields = line.split()
        try:
            words = tuple(word.decode() for word in fields[1 : order + 1])
            prob, *backoff = map(float, (fields[0], *fields[order + 1 :]))
        except (ValueError, IndexError):
            raise self._refused(f"not an n-gram of order {order}: {line[:40]!r}") from None
        weight = backoff[0] if backoff else 0.0
        if len(words) != order or len(backoff) > 1 or not (weight < inf and prob <= 0):
            raise self._refused(f"not an n-gram of order {order}: {line[:40]!r}")
        return ArpaNgram(words, max(prob, LOG10_OF_ZERO), max(weight, LOG10_OF_ZERO))

    def _expect(self, wanted: str) -> None:
        if (line := self._line()) != wanted.encode():
            raise self._refused(f"{wanted} expected, not {line[:40]!r}")

    def _line(self) -> bytes:
        """Return the next line that is not empty."""
        line = next(self._each_line(), None)
        if line is None:
            raise ModelError(f"{self._path}: truncated after line {self._number}")
        return line

    def _each_line(self) -> Iterator[bytes]:
        for line in self._lines:
            self._number += 1
            if len(line) > MAX_LINE_BYTES:
                raise self._refused("longer than any line of an ARPA file")
            if stripped := line.strip():
                yield stripped

    def _refused(self, why: str) -> ModelError:
        return ModelError(f"{self._path}: line {self._number}: {why}")


def _lines(path: Path, progress: Callable[[int], None]) -> Iterator[bytes]:
    """Yield the lines of a file; a too long line comes in pieces that are still too long."""
    rest = b""
    for chunk in text_chunks(path, progress):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        if len(rest) > MAX_LINE_BYTES:
            yield rest
            rest = b""
    if rest:
        yield rest
