"""Bytes of cached results are read back as stored, or refused."""

import struct
import tracemalloc

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from winnow.streams.cache.results import CachedResult, CacheKey
from winnow.streams.cache.values import ValueAuthentication, ValueCodec
from winnow.streams.errors import DamagedValue

MAX_BYTES = 1 << 20
PLAIN = ValueCodec(MAX_BYTES)
SIGNED = ValueCodec(MAX_BYTES, ValueAuthentication(b"a secret of this test"))
KEY = CacheKey("fingerprint:page")
DIGEST = "ab" * 32
RESULT = CachedResult(DIGEST, b"some text " * 20, b"stats")
HEADER_BYTES = 44

codecs = pytest.mark.parametrize("codec", [PLAIN, SIGNED], ids=["plain", "signed"])


def a_value(frame: bytes, document_bytes: int, stats_bytes: int = 0) -> bytes:
    return struct.pack(">32sIII", bytes(32), len(frame), document_bytes, stats_bytes) + frame


@codecs
@given(st.binary(min_size=32, max_size=32), st.binary(), st.binary())
def test_a_result_comes_back_as_it_was_packed(
    codec: ValueCodec, digest: bytes, document: bytes, stats: bytes
) -> None:
    result = CachedResult(digest.hex(), document, stats)

    found = codec.read(KEY, codec.pack(KEY, result))

    assert found.page_digest == result.page_digest
    assert found.content_bytes == len(document + stats)
    assert found.open() == result


@codecs
@given(st.binary(max_size=200))
def test_bytes_that_were_never_packed_are_refused(codec: ValueCodec, stored: bytes) -> None:
    with pytest.raises(DamagedValue):
        codec.unpack(KEY, stored)


frames = st.one_of(
    st.binary(max_size=100),
    st.binary(max_size=100).map(zstandard.compress),
    st.integers(0, 4 * MAX_BYTES).map(lambda size: zstandard.compress(bytes(size))),
    st.integers(0, 4 * MAX_BYTES).map(
        lambda size: zstandard.ZstdCompressor(write_content_size=False).compress(bytes(size))
    ),
)
sizes = st.one_of(st.integers(0, 2 * MAX_BYTES), st.integers(0, 2**32 - 1))


@given(frames, sizes, sizes)
def test_any_header_before_any_frame_gives_a_result_or_is_refused_in_bounded_memory(
    frame: bytes, document_bytes: int, stats_bytes: int
) -> None:
    stored = a_value(frame, document_bytes, stats_bytes)

    tracemalloc.start()
    try:
        result = PLAIN.unpack(KEY, stored)
        assert (len(result.document), len(result.stats)) == (document_bytes, stats_bytes)
    except DamagedValue:
        pass
    finally:
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    # the content, its two parts, and small change
    assert peak_bytes < 2 * MAX_BYTES + (64 << 10)


@given(st.data())
def test_a_value_with_a_changed_byte_never_gives_another_text(data: st.DataObject) -> None:
    packed = bytearray(PLAIN.pack(KEY, RESULT))
    position = data.draw(st.integers(HEADER_BYTES, len(packed) - 1))
    packed[position] ^= data.draw(st.integers(1, 255))

    try:
        result = PLAIN.unpack(KEY, bytes(packed))
    except DamagedValue:
        return
    # a few bits of the frame's header say nothing about its content
    assert result == RESULT


@given(st.data())
def test_a_signed_value_is_refused_when_any_bit_of_it_was_changed(data: st.DataObject) -> None:
    packed = bytearray(SIGNED.pack(KEY, RESULT))
    position = data.draw(st.integers(0, len(packed) - 1))
    packed[position] ^= 1 << data.draw(st.integers(0, 7))

    with pytest.raises(DamagedValue):
        SIGNED.unpack(KEY, bytes(packed))


def test_a_signed_value_is_refused_under_another_key() -> None:
    stored = SIGNED.pack(KEY, RESULT)

    with pytest.raises(DamagedValue, match="not signed"):
        SIGNED.unpack(CacheKey("fingerprint:other"), stored)


@pytest.mark.parametrize(
    ("writer", "reader"),
    [
        (PLAIN, SIGNED),
        (SIGNED, PLAIN),
        (ValueCodec(MAX_BYTES, ValueAuthentication(b"another secret")), SIGNED),
    ],
    ids=["without a secret", "for a reader without one", "with another secret"],
)
def test_a_value_written_by_another_program_is_refused(
    writer: ValueCodec, reader: ValueCodec
) -> None:
    with pytest.raises(DamagedValue):
        reader.unpack(KEY, writer.pack(KEY, RESULT))


def test_the_name_of_a_secret_only_distinguishes_it_from_others() -> None:
    one, same, other = (ValueAuthentication(secret) for secret in (b"one", b"one", b"other"))

    assert one.name == same.name != other.name
    assert len(one.name) == 16


@codecs
def test_a_truncated_value_is_refused_with_its_length(codec: ValueCodec) -> None:
    packed = codec.pack(KEY, RESULT)

    for length in range(len(packed)):
        with pytest.raises(DamagedValue):
            codec.unpack(KEY, packed[:length])
    for length in range(HEADER_BYTES, len(packed)):
        assert codec.stored_bytes(packed[:length]) == len(packed)


def test_a_frame_is_refused_when_its_header_promises_too_much() -> None:
    bomb = zstandard.compress(bytes(50 << 20))

    with pytest.raises(DamagedValue, match="larger than the limit"):
        PLAIN.unpack(KEY, a_value(bomb, 50 << 20))


@pytest.mark.parametrize("document_bytes", [0, 4, 6, 1000])
def test_a_frame_is_refused_when_it_has_another_size(document_bytes: int) -> None:
    with pytest.raises(DamagedValue, match="does not match the header"):
        PLAIN.unpack(KEY, a_value(zstandard.compress(b"short"), document_bytes))


def test_a_frame_is_refused_when_it_unfolds_to_more_than_it_says() -> None:
    frame = bytearray(zstandard.ZstdCompressor(write_checksum=False).compress(bytes(100_000)))
    size = struct.pack("<I", 100_000)
    where = frame.index(size)
    frame[where : where + 4] = struct.pack("<I", 70_000)

    with pytest.raises(DamagedValue):
        PLAIN.unpack(KEY, a_value(bytes(frame), 70_000))
