"""`winnow publish` up to what it hands to the producer."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from tests.archives import DATE, PROSE, a_record, a_response, gzipped
from winnow.models.errors import InvalidPage
from winnow.streams.errors import KafkaUnavailable
from winnow.streams.kafka.connection import Connection
from winnow.streams.kafka.tuning import Compression
from winnow.streams.pages import arrival_from
from winnow.streams.records import Incoming, Outgoing
from winnow.streams.topics import MAX_PAGE_BYTES
from winnow.worker.batch.archives.cleaning import page_in
from winnow.worker.batch.archives.entries import Entry, PageOf, Position, Skipped
from winnow.worker.batch.archives.feeding import Feed, FeedLedger, FeedPlan
from winnow.worker.cli import main, publish

ODD_NAMES = ("my page.html", "a#1.html", "a?1.html", "50%.html", "50%25.html", "caf\u00e9.html")
SITE = "https://sp.example/"


class Brokers:
    """Collects records; stores them only when asked to confirm."""

    def __init__(self) -> None:
        self.held: list[Outgoing] = []
        self.are_gone = False
        self.refused = ""
        self._under_way: list[tuple[Outgoing, Callable[[], None]]] = []

    def admin(self, connection: Connection) -> "Brokers":
        return self

    def broker_count(self) -> int:
        if self.are_gone:
            raise KafkaUnavailable("nobody answers")
        return 1

    def publisher(self, connection: Connection, compression: Compression) -> "Brokers":
        return self

    def send(
        self,
        record: Outgoing,
        on_failure: Callable[[str], None],
        on_stored: Callable[[], None],
    ) -> None:
        if self.refused and self.refused in (record.key or b"").decode():
            on_failure("too large")
        else:
            self._under_way.append((record, on_stored))

    def confirm(self) -> None:
        for record, on_stored in self._under_way:
            self.held.append(record)
            on_stored()
        self._under_way.clear()

    def urls(self) -> list[str]:
        """Return the URLs of the pages as the worker takes them."""
        return [
            arrival_from(Incoming(each.topic, 0, 0, each.key, each.value, each.headers)).url
            for each in self.held
        ]


@pytest.fixture
def brokers(monkeypatch: pytest.MonkeyPatch) -> Brokers:
    brokers = Brokers()
    monkeypatch.setattr(publish, "Publisher", brokers.publisher)
    monkeypatch.setattr(publish, "TopicAdmin", brokers.admin)
    return brokers


def winnow(*arguments: str | Path) -> Result:
    environ = {"WINNOW_KAFKA_BOOTSTRAP": "kafka:9092"}
    return CliRunner().invoke(main, ["publish", *map(str, arguments)], env=environ)


def a_page(path: Path, body: bytes = b"<p>A page.") -> Path:
    path.write_bytes(body)
    return path


def test_publish_gives_pages_of_odd_names_urls_that_the_worker_takes(
    brokers: Brokers, tmp_path: Path
) -> None:
    for name in ODD_NAMES:
        a_page(tmp_path / name)

    result = winnow(tmp_path, "--url-prefix", SITE)

    assert result.exit_code == 0, result.output
    assert len(set(brokers.urls())) == len(ODD_NAMES)
    assert all(url.startswith(SITE) for url in brokers.urls())
    assert f"{SITE}my%20page.html" in brokers.urls()
    assert [each.key.decode() for each in brokers.held if each.key] == brokers.urls()


def test_publish_takes_names_that_are_not_utf_8(brokers: Brokers, tmp_path: Path) -> None:
    good, odd = a_page(tmp_path / "one.html"), a_page(tmp_path / os.fsdecode(b"caf\xe9.html"))

    result = winnow(good, odd, "--url-prefix", SITE)

    assert result.exit_code == 0, result.output
    assert brokers.urls() == [f"{SITE}one.html", f"{SITE}caf%E9.html"]


@pytest.mark.parametrize("prefix", ["example.org/", "https://a b/", "https://\n/", "caf\udce9://"])
def test_publish_refuses_a_prefix_that_makes_no_urls(
    brokers: Brokers, tmp_path: Path, prefix: str
) -> None:
    result = winnow(a_page(tmp_path / "one.html"), "--url-prefix", prefix)

    assert result.exit_code == 2
    assert "--url-prefix" in result.stderr
    assert brokers.held == []


def test_publish_confirms_what_it_has_sent_before_it_fails(
    brokers: Brokers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = [True, False]

    def broken(entry: Entry, max_page_bytes: int) -> PageOf | InvalidPage | Skipped:
        if waiting.pop(0):
            return page_in(entry, max_page_bytes)
        raise MemoryError

    monkeypatch.setattr(publish, "page_in", broken)
    pages = [a_page(tmp_path / name) for name in ("one.html", "two.html")]

    result = winnow(*pages, "--url-prefix", SITE)

    assert isinstance(result.exception, MemoryError)
    assert brokers.urls() == [f"{SITE}one.html"]
    assert result.stdout == "1 published to winnow.pages, 0 failed\n"


def test_publish_names_a_file_above_the_limit_and_sends_the_rest(
    brokers: Brokers, tmp_path: Path
) -> None:
    large = a_page(tmp_path / "large.html", bytes(MAX_PAGE_BYTES + 1))
    full = a_page(tmp_path / "full.html", b"x" * MAX_PAGE_BYTES)

    result = winnow(large, full, "--url-prefix", SITE)

    assert result.exit_code == 1
    assert result.stderr == f"{large}: larger than 7 MiB, the limit of a page in the stream\n"
    assert result.stdout == "1 published to winnow.pages, 1 failed\n"
    assert brokers.urls() == [f"{SITE}full.html"]


def test_publish_names_and_counts_what_the_brokers_refuse(brokers: Brokers, tmp_path: Path) -> None:
    pages = [a_page(tmp_path / f"{name}.html") for name in ("one", "two", "three")]
    brokers.refused = "two"

    result = winnow(*pages, "--url-prefix", SITE, "--json")

    assert result.exit_code == 1
    assert result.stderr == f"{pages[1]}: too large\n"
    assert orjson.loads(result.stdout) == {"topic": "winnow.pages", "published": 2, "failed": 1}


def test_publish_names_a_page_without_a_url(brokers: Brokers) -> None:
    result = winnow("-")

    assert (result.exit_code, brokers.held) == (1, [])
    assert result.stderr.startswith("-: no URL of at most 8192 bytes")


def test_publish_names_a_page_of_too_long_a_url_and_sends_the_rest(
    brokers: Brokers, tmp_path: Path
) -> None:
    long, short = (a_page(tmp_path / f"{name}.html") for name in (100 * "n", "n"))
    prefix = SITE.ljust(8192 - len("page.html"), "s")

    result = winnow(long, short, "--url-prefix", prefix)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"{long}: no URL of at most 8192 bytes")
    assert brokers.urls() == [f"{prefix}n.html"]


def test_publish_says_in_its_help_what_the_limit_is() -> None:
    assert f"{MAX_PAGE_BYTES >> 20} MiB" in winnow("--help").output


def test_publish_ends_with_one_line_when_no_broker_answers(
    brokers: Brokers, tmp_path: Path
) -> None:
    brokers.are_gone = True

    result = winnow(a_page(tmp_path / "one.html"), "--url-prefix", SITE)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "winnow: nobody answers\n"


def test_publish_shows_control_characters_as_a_replacement_character(
    brokers: Brokers, tmp_path: Path
) -> None:
    result = winnow(tmp_path / "a\x1b[2J\n.html")

    assert result.stderr == f"{tmp_path}/a\ufffd[2J\ufffd.html: no such file or folder\n"


def test_publish_reads_archives(brokers: Brokers, tmp_path: Path) -> None:
    bad = a_response(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\xff\xff")
    records = [a_record(1), a_record(2, kind="request"), bad, a_record(3, b"%PDF", [("A", "b")])]
    archive = a_page(tmp_path / "a.warc.gz", gzipped(records))

    result = winnow(archive, "--url-prefix", SITE)

    (record,) = brokers.held
    assert result.exit_code == 1
    assert dict(record.headers) == {
        "url": b"https://a.invalid/1",
        "content-type": b"text/html; charset=utf-8",
        "fetched-at": DATE.encode(),
    }
    assert record.value == f"<p>{PROSE}</p>".encode()
    assert "undecodable: a body in br: damaged" in result.stderr


def test_publish_hands_lines_of_json_on_as_they_are(brokers: Brokers, tmp_path: Path) -> None:
    line = b'{"url": "https://a.invalid/", "html": "<p>A.", "mine": 1}'
    result = winnow(a_page(tmp_path / "a.jsonl.gz", gzip.compress(line + b"\nno json\n")))

    first, second = brokers.held
    assert result.exit_code == 0
    assert (first.key, first.value) == (b"https://a.invalid/", line)
    assert (second.key, second.value) == (None, b"no json")
    assert first.headers == (("content-type", b"application/json"),)


def test_publish_keeps_to_its_rate_of_pages_per_second() -> None:
    clock = [100.0]
    sent: list[float] = []

    def sleep(seconds: float) -> None:
        clock[0] += seconds

    records = [("", Outgoing("t", None, b"", ()))] * 5
    for number, _ in enumerate(publish.paced(iter(records), 4.0, lambda: clock[0], sleep)):
        sent.append(clock[0])
        clock[0] += 2.0 if number == 2 else 0.0  # a page that takes long to read

    assert sent == [100.0, 100.25, 100.5, 102.5, 102.75]


def test_publish_takes_a_rate(brokers: Brokers, tmp_path: Path) -> None:
    result = winnow(a_page(tmp_path / "one.html"), "--url-prefix", SITE, "--rate", "1000")

    assert (result.exit_code, brokers.urls()) == (0, [f"{SITE}one.html"])


def test_publish_goes_on_with_the_pages_that_the_brokers_do_not_have(
    brokers: Brokers, tmp_path: Path
) -> None:
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(gzipped(a_record(number) for number in range(9)))
    arguments = (archive, a_page(tmp_path / "b.html"), "--ledger", tmp_path / "ledger")

    brokers.refused = "/4"
    failed = winnow(*arguments)
    brokers.refused = ""
    first = len(brokers.held)
    gone_on = winnow(*arguments)
    again = winnow(*arguments)

    assert (failed.exit_code, gone_on.exit_code, again.exit_code) == (1, 0, 0)
    assert "continuing after 4 pages" in gone_on.stderr
    assert gone_on.stdout == "6 published to winnow.pages, 0 failed\n"
    assert again.stdout == "0 published to winnow.pages, 0 failed\n"
    assert brokers.urls()[first] == "https://a.invalid/4"
    assert len(set(brokers.urls())) == 10


def test_publish_remembers_what_it_had_sent_when_it_ends_in_the_middle(
    brokers: Brokers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(gzipped(a_record(number) for number in range(9)))
    left = iter(range(5))

    def broken(entry: Entry, max_page_bytes: int) -> PageOf | InvalidPage | Skipped:
        if next(left, None) is None:
            raise MemoryError
        return page_in(entry, max_page_bytes)

    with monkeypatch.context() as patch:
        patch.setattr(publish, "page_in", broken)
        winnow(archive, "--ledger", tmp_path / "ledger")
    winnow(archive, "--ledger", tmp_path / "ledger")

    assert brokers.urls() == [f"https://a.invalid/{number}" for number in range(9)]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--url-prefix", SITE), "belongs to another feed: url_prefix was '', now"),
        (("--topic", "other"), "belongs to another feed: topic was 'winnow.pages', now 'other'"),
    ],
)
def test_publish_does_not_go_on_with_another_feed(
    brokers: Brokers, tmp_path: Path, options: tuple[str, ...], why: str
) -> None:
    page, ledger = a_page(tmp_path / "a.html"), tmp_path / "ledger"
    winnow(page, "--ledger", ledger)

    result = winnow(page, "--ledger", ledger, *options)

    assert result.exit_code == 2
    assert why in result.stderr


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"kind": "x"}'])
def test_publish_refuses_a_foreign_file_as_its_ledger(
    brokers: Brokers, tmp_path: Path, content: bytes
) -> None:
    ledger = tmp_path / "ledger"
    ledger.write_bytes(content)

    result = winnow(a_page(tmp_path / "a.html"), "--ledger", ledger)

    assert result.exit_code == 2
    assert "is not a ledger of winnow publish" in result.stderr
    assert ledger.read_bytes() == content


def test_a_ledger_ends_at_the_first_page_that_is_not_stored(tmp_path: Path) -> None:
    now = [0.0]
    written: list[FeedLedger] = []
    feed = Feed(FeedLedger(FeedPlan("pages", "", 1, "")), written.append, lambda: now[0])
    marks = [feed.mark(0, Position(number)) for number in range(4)]

    now[0] = 1.5
    marks[1].stored()
    marks[0].stored()
    now[0] = 3.0
    marks[3].stored()
    marks[2].passed()
    feed.finish()

    assert [each.position.offset for each in written] == [0, 1, 3]
    assert (written[-1].stored, written[-1].passed, written[-1].is_complete) == (3, 1, True)
