"""What `winnow dead` makes of the letters that a reader brings."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Self

import pytest
from click.testing import CliRunner, Result

from winnow.models.errors import InvalidPage, Reason
from winnow.streams.deadletters import Stage, dead_letter, stub
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.replay import ReplayOptions, ReplayOutcome
from winnow.streams.operator.topic_reader import Span, Stored
from winnow.streams.records import Incoming, Outgoing
from winnow.worker.cli import dead, main

PAGE = Incoming("winnow.pages", 3, 7, b"https://example.org/a", b"%PDF-1.4 \xff")
NOT_HTML = InvalidPage(Reason.NOT_HTML, "PDF")


def a_letter(
    page: Incoming = PAGE, error: InvalidPage = NOT_HTML, stage: Stage = Stage.CLEAN
) -> Outgoing:
    return dead_letter(page, error, stage, "winnow.dead")


class Reader:
    """Holds letters, in one partition from offset 5 on; they came at the turn of 1970."""

    def __init__(self, letters: list[Outgoing]) -> None:
        self._letters = letters

    def __call__(self, _connection: Connection, _group: str) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def spans(self, _topic: str) -> dict[int, Span]:
        return {0: Span(5, 5 + len(self._letters))}

    def read(self, topic: str, spans: Mapping[int, Span]) -> Iterator[Stored]:
        for offset, letter in enumerate(self._letters, start=5):
            span = spans.get(0, Span(0, 0))
            if span.start <= offset < span.end:
                record = Incoming(topic, 0, offset, letter.key, letter.value, letter.headers)
                yield Stored(record, 0)


Winnow = Callable[..., Result]


@pytest.fixture
def winnow(monkeypatch: pytest.MonkeyPatch) -> Winnow:
    def run(*arguments: str, letters: list[Outgoing]) -> Result:
        monkeypatch.setattr(dead, "TopicReader", Reader(letters))
        return invoke(*arguments)

    return run


def invoke(*arguments: str) -> Result:
    environment = {"WINNOW_KAFKA_BOOTSTRAP": "kafka:9092"}
    return CliRunner().invoke(main, ["dead", *arguments], env=environment)


def test_list_shows_letters_up_to_the_limit_and_counts_all(winnow: Winnow) -> None:
    empty = a_letter(error=InvalidPage(Reason.EMPTY), stage=Stage.DECODE)

    result = winnow("list", "--limit", "1", letters=[empty, a_letter(), a_letter()])

    assert result.exit_code == 0
    assert [" ".join(line.split()) for line in result.stdout.splitlines()] == [
        "0/5 empty decode 1 10 bytes https://example.org/a",
        "letters reason stage",
        "2 not_html clean",
        "1 empty decode",
        "3 in all",
    ]


@pytest.mark.parametrize(
    ("selection", "places"),
    [
        (("--reason", "empty"), ["0/5"]),
        (("--reason", "empty", "--reason", "not_html"), ["0/5", "0/6", "0/7"]),
        (("--stage", "clean", "--url", "/b"), ["0/7"]),
        (("--stage", "publish"), []),
    ],
)
def test_list_writes_an_object_for_each_selected_letter(
    winnow: Winnow, selection: tuple[str, ...], places: list[str]
) -> None:
    letters = [
        a_letter(error=InvalidPage(Reason.EMPTY), stage=Stage.DECODE),
        a_letter(),
        a_letter(replace(PAGE, key=b"https://example.org/b")),
    ]

    result = winnow("list", "--json", *selection, letters=letters)

    assert result.exit_code == 0, result.output
    assert [json.loads(line)["place"] for line in result.stdout.splitlines()] == places


def test_list_describes_a_letter_in_json(winnow: Winnow) -> None:
    result = winnow("list", "--json", letters=[stub(PAGE, NOT_HTML, Stage.CLEAN, "winnow.dead")])

    letter = json.loads(result.stdout)
    assert letter.pop("version")
    assert letter.pop("bytes") > 0
    assert letter == {
        "place": "0/5",
        "timestamp": "1970-01-01T00:00:00.000Z",
        "url": "https://example.org/a",
        "stub": True,
        "reason": "not_html",
        "stage": "clean",
        "attempts": "1",
        "source": "winnow.pages/3/7",
        "detail": "PDF",
    }


def test_show_keeps_a_letter_on_its_lines_with_any_headers(winnow: Winnow) -> None:
    page = replace(PAGE, headers=(("x\nreason", b"a\nb\x1b[31m\xff"), ("none", None)))

    result = winnow("show", "0/6", letters=[a_letter(), a_letter(page)])

    assert result.exit_code == 0
    assert result.stdout.splitlines()[:5] == [
        "url: https://example.org/a",
        "time: 1970-01-01T00:00:00.000Z",
        "x\ufffdreason: a\ufffdb\ufffd[31m\ufffd",
        "none: ",
        "reason: not_html",
    ]
    assert result.stdout.endswith("bytes: 10  (--body writes them)\n")


def test_show_writes_only_the_bytes_of_the_page(winnow: Winnow) -> None:
    result = winnow("show", "0/5", "--body", letters=[a_letter()])

    assert (result.exit_code, result.stdout_bytes) == (0, PAGE.value)


def test_show_writes_the_record_as_json(winnow: Winnow) -> None:
    result = winnow("show", "0/5", "--json", letters=[a_letter()])

    record = json.loads(result.stdout)
    assert (record["offset"], record["value"]) == (5, {"base64": "JVBERi0xLjQg/w=="})


def test_show_writes_the_page_or_json_not_both(winnow: Winnow) -> None:
    result = winnow("show", "0/5", "--body", "--json", letters=[a_letter()])

    assert (result.exit_code, result.stdout_bytes) == (2, b"")
    assert "--body and --json cannot be combined" in result.stderr


@pytest.mark.parametrize(
    ("original", "code", "message"),
    [
        (PAGE, 0, ""),
        (ReplayOutcome.GONE, 1, "is gone"),
        (ReplayOutcome.UNREAD, 1, "was never read, as it is too large or damaged"),
    ],
)
def test_show_writes_the_bytes_that_a_stub_points_to(
    winnow: Winnow,
    monkeypatch: pytest.MonkeyPatch,
    original: Incoming | ReplayOutcome,
    code: int,
    message: str,
) -> None:
    monkeypatch.setattr(dead, "fetch", lambda *_: original)

    result = winnow("show", "0/5", "--body", letters=[stub(PAGE, NOT_HTML, Stage.CLEAN, "dead")])

    assert (result.exit_code, result.stdout_bytes) == (code, b"" if code else PAGE.value)
    assert result.stderr == (f"winnow: the original of this stub {message}\n" if message else "")


@pytest.mark.parametrize("place", ["0/4", "0/6", "1/5", f"0/{10**30}"])
def test_show_ends_with_1_when_there_is_no_letter(winnow: Winnow, place: str) -> None:
    result = winnow("show", place, letters=[a_letter()])

    assert (result.exit_code, result.stdout) == (1, "")
    assert f"winnow.dead/{place}: no such dead letter" in result.stderr


@pytest.mark.parametrize("place", ["", "0", "0/", "/5", "0/5/6", "0/-5", "a/b", "0/ 5"])
def test_show_ends_with_2_for_an_invalid_place(winnow: Winnow, place: str) -> None:
    result = winnow("show", place, letters=[a_letter()])

    assert result.exit_code == 2
    assert "PARTITION/OFFSET must be two numbers, such as 0/17" in result.stderr


class Replay:
    """Meets two letters whose originals cannot be had, between two that are replayed."""

    def __init__(self, _connection: Connection, _options: ReplayOptions) -> None:
        letter = stub(PAGE, NOT_HTML, Stage.CLEAN, "winnow.dead")
        record = Incoming(letter.topic, 0, 5, letter.key, letter.value, letter.headers)
        outcomes = (
            ReplayOutcome.REPLAYED,
            ReplayOutcome.GONE,
            ReplayOutcome.UNREAD,
            ReplayOutcome.REPLAYED,
        )
        self._letters = [(Stored(record, 0), outcome) for outcome in outcomes]

    def preview(self) -> Iterator[tuple[Stored, ReplayOutcome]]:
        yield from self._letters

    def run(self, on_outcome: Callable[[Stored, ReplayOutcome], None]) -> Counter[ReplayOutcome]:
        for stored, outcome in self._letters:
            on_outcome(stored, outcome)
        return Counter(outcome for _, outcome in self._letters)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "2 replayed, 0 other, 0 too often, 1 gone, 1 unread"),
        (("--dry-run",), "would be: 2 replayed, 0 other, 0 too often, 1 gone, 1 unread"),
        (
            ("--json",),
            '{"dry_run":false,"replayed":2,"other":0,"too_often":0,"gone":1,"unread":1}',
        ),
        (
            ("--json", "--dry-run"),
            '{"dry_run":true,"replayed":2,"other":0,"too_often":0,"gone":1,"unread":1}',
        ),
    ],
)
def test_replay_counts_each_letter_names_the_lost_and_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], message: str
) -> None:
    monkeypatch.setattr(dead, "Replay", Replay)

    result = invoke("replay", *options)

    assert (result.exit_code, result.stdout) == (1, f"{message}\n")
    assert result.stderr == (
        "winnow.pages/3/7: the original is gone: https://example.org/a\n"
        "winnow.pages/3/7: the original was never read, as it is too large or damaged: "
        "https://example.org/a\n"
    )
