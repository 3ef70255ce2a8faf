"""Bytes of cached results: what goes in comes out, and nothing else does."""

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from streams.cache import CachedResult
from streams.cache_values import DamagedValue, ValueCodec

CODEC = ValueCodec(max_bytes=1 << 20)


@given(st.text("0123456789abcdef", max_size=64), st.binary(), st.binary())
def test_unpack_returns_what_was_packed(digest: str, document: bytes, stats: bytes) -> None:
    result = CachedResult(digest, document, stats)

    assert CODEC.unpack(CODEC.pack(result)) == result


@given(st.binary(max_size=200))
def test_unpack_refuses_bytes_that_were_never_packed(stored: bytes) -> None:
    with pytest.raises(DamagedValue):
        CODEC.unpack(stored)


@given(st.data())
def test_unpack_refuses_a_value_when_a_byte_of_its_frame_was_changed(data: st.DataObject) -> None:
    packed = bytearray(CODEC.pack(CachedResult("", b"some text " * 20, b"stats")))
    position = data.draw(st.integers(5, len(packed) - 1))
    packed[position] ^= data.draw(st.integers(1, 255))

    try:
        result = CODEC.unpack(bytes(packed))
    except DamagedValue:
        return
    # a few bits of the frame's header say nothing about its content
    assert result.document == b"some text " * 20


def test_unpack_refuses_a_value_when_it_was_cut() -> None:
    packed = CODEC.pack(CachedResult("ab", b"document", b"stats"))

    for length in range(len(packed)):
        with pytest.raises(DamagedValue):
            CODEC.unpack(packed[:length])


def test_unpack_refuses_a_frame_when_it_would_unfold_beyond_the_limit() -> None:
    bomb = zstandard.compress(bytes(50 << 20))

    with pytest.raises(DamagedValue, match="larger than any"):
        CODEC.unpack(b"\x00\x00\x00\x00\x00" + bomb)


def test_unpack_refuses_a_document_when_it_would_be_longer_than_the_frame() -> None:
    frame = zstandard.compress(b"short")

    with pytest.raises(DamagedValue, match="shorter"):
        CODEC.unpack(b"\x00\x00\x00\x00\x63" + frame)
