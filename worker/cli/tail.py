"""`winnow tail`: read documents, statistics, dead letters or pages from Kafka."""

import contextlib
import heapq
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import Final

import click
import orjson

from winnow.streams.operator.topic_reader import Span, Stored, TopicReader
from winnow.streams.repeats import RepeatFilter
from winnow.streams.topics import TopicNames
from winnow.worker.batch.choice import ALL, Choice
from winnow.worker.batch.inputs import Argument
from winnow.worker.cli.choice_options import choice_options
from winnow.worker.cli.operating import broker_settings, failures
from winnow.worker.cli.options import shard_size_option
from winnow.worker.cli.paths import PathOrUrl
from winnow.worker.cli.tail_shards import Chosen, Exported, tail_to_shards
from winnow.worker.printed_records import (
    header_text,
    json_line,
    parsed,
    record_json,
    url_of,
    when,
)
from winnow.worker.settings import Settings
from winnow.worker.terminal import harmless_json, one_line, printable

DEFAULT_LAST: Final = 10


class Form(StrEnum):
    """How a record is written."""

    TEXT = "text"
    JSONL = "jsonl"
    PARQUET = "parquet"
    WARC = "warc"


@click.command("tail")
@click.argument("topic")
@click.option(
    "-n",
    "last",
    type=click.IntRange(0, 1000),
    help=f"Print the last N records.  [default: {DEFAULT_LAST}]",
)
@click.option("--all", "from_start", is_flag=True, help="Print all records.")
@click.option("-f", "--follow", is_flag=True, help="Then wait for more, until interrupted.")
@click.option("--repeats", is_flag=True, help="Include records that were published twice.")
@click.option(
    "--format",
    "form",
    type=click.Choice([form.value for form in Form]),
    default=Form.TEXT.value,
    show_default=True,
    help="jsonl: the messages of documents and stats, without deletions; whole records of other "
    "topics. parquet (documents and stats) and warc (documents) write shards.",
)
@click.option(
    "-o",
    "--output",
    type=PathOrUrl(),
    help="Write all records to shards in this folder; the same command continues a stopped run.",
)
@shard_size_option("Records")
@choice_options
@broker_settings
def command(
    *,
    settings: Settings,
    topic: str,
    last: int | None,
    from_start: bool,
    follow: bool,
    repeats: bool,
    form: str,
    output: Argument | None,
    shard_size: float,
    choice: Choice,
) -> None:
    """Print the records of a topic.

    TOPIC is pages, documents, stats, dead, or the full name of a topic.

    With -o records are written to files as by winnow clean: part-00000.jsonl.zst, .parquet or
    .warc.wet.gz, and a ledger with the offsets of complete records.

    Documents dropped by the options, copies with --dedup among them, are counted by reason.
    """
    name = topic_name(topic, settings.topics())
    if choice != ALL and name not in _of_documents(settings.topics()):
        raise click.UsageError(f"{name} has no documents to choose from")
    if output is not None:
        if last is not None:
            raise click.UsageError("-n and -o cannot be combined: -o writes all records")
        wanted = Exported(
            topic=name, folder=output, form=form, table=_table(name, settings.topics(), Form(form)),
            line=_line_of(name, settings.topics()), shard_bytes=int(shard_size * 1e6),
            is_following=follow, has_repeats=repeats, choice=choice,
        )  # fmt: skip
        with failures(), TopicReader(settings.connection(), f"{settings.group}.tail") as reader:
            sys.exit(1 if tail_to_shards(reader, wanted) else 0)
    if form not in {Form.TEXT, Form.JSONL}:
        raise click.UsageError(f"--format {form} writes shards: give a folder with -o")
    write = _writer(name, settings.topics(), Form(form))
    seen = RepeatFilter()
    chosen = Chosen(choice)
    with failures(), TopicReader(settings.connection(), f"{settings.group}.tail") as reader:
        spans = reader.spans(name)
        count = DEFAULT_LAST if last is None else last
        held = reader.read(name, spans) if from_start else _last(reader, name, spans, count)
        more = _following(reader, name, spans) if follow else iter(())
        with contextlib.suppress(KeyboardInterrupt):  # the way to end --follow
            for stored in chain(held, more):
                is_new = repeats or not seen.is_repeat(name, stored.record.header("source"))
                if is_new and not chosen.drops(stored.record.value):
                    write(stored)
    chosen.close()


def topic_name(topic: str, names: TopicNames) -> str:
    """Return the configured name of one of our topics, or the name as it is."""
    ours = {
        "pages": names.pages,
        "documents": names.documents,
        "stats": names.stats,
        "dead": names.dead,
        "doubtful": names.doubtful,
    }
    return ours.get(topic) or topic


def _of_documents(names: TopicNames) -> set[str]:
    return {names.documents, names.doubtful}


def _last(
    reader: TopicReader, topic: str, spans: Mapping[int, Span], count: int
) -> Iterator[Stored]:
    """Yield the `count` newest records of all partitions, oldest first."""
    ends = {
        number: Span(max(span.start, span.end - count), span.end) for number, span in spans.items()
    }
    newest = heapq.nlargest(count, reader.read(topic, ends), key=_age)
    return reversed(newest)


def _age(stored: Stored) -> tuple[int, int, int]:
    return stored.timestamp_ms, stored.record.partition, stored.record.offset


def _following(reader: TopicReader, topic: str, spans: Mapping[int, Span]) -> Iterator[Stored]:
    sys.stdout.flush()
    for stored in reader.follow(topic, {number: span.end for number, span in spans.items()}):
        if stored is not None:
            yield stored
            sys.stdout.flush()


def _writer(topic: str, names: TopicNames, form: Form) -> Callable[[Stored], None]:
    if form is Form.TEXT:
        texts = {names.documents: _document, names.stats: _stats, names.dead: dead_line}
        texts |= {names.doubtful: _document}
        return partial(_write_text, texts.get(topic, _page))
    if topic in {names.documents, names.stats, names.doubtful}:
        return _write_value
    return _write_record


def _table(topic: str, names: TopicNames, form: Form) -> str:
    """Return the message type of a topic; empty for whole records."""
    tables = {names.documents: "document", names.doubtful: "document", names.stats: "stats"}
    table = tables.get(topic, "")
    if form is Form.TEXT:
        raise click.UsageError("-o writes shards: give --format jsonl, parquet or warc")
    if (form is Form.PARQUET and not table) or (form is Form.WARC and table != "document"):
        raise click.UsageError(
            f"records of {topic} cannot be written as {form}: use --format jsonl"
        )
    return table


def _line_of(topic: str, names: TopicNames) -> Callable[[Stored], bytes | None]:
    if topic in {names.documents, names.stats, names.doubtful}:
        return lambda stored: stored.record.value or None
    return lambda stored: orjson.dumps(record_json(stored))


def _write_text(text: Callable[[Stored], str], stored: Stored) -> None:
    sys.stdout.write(text(stored) + "\n")


def _write_value(stored: Stored) -> None:
    if stored.record.value:
        sys.stdout.write(
            harmless_json(stored.record.value.decode("utf-8", errors="replace")) + "\n"
        )


def _write_record(stored: Stored) -> None:
    sys.stdout.write(json_line(record_json(stored)) + "\n")


def _document(stored: Stored) -> str:
    if stored.record.value is None:
        return _deletion(stored) + "\n"
    fields = parsed(stored.record.value)
    title = one_line(str(fields.get("title", "")))
    text = printable(str(fields.get("text", "")))
    return f"{url_of(stored.record)}\n{title}\n\n{text}\n"


def _stats(stored: Stored) -> str:
    if stored.record.value is None:
        return _deletion(stored)
    fields = parsed(stored.record.value)
    return one_line(
        f"{url_of(stored.record)}  kept {fields.get('sentences_kept')} of "
        f"{fields.get('sentences')} sentences, {fields.get('text_chars_kept')} of "
        f"{fields.get('text_chars')} characters{', cached' if fields.get('cache_hit') else ''}"
    )


def _deletion(stored: Stored) -> str:
    return f"{url_of(stored.record)}  deleted"


def _page(stored: Stored) -> str:
    record = stored.record
    place = f"{record.partition}/{record.offset}"
    return f"{when(stored)}  {place}  {record.value_bytes} bytes  {url_of(record)}"


def dead_line(stored: Stored) -> str:
    """Return a dead letter on one line: where, why, how often, how large, which page."""
    record = stored.record
    facts = [header_text(record, name) for name in ("reason", "stage", "attempts")]
    place = f"{record.partition}/{record.offset}"
    return "  ".join([place, *facts, f"{record.value_bytes} bytes", url_of(record)])
