"""A crawler's extra headers and meta are copied unchanged, within limits, and forge nothing."""

import tracemalloc
from collections.abc import Callable

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.streams.pass_through import (
    MAX_META_BYTES,
    MAX_META_DEPTH,
    MAX_PASSED_BYTES,
    MAX_PASSED_HEADERS,
    OWN_HEADERS,
    LeftOut,
    Part,
    Passed,
    PassThrough,
)
from winnow.streams.records import Headers, Incoming

RecordBuilder = Callable[..., Incoming]


def passed(headers: Headers = (), meta: bytes = b"", names: tuple[str, ...] = ("*",)) -> Passed:
    record = Incoming("pages", 0, 0, b"https://example.org/", b"<p>x", headers)
    return PassThrough(names).passed(record, msgspec.Raw(meta) if meta else meta)


def test_headers_are_copied_in_order_with_names_and_values_unchanged() -> None:
    headers: Headers = (
        ("crawl-id", b"7"),
        ("tenant", b"caf\xe9"),
        ("crawl-id", b"8"),
        ("empty", b""),
        ("null", None),
        ("", b"of no name"),
        ("od\ufffdd", b"of a name that is not UTF-8"),
    )

    assert passed(headers) == Passed(headers)


@pytest.mark.parametrize("name", sorted(OWN_HEADERS))
def test_a_crawler_cannot_forge_our_headers(name: str) -> None:
    assert passed(((name, b"forged"), (name.upper(), b"forged"), ("own", b"1"))).headers == (
        ("own", b"1"),
    )


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("*",), ["crawl-id", "x-one", "x-two", "X-three"]),
        (("crawl-id",), ["crawl-id"]),
        (("crawl-id", "x-*"), ["crawl-id", "x-one", "x-two"]),
        (("none",), []),
        (("source", "url"), []),
    ],
)
def test_names_limit_the_copied_headers(names: tuple[str, ...], expected: list[str]) -> None:
    headers = tuple((name, b"1") for name in ("crawl-id", "x-one", "x-two", "X-three", "source"))

    assert [name for name, _ in passed(headers, names=names).headers] == expected


def test_headers_out_of_bounds_are_left_out_together() -> None:
    most: Headers = tuple((f"h{number}", b"") for number in range(MAX_PASSED_HEADERS))
    largest: Headers = (("big", b"x" * (MAX_PASSED_BYTES - 3)),)

    assert passed(most).headers == most
    assert passed((*most, ("one", b"more"))) == Passed(
        left_out=(LeftOut(Part.HEADERS, "65 headers, limit 64"),)
    )
    assert passed(largest).headers == largest
    assert passed((*largest, ("", b"x"))) == Passed(
        left_out=(LeftOut(Part.HEADERS, "headers of 16385 bytes, limit 16384"),)
    )


def test_headers_that_are_filtered_out_count_towards_no_bound() -> None:
    headers = (("big", b"x" * (1 << 20)), *(("many", b""),) * 9000, ("tenant", b"7"))

    assert passed(headers, names=("tenant",)) == Passed((("tenant", b"7"),))


@pytest.mark.parametrize(
    "meta",
    [
        b"{}",
        b' {"a" : [1, 2.50, null, true, "\\u00e9 \xc3\xa9 \\"}{[" ] } ',
        b'{"same": 1, "same": 2}',
        b'{"a":1e308,"digest":"7e999","b":' + b"1" * 250 + b"}",
        b'{"a":"' + b"[" * 100 + b'\\\\"}',
        b'{"a":' * MAX_META_DEPTH + b"1" + b"}" * MAX_META_DEPTH,
        b'{"a":[' + b"[]," * 500 + b"[]]}",
        b'{"a":"' + b"x" * (MAX_META_BYTES - 8) + b'"}',
    ],
)
def test_meta_is_copied_byte_by_byte(meta: bytes) -> None:
    assert passed(meta=meta) == Passed(meta=meta.strip())


def test_meta_is_one_line_with_any_line_breaks() -> None:
    assert passed(meta=b'{\r\n"a": "b\\n",\n"c": 1}').meta == b'{  "a": "b\\n", "c": 1}'


@pytest.mark.parametrize(
    ("meta", "why"),
    [
        (b"[1]", "meta must be an object"),
        (b'"text"', "meta must be an object"),
        (b"7", "meta must be an object"),
        (b"null", "meta must be an object"),
        (b"{", "meta is not JSON that every reader accepts"),
        (b"{'a':1}", "meta is not JSON that every reader accepts"),
        (b'{"a":NaN}', "meta is not JSON that every reader accepts"),
        (b'{"a":1}{}', "meta is not JSON that every reader accepts"),
        (b'{"a":1},"text":"forged"', "meta is not JSON that every reader accepts"),
        (b'{"a":"\xff"}', "meta is not JSON that every reader accepts"),
        (b'{"\xed\xa0\x80":1}', "meta is not JSON that every reader accepts"),
        (b'{"a":"\\ud800"}', "meta is not JSON that every reader accepts"),
        (b'{"a":"line\nbreak"}', "meta is not JSON that every reader accepts"),
        (b'{"a":1e999}', "meta is not JSON that every reader accepts"),
        (b'{"a":1E+0999}', "meta is not JSON that every reader accepts"),
        (b'{"a":' + b"9" * 5000 + b"}", "meta is not JSON that every reader accepts"),
        (b'{"a":' * 33 + b"1" + b"}" * 33, "meta is nested deeper than 32"),
        (b'{"a":' + b"[" * 32 + b"]" * 32 + b"}", "meta is nested deeper than 32"),
        (b'{"a":' + b"[" * 8000 + b"]" * 8000 + b"}", "meta is nested deeper than 32"),
        (b'{"a":"' + b"x" * (MAX_META_BYTES - 7) + b'"}', "meta of 16385 bytes, limit 16384"),
    ],
)
def test_meta_out_of_bounds_is_left_out_with_a_reason_that_does_not_quote_it(
    meta: bytes, why: str
) -> None:
    headers = (("crawl-id", b"7"),)

    assert passed(headers, meta) == Passed(headers, left_out=(LeftOut(Part.META, why),))


def test_meta_of_megabytes_is_not_even_copied() -> None:
    meta = msgspec.Raw(b'{"a":"' + b"x" * (9 << 20) + b'"}')
    record = Incoming("pages", 0, 0, None, b"", ())
    tracemalloc.start()
    try:
        left_out = PassThrough().passed(record, meta).left_out
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert [each.part for each in left_out] == [Part.META]
    assert peak < 1 << 16


json_values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), json_values, max_size=4).map(orjson.dumps) | st.binary())
def test_copied_meta_is_an_object_that_readers_accept(meta: bytes) -> None:
    try:
        is_object = isinstance(orjson.loads(meta), dict)
    except orjson.JSONDecodeError:
        is_object = False

    on = passed(meta=meta)

    assert bool(on.meta) is is_object
    assert not on.meta or orjson.loads(on.meta) == orjson.loads(meta)
    assert b"\n" not in on.meta
    assert bool(on.left_out) is (bool(meta) and not is_object)
