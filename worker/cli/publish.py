"""`winnow publish`: feed pages into Kafka."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote_from_bytes

import click
import orjson

from models.document import Page
from models.errors import InvalidPage, Reason
from streams.admin import TopicAdmin
from streams.pages import MAX_URL_BYTES, arrival_from, stated_url
from streams.publisher import Publisher
from streams.records import Headers, Incoming, Outgoing
from streams.topics import MAX_PAGE_BYTES, MAX_RECORD_BYTES
from streams.tuning import Compression
from worker.archives.cleaning import page_in
from worker.archives.entries import Message, PageOf
from worker.archives.inputs import Input, find_inputs
from worker.archives.run import Source
from worker.archives.web import FetchRules
from worker.cli.operating import broker_settings, failures
from worker.cli.options import ignore_robots_option
from worker.cli.paths import PathOrUrl
from worker.inputs import Argument, PageFile
from worker.lines import LineTooLong, line_groups
from worker.settings import Settings
from worker.terminal import one_line

HTML: bytes = b"text/html"
JSON: Headers = (("content-type", b"application/json"),)


def _url_prefix(_: click.Context, __: click.Parameter, prefix: str) -> str:
    """Take a prefix if the worker would take a URL that begins with it."""
    url = os.fsencode(prefix) + b"page.html"
    try:
        arrival_from(Incoming("", 0, 0, None, b"<p>", (("url", url),)))
    except InvalidPage:
        if prefix:
            raise click.BadParameter(
                "must be the beginning of a URL, like https://example.org/"
            ) from None
    return prefix


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
@click.option(
    "--url-prefix",
    default="",
    callback=_url_prefix,
    help="URL of a page: this and the path below PATH, percent-encoded. "
    "Default: file:// and the whole path.",
)
@click.option("--topic", help="Publish to this topic instead of the configured one.")
@click.option(
    "--compression",
    type=click.Choice([codec.value for codec in Compression]),
    default=Compression.ZSTD.value,
    show_default=True,
)
@click.option(
    "--rate", type=click.FloatRange(0, min_open=True), help="At most so many pages a second."
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
    ignore_robots: bool,
    as_json: bool,
) -> None:
    """Publish pages to Kafka.

    PATHs are HTML files, JSON lines of messages, and WARC archives, each also packed (.gz, .zst);
    folders and patterns of them; and URLs of pages. Links below a PATH are not followed.

    A page has at most 7 MiB in the stream.

    Returns once all replicas in sync have every page; one that cannot be published is named on
    stderr, does not stop the others, and makes the exit code 1.
    """
    outcome = _Outcome()
    web = FetchRules(MAX_PAGE_BYTES, is_polite=not ignore_robots)
    source = Source(find_inputs(paths), MAX_PAGE_BYTES, web=web)
    target = topic or settings.topic_pages
    with failures():
        TopicAdmin(settings.connection()).broker_count()  # the producer waits longer for an answer
        publisher = Publisher(settings.connection(), Compression(compression))
        records = (
            _records_of_lines(paths, target, outcome)
            if input_form == "jsonl"
            else _records_of_pages(source, target, url_prefix, outcome)
        )
        try:
            for name, record in paced(records, rate) if rate else records:
                outcome.sent += 1
                publisher.send(record, partial(outcome.fail, name))
        finally:  # pages that were sent are not lost with those that were not
            publisher.confirm()
            outcome.show(target, as_json=as_json)
    if outcome.failures:
        sys.exit(1)


class _Outcome:
    """Counts what was published, and names what was not."""

    def __init__(self) -> None:
        self.sent = 0
        self.failed = 0
        self.unread = 0

    @property
    def failures(self) -> int:
        return self.failed + self.unread

    def fail(self, name: str, why: str) -> None:
        self.failed += 1
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


def paced(
    records: Iterator[tuple[str, Outgoing]],
    rate: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[tuple[str, Outgoing]]:
    """Yield at most `rate` records a second; what came late is not caught up on."""
    due = clock()
    for record in records:
        now = clock()
        if due > now:
            sleep(due - now)
        yield record
        due = max(due, now) + 1 / rate


def _records_of_pages(
    source: Source, topic: str, url_prefix: str, outcome: _Outcome
) -> Iterator[tuple[str, Outgoing]]:
    for found in source.inputs:
        for each in replace(source, inputs=(found,)).entries():
            place = each.entry.place
            name = str(found.path) if place.is_whole_file else f"{found.path}: {place}"
            content = each.entry.content
            if isinstance(content, Message):  # what a line says is judged by the worker
                yield name, Outgoing(topic, _key_of(content.line), content.line.strip(), JSON)
                continue
            page = page_in(each.entry, MAX_PAGE_BYTES)
            if isinstance(page, InvalidPage):
                outcome.skip(f"{name}: {_why(page)}")
            elif isinstance(page, PageOf):
                prefix = url_prefix if place.is_whole_file else ""
                yield from _record_of_page(name, found, page.page, topic, prefix, outcome)


def _record_of_page(
    name: str, found: Input, page: Page, topic: str, prefix: str, outcome: _Outcome
) -> Iterator[tuple[str, Outgoing]]:
    if len(page.body) > MAX_PAGE_BYTES:
        limit = f"{MAX_PAGE_BYTES >> 20} MiB"
        outcome.skip(f"{name}: more than {limit}, the limit of a page in the stream")
        return
    url = _url_of(found, page.url, prefix) if isinstance(found, PageFile) else page.url
    if not url or len(url.encode()) > MAX_URL_BYTES:
        outcome.skip(f"{name}: no URL of at most 8192 bytes: give a short --url-prefix")
        return
    headers: Headers = (
        ("url", url.encode()),
        ("content-type", page.content_type.encode(errors="replace") or HTML),
        *((("fetched-at", page.fetched_at.encode()),) if page.fetched_at else ()),
    )
    yield name, Outgoing(topic, url.encode(), page.body, headers)


def _why(error: InvalidPage) -> str:
    return error.detail if error.reason is Reason.UNREADABLE else str(error)


def _url_of(file: PageFile, url: str, prefix: str) -> str:
    return prefix + quote_from_bytes(os.fsencode(file.name.as_posix())) if prefix else url


def _records_of_lines(
    paths: tuple[Argument, ...], topic: str, outcome: _Outcome
) -> Iterator[tuple[str, Outgoing]]:
    """Yield a record a line; what a line says is judged by the worker, not here."""
    for path in paths:
        try:
            with _opened(Path(path)) as stream:
                groups = line_groups(stream, MAX_RECORD_BYTES, max_lines=1)
                for number, line in enumerate(chain.from_iterable(groups), start=1):
                    name = f"{path}: record {number}"
                    if isinstance(line, LineTooLong):
                        outcome.skip(f"{name}: {line}")
                    else:
                        yield name, Outgoing(topic, _key_of(line), line.strip(), JSON)
        except OSError as error:
            outcome.skip(f"{path}: {error.strerror}")


def _opened(path: Path) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if path == Path("-") else path.open("rb")


def _key_of(line: bytes) -> bytes | None:
    """Return the URL that a message states, so that all versions of a page keep their order."""
    return stated_url(line).encode() or None
