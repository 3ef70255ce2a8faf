"""Lines of a batch, in chunks of any size."""

from collections.abc import AsyncIterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.worker.batch.lines import LineTooLong
from winnow.worker.serve.lines import lines_of


async def come(chunks: list[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def lines(chunks: list[bytes], most_bytes: int = 100) -> list[bytes | str]:
    read = [each async for each in lines_of(come(chunks), most_bytes)]
    return ["too long" if isinstance(each, LineTooLong) else each for each in read]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([], []),
        ([b"\n \n\r\n"], []),
        ([b"a\nb"], [b"a", b"b"]),
        ([b"a", b"b\n", b"\nc\n"], [b"ab", b"c"]),
        ([b"12345\n", b"1234"], ["too long", b"1234"]),
        ([b"123", b"45", b"67", b"8\n9"], ["too long", b"9"]),
        ([b"12345"], ["too long"]),
        ([b"12345", b"6789"], ["too long"]),
    ],
)
async def test_lines_are_cut_where_they_end(
    chunks: list[bytes], expected: list[bytes | str]
) -> None:
    assert await lines(chunks, 4) == expected


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=8))
async def test_lines_are_the_same_for_any_cut_of_a_body(body: bytes, cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(body)]
    chunks = [body[start:end] for start, end in pairwise(places)]

    assert await lines(chunks, 5) == await lines([body], 5)
