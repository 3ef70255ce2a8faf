"""`winnow publish`: feed pages into Kafka."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO, TypeVar

import click
import orjson

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.kafka.tuning import Compression
from winnow.streams.operator.admin import TopicAdmin
from winnow.streams.operator.publisher import Publisher
from winnow.streams.pages import MAX_URL_BYTES, stated_url
from winnow.streams.records import Headers, Outgoing
from winnow.streams.topics import MAX_PAGE_BYTES, MAX_RECORD_BYTES
from winnow.worker.batch.archives.cleaning import page_in
from winnow.worker.batch.archives.entries import BEGIN, Entry, Message, PageOf
from winnow.worker.batch.archives.feeding import (
    Feed,
    FeedLedger,
    FeedPlan,
    Mark,
    read_feed,
    write_feed,
)
from winnow.worker.batch.archives.fetch_rules import FetchRules
from winnow.worker.batch.archives.inputs import Input, find_inputs
from winnow.worker.batch.archives.ledger import OtherRunError
from winnow.worker.batch.archives.run import Source
from winnow.worker.batch.inputs import Argument, PageFile, url_below
from winnow.worker.batch.lines import LineTooLong, line_groups
from winnow.worker.cli.failure import CannotGoOn, CannotStart
from winnow.worker.cli.operating import broker_settings, failures
from winnow.worker.cli.options import ignore_robots_option, url_prefix_option
from winnow.worker.cli.paths import PathName, PathOrUrl
from winnow.worker.cli.progress import Advance, progress_of
from winnow.worker.settings import Settings
from winnow.worker.terminal import counted, one_line, shown_path

T = TypeVar("T")

HTML: bytes = b"text/html"
JSON: Headers = (("content-type", b"application/json"),)


@click.command("publish")
@click.argument("paths", nargs=-1, required=True, type=PathOrUrl())
@click.option(
    "--input",
    "input_form",
    type=click.Choice(["html", "jsonl"]),
    default="html",
    show_default=True,
    help="html: each file is a page. jsonl: each line is an input message; - reads stdin.",
)
@url_prefix_option
@click.option("--topic", help="Publish to this topic instead of the configured one.")
@click.option(
    "--compression",
    type=click.Choice([codec.value for codec in Compression]),
    default=Compression.ZSTD.value,
    show_default=True,
)
@click.option("--rate", type=click.FloatRange(0, min_open=True), help="Maximum pages per second.")
@click.option(
    "--ledger",
    "ledger_path",
    type=PathName(dir_okay=False),
    help="Save the progress in this file, so that the same command continues a stopped run.",
)
@ignore_robots_option
@click.option("--json", "as_json", is_flag=True, help="Write the summary as JSON.")
@broker_settings
def command(
    *,
    settings: Settings,
    paths: tuple[Argument, ...],
    input_form: str,
    url_prefix: str,
    topic: str | None,
    compression: str,
    rate: float | None,
    ledger_path: Path | None,
    ignore_robots: bool,
    as_json: bool,
) -> None:
    """Publish pages to Kafka.

    PATHs are HTML files, JSON lines of messages, and WARC archives, each also compressed
    (.gz, .zst); folders and patterns of them; and URLs of pages. Symbolic links below a PATH are
    not followed.

    A page in the stream may have at most 7 MiB.

    Returns after all in-sync replicas have every page. A page that cannot be published is named
    on stderr, and the exit code is 1; the other pages are published.

    With --ledger nothing is lost by a stop or a kill: the same command publishes the pages that
    the brokers did not confirm. Pages of the last second may be published twice.
    """
    outcome = _Outcome()
    web = FetchRules(MAX_PAGE_BYTES, is_polite=not ignore_robots)
    target = topic or settings.topic_pages
    if input_form == "jsonl" and ledger_path:
        raise click.UsageError("--ledger needs files: leave out --input jsonl")
    with failures():
        inputs = [] if input_form == "jsonl" else find_inputs(paths)
    source = Source(inputs, MAX_PAGE_BYTES, web=web)
    feed = _feed(ledger_path, FeedPlan.of(source, target, url_prefix))
    sizes = source.sizes()
    begin = sum(sizes[: feed.ledger.file]) + max(feed.ledger.position.offset, 0)
    with failures(), progress_of(sizes, begin, what="publishing") as advance:
        TopicAdmin(settings.connection()).broker_count()  # fails sooner than the producer
        publisher = Publisher(settings.connection(), Compression(compression))
        records = (
            _records_of_lines(paths, target, outcome, feed)
            if input_form == "jsonl"
            else _Pages(source, target, url_prefix, outcome, feed, advance).records()
        )
        is_complete = False
        try:
            for each in paced(records, rate) if rate else records:
                outcome.sent += 1
                fail = partial(outcome.fail, each.name, feed)
                publisher.send(each.record, fail, each.mark.stored)
            is_complete = True
        finally:  # wait for sent pages also after an error
            publisher.confirm()
            _end(feed, ledger_path, is_complete=is_complete)
            outcome.show(target, as_json=as_json)
    if outcome.failures:
        sys.exit(1)


class _Outcome:
    """Counts published pages, and names failed ones."""

    def __init__(self) -> None:
        self.sent = 0
        self.failed = 0
        self.unread = 0

    @property
    def failures(self) -> int:
        return self.failed + self.unread

    def fail(self, name: str, feed: Feed, why: str) -> None:
        self.failed += 1
        feed.fail()
        click.echo(one_line(f"{name}: {why}"), err=True)

    def skip(self, why: str) -> None:
        self.unread += 1
        click.echo(one_line(why), err=True)

    def show(self, topic: str, *, as_json: bool) -> None:
        figures = {
            "topic": topic,
            "published": self.sent - self.failed,
            "failed": self.failures,
        }
        if as_json:
            click.echo(orjson.dumps(figures).decode())
        else:
            click.echo("{published} published to {topic}, {failed} failed".format(**figures))


@dataclass(frozen=True, slots=True)
class Record:
    """A record to publish, its name in messages, and what to call when it is stored."""

    name: str
    record: Outgoing
    mark: Mark


def _feed(path: Path | None, plan: FeedPlan) -> Feed:
    """Return the progress of the command; it starts at zero without a ledger."""
    if path is None:
        return Feed(FeedLedger(plan), lambda _: None)
    try:
        ledger = read_feed(path, plan)
        write_feed(path, ledger)  # check that it is writable
    except OtherRunError as error:
        raise CannotStart(f"{shown_path(path)}: {error}; give another file") from error
    except OSError as error:
        raise CannotStart(f"{shown_path(path)}: {error.strerror}") from error
    if ledger.stored:
        click.echo(f"winnow: continuing after {counted(ledger.stored, 'page')}", err=True)
    return Feed(ledger, partial(write_feed, path))


def _end(feed: Feed, path: Path | None, *, is_complete: bool) -> None:
    try:
        if is_complete:
            feed.finish()
        else:
            feed.write()
    except OSError as error:
        raise CannotGoOn(f"{shown_path(path or '')}: {error.strerror}") from error


def paced(
    records: Iterator[T],
    rate: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[T]:
    """Yield at most `rate` records per second; lost time is not caught up."""
    due = clock()
    for record in records:
        now = clock()
        if due > now:
            sleep(due - now)
        yield record
        due = max(due, now) + 1 / rate


@dataclass(frozen=True, slots=True)
class _Pages:
    """The pages of all inputs that are not yet published."""

    source: Source
    topic: str
    url_prefix: str
    outcome: _Outcome
    feed: Feed
    advance: Advance

    def records(self) -> Iterator[Record]:
        """Yield a record for each page; report entries that are not pages, and skip them."""
        ledger = self.feed.ledger
        if ledger.is_complete:
            return
        for each in self.source.entries(ledger.file, ledger.position):
            place = each.entry.place
            mark = self.feed.mark(each.file, place.then)
            found = self.source.inputs[each.file]
            name = str(found.path) if place.is_whole_file else f"{found.path}: {place}"
            record = self._record(name, found, each.entry)
            if record is None:
                mark.passed()
            else:
                yield Record(name, record, mark)
            self.advance(each.file, place, record is not None)

    def _record(self, name: str, found: Input, entry: Entry) -> Outgoing | None:
        if isinstance(entry.content, Message):  # the worker validates the message
            line = entry.content.line
            return Outgoing(self.topic, _key_of(line), line.strip(), JSON)
        page = page_in(entry, MAX_PAGE_BYTES)
        if isinstance(page, InvalidPage):
            self.outcome.skip(f"{name}: {_why(page)}")
        elif isinstance(page, PageOf):
            prefix = self.url_prefix if entry.place.is_whole_file else ""
            return self._record_of_page(name, found, page.page, prefix)
        return None

    def _record_of_page(self, name: str, found: Input, page: Page, prefix: str) -> Outgoing | None:
        if len(page.body) > MAX_PAGE_BYTES:
            limit = f"{MAX_PAGE_BYTES >> 20} MiB"
            self.outcome.skip(f"{name}: larger than {limit}, the limit of a page in the stream")
            return None
        url = url_below(prefix, found) if isinstance(found, PageFile) else ""
        url = url or page.url
        if not url or len(url.encode()) > MAX_URL_BYTES:
            self.outcome.skip(f"{name}: no URL of at most 8192 bytes: give a short --url-prefix")
            return None
        headers: Headers = (
            ("url", url.encode()),
            ("content-type", page.content_type.encode(errors="replace") or HTML),
            *((("fetched-at", page.fetched_at.encode()),) if page.fetched_at else ()),
        )
        return Outgoing(self.topic, url.encode(), page.body, headers)


def _why(error: InvalidPage) -> str:
    return error.detail if error.reason is Reason.UNREADABLE else str(error)


def _records_of_lines(
    paths: tuple[Argument, ...], topic: str, outcome: _Outcome, feed: Feed
) -> Iterator[Record]:
    """Yield one record per line; the worker validates the message, not this command."""
    for path in paths:
        try:
            with _opened(Path(path)) as stream:
                groups = line_groups(stream, MAX_RECORD_BYTES, max_lines=1)
                for number, line in enumerate(chain.from_iterable(groups), start=1):
                    name = f"{path}: record {number}"
                    if isinstance(line, LineTooLong):
                        outcome.skip(f"{name}: {line}")
                    else:
                        record = Outgoing(topic, _key_of(line), line.strip(), JSON)
                        yield Record(name, record, feed.mark(0, BEGIN))
        except OSError as error:
            outcome.skip(f"{path}: {error.strerror}")


def _opened(path: Path) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if path == Path("-") else path.open("rb")


def _key_of(line: bytes) -> bytes | None:
    """Return the URL in a message as the record's key: all versions of a page keep their order."""
    return stated_url(line).encode() or None
