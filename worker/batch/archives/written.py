"""Read documents from the shards that `winnow clean` and `winnow tail` write."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import orjson

from winnow.worker.batch.archives.ledger import ERRORS, LEDGER
from winnow.worker.batch.archives.shards import MissingPackageError
from winnow.worker.batch.archives.unpacking import DamagedPacking, UnpackedFile, packing_of
from winnow.worker.batch.inputs import InputError, Search


def _log_of_run(folder: Path) -> frozenset[str]:
    """Return the name of the error log in a run's folder: its lines are not documents."""
    return frozenset({ERRORS} if (folder / LEDGER).exists() else ())


DOCUMENT_SHARDS: Final = Search(
    frozenset({".jsonl", ".jsonl.zst", ".jsonl.gz", ".ndjson", ".parquet"}), _log_of_run
)
MAX_LINE_BYTES: Final = 256 << 20
_PARQUET: Final = b"PAR1"
_MAGIC_BYTES: Final = 4


def documents_in(path: Path, members: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the given members of each document of a shard, if the document has them.

    Raises:
        InputError: the file cannot be read, is damaged, or is not a shard of documents.
        MissingPackageError: the package that reads Parquet is not installed.
    """
    try:
        with path.open("rb") as file:
            is_table = file.read(len(_PARQUET)) == _PARQUET
        yield from _rows(path, members) if is_table else _lines(path, members)
    except OSError as error:
        raise InputError(path, error.strerror or str(error)) from error
    except DamagedPacking as error:
        raise InputError(path, str(error)) from error


def _lines(path: Path, members: Sequence[str]) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        packing = packing_of(file.peek(_MAGIC_BYTES))
        lines = UnpackedFile.buffered(file, packing) if packing else file
        for number, line in enumerate(iter(lambda: lines.readline(MAX_LINE_BYTES + 1), b""), 1):
            if len(line) > MAX_LINE_BYTES:
                raise InputError(path, f"line {number} has more than {MAX_LINE_BYTES} bytes")
            try:
                document = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise InputError(path, f"line {number} is not JSON: {error}") from error
            if not isinstance(document, dict) or not isinstance(document.get("url"), str):
                raise InputError(path, f"line {number} is not a document of winnow")
            yield {name: document[name] for name in members if name in document}


def _rows(path: Path, members: Sequence[str]) -> Iterator[dict[str, Any]]:
    try:
        from pyarrow import ArrowInvalid  # noqa: PLC0415 - an extra
        from pyarrow.parquet import ParquetFile  # noqa: PLC0415 - the same
    except ModuleNotFoundError as error:
        why = f"Parquet needs {error.name}: pip install 'winnow-web[parquet]'"
        raise MissingPackageError(why) from error
    try:
        with ParquetFile(path) as table:
            there = [name for name in members if name in table.schema_arrow.names]
            if "url" not in there:
                raise InputError(path, "is not a table of documents of winnow")
            for batch in table.iter_batches(columns=there):
                yield from batch.to_pylist()
    except ArrowInvalid as error:
        raise InputError(path, str(error)) from error
