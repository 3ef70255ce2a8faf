"""Records of a topic -> shards in a folder, and a ledger of the written offsets."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from io import BytesIO
from typing import Final

import orjson

from winnow.streams.operator.topic_reader import Span, Stored
from winnow.worker.batch.archives.conversions import Conversions
from winnow.worker.batch.archives.folders import Folder
from winnow.worker.batch.archives.ledger import (
    ERRORS,
    LEDGER,
    OtherRunError,
    Shard,
    checked_shards,
    typed,
)
from winnow.worker.batch.archives.run import Output
from winnow.worker.batch.archives.shards import Shards

_KIND: Final = "winnow tail, version 1"

Check = Callable[[bytes], object]


@dataclass(slots=True)
class ExportLedger:
    """The progress of an export.

    Attributes:
        next_offsets: the next offset to read, by partition.
        shards: the complete shards.
        errors_bytes, fingerprints_bytes: sizes of the log of errors and of the log of
        fingerprints up to there.
        choice: which documents are written, by the names of options.
        dropped: number of dropped documents, by reason.
        records, deletions, repeats, errors: numbers read.
    """

    topic: str
    form: str
    next_offsets: dict[int, int] = field(default_factory=dict)
    shards: list[Shard] = field(default_factory=list)
    errors_bytes: int = 0
    fingerprints_bytes: int = 0
    choice: dict[str, str] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    records: int = 0
    deletions: int = 0
    repeats: int = 0
    errors: int = 0

    def spans(self, there: Mapping[int, Span]) -> tuple[dict[int, Span], int]:
        """Return the spans to read, and the number of offsets that were deleted unread.

        Raises:
            OtherRunError: the topic ends before the offsets already read.
        """
        spans: dict[int, Span] = {}
        gone = 0
        for number, span in there.items():
            begin = self.next_offsets.get(number)
            if begin is not None and begin > span.end:
                raise OtherRunError(
                    f"holds records up to offset {begin} of {self.topic}/{number}, which ends at "
                    f"{span.end}: the topic was created again"
                )
            gone += max(span.start - begin, 0) if begin is not None else 0
            spans[number] = Span(max(span.start, begin or 0), span.end)
        return spans, gone


def read_export(
    folder: Folder, topic: str, form: str, choice: Mapping[str, str] | None = None
) -> ExportLedger:
    """Return the progress of an export; without a ledger in the folder it starts.

    Args:
        folder: folder of the shards.
        topic: full name of the topic.
        form: format of the shards.
        choice: which documents are written; must be the same to continue.

    Raises:
        OtherRunError: the folder has other files.
    """
    names = set(folder.names())
    content = folder.read(LEDGER)
    foreign = next((name for name in sorted(names) if name.startswith("part-")), None)
    if content is None and foreign:
        raise OtherRunError(f"holds {foreign}, but no {LEDGER}: the output of another program")
    wanted = {name: value for name, value in (choice or {}).items() if value}
    ledger = ExportLedger(topic, form, choice=wanted) if content is None else _ledger(content)
    if ledger.choice != wanted:
        raise OtherRunError(f"holds documents chosen by {_options(ledger.choice)}")
    if (ledger.topic, ledger.form) != (topic, form):
        raise OtherRunError(f"holds records of {ledger.topic} as {ledger.form}")
    for shard in ledger.shards:
        if shard.name not in names:
            raise OtherRunError(f"{shard.name} is missing")
    for name in names:
        if name.startswith(f"part-{len(ledger.shards):05d}."):
            folder.remove(name)  # complete, but not yet listed when the export ended
    return ledger


def _options(choice: Mapping[str, str]) -> str:
    return " ".join(f"{name} {value}" for name, value in choice.items()) or "no option"


def _ledger(content: bytes) -> ExportLedger:
    try:
        fields = orjson.loads(content)
        if fields.pop("kind") != _KIND:
            raise OtherRunError(f"{LEDGER} is not a ledger of winnow tail")
        offsets = {int(number): offset for number, offset in fields["next_offsets"].items()}
        shards = checked_shards(fields["shards"], fields["form"])
        return typed(ExportLedger, fields | {"next_offsets": offsets, "shards": shards})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise OtherRunError(f"{LEDGER} is damaged: {error}") from None


def check_of(form: str, table: str) -> Check:
    """Return a function that raises an error for a message that the format cannot hold."""
    if form == "parquet":
        from winnow.streams.arrow import MessageTable  # noqa: PLC0415 - pyarrow is an extra

        columns = MessageTable(table)
        return lambda value: columns.batch([value])
    if form == "warc":
        return lambda value: Conversions(BytesIO()).write(value)
    return orjson.loads


class Export:
    """Writes records so that an export can be continued after any stop."""

    def __init__(
        self,
        output: Output,
        ledger: ExportLedger,
        check: Check,
        sync_fingerprints: Callable[[], int] = lambda: 0,
    ) -> None:
        """Continue where the ledger ends.

        Args:
            output: folder and format of the shards.
            ledger: the progress so far.
            check: raises an error for a message that a shard cannot hold.
            sync_fingerprints: flushes their log to disk, and returns its size in bytes.

        Raises:
            OSError: the folder cannot be written to.
        """
        self.ledger = ledger
        self._folder = folder = output.folder
        self._check = check
        self._sync_fingerprints = sync_fingerprints
        self._shards = Shards(folder, output.form, output.shard_bytes, first=len(ledger.shards))
        self._errors = folder.log(ERRORS, ledger.errors_bytes)

    def add(
        self, stored: Stored, value: bytes | None, *, is_repeat: bool, is_dropped: bool = False
    ) -> None:
        """Write a record as its line, None for a deletion; commit when a shard is full.

        Raises:
            OSError: the disk is full, for example; the ledger lists what is complete.
        """
        record = stored.record
        if is_repeat:
            self.ledger.repeats += 1
        elif value is None:
            self.ledger.deletions += 1
        elif not is_dropped:
            self._write(stored, value)
        self.ledger.next_offsets[record.partition] = record.offset + 1
        if self._shards.is_full:
            self.commit()

    def commit(self) -> None:
        """Finish the open shard, and list it in the ledger."""
        self.ledger.shards += self._shards.finish()
        self.ledger.errors_bytes = self._errors.sync()
        self.ledger.fingerprints_bytes = self._sync_fingerprints()
        content = orjson.dumps(
            {"kind": _KIND, **asdict(self.ledger)},
            option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS,
        )
        self._folder.replace(LEDGER, content + b"\n")

    def close(self) -> None:
        """Discard what was not committed."""
        self._shards.discard()
        self._errors.close()

    def _write(self, stored: Stored, value: bytes) -> None:
        try:
            self._check(value)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            record = stored.record
            why = f"{type(error).__name__}: {error}"[:500]
            place = {"partition": record.partition, "offset": record.offset, "detail": why}
            self._errors.write(orjson.dumps(place) + b"\n")
            self.ledger.errors += 1
        else:
            self._shards.write(
                value.replace(b"\n", b" ") + b"\n"
            )  # JSON strings cannot contain a line break
            self.ledger.records += 1
