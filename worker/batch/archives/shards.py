"""Documents -> files of limited size."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, Final, Protocol

import zstandard

from winnow.models.errors import WinnowError
from winnow.worker.batch.archives.conversions import Conversions
from winnow.worker.batch.archives.folders import Folder, FreshFile
from winnow.worker.batch.archives.ledger import SHARD_SUFFIXES, Shard, shard_name

ZSTD_LEVEL: Final = 3
# of documents that are compressed at once: cleaning evicts the tables of zstd from the caches
PACKED_BYTES: Final = 4 << 20


class MissingPackageError(WinnowError):
    """An optional package is not installed."""


class ShardWriter(Protocol):
    """Writes documents to one file."""

    def write(self, value: bytes) -> None:
        """Write the message of a document, which is a line of JSON."""

    def finish(self) -> None:
        """Write what is left; the caller closes the file."""


class JsonLines:
    """Writes JSON lines compressed with zstd."""

    def __init__(self, file: BinaryIO) -> None:
        """Write to a file."""
        self._packed = zstandard.ZstdCompressor(ZSTD_LEVEL).stream_writer(file, closefd=False)
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0

    def write(self, value: bytes) -> None:
        """Write the message of a document."""
        self._waiting.append(value)
        self._waiting_bytes += len(value)
        if self._waiting_bytes >= PACKED_BYTES:
            self._pack()

    def finish(self) -> None:
        """Write what is left."""
        self._pack()
        self._packed.flush(zstandard.FLUSH_FRAME)

    def _pack(self) -> None:
        self._packed.write(b"".join(self._waiting))
        self._waiting.clear()
        self._waiting_bytes = 0


@dataclass(frozen=True, slots=True)
class Form:
    """How shards are written.

    Attributes:
        suffix: suffix of their names.
        begin: opens a writer for one shard.
    """

    suffix: str
    begin: Callable[[BinaryIO], ShardWriter]


FORMS: Final = tuple(SHARD_SUFFIXES)


def form_of(name: str, table: str = "document") -> Form:
    """Return how shards of one message type are written in a format.

    Raises:
        MissingPackageError: the package for the format is not installed.
    """
    if name == "parquet":
        try:
            from winnow.worker.batch.archives.parquet import ParquetShard  # noqa: PLC0415 - pyarrow is an extra
        except ModuleNotFoundError as error:
            raise MissingPackageError(
                f"--format parquet needs {error.name}: pip install 'winnow-web[parquet]'"
            ) from error
        return Form(SHARD_SUFFIXES[name], partial(ParquetShard, table))
    if name == "warc":
        return Form(SHARD_SUFFIXES[name], Conversions)
    return Form(SHARD_SUFFIXES["jsonl"], JsonLines)


class Shards:
    """Writes one file after the other, each up to a given size."""

    def __init__(self, folder: Folder, form: Form, shard_bytes: int, first: int) -> None:
        """Write files from number `first` on."""
        self._folder = folder
        self._form = form
        self._shard_bytes = shard_bytes
        self._number = first
        self._fresh: FreshFile | None = None

    def write(self, value: bytes) -> None:
        """Write the message of a document.

        Raises:
            OSError: the disk is full, or the like.
        """
        if self._fresh is None:
            self._fresh = self._folder.fresh(self._name)
            self._writer = self._form.begin(self._fresh.file)
            self._documents = self._value_bytes = 0
        self._writer.write(value)
        self._documents += 1
        self._value_bytes += len(value)

    @property
    def is_full(self) -> bool:
        """Whether the file has reached its size, counted before compression."""
        return self._fresh is not None and self._value_bytes >= self._shard_bytes

    def finish(self) -> list[Shard]:
        """Finish the open file, if there is one, and return it.

        Raises:
            OSError: the disk is full, or the like.
        """
        if self._fresh is None:
            return []
        self._writer.finish()
        file_bytes = self._fresh.file.tell()
        self._fresh.publish()
        self._fresh = None
        shard = Shard(self._name, self._documents, file_bytes)
        self._number += 1
        return [shard]

    def discard(self) -> None:
        """Discard the open file."""
        if self._fresh:
            self._fresh.discard()

    @property
    def _name(self) -> str:
        return shard_name(self._number, self._form.suffix)
