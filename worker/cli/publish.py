"""`winnow publish`: feed pages into Kafka."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote_from_bytes

import click
import orjson

from models.errors import InvalidPage
from streams.admin import TopicAdmin
from streams.pages import MAX_URL_BYTES, arrival_from, stated_url
from streams.publisher import Publisher
from streams.records import Headers, Incoming, Outgoing
from streams.topics import MAX_PAGE_BYTES, MAX_RECORD_BYTES
from streams.tuning import Compression
from worker.cli.operating import broker_settings, failures
from worker.cli.paths import PathName
from worker.inputs import InputError, PageFile, find_pages, read_page
from worker.lines import LineTooLong, line_groups
from worker.settings import Settings
from worker.terminal import one_line

HTML: bytes = b"text/html"


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
@click.argument("paths", nargs=-1, required=True, type=PathName())
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
@click.option("--json", "as_json", is_flag=True, help="Write the summary as JSON.")
@broker_settings
def command(
    *,
    settings: Settings,
    paths: tuple[Path, ...],
    input_form: str,
    url_prefix: str,
    topic: str | None,
    compression: str,
    as_json: bool,
) -> None:
    """Publish pages to Kafka.

    PATHs are HTML files and folders, or files of JSON lines. Links below a PATH are not followed.

    A page has at most 7 MiB in the stream.

    Returns once all replicas in sync have every page; one that cannot be published is named on
    stderr, does not stop the others, and makes the exit code 1.
    """
    outcome = _Outcome()
    target = topic or settings.topic_pages
    with failures():
        TopicAdmin(settings.connection()).broker_count()  # the producer waits longer for an answer
        publisher = Publisher(settings.connection(), Compression(compression))
        records = (
            _records_of_lines(paths, target, outcome)
            if input_form == "jsonl"
            else _records_of_pages(paths, target, url_prefix, outcome)
        )
        try:
            for name, record in records:
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


def _records_of_pages(
    paths: tuple[Path, ...], topic: str, url_prefix: str, outcome: _Outcome
) -> Iterator[tuple[str, Outgoing]]:
    for file in find_pages(paths):
        if isinstance(file, InputError):
            outcome.skip(str(file))
            continue
        try:
            page = read_page(file, MAX_PAGE_BYTES)
        except InputError as error:
            outcome.skip(str(error))
            continue
        if len(page.body) > MAX_PAGE_BYTES:
            limit = f"{MAX_PAGE_BYTES >> 20} MiB"
            outcome.skip(f"{file.path}: more than {limit}, the limit of a page in the stream")
            continue
        url = _url_of(file, page.url, url_prefix)
        if not url or len(url.encode()) > MAX_URL_BYTES:
            outcome.skip(f"{file.path}: no URL of at most 8192 bytes: give a short --url-prefix")
            continue
        headers: Headers = (("url", url.encode()), ("content-type", HTML))
        yield str(file.path), Outgoing(topic, url.encode(), page.body, headers)


def _url_of(file: PageFile, url: str, prefix: str) -> str:
    return prefix + quote_from_bytes(os.fsencode(file.name.as_posix())) if prefix else url


def _records_of_lines(
    paths: tuple[Path, ...], topic: str, outcome: _Outcome
) -> Iterator[tuple[str, Outgoing]]:
    """Yield a record a line; what a line says is judged by the worker, not here."""
    headers: Headers = (("content-type", b"application/json"),)
    for path in paths:
        try:
            with _opened(path) as stream:
                groups = line_groups(stream, MAX_RECORD_BYTES, max_lines=1)
                for number, line in enumerate(chain.from_iterable(groups), start=1):
                    name = f"{path}: record {number}"
                    if isinstance(line, LineTooLong):
                        outcome.skip(f"{name}: {line}")
                    else:
                        yield name, Outgoing(topic, _key_of(line), line.strip(), headers)
        except OSError as error:
            outcome.skip(f"{path}: {error.strerror}")


def _opened(path: Path) -> AbstractContextManager[BinaryIO]:
    return nullcontext(sys.stdin.buffer) if path == Path("-") else path.open("rb")


def _key_of(line: bytes) -> bytes | None:
    """Return the URL that a message states, so that all versions of a page keep their order."""
    return stated_url(line).encode() or None
