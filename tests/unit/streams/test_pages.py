"""Any record of a crawler is a page or an `InvalidPage`, never another error."""

import base64
import contextlib
import tracemalloc
from collections.abc import Callable

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.pages import (
    Deleted,
    Fetched,
    Skipped,
    arrival_from,
    stated_meta,
    stated_url,
)
from winnow.streams.records import Incoming, UnreadValue

RecordBuilder = Callable[..., Incoming]


def page_from(record: Incoming, max_page_bytes: int = 1000) -> Page:
    arrival = arrival_from(record, max_page_bytes)
    assert isinstance(arrival, Fetched)
    return arrival.page


def reason_of(record: Incoming, max_page_bytes: int = 1000) -> Reason:
    with pytest.raises(InvalidPage) as caught:
        page_from(record, max_page_bytes)
    return caught.value.reason


def test_page_from_takes_the_bytes_unchanged_when_they_are_not_json(record: RecordBuilder) -> None:
    raw = record(
        b"\xff<p>x",
        headers=(("content-type", b"text/html"), ("fetched-at", b"2026-01-01T00:00:00Z")),
    )

    page = page_from(raw)

    assert page == Page(
        "https://example.org/page", b"\xff<p>x", "text/html", "2026-01-01T00:00:00Z"
    )


def test_page_from_reads_json_when_the_value_begins_with_a_brace(record: RecordBuilder) -> None:
    value = orjson.dumps(
        {"url": "https://a.example/x", "html": "<p>ż", "content_type": "text/html; charset=cp1250"}
    )

    page = page_from(record(b" \n" + value, key=None))

    assert page.url == "https://a.example/x"
    assert page.body == "<p>ż".encode()
    assert page.content_type == "text/html; charset=utf-8"


def test_page_from_decodes_base64_and_keeps_the_declared_charset(record: RecordBuilder) -> None:
    value = orjson.dumps(
        {
            "body_base64": base64.b64encode(b"\xe9t\xe9").decode(),
            "content_type": "text/html; charset=latin-1",
            "html": None,
            "status": 200,
            "something": "new",
        }
    )

    page = page_from(record(value))

    assert (page.body, page.content_type) == (b"\xe9t\xe9", "text/html; charset=latin-1")


@pytest.mark.parametrize(
    "encoded",
    [
        base64.encodebytes(b"<p>\xff\xfe\xfb" * 20).decode(),
        base64.encodebytes(b"<p>\xff\xfe\xfb" * 20).decode().replace("\n", "\r\n"),
        base64.urlsafe_b64encode(b"<p>\xff\xfe\xfb" * 20).decode(),
    ],
)
def test_page_from_decodes_base64_as_other_encoders_write_it(
    record: RecordBuilder, encoded: str
) -> None:
    value = orjson.dumps({"url": "https://a.example/", "body_base64": encoded})

    assert page_from(record(value)).body == b"<p>\xff\xfe\xfb" * 20


def test_page_from_obeys_the_content_type_when_the_first_byte_says_otherwise(
    record: RecordBuilder,
) -> None:
    raw = record(b"{ not json", headers=(("content-type", b"text/plain"),))
    as_json = record(b"<p>x", headers=(("content-type", b"Application/JSON; charset=utf-8"),))

    assert page_from(raw).body == b"{ not json"
    assert reason_of(as_json) is Reason.UNDECODABLE


def test_page_from_takes_the_last_header_when_a_name_is_repeated(record: RecordBuilder) -> None:
    twice = record(
        key=None, headers=(("url", b"https://a.example/1"), ("url", b"https://a.example/2"))
    )

    assert page_from(twice).url == "https://a.example/2"


def test_page_from_prefers_the_url_of_the_value_to_the_key(record: RecordBuilder) -> None:
    value = orjson.dumps({"url": "https://a.example/inside", "html": "x"})

    assert page_from(record(value)).url == "https://a.example/inside"


@pytest.mark.parametrize(
    ("value", "key", "reason"),
    [
        (None, None, Reason.TOMBSTONE),
        (None, b"", Reason.NO_URL),
        (None, b"page 7", Reason.NO_URL),
        (b"", b"https://a.example/", Reason.EMPTY),
        (b" \r\n\t", b"https://a.example/", Reason.EMPTY),
        (b'{"url":"https://a.example/","html":""}', None, Reason.EMPTY),
        (b'{"url":"https://a.example/","html":"  "}', None, Reason.EMPTY),
        (b'{"url":"https://a.example/","body_base64":""}', None, Reason.EMPTY),
        (b"{", b"https://a.example/", Reason.UNDECODABLE),
        (b'{"html":"\xff"}', b"https://a.example/", Reason.UNDECODABLE),
        (b'{"html":"\\ud800"}', b"https://a.example/", Reason.UNDECODABLE),
        (b'{"html":1}', b"https://a.example/", Reason.UNDECODABLE),
        (b'{"html":"x","body_base64":"eA=="}', b"https://a.example/", Reason.UNDECODABLE),
        (b'{"body_base64":"?"}', b"https://a.example/", Reason.UNDECODABLE),
        (b'{"body_base64":"eA"}', b"https://a.example/", Reason.UNDECODABLE),
        (b"{}", b"https://a.example/", Reason.UNDECODABLE),
        (b'{"html":"x","status":"ok"}', b"https://a.example/", Reason.UNDECODABLE),
        (b'{"html":"x","fetched_at":[]}', b"https://a.example/", Reason.UNDECODABLE),
        (
            b'{"html":"x","fetched_at":"' + b"2" * 1025 + b'"}',
            b"https://a.example/",
            Reason.UNDECODABLE,
        ),
        (b'{"url":5,"html":"x"}', b"https://a.example/", Reason.UNDECODABLE),
        (b'{"a":' * 2000 + b"1" + b"}" * 2000, b"https://a.example/", Reason.UNDECODABLE),
        (b"<p>x", None, Reason.NO_URL),
        (b"<p>x", b"", Reason.NO_URL),
        (b"<p>x", b"\xff\xfe", Reason.NO_URL),
        (b"<p>x", b"page 7", Reason.NO_URL),
        (b"<p>x", b"https://a.example/a b", Reason.NO_URL),
        (b"<p>x", b"https://" + b"a" * 9000, Reason.NO_URL),
        (b"<p>" + b"x" * 1000, b"https://a.example/", Reason.TOO_LARGE),
    ],
)
def test_page_from_gives_the_reason_when_there_is_no_page(
    record: RecordBuilder, value: bytes | None, key: bytes | None, reason: Reason
) -> None:
    assert reason_of(record(value, key)) is reason


def test_page_from_gives_undecodable_when_the_json_is_not_an_object(record: RecordBuilder) -> None:
    raw = record(b"[1]", headers=(("content-type", b"application/json"),))

    assert reason_of(raw) is Reason.UNDECODABLE


def test_page_from_does_not_quote_the_page_when_the_json_is_broken(record: RecordBuilder) -> None:
    with pytest.raises(InvalidPage) as caught:
        page_from(record(b'{"html": "my private diary'))

    assert "diary" not in str(caught.value)
    assert caught.value.__cause__ is None


headers = st.lists(
    st.tuples(
        st.sampled_from(["content-type", "url", "fetched-at", "status", "meta", "x"]),
        st.sampled_from([b"404", b"500", b"{}"]) | st.binary(max_size=60),
    ),
    max_size=4,
).map(tuple)
json_like = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=20),
    lambda inner: st.dictionaries(
        st.sampled_from(
            ["url", "html", "body_base64", "content_type", "status", "fetched_at", "meta"]
        ),
        inner,
        max_size=6,
    ),
    max_leaves=8,
).map(orjson.dumps)


@given(st.none() | st.binary(max_size=200) | json_like, st.none() | st.binary(max_size=60), headers)
def test_page_from_raises_only_invalid_page_for_any_input(
    value: bytes | None, key: bytes | None, extra: tuple[tuple[str, bytes], ...]
) -> None:
    try:
        arrival = arrival_from(Incoming("t", 0, 0, key, value, extra), 100)
    except InvalidPage:
        return
    assert arrival.url
    assert not isinstance(arrival, Fetched) or 0 < len(arrival.page.body) <= 100


def test_page_from_gives_the_reason_of_a_record_that_was_not_read(record: RecordBuilder) -> None:
    unread = record(UnreadValue(Reason.TOO_LARGE, "a record of 17000000 bytes"), b"https://a.b/")

    with pytest.raises(InvalidPage, match=r"too_large: a record of 17000000 bytes"):
        page_from(unread)


HOSTILE = {
    "lists in a member that nobody reads": b'"more":[' + b"[[],{}]," * 1_200_000 + b"1]",
    "lists in the place of a text": b'"fetched_at":[' + b"[[],{}]," * 1_200_000 + b"1]",
    "numbers in the place of a status": b'"status":[' + b"1," * 4_900_000 + b"1]",
    "members of a million names": b",".join(b'"%d":0' % number for number in range(900_000)),
    "a number of a million digits": b'"more":' + b"1" * 1_000_000,
    "lists in meta": b'"meta":{"a":[' + b"[[],{}]," * 1_200_000 + b"1]}",
    "lists in lists": b'"more":' + b"[" * 4_900_000 + b"]" * 4_900_000,
}


@pytest.mark.parametrize("members", HOSTILE.values(), ids=HOSTILE)
def test_page_from_builds_no_values_that_it_does_not_read(
    record: RecordBuilder, members: bytes
) -> None:
    hostile = record(b'{"url":"https://a.example/","html":"<p>x",' + members + b"}")
    tracemalloc.start()

    try:
        with contextlib.suppress(InvalidPage):
            arrival_from(hostile)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 1 << 20


@pytest.mark.parametrize("value", [b"", b"[1]", b"{", b'{"url":[]}', b'{"url":"' + b"x" * 9000])
def test_stated_url_is_empty_when_a_message_has_none(value: bytes) -> None:
    assert stated_url(value) == ""


def test_stated_url_is_found_in_a_message_that_is_not_a_page() -> None:
    assert stated_url(b'{"url":"https://a.example/","html":5}') == "https://a.example/"


URL = "https://example.org/page"


def with_status(record: RecordBuilder, status: bytes | None, value: bytes = b"<p>x") -> Incoming:
    return record(value, headers=(("status", status),))


@pytest.mark.parametrize("status", [b"404", b"410", b" 410 "])
def test_a_page_that_is_gone_is_a_deletion_with_any_body(
    record: RecordBuilder, status: bytes
) -> None:
    for value in (b"<p>x", b"", b" \n", b"x" * 5000):
        assert arrival_from(with_status(record, status, value), 1000) == Deleted(URL, int(status))


@pytest.mark.parametrize("status", [100, 199, 300, 304, 403, 500, 599])
def test_an_answer_that_is_not_a_page_is_skipped(record: RecordBuilder, status: int) -> None:
    message = {"url": "https://a.example/", "status": status}

    assert arrival_from(with_status(record, b"%d" % status)) == Skipped(URL, status)
    assert arrival_from(record(orjson.dumps(message))) == Skipped("https://a.example/", status)
    assert arrival_from(record(orjson.dumps(message | {"html": 5}))) == Skipped(
        "https://a.example/", status
    )


@pytest.mark.parametrize("status", [b"200", b"203", b"299", b"", b" ", None])
def test_a_page_with_any_other_status_is_cleaned(
    record: RecordBuilder, status: bytes | None
) -> None:
    assert page_from(with_status(record, status)).body == b"<p>x"


@pytest.mark.parametrize(
    "status",
    [b"ok", b"404 Not Found", b"\xff", b"99", b"600", b"0404", b"-404", b"4e2", b"9" * 9999],
)
def test_an_invalid_status_makes_a_dead_letter(record: RecordBuilder, status: bytes) -> None:
    with pytest.raises(InvalidPage, match="status must be an integer from 100 to 599") as caught:
        arrival_from(with_status(record, status))
    assert caught.value.reason is Reason.UNDECODABLE


@pytest.mark.parametrize("status", [b'"404"', b"404.5", b"true", b"[]", b"99", b"600", b"-1"])
def test_an_invalid_status_in_json_makes_a_dead_letter(
    record: RecordBuilder, status: bytes
) -> None:
    assert reason_of(record(b'{"html":"x","status":%b}' % status)) is Reason.UNDECODABLE


def test_the_status_in_json_counts_before_the_header(record: RecordBuilder) -> None:
    value, null = b'{"html":"x","status":200}', b'{"html":"x","status":null}'

    assert isinstance(arrival_from(with_status(record, b"404", value)), Fetched)
    assert arrival_from(with_status(record, b"404", null)) == Deleted(URL, 404)


def test_a_null_value_deletes_the_page_of_its_key_or_url_header(record: RecordBuilder) -> None:
    other = (("url", b"https://a.example/"), ("meta", b"{}"))

    assert arrival_from(record(None)) == Deleted(URL, None)
    assert arrival_from(record(None, headers=other)) == Deleted("https://a.example/", None, b"{}")


def test_a_null_value_without_a_key_deletes_no_page(record: RecordBuilder) -> None:
    named = record(None, None, headers=(("url", b"https://a.example/"),))

    assert reason_of(named) is Reason.TOMBSTONE


def test_a_page_that_is_gone_needs_a_url_too(record: RecordBuilder) -> None:
    assert reason_of(record(b'{"status":404}', None)) is Reason.NO_URL


def test_meta_is_the_member_of_that_name_or_the_header(record: RecordBuilder) -> None:
    inside = b'{"html":"x","meta": {"a" : 1}}'
    header = (("meta", b'{"b":2}'),)

    assert bytes(arrival_from(record(inside, headers=header)).meta) == b'{"a" : 1}'
    assert arrival_from(record(b"<p>x", headers=header)).meta == b'{"b":2}'
    assert arrival_from(record(b'{"html":"x","meta":null}', headers=header)).meta == b'{"b":2}'
    assert arrival_from(record(b"<p>x")).meta == b""


@pytest.mark.parametrize(
    ("value", "meta"),
    [
        (b'{"html":5,"meta":{"a":1}}', b'{"a":1}'),
        (b'{"meta":{"a":1}}', b'{"a":1}'),
        (b'{"meta":', b'{"b":2}'),
        (b"", b'{"b":2}'),
        (None, b'{"b":2}'),
    ],
)
def test_meta_is_found_in_a_record_that_is_not_a_page(
    record: RecordBuilder, value: bytes | None, meta: bytes
) -> None:
    assert bytes(stated_meta(record(value, headers=(("meta", b'{"b":2}'),)))) == meta


def test_page_from_takes_the_robots_tag_from_value_or_header(record: RecordBuilder) -> None:
    header = (("x-robots-tag", b"noai"),)
    value = orjson.dumps({"url": "https://a.example/x", "html": "x", "x_robots_tag": "noindex"})
    plain = orjson.dumps({"url": "https://a.example/x", "html": "x"})

    assert page_from(record(b"<p>x", headers=header)).robots_tag == "noai"
    assert page_from(record(value)).robots_tag == "noindex"
    assert (
        page_from(
            record(plain, headers=(("content-type", b"application/json"), *header))
        ).robots_tag
        == "noai"
    )
