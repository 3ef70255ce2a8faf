"""Corpus files (plain, zstd or gzip) -> chunks of text, with bounded memory."""

import gzip
import hashlib
import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, cast

import zstandard

CHUNK_BYTES: Final = 1 << 20
# A zstd frame can require a window of gigabytes; frames of level 19 need 8 MB.
MAX_WINDOW_BYTES: Final = 1 << 27


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """Facts of a training file for a model's provenance.

    Attributes:
        name: file name without folders.
        sha256: hex digest of the file, before decompression.
        text_bytes: size of the text in it.
    """

    name: str
    sha256: str
    text_bytes: int


def no_progress(_file_bytes: int) -> None:
    """Ignore progress, given as file bytes read since the last call."""


class _Counted:
    """A binary file that reports progress and computes its digest."""

    def __init__(self, path: Path, progress: Callable[[int], None]) -> None:
        self._file = path.open("rb")
        self._progress = progress
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self._progress(len(piece))
        self.digest.update(piece)
        return piece

    def close(self) -> None:
        self._file.close()


class CorpusReader:
    """One training file: its chunks and, after the last chunk, its facts."""

    def __init__(self, path: Path, progress: Callable[[int], None] = no_progress) -> None:
        """Choose the file; the suffix gives its compression."""
        self._path: Final = path
        self._progress: Final = progress
        self._file: CorpusFile | None = None

    def chunks(self) -> Iterator[bytes]:
        """Yield the text in chunks.

        Raises:
            OSError: the file cannot be read or is damaged.
        """
        source = _Counted(self._path, self._progress)
        text_bytes = 0
        try:
            with _unpacked(self._path.suffix, cast("BinaryIO", source)) as text:
                while chunk := text.read(CHUNK_BYTES):
                    text_bytes += len(chunk)
                    yield chunk
            while source.read(CHUNK_BYTES):  # also bytes after the text are in the digest
                pass
        except (zstandard.ZstdError, gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise OSError(f"{self._path}: damaged: {error}") from error
        finally:
            source.close()
        self._file = CorpusFile(self._path.name, source.digest.hexdigest(), text_bytes)

    @property
    def file(self) -> CorpusFile:
        """Facts of the file.

        Raises:
            ValueError: the chunks are not yet read to the end.
        """
        if self._file is None:
            raise ValueError(f"{self._path} has not been read to its end")
        return self._file


def text_chunks(path: Path, progress: Callable[[int], None] = no_progress) -> Iterator[bytes]:
    """Yield the text of a file in chunks.

    Raises:
        OSError: the file cannot be read or is damaged.
    """
    return CorpusReader(path, progress).chunks()


def _unpacked(suffix: str, source: BinaryIO) -> AbstractContextManager[BinaryIO]:
    if suffix == ".zst":
        unpacker = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES)
        reader = unpacker.stream_reader(source, read_across_frames=True, closefd=False)
        return cast("AbstractContextManager[BinaryIO]", reader)
    if suffix == ".gz":
        return cast("AbstractContextManager[BinaryIO]", gzip.GzipFile(fileobj=source))
    return _Plain(source)


class _Plain(AbstractContextManager["BinaryIO"]):
    def __init__(self, source: BinaryIO) -> None:
        self._source = source

    def __enter__(self) -> BinaryIO:
        return self._source

    def __exit__(self, *_: object) -> None:
        return None


def text_bytes(path: Path) -> int:
    """Return the size of the text in a file, by reading it."""
    return sum(map(len, text_chunks(path)))


def sampled_texts(
    paths: Sequence[Path], total_bytes: int, sample_bytes: int, seed: int
) -> Iterator[str]:
    """Yield about `sample_bytes` of the lines of all files, a chunk at a time.

    The same files and seed give the same lines.
    """
    share = min(1.0, sample_bytes / max(1, total_bytes))
    chance = random.Random(seed)  # noqa: S311 - a reproducible sample, no secret
    picked: list[bytes] = []
    size = 0
    for path in paths:
        for line in _lines(path):
            if chance.random() < share:
                picked.append(line)
                size += len(line) + 1
            if size >= CHUNK_BYTES:
                yield b"\n".join(picked).decode("utf-8", errors="replace")
                picked, size = [], 0
    yield b"\n".join(picked).decode("utf-8", errors="replace")


def _lines(path: Path) -> Iterator[bytes]:
    rest = b""
    for chunk in text_chunks(path):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
        if len(rest) > CHUNK_BYTES:  # the counter's limit of a line
            yield rest
            rest = b""
    yield rest
