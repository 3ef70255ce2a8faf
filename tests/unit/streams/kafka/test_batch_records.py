"""A stored batch must not block its record, or other records."""

import gzip
import struct
import tracemalloc
from collections.abc import Sequence
from itertools import islice
from typing import Any

import cramjam
import pytest
from aiokafka.errors import CorruptRecordException
from aiokafka.record.default_records import _DefaultRecordBatchBuilderPy
from aiokafka.record.legacy_records import LegacyRecordBatchBuilder
from aiokafka.record.memory_records import MemoryRecords
from hypothesis import given
from hypothesis import strategies as st

from tests.odd_names import RawName
from tests.raw_batches import raw_batch, raw_record
from winnow.models.errors import Reason
from winnow.streams.kafka import batch_records, record_reading
from winnow.streams.kafka.batch_records import FetchedBatches
from winnow.streams.records import UnreadValue

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
    records = FetchedBatches(fetched)
    found = []
    while records.has_next():
        batch = records.next_batch()
        assert batch.validate_crc()
        found += [(each.offset, each.value, each.headers[0][0]) for each in batch]
    return found


@pytest.mark.parametrize("codec", CODECS)
def test_every_record_is_read_with_any_header_names(codec: str) -> None:
    names = ["plain", RawName("odd"), "żółty", RawName("odd"), "last"]

    found = read(a_batch(names, CODECS[codec]))

    assert [(offset, value) for offset, value, _ in found] == [
        (offset, b"page %d" % offset) for offset in range(5)
    ]
    assert [name for *_, name in found] == ["plain", "��odd", "żółty", "��odd", "last"]


def test_batches_that_follow_each_other_keep_their_own_records() -> None:
    plain, odd = a_batch(["a", "b"]), a_batch([RawName("c")])

    assert [name for *_, name in read(plain + odd + plain)] == ["a", "b", "��c", "a", "b"]


@given(st.data())
def test_a_batch_counts_as_damaged_when_aiokafka_says_so(data: st.DataObject) -> None:
    batch = bytearray(a_batch(["a", "b"], data.draw(st.sampled_from([*CODECS.values()]))))
    if data.draw(st.booleans()):
        after_magic = data.draw(st.integers(17, len(batch) - 1))
        batch[after_magic] ^= data.draw(st.integers(1, 255))

    found = FetchedBatches(bytes(batch)).next_batch().validate_crc()

    assert found == MemoryRecords(bytes(batch)).next_batch().validate_crc()


def test_a_batch_of_an_old_layout_is_read_as_aiokafka_reads_it() -> None:
    builder = LegacyRecordBatchBuilder(magic=1, compression_type=0, batch_size=1 << 20)
    builder.append(0, timestamp=1, key=b"key", value=b"page")
    whole = bytes(builder.build())
    damaged = whole[:-1] + b"E"

    assert FetchedBatches(whole).next_batch().validate_crc()
    assert values(whole) == [(0, b"page")]
    assert not FetchedBatches(damaged).next_batch().validate_crc()


def test_aiokafka_itself_gives_up_at_such_a_name() -> None:
    """If this fails, aiokafka has got better: `batch_records` may get smaller."""
    batch = MemoryRecords(a_batch([RawName("odd")])).next_batch()

    with pytest.raises(UnicodeDecodeError):
        list(batch)


@pytest.mark.parametrize("length", [-12, 0, 4, 13, 30, 48])
def test_a_batch_shorter_than_any_is_refused(length: int) -> None:
    records = FetchedBatches(struct.pack(">qi", 0, length) + b"\2" * max(length, 0))

    assert records.has_next()
    with pytest.raises(CorruptRecordException):
        records.next_batch()


def test_a_truncated_batch_is_not_read() -> None:
    whole = a_batch(["a"])
    records = FetchedBatches(whole + whole[:-1])

    records.next_batch()

    assert not records.has_next()
    assert records.size_in_bytes() == 2 * len(whole) - 1


XERIAL = b"\x82SNAPPY\0"


def page(number: int) -> bytes:
    return b"page %d " % number * 20


def three_records() -> bytes:
    return b"".join(raw_record(number, page(number)) for number in range(3))


def all_of(fetched: bytes) -> list[Any]:
    records = FetchedBatches(fetched)
    found: list[Any] = []
    while records.has_next():
        found += records.next_batch()
    return found


def values(fetched: bytes) -> list[tuple[int, bytes | None]]:
    return [(each.offset, each.value) for each in all_of(fetched)]


def snappy_block(content: bytes) -> bytes:
    packed = bytes(cramjam.snappy.compress_raw(content))
    return struct.pack(">i", len(packed)) + packed


def snappy(content: bytes, version: int = 1) -> bytes:
    return XERIAL + struct.pack(">ii", version, 1) + snappy_block(content)


def lz4(content: bytes, *, checksum: bool = False) -> bytes:
    packer = cramjam.lz4.Compressor(level=1, content_checksum=checksum, block_linked=False)
    packer.compress(content)
    return bytes(packer.finish())


def zstd(content: bytes) -> bytes:
    return bytes(cramjam.zstd.compress(content))


# all of them are stored by Kafka's own broker
@pytest.mark.parametrize(
    ("codec", "packed"),
    [
        pytest.param(1, gzip.compress(three_records()) + b"more", id="gzip-with-a-tail"),
        pytest.param(2, snappy(three_records(), version=2), id="snappy-of-a-later-version"),
        pytest.param(
            2, snappy(three_records()[:40]) + snappy(three_records()[40:]), id="snappy-twice"
        ),
        pytest.param(2, bytes(cramjam.snappy.compress_raw(three_records())), id="snappy-bare"),
        pytest.param(3, lz4(three_records()) + b"more", id="lz4-with-a-tail"),
        pytest.param(3, lz4(three_records(), checksum=True), id="lz4-with-a-sum"),
        pytest.param(4, zstd(three_records()[:40]) + zstd(three_records()[40:]), id="zstd-twice"),
        pytest.param(
            4, b"\x50\x2a\x4d\x18\2\0\0\0no" + zstd(three_records()), id="zstd-with-a-gap"
        ),
    ],
)
@pytest.mark.parametrize("small_bytes", [batch_records.SMALL_BYTES, 0])
def test_a_batch_is_unpacked_as_brokers_do(
    monkeypatch: pytest.MonkeyPatch, codec: int, packed: bytes, small_bytes: int
) -> None:
    monkeypatch.setattr(batch_records, "SMALL_BYTES", small_bytes)

    assert values(raw_batch(packed, 3, codec)) == [(n, page(n)) for n in range(3)]


@pytest.mark.parametrize("codec", CODECS)
def test_a_large_batch_is_read_to_its_end_as_a_small_one_is(
    monkeypatch: pytest.MonkeyPatch, codec: str
) -> None:
    fetched = a_batch(["plain", "żółty", RawName("odd")], CODECS[codec])
    small = read(fetched)
    monkeypatch.setattr(batch_records, "SMALL_BYTES", 0)

    assert read(fetched) == small


def test_memory_of_a_batch_does_not_grow_with_its_unpacked_size() -> None:
    packer = cramjam.zstd.Compressor(level=1)
    for number in range(100):
        packer.compress(raw_record(number, b"x" * (1 << 20)))
    batch = FetchedBatches(raw_batch(bytes(packer.finish()), 100, 4)).next_batch()

    tracemalloc.start()
    try:
        assert sum(len(each.value) for each in batch) == 100 << 20
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak_bytes < 16 << 20


def test_a_record_too_large_for_any_topic_is_skipped_with_its_key() -> None:
    large = raw_record(1, b"x" * record_reading.MAX_READ_BYTES, key=b"https://large.example/")
    fetched = raw_batch(zstd(raw_record(0, b"first") + large + raw_record(2, b"last")), 3, 4)

    first, unread, last = all_of(fetched)

    assert (first.value, last.value) == (b"first", b"last")
    assert (unread.offset, unread.key) == (1, b"https://large.example/")
    assert isinstance(unread.value, UnreadValue)
    assert unread.value.reason is Reason.TOO_LARGE
    assert unread.value.skipped_bytes > record_reading.MAX_READ_BYTES


def test_a_batch_of_only_skipped_records_is_unpacked_up_to_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(record_reading, "MAX_READ_BYTES", 1 << 10)
    monkeypatch.setattr(record_reading, "MAX_SKIPPED_BYTES", 3 << 10)
    monkeypatch.setattr(batch_records, "SMALL_BYTES", 0)
    packed = zstd(b"".join(raw_record(number, b"x" * (1 << 10)) for number in range(9)))

    found = all_of(raw_batch(packed, 9, 4))

    assert [each.offset for each in found] == list(range(9))
    assert {each.value.reason for each in found} == {Reason.TOO_LARGE}
    assert [each.value.skipped_bytes > 0 for each in found] == [True] * 2 + [False] * 7


def test_a_batch_that_cannot_be_unpacked_gives_each_offset_a_reason() -> None:
    cut = gzip.compress(three_records(), mtime=0)[:-60]
    fetched = raw_batch(cut, 3, 1) + raw_batch(raw_record(0, b"next"), 1, base_offset=3)

    found = all_of(fetched)

    assert [each.offset for each in found] == [0, 1, 2, 3]
    assert {each.value.reason for each in found[:3]} == {Reason.UNDECODABLE}
    assert found[3].value == b"next"


def test_attributes_of_later_versions_move_no_offset() -> None:
    """A reader that takes them for a number of several bytes takes the key's length for it."""
    key = b"\x0awrong" + b"\x80\x01" + b"x" * 60
    odd = raw_record(0, b"v", key=key, attributes=b"\x80")

    assert values(raw_batch(odd + raw_record(1, b"next"), 2)) == [(0, b"v"), (1, b"next")]


def test_a_record_loses_too_many_headers_in_a_small_batch_too() -> None:
    headers = [(b"", None)] * (record_reading.MAX_HEADERS + 1)

    many, following = all_of(
        raw_batch(raw_record(0, b"page", headers=headers) + raw_record(1, b"page"), 2)
    )

    assert isinstance(many.value, UnreadValue)
    assert (many.value.reason, many.headers) == (Reason.TOO_LARGE, ())
    assert following.value == b"page"


def test_a_record_of_only_headers_is_not_parsed() -> None:
    headers = [(b"", None)] * (record_reading.MAX_HEADERS + 1)
    filler = raw_record(1, b"x" * batch_records.SMALL_BYTES)

    many, _ = all_of(raw_batch(raw_record(0, b"page", headers=headers) + filler, 2))

    assert many.headers == ()
    assert isinstance(many.value, UnreadValue)
    assert many.value.reason is Reason.TOO_LARGE


@pytest.mark.parametrize(
    "body",
    [
        b"", b"\x80", b"\xff" * 12, b"\x01", b"\x0a\0\0\0", b"\x10\0\0\0\x7e\0\0\0\0",
        b"\x0e\0\0\0\x01\x01\x08\0", b"\x10\0\0\0\x01\x01\0\0\0\0",
    ],
)  # fmt: skip
def test_bytes_that_are_not_a_record_give_no_page(body: bytes) -> None:
    found = all_of(raw_batch(zstd(body), 1, 4))

    assert [(each.offset, type(each.value)) for each in found] == [(0, UnreadValue)]


def test_a_record_with_an_offset_far_before_its_batch_does_not_fill_the_gap() -> None:
    fetched = raw_batch(raw_record(-(1 << 40), b"page") + b"\x7f", 2)

    found = list(islice(FetchedBatches(fetched).next_batch(), 5))

    assert len(found) == 3
    assert [type(record.value) for record in found] == [bytes, UnreadValue, UnreadValue]
