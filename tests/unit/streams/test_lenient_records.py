"""A header name that is no UTF-8 must not stand in the way of its record, or of others."""

from collections.abc import Sequence

import pytest
from aiokafka.record.default_records import _DefaultRecordBatchBuilderPy
from aiokafka.record.memory_records import MemoryRecords

from streams.lenient_records import LenientRecords
from tests.odd_names import RawName

CODECS = {"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}


def a_batch(names: Sequence[str], codec: int = 0) -> bytes:
    builder = _DefaultRecordBatchBuilderPy(
        magic=2,
        compression_type=codec,
        is_transactional=0,
        producer_id=-1,
        producer_epoch=-1,
        base_sequence=-1,
        batch_size=1 << 20,
    )
    for offset, name in enumerate(names):
        headers = [(name, b"value"), ("null", None)]
        builder.append(offset, timestamp=1, key=b"key", value=b"page %d" % offset, headers=headers)
    return bytes(builder.build())


def read(fetched: bytes) -> list[tuple[int, bytes | None, str]]:
    records = LenientRecords(fetched)
    found = []
    while records.has_next():
        batch = records.next_batch()
        assert batch.validate_crc()
        found += [(each.offset, each.value, each.headers[0][0]) for each in batch]
    return found


@pytest.mark.parametrize("codec", CODECS)
def test_every_record_is_read_whatever_the_names_of_its_headers(codec: str) -> None:
    names = ["plain", RawName("odd"), "żółty", RawName("odd"), "last"]

    found = read(a_batch(names, CODECS[codec]))

    assert [(offset, value) for offset, value, _ in found] == [
        (offset, b"page %d" % offset) for offset in range(5)
    ]
    assert [name for *_, name in found] == ["plain", "��odd", "żółty", "��odd", "last"]


def test_batches_that_follow_each_other_keep_their_own_records() -> None:
    plain, odd = a_batch(["a", "b"]), a_batch([RawName("c")])

    assert [name for *_, name in read(plain + odd + plain)] == ["a", "b", "��c", "a", "b"]


def test_aiokafka_itself_gives_up_at_such_a_name() -> None:
    """If this fails, `streams.lenient_records` has become needless."""
    batch = MemoryRecords(a_batch([RawName("odd")])).next_batch()

    with pytest.raises(UnicodeDecodeError):
        list(batch)


def test_a_batch_that_was_cut_short_is_no_batch_yet() -> None:
    whole = a_batch(["a"])
    records = LenientRecords(whole + whole[:-1])

    records.next_batch()

    assert not records.has_next()
    assert records.size_in_bytes() == 2 * len(whole) - 1
