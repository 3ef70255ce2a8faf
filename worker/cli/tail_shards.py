"""Records of a topic -> shards in a folder, and counts; a stopped run can be continued."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import click

from winnow.models.filtering import Unwanted
from winnow.streams.operator.topic_reader import Stored, TopicReader
from winnow.streams.repeats import RepeatFilter
from winnow.worker.batch.archives.copies import CopyLog
from winnow.worker.batch.archives.exports import Export, ExportLedger, check_of, read_export
from winnow.worker.batch.archives.folders import Folder
from winnow.worker.batch.archives.ledger import ERRORS
from winnow.worker.batch.archives.run import Output
from winnow.worker.batch.archives.shards import MissingPackageError, form_of
from winnow.worker.batch.choice import ALL, Choice
from winnow.worker.batch.inputs import Argument
from winnow.worker.cli.choice_options import say_dropped
from winnow.worker.cli.clean_shards import Stop
from winnow.worker.cli.failure import CannotStart, complain
from winnow.worker.cli.output_folders import output_folder, run_of
from winnow.worker.printed_records import parsed
from winnow.worker.terminal import counted, shown_path

Line = Callable[[Stored], bytes | None]


@dataclass(frozen=True, slots=True)
class Exported:
    """What the command line asks for.

    Attributes:
        folder: where the shards go.
        form: format of the shards.
        table: message type of the topic, by the name of its schema.
        line: returns a record as a line of JSON, None for a deletion.
        shard_bytes: bytes of lines per shard.
        is_following: whether to wait for more records.
        has_repeats: whether to write records again that were published twice.
        choice: which documents are written.
    """

    topic: str
    folder: Argument
    form: str
    table: str
    line: Line
    shard_bytes: int
    is_following: bool
    has_repeats: bool
    choice: Choice


class Chosen:
    """Drops unwanted documents and copies, and counts them by reason."""

    def __init__(
        self, choice: Choice, folder: Folder | None = None, ledger: ExportLedger | None = None
    ) -> None:
        """Continue from a ledger, with the fingerprints in a folder.

        Raises:
            FingerprintsError: the fingerprints of an earlier run cannot be used.
            OptionsError: the memory for fingerprints is too small.
        """
        self._choice = choice
        self._dropped = ledger.dropped if ledger else {}
        self._copies = CopyLog(choice, folder, ledger.fingerprints_bytes if ledger else 0)
        self._fingerprint: int | None = None

    def drops(self, value: bytes | None) -> bool:
        """Whether a record is a document to drop; other records are kept."""
        if self._choice == ALL or not (message := parsed(value)):
            return False
        rule = self._choice.dedup
        self._fingerprint = rule.fingerprint_in(message) if rule else None
        why = self._choice.documents.fault_in(message)
        if why is None and self._copies.is_copy(self._fingerprint):
            why = Unwanted.COPY
        if why is not None:
            self._dropped[why] = self._dropped.get(why, 0) + 1
            return True
        self._copies.keep(self._fingerprint)
        return False

    def sync(self) -> int:
        """Flush the log of fingerprints to disk, and return its size in bytes."""
        return self._copies.sync()

    def close(self) -> None:
        """Close the log of fingerprints, and print to standard error what was dropped."""
        self._copies.close()
        say_dropped(Counter(self._dropped), self._copies.forgotten)


def tail_to_shards(reader: TopicReader, wanted: Exported) -> int:
    """Write the records not written yet; return how many could not be written."""
    try:
        form = form_of(wanted.form, wanted.table)
    except MissingPackageError as error:
        raise CannotStart(str(error)) from error
    folder = output_folder(wanted.folder)
    name = shown_path(wanted.folder)
    with run_of(name, "give another folder"), folder.held():
        ledger = read_export(folder, wanted.topic, wanted.form, wanted.choice.facts())
        chosen = Chosen(wanted.choice, folder, ledger)
        check = check_of(wanted.form, wanted.table)
        export = Export(Output(folder, form, wanted.shard_bytes), ledger, check, chosen.sync)
        _write_all(reader, wanted, export, chosen)
    _show(ledger)
    chosen.close()
    if ledger.errors:
        complain(f"errors are listed in {name}/{ERRORS}")
    return ledger.errors


def _write_all(reader: TopicReader, wanted: Exported, export: Export, chosen: Chosen) -> None:
    seen = RepeatFilter()
    stop = Stop()
    try:
        with stop.listening():
            for stored in _records(reader, wanted, export.ledger):
                if stored is not None:
                    source = stored.record.header("source")
                    is_repeat = not wanted.has_repeats and seen.is_repeat(wanted.topic, source)
                    line = wanted.line(stored)
                    is_dropped = not is_repeat and chosen.drops(line)
                    export.add(stored, line, is_repeat=is_repeat, is_dropped=is_dropped)
                if stop():
                    break
            export.commit()
    finally:
        export.close()


def _records(
    reader: TopicReader, wanted: Exported, ledger: ExportLedger
) -> Iterator[Stored | None]:
    spans, gone = ledger.spans(reader.spans(wanted.topic))
    if gone:
        complain(f"{wanted.topic}: {counted(gone, 'offset')} were deleted before they were read")
    held = reader.read(wanted.topic, spans)
    if not wanted.is_following:
        return held
    return chain(held, reader.follow(wanted.topic, {each: spans[each].end for each in spans}))


def _show(ledger: ExportLedger) -> None:
    parts = [
        f"{counted(ledger.records, 'record')} in {counted(len(ledger.shards), 'shard')}",
        counted(ledger.deletions, "deletion"),
        counted(ledger.repeats, "repeat"),
        counted(ledger.errors, "error"),
    ]
    click.echo(", ".join(parts))
