"""Perl's Storable files -> n-grams: the part of the format that PyPlexity's models use.

A model is a list of hashes, one per order, the highest first: words separated by blanks, and the
probability of the last word. The format is `Storable.xs` (major version 2): a magic, the byte order
and sizes of the machine that wrote it, then values, each after a byte for its type. Objects, code
and back references are not read.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import BinaryIO, Final

from winnow.lab.train.language.corpus import no_progress
from winnow.models.errors import ModelError, WinnowError

MAX_TEXT_BYTES: Final = 1 << 12
MAX_HASHES: Final = 3
MAJOR: Final = 2
_PROGRESS_BYTES: Final = 1 << 20
_LSCALAR, _ARRAY, _HASH, _REF = 1, 2, 3, 4
_INTEGER, _DOUBLE, _BYTE, _NETINT, _SCALAR = 6, 7, 8, 9, 10
_UTF8STR, _LUTF8STR, _FLAG_HASH = 23, 24, 25


class _Format(WinnowError):  # noqa: N818 - carries a reason to the one place that raises
    """The bytes are invalid; the message says why."""


@dataclass(frozen=True, slots=True)
class _Machine:
    """The number layout of the machine that wrote a file."""

    order: str  # byte order, as in `struct`
    has_doubles: bool  # else numbers are text


class StorableReader:
    """Reads the hashes of one file."""

    def __init__(self, path: Path) -> None:
        """Keep the path; `hashes` and `entries` open it."""
        self._path: Final = path

    def hashes(self) -> int:
        """Return the number of hashes.

        Raises:
            ModelError: the file is not a Storable list of one to three hashes.
            OSError: it cannot be read.
        """
        with self._path.open("rb") as file:
            try:
                return _list_length(_Values(file, no_progress))
            except _Format as why:
                raise ModelError(f"{self._path}: {why}") from None

    def entries(
        self, wanted: int, progress: Callable[[int], None] = no_progress
    ) -> Iterator[tuple[str, float]]:
        """Yield keys and probabilities of the hash with this index; skips earlier hashes.

        Raises:
            ModelError: the file is truncated, or is not a PyPlexity model.
            OSError: it cannot be read.
        """
        with self._path.open("rb") as file:
            values = _Values(file, progress)
            try:
                _list_length(values)
                for index in range(wanted + 1):
                    pairs = _hash(values)
                    if index == wanted:
                        yield from pairs
                    else:
                        for _ in pairs:
                            pass
            except _Format as why:
                at = f"byte {values.at}"
                raise ModelError(f"{self._path}: {at}: {why}") from None


class _Values:
    """Parses the bytes of a file."""

    def __init__(self, file: BinaryIO, progress: Callable[[int], None]) -> None:
        self._file = file
        self._progress = progress
        self._reported = 0
        self.at = 0
        self.machine = self._header()

    def take(self, size: int) -> bytes:
        if size > MAX_TEXT_BYTES:
            raise _Format(f"a text of {size} bytes, too long for a word")
        taken = self._file.read(size)
        self.at += len(taken)
        if len(taken) != size:
            raise _Format("truncated")
        if self.at - self._reported >= _PROGRESS_BYTES:
            self._progress(self.at - self._reported)
            self._reported = self.at
        return taken

    def byte(self) -> int:
        return self.take(1)[0]

    def length(self) -> int:
        """Return a length, a signed 32-bit number in the machine's byte order."""
        (length,) = struct.unpack(self.machine.order + "i", self.take(4))
        if length < 0:
            raise _Format("a negative length")
        return int(length)

    def number(self) -> float:
        """Return a numeric value."""
        kind = self.byte()
        order = self.machine.order
        if kind == _DOUBLE and self.machine.has_doubles:
            return float(struct.unpack(order + "d", self.take(8))[0])
        if kind == _INTEGER:
            return float(struct.unpack(order + "q", self.take(8))[0])
        if kind == _NETINT:
            return float(struct.unpack(">i", self.take(4))[0])
        if kind == _BYTE:
            return float(self.byte() - 128)
        return self._number_as_text(kind)

    def _number_as_text(self, kind: int) -> float:
        if kind in {_SCALAR, _UTF8STR}:
            text = self.take(self.byte())
        elif kind in {_LSCALAR, _LUTF8STR}:
            text = self.take(self.length())
        else:
            raise _Format(f"a value of type {kind} where a probability is expected")
        try:
            return float(text)
        except ValueError:
            raise _Format(f"not a probability: {text[:40]!r}") from None

    def _header(self) -> _Machine:
        magic = self.take(4)
        if magic != b"pst0":
            raise _Format("not a Storable file")
        version = self.byte()
        major, is_network_order = version >> 1, version & 1
        minor = self.byte()
        if major != MAJOR:
            raise _Format(f"Storable of major version {major}, not {MAJOR}")
        if is_network_order:
            return _Machine(">", has_doubles=False)
        order = self.take(self.byte())
        sizes = self.take(4 if minor >= 2 else 3)  # noqa: PLR2004 - minor version 2 added doubles
        orders = {b"12345678": "<", b"87654321": ">"}
        if order not in orders or sizes[3:] not in {b"", b"\x08"}:
            raise _Format("written on a machine without 64-bit integers and doubles")
        return _Machine(orders[order], has_doubles=True)


def _list_length(values: _Values) -> int:
    if values.byte() != _ARRAY:
        raise _Format("not a list of hashes")
    length = values.length()
    if not 1 <= length <= MAX_HASHES:
        raise _Format(f"a list of {length}, not of 1 to {MAX_HASHES} hashes")
    return length


def _hash(values: _Values) -> Iterator[tuple[str, float]]:
    kind = values.byte()
    if kind == _REF:
        kind = values.byte()
    if kind not in {_HASH, _FLAG_HASH}:
        raise _Format(f"a value of type {kind} where a hash is expected")
    if kind == _FLAG_HASH:
        values.byte()  # whether it was locked
    for _ in range(values.length()):
        probability = values.number()
        if kind == _FLAG_HASH:
            values.byte()  # the key's UTF-8 flag; we try UTF-8 anyway
        key = values.take(values.length())
        if not (isfinite(probability) and 0 <= probability <= 1):
            raise _Format(f"{key[:40]!r}: {probability} is not a probability")
        yield key.decode("utf-8", errors="replace"), probability
