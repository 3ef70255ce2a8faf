"""`winnow tail`: read documents, statistics, dead letters or pages out of Kafka."""

import contextlib
import heapq
import sys
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from itertools import chain

import click

from streams.repeats import RepeatFilter
from streams.topic_reader import Span, Stored, TopicReader
from streams.topics import TopicNames
from worker.cli.operating import broker_settings, failures
from worker.cli.records import (
    harmless_json,
    header_text,
    json_line,
    parsed,
    record_json,
    url_of,
    when,
)
from worker.settings import Settings
from worker.terminal import one_line, printable


class Form(StrEnum):
    """How a record is written."""

    TEXT = "text"
    JSONL = "jsonl"


@click.command("tail")
@click.argument("topic")
@click.option(
    "-n",
    "last",
    type=click.IntRange(0, 1000),
    default=10,
    show_default=True,
    help="How many of the last records.",
)
@click.option("--all", "from_start", is_flag=True, help="All records that are there.")
@click.option("-f", "--follow", is_flag=True, help="Then wait for more, until interrupted.")
@click.option("--repeats", is_flag=True, help="Also records that were published a second time.")
@click.option(
    "--format",
    "form",
    type=click.Choice([form.value for form in Form]),
    default=Form.TEXT.value,
    show_default=True,
    help="jsonl: the message of documents and stats, which deletions have none of; the whole "
    "record of others.",
)
@broker_settings
def command(
    *,
    settings: Settings,
    topic: str,
    last: int,
    from_start: bool,
    follow: bool,
    repeats: bool,
    form: str,
) -> None:
    """Print the records of a topic.

    TOPIC is pages, documents, stats, dead, or the full name of a topic.

    For tables, hand JSON lines to a tool that reads them (DuckDB: read_json_auto).
    """
    name = topic_name(topic, settings.topics())
    write = _writer(name, settings.topics(), Form(form))
    seen = RepeatFilter()
    with failures(), TopicReader(settings.connection(), f"{settings.group}.tail") as reader:
        spans = reader.spans(name)
        held = reader.read(name, spans) if from_start else _last(reader, name, spans, last)
        more = _following(reader, name, spans) if follow else iter(())
        with contextlib.suppress(KeyboardInterrupt):  # the way to end --follow
            for stored in chain(held, more):
                if repeats or not seen.is_repeat(name, stored.record.header("source")):
                    write(stored)


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
