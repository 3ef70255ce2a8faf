"""A dead letter is the record untouched with its reason; too many of them stop the worker."""

from collections.abc import Callable
from importlib.resources import files

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from winnow.models.errors import InvalidPage, Reason
from winnow.streams.deadletters import (
    STUB_TYPE,
    DeadLetterGuard,
    DeadLetterLimits,
    Stage,
    dead_letter,
    is_stub,
)
from winnow.streams.errors import TooManyDeadLetters
from winnow.streams.pass_through import PassThrough
from winnow.streams.records import Incoming, Outgoing, UnreadValue

RecordBuilder = Callable[..., Incoming]
EMPTY = InvalidPage(Reason.EMPTY, "a value of 0 bytes")


def headers_of(letter: Outgoing) -> dict[str, str]:
    return {name: (value or b"").decode() for name, value in letter.headers}


def test_dead_letter_keeps_key_bytes_and_headers_and_says_why(record: RecordBuilder) -> None:
    original = record(b"\x00\xff", b"any key", (("content-type", b"text/html"), ("null", None)))

    letter = dead_letter(original, EMPTY, Stage.DECODE, "winnow.dead")

    assert (letter.topic, letter.key, letter.value) == ("winnow.dead", b"any key", b"\x00\xff")
    assert letter.headers[:2] == original.headers
    headers = headers_of(letter)
    assert headers.pop("version")
    assert headers == {
        "content-type": "text/html",
        "null": "",
        "reason": "empty",
        "stage": "decode",
        "source": "winnow.pages/3/7",
        "attempts": "1",
        "detail": "a value of 0 bytes",
    }


def test_dead_letter_headers_are_as_the_schema_says(record: RecordBuilder) -> None:
    definition = orjson.loads((files("winnow.streams") / "schemas" / "dead.json").read_bytes())

    letter = dead_letter(record(), EMPTY, Stage.CLEAN, "winnow.dead")

    Draft202012Validator(definition).validate(headers_of(letter))


def test_dead_letter_stays_a_tombstone_when_the_record_is_one(record: RecordBuilder) -> None:
    letter = dead_letter(record(None), EMPTY, Stage.DECODE, "winnow.dead")

    assert letter.value is None


def test_dead_letter_is_a_pointer_when_the_record_has_neither_key_nor_value(
    record: RecordBuilder,
) -> None:
    letter = dead_letter(record(None, None), EMPTY, Stage.DECODE, "winnow.dead")

    assert orjson.loads(letter.value or b"")["source"] == "winnow.pages/3/7"
    assert headers_of(letter)["stub"] == "true"


def test_dead_letter_counts_attempts_and_replaces_its_headers_when_a_replayed_record_fails_again(
    record: RecordBuilder,
) -> None:
    first = dead_letter(record(), EMPTY, Stage.DECODE, "winnow.dead")
    replayed = record(headers=first.headers)

    second = dead_letter(replayed, InvalidPage(Reason.BUG, "KeyError"), Stage.CLEAN, "winnow.dead")

    assert headers_of(second)["attempts"] == "2"
    assert [value for name, value in second.headers if name == "reason"] == [b"bug"]


def test_dead_letter_is_a_pointer_when_the_record_is_too_large_for_the_topic(
    record: RecordBuilder,
) -> None:
    original = record(b"x" * 2000, headers=(("big", b"y" * 100),))

    letter = dead_letter(original, EMPTY, Stage.DECODE, "winnow.dead", max_bytes=2000)

    pointer = orjson.loads(letter.value or b"")
    assert (pointer["source"], pointer["value_bytes"]) == ("winnow.pages/3/7", 2000)
    assert headers_of(letter)["stub"] == "true"
    assert letter.record_bytes < 1000


def test_dead_letter_has_a_bounded_detail(record: RecordBuilder) -> None:
    letter = dead_letter(record(), InvalidPage(Reason.BUG, "x" * 9999), Stage.CLEAN, "winnow.dead")

    assert len(headers_of(letter)["detail"]) == 500


def test_guard_stops_at_the_limit_of_dead_letters_in_a_row() -> None:
    guard = DeadLetterGuard(DeadLetterLimits(ratio=1.0, consecutive=3))
    guard.check([Reason.EMPTY, Reason.EMPTY, None, Reason.EMPTY, Reason.EMPTY])

    with pytest.raises(TooManyDeadLetters, match="3 dead letters in a row, the last for no_url"):
        guard.check([Reason.NO_URL])


def test_guard_stops_when_the_share_of_recent_dead_letters_is_above_the_ratio() -> None:
    guard = DeadLetterGuard(DeadLetterLimits(ratio=0.5, consecutive=1000, window=10))
    guard.check([None, Reason.EMPTY] * 20)

    with pytest.raises(TooManyDeadLetters, match="6 of the last 10"):
        guard.check([Reason.EMPTY, Reason.EMPTY])


def test_guard_ignores_the_ratio_before_enough_records() -> None:
    guard = DeadLetterGuard(DeadLetterLimits(ratio=0.5, consecutive=1000, window=100))

    guard.check([Reason.EMPTY] * 50)


@given(st.lists(st.booleans(), max_size=300))
def test_guard_never_stops_when_its_limits_are_off(dead: list[bool]) -> None:
    guard = DeadLetterGuard(DeadLetterLimits(ratio=1.0, consecutive=10**9, window=20))

    guard.check([Reason.EMPTY if each else None for each in dead])


def test_dead_letter_is_a_pointer_without_a_digest_when_the_record_was_not_read(
    record: RecordBuilder,
) -> None:
    too_large = InvalidPage(Reason.TOO_LARGE, "a record of 17000000 bytes")
    original = record(UnreadValue(too_large.reason, too_large.detail, 17_000_000), b"the key")

    letter = dead_letter(original, too_large, Stage.DECODE, "winnow.dead")

    assert letter.key == b"the key"
    assert orjson.loads(letter.value or b"") == {
        "source": original.source,
        "record_bytes": 17_000_000,
    }


def test_dead_letter_keeps_all_headers_and_meta_of_its_original(record: RecordBuilder) -> None:
    many = (("crawl-id", b"7"), ("meta", b"{}"), *(("h", None),) * 100, ("odd", b"\xff"))
    original = record(b'{"html":5,"meta":{"a":1}}', headers=many)

    letter = dead_letter(original, EMPTY, Stage.DECODE, "winnow.dead", passing=PassThrough(("x",)))

    assert letter.headers[: len(many)] == many
    assert letter.value == original.value


def test_stub_has_the_copied_headers_and_the_meta_of_its_original(record: RecordBuilder) -> None:
    value = b'{"html":"' + b"x" * 2000 + b'","meta":{"a": 1}}'
    headers = (("crawl-id", b"7"), ("tenant", b"a"), ("source", b"forged"), ("stub", b"false"))
    original = record(value, headers=headers)

    letter = dead_letter(
        original, EMPTY, Stage.CLEAN, "dead", max_bytes=2000, passing=PassThrough(("crawl*",))
    )

    assert letter.headers[0] == ("crawl-id", b"7")
    assert [value for name, value in letter.headers if name == "source"] == [b"winnow.pages/3/7"]
    assert is_stub(letter.headers)
    assert "tenant" not in dict(letter.headers)
    assert orjson.loads(letter.value or b"")["meta"] == {"a": 1}


def test_stub_of_headers_by_the_megabyte_is_small(record: RecordBuilder) -> None:
    original = record(b"x", headers=(("big", b"y" * (9 << 20)),) * 2)

    letter = dead_letter(original, EMPTY, Stage.CLEAN, "dead")

    assert is_stub(letter.headers)
    assert letter.record_bytes < 1000


def test_a_content_type_does_not_make_a_letter_a_stub(record: RecordBuilder) -> None:
    forged = record(b"{}", headers=(("content-type", STUB_TYPE), ("stub", b"true")))

    letter = dead_letter(forged, EMPTY, Stage.DECODE, "dead")

    assert not is_stub(letter.headers)
