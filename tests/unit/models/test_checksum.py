"""The checksum of what brokers keep is the one that all of Kafka computes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models.checksum import crc32c


def reference(data: bytes) -> int:
    """Divide bit by bit, as the algorithm is defined."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def test_the_check_value_of_the_algorithm() -> None:
    assert crc32c(b"123456789", 0, 9) == 0xE3069283


@given(st.binary(max_size=500), st.integers(0, 500), st.integers(0, 500))
def test_any_part_of_some_bytes(data: bytes, one: int, other: int) -> None:
    start, end = sorted((min(one, len(data)), min(other, len(data))))

    assert crc32c(data, start, end) == reference(data[start:end])


@pytest.mark.parametrize(("start", "end"), [(0, 4), (2, 1), (4, 4)])
def test_bytes_that_are_not_there_are_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=f"no bytes {start} to {end}"):
        crc32c(b"abc", start, end)
