"""Which dead letters are meant, and which record a stub points to."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Self

import pytest

from winnow.models.errors import InvalidPage, Reason
from winnow.streams.deadletters import STUB_TYPE, Stage, dead_letter, stub
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator import replay
from winnow.streams.operator.replay import Replay, ReplayOptions, ReplayOutcome, Selection, fetch
from winnow.streams.operator.topic_reader import Span, Stored
from winnow.streams.records import Incoming, Outgoing, UnreadValue

RecordBuilder = Callable[..., Incoming]
BUG = InvalidPage(Reason.BUG)


def arrived(letter: Outgoing) -> Incoming:
    return Incoming(letter.topic, 0, 0, letter.key, letter.value, letter.headers)


class Reader:
    """Holds one record, which is `there` at its place."""

    there: Incoming

    def __init__(self, _connection: Connection, group: str) -> None:
        self.group = group

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def spans(self, topic: str) -> dict[int, Span]:
        here = self.there
        return {here.partition: Span(here.offset, here.offset + 1)} if topic == here.topic else {}

    def commit(self, _topic: str, _offsets: Mapping[int, int]) -> None:
        pass

    def read(self, _topic: str, _spans: Mapping[int, Span]) -> Iterator[Stored]:
        yield Stored(self.there, 0)


@pytest.mark.parametrize(
    ("selection", "is_meant"),
    [
        (Selection(), True),
        (Selection(frozenset({"bug", "empty"}), frozenset({"clean"}), "example.org"), True),
        (Selection(reasons=frozenset({"empty"})), False),
        (Selection(stages=frozenset({"decode"})), False),
        (Selection(url_part="example.com"), False),
    ],
)
def test_a_selection_matches_letters_that_fulfil_all_its_conditions(
    record: RecordBuilder, selection: Selection, is_meant: bool
) -> None:
    letter = arrived(dead_letter(record(), BUG, Stage.CLEAN, "dead"))

    assert selection.matches(letter) is is_meant


def test_a_selection_by_url_reads_the_header_before_the_key(record: RecordBuilder) -> None:
    raw = record(headers=(("url", b"https://a.example/header"),))
    letter = arrived(dead_letter(raw, BUG, Stage.CLEAN, "dead"))

    assert Selection(url_part="header").matches(letter)
    assert not Selection(url_part="example.org").matches(letter)


def test_a_selection_by_url_finds_bytes_that_are_not_text(record: RecordBuilder) -> None:
    letter = arrived(dead_letter(record(key=b"caf\xe9"), BUG, Stage.CLEAN, "dead"))
    argument = b"\xe9".decode(errors="surrogateescape")  # as the shell hands it on

    assert Selection(url_part=argument).matches(letter)
    assert ReplayOptions("d", "p", "g", Selection(url_part=argument)).replay_group


def test_each_selection_has_its_own_progress() -> None:
    selections = [
        Selection(),
        Selection(reasons=frozenset({"bug"})),
        Selection(reasons=frozenset({"bug", "timeout"})),
        Selection(stages=frozenset({"clean"})),
        Selection(frozenset({"bug"}), frozenset({"clean"})),
        Selection(url_part="a"),
        Selection(url_part="b"),
        Selection(reasons=frozenset({"bug"}), url_part="a"),
    ]

    groups = {ReplayOptions("d", "p", "g", each).replay_group for each in selections}

    assert len(groups) == len(selections)
    assert all(group.startswith("g.replay.") for group in groups)


@pytest.mark.parametrize(
    ("value", "offset", "is_found"),
    [(b"page", 7, True), (b"another page", 7, False), (b"page", 8, False), (b"page", 6, False)],
    ids=["there", "of another topic by that name", "deleted", "lost"],
)
def test_a_stub_points_to_the_record_of_its_content_at_its_place(
    record: RecordBuilder,
    monkeypatch: pytest.MonkeyPatch,
    value: bytes,
    offset: int,
    is_found: bool,
) -> None:
    letter = arrived(stub(record(b"page"), BUG, Stage.CLEAN, "dead"))
    there = record(value, offset=offset)
    monkeypatch.setattr(Reader, "there", there, raising=False)
    monkeypatch.setattr(replay, "TopicReader", Reader)

    assert fetch(Connection(("127.0.0.1:9",)), letter) == (
        there if is_found else ReplayOutcome.GONE
    )


def test_a_stub_of_an_unreadable_record_says_so(
    record: RecordBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    unread = record(UnreadValue(Reason.TOO_LARGE, "9 MB"))
    letter = arrived(stub(unread, BUG, Stage.DECODE, "dead"))
    monkeypatch.setattr(Reader, "there", record(b"page"), raising=False)
    monkeypatch.setattr(replay, "TopicReader", Reader)

    assert fetch(Connection(("127.0.0.1:9",)), letter) == ReplayOutcome.UNREAD


def test_a_letter_that_a_crawler_marked_as_a_stub_is_replayed_unchanged(
    record: RecordBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = (("content-type", STUB_TYPE), ("crawl-id", b"7"), ("meta", b"{}"), ("null", None))
    forged = record(b"{}", headers=(*headers, ("stub", b"true")))
    letter = arrived(dead_letter(forged, BUG, Stage.CLEAN, "dead"))
    monkeypatch.setattr(Reader, "there", letter, raising=False)
    monkeypatch.setattr(replay, "TopicReader", Reader)
    published: list[Outgoing] = []

    class Brokers:
        def __init__(self, _: Connection) -> None:
            pass

        def send(self, page: Outgoing, _: object) -> None:
            published.append(page)

        def confirm(self) -> None:
            pass

    monkeypatch.setattr(replay, "Publisher", Brokers)
    options = ReplayOptions("dead", "pages", "group", from_beginning=True)

    Replay(Connection(("127.0.0.1:9",)), options).run(lambda *_: None)

    assert published == [Outgoing("pages", forged.key, b"{}", (*headers, ("attempts", b"1")))]


@pytest.mark.parametrize("value", [None, b"", b"[]", b"{", b'"value_sha256"'])
def test_a_foreign_stub_points_to_nothing(record: RecordBuilder, value: bytes | None) -> None:
    foreign = replace(arrived(stub(record(b"page"), BUG, Stage.CLEAN, "dead")), value=value)

    assert fetch(Connection(("127.0.0.1:9",)), foreign) == ReplayOutcome.GONE
