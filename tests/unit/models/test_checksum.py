"""The checksum of records and the digest of pages match other programs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models.checksum import content_digest, content_digests, crc32c


def reference(data: bytes) -> int:
    """Divide bit by bit, as the algorithm is defined."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def test_the_check_value_of_the_algorithm() -> None:
    assert crc32c(b"123456789") == 0xE3069283


@given(st.binary(max_size=9000), st.integers(0, 9000), st.integers(0, 9000))
def test_any_part_of_a_buffer(data: bytes, one: int, other: int) -> None:
    start, end = sorted((one, other))

    assert crc32c(memoryview(bytearray(data))[start:end]) == reference(data[start:end])


def test_bytes_with_gaps_are_refused() -> None:
    with pytest.raises(ValueError, match="gaps"):
        crc32c(memoryview(b"abcdef")[::2])


@pytest.mark.parametrize(
    ("size", "digest"),
    [  # of the official vectors: the bytes 0 to 250 again and again
        (0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
        (1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"),
        (1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"),
        (102400, "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"),
    ],
)
def test_the_digest_of_a_page_names_its_algorithm(size: int, digest: str) -> None:
    body = bytes(number % 251 for number in range(size))

    assert content_digest(body) == f"blake3:{digest}"
    assert content_digests([body, b""]) == [f"blake3:{digest}", content_digest(b"")]
