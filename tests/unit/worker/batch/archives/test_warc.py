"""Records of WARC files, whole and damaged, from the beginning and from any place."""

import errno
import gzip
import io
import random
import zlib
from collections.abc import Callable, Iterable, Iterator

import pytest
import zstandard

from tests.archives import (
    DATE,
    PROSE,
    Record,
    a_record,
    a_response,
    gzipped,
    in_one_member,
    plain,
    record_id,
    with_dictionary,
    zstandard_frames,
)
from tests.junk import HEAD, JUNK, STUB
from winnow.models.errors import InvalidPage
from winnow.worker.batch.archives import record_search
from winnow.worker.batch.archives.cleaning import FileEntry, weight
from winnow.worker.batch.archives.entries import (
    BEGIN,
    END,
    Entry,
    PageOf,
    Response,
    Skipped,
    WarcRecord,
)
from winnow.worker.batch.archives.record_search import is_warc, record_starts
from winnow.worker.batch.archives.responses import page_of
from winnow.worker.batch.archives.warc import warc_entries

Pack = Callable[[Iterable[Record]], bytes]
SEPARATE: list[Pack] = [plain, gzipped, zstandard_frames, with_dictionary]
MAX_PAGE_BYTES = 10_000
NOISE = random.Random(1).randbytes(9000)


def entries(archive: bytes) -> list[Entry]:
    """Return all entries.

    They are the same if reading continues after any entry, or reads any parts separately.
    """
    found = list(warc_entries(lambda: io.BytesIO(archive), MAX_PAGE_BYTES))
    for number, entry in enumerate(found, start=1):
        rest = warc_entries(lambda: io.BytesIO(archive), MAX_PAGE_BYTES, entry.place.then)
        assert list(map(summary, rest)) == list(map(summary, found[number:]))
    for distance_bytes in (1, 200, 700):
        again = list(in_parts(archive, distance_bytes))
        assert list(map(summary, again)) == list(map(summary, found))
        assert [each.place for each in again] == [each.place for each in found]
    return found


def in_parts(archive: bytes, distance_bytes: int) -> Iterator[Entry]:
    """Yield all entries, read part by part."""

    def opened() -> io.BytesIO:
        return io.BytesIO(archive)

    at = BEGIN
    for end in (*record_starts(opened, 0, distance_bytes), None):
        if at != END:
            at = yield from warc_entries(opened, MAX_PAGE_BYTES, at, end)


def summary(entry: Entry) -> str:
    """Return the content of a record, in words."""
    content = entry.content
    if isinstance(content, Response):
        return content.record.target_uri.removeprefix("https://a.invalid/")
    return str(content)


def stories(archive: bytes) -> list[str]:
    return [summary(entry).split(",")[0] for entry in entries(archive)]


def three() -> list[Record]:
    return [a_record(number, f"<p>{number}</p>".encode() * 50) for number in range(3)]


@pytest.mark.parametrize("pack", [*SEPARATE, in_one_member])
def test_records_are_read_with_any_compression(pack: Pack) -> None:
    archive = pack(three())

    assert is_warc(archive[:4096])
    assert stories(archive) == ["0", "1", "2"]


def test_a_record_keeps_what_the_archive_says_of_it() -> None:
    record = a_record(5, fields=[("WARC-Truncated", "length")])

    (entry,) = entries(gzipped([record.changed(b"https://a.invalid/5", b"<https://a.invalid/5>")]))

    assert isinstance(entry.content, Response)
    assert entry.content.record == WarcRecord(
        record_id(5), DATE, "https://a.invalid/5", entry.content.record.payload_digest,
        "192.0.2.1", "length",
    )  # fmt: skip
    assert entry.content.record.payload_digest.startswith("sha1:")


def test_a_record_that_is_not_a_response_is_skipped() -> None:
    kinds = ["request", "metadata", "revisit", "resource", "conversion"]

    found = entries(gzipped([a_record(1, b"", kind=kind) for kind in kinds]))

    assert [entry.content for entry in found] == [
        Skipped.WARC_TYPE, Skipped.WARC_TYPE, Skipped.REVISIT, Skipped.WARC_TYPE, Skipped.WARC_TYPE,
    ]  # fmt: skip


def stored(records: Iterable[Record]) -> bytes:
    return b"".join(gzip.compress(record.stored, 0) for record in records)


@pytest.mark.parametrize("pack", [plain, stored])
def test_an_archive_inside_a_page_is_not_read_as_records(pack: Pack) -> None:
    inner = pack(a_record(number, random.Random(number).randbytes(300)) for number in range(4))
    archive = pack([a_record(0), a_record(1, inner), a_record(2)])

    found = entries(archive)

    assert len(list(record_starts(lambda: io.BytesIO(archive), 0, 1))) == 2 + 4
    assert list(map(summary, found)) == ["0", "1", "2"]


@pytest.mark.parametrize("pack", SEPARATE)
@pytest.mark.parametrize("length", [b"9", b"99999999", b"-", b"x"])
def test_a_record_with_a_wrong_length_is_an_error_and_the_next_one_is_found(
    pack: Pack, length: bytes
) -> None:
    records = three()
    records[1] = records[1].changed(b"Content-Length: ", b"Content-Length: " + length)

    first, second, third = stories(pack(records))

    assert (first, third) == ("0", "2")
    assert second.startswith(("undecodable: record", "too_large"))


@pytest.mark.parametrize("pack", SEPARATE)
def test_a_record_with_a_length_that_is_too_short_is_an_error(pack: Pack) -> None:
    records = three()
    records[1] = Record(records[1].stored.replace(b"Content-Length: 4", b"Content-Length: 3"))

    first, second, third = stories(pack(records))

    assert (first, third) == ("0", "2")
    assert second.startswith("undecodable: record")


def test_a_truncated_member_is_an_error_and_the_next_one_is_found() -> None:
    members = [gzipped([record]) for record in three()]

    first, second, third = stories(members[0] + members[1][:-40] + members[2])

    assert (first, third) == ("0", "2")
    assert second.startswith("undecodable: ")


@pytest.mark.parametrize("at", [3, 30, 100, -6])
def test_a_member_with_a_wrong_byte_is_an_error_and_the_next_one_is_found(at: int) -> None:
    members = [bytearray(gzipped([record])) for record in three()]
    members[1][at] ^= 0xFF

    found = stories(b"".join(members))

    assert (found[0], found[-1]) == ("0", "2")
    assert sum(story.startswith("undecodable: ") for story in found) <= 1
    assert len(found) in {2, 3}


@pytest.mark.parametrize("size", [20, 64, 150, 300])
def test_a_short_member_with_a_wrong_checksum_is_an_error_of_its_own(size: int) -> None:
    before = gzipped([a_record(1, b"", kind="metadata")])  # no digest proves that it is whole
    wrong = bytearray(gzip.compress(a_record(2).stored[:size]))
    wrong[-8] ^= 0xFF

    found = entries(before + wrong + gzipped([a_record(3)]))

    assert summary(found[0]) == "warc_type"
    assert summary(found[1]).startswith("undecodable: record: damaged")
    assert found[1].place.offset == len(before)
    assert [summary(entry) for entry in found[2:]] == ["3"]


@pytest.mark.parametrize("pack", SEPARATE)
@pytest.mark.parametrize("lost_bytes", [5, 300])
def test_a_truncated_archive_is_read_up_to_its_end(pack: Pack, lost_bytes: int) -> None:
    whole = pack([*three(), a_record(3, NOISE)])

    found = stories(whole[:-lost_bytes])

    assert found[:3] == ["0", "1", "2"]
    assert found[3].startswith("undecodable: ") or (found[3] == "3" and lost_bytes == 5)


def test_a_plain_archive_that_ends_within_headers_says_so() -> None:
    records = three()

    found = stories(plain(records[:2]) + records[2].stored[:90])

    assert found == ["0", "1", "undecodable: record: fields without an end"]


@pytest.mark.parametrize(("fields", "expected"), [(100, "0"), (200, "undecodable: record: ")])
def test_fields_that_end_in_only_lf_are_read_up_to_a_number_of_lines(
    fields: int, expected: str
) -> None:
    record = a_record(0, b"<p>bees").stored.replace(b"\r\n", b"\n", 1)
    more = b"".join(b"X-%d: a\r\n" % number for number in range(fields))
    begin, rest = record.split(b"\n", 1)

    found = stories(begin + b"\n" + more + rest)

    assert found[0].startswith(expected)


@pytest.mark.parametrize(
    "garbage", [b"garbage\0" * 40, b"\x1f\x8b\x08" + b"x" * 90, b"WARC/1.0\r\n"]
)
def test_garbage_between_records_is_an_error_and_loses_no_record(garbage: bytes) -> None:
    members = [gzipped([record]) for record in three()]

    found = stories(members[0] + members[1] + garbage + members[2])

    assert [found[0], found[1], found[-1]] == ["0", "1", "2"]
    assert found[2].startswith("undecodable: record: ")


def damaged(packed: bytes, chance: random.Random) -> bytes:
    """Return a packed member with a random byte changed, or with bytes lost or added."""
    lost, added = chance.choice([(1, 1), (1, 1), (9, 0), (0, 9)])
    at = chance.randrange(added > lost, len(packed))
    return packed[:at] + chance.randbytes(added) + packed[at + lost :]


def frames_with_checksums(records: Iterable[Record]) -> bytes:
    packer = zstandard.ZstdCompressor(write_checksum=True)
    return b"".join(packer.compress(record.stored) for record in records)


@pytest.mark.parametrize("pack", [gzipped, frames_with_checksums])
def test_a_damaged_member_is_the_only_record_reported_and_lost(pack: Pack) -> None:
    chance = random.Random(5)
    blocks = [b"HTTP/1.1 200 OK\r\n\r\n<p>" + chance.randbytes(200).hex().encode()] * 5
    # without digests
    whole = [pack([a_response(block, f"https://a.invalid/{n}")]) for n, block in enumerate(blocks)]
    reported = 0
    for number in range(500):
        at = chance.randrange(1, 5)
        members = [*whole[:at], damaged(whole[at], chance), *whole[at + 1 :]]
        archive = b"".join(members)
        found = list(warc_entries(lambda: io.BytesIO(archive), MAX_PAGE_BYTES))  # noqa: B023
        errors = [each for each in found if isinstance(each.content, InvalidPage)]
        reported += bool(errors)

        assert {each.place.offset for each in errors} <= {len(b"".join(members[:at]))}
        wanted = ["0", "1", "2", "3", "4"]
        wanted[at : at + 1] = [] if errors else [wanted[at]]
        assert [summary(each) for each in found if each not in errors] == wanted
        if number < 30:
            entries(archive)
    assert reported > 400


def test_damage_in_one_member_with_all_records_loses_the_rest() -> None:
    archive = in_one_member([a_record(0), a_record(1, NOISE), a_record(2)])

    found = stories(archive[: len(archive) // 2])

    assert found[0] == "0"
    assert found[-1].startswith("undecodable: ")


@pytest.mark.parametrize("pack", SEPARATE)
def test_a_record_above_the_limit_is_an_error_and_is_not_held(pack: Pack) -> None:
    records = three()
    records[1] = a_record(1, b"<p>" + b"x" * (1 << 20))

    first, second, third = stories(pack(records))

    assert (first, third) == ("0", "2")
    assert second.startswith("too_large: a record of 10486")


@pytest.mark.parametrize(
    "headers",
    [
        b"x" * 100_000,
        b"\xff\xfe: \xff",
        b"WARC-Type: response\r\nWARC-Type: request",
        b": : :",
        b"\0",
    ],
)
def test_hostile_headers_do_not_end_an_archive(headers: bytes) -> None:
    records = three()
    records[1] = records[1].changed(b"WARC-Date: ", headers + b"\r\nWARC-Date: ")

    found = stories(gzipped(records))

    assert (found[0], found[-1]) == ("0", "2")


def test_a_bomb_does_not_end_an_archive() -> None:
    head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n"
    size = 50 << 20
    bomb = gzip.compress(head % size + bytes(size) + b"\r\n\r\n", 1)
    members = [gzipped([record]) for record in three()]

    found = stories(members[0] + bomb + members[1])

    assert found == ["0", f"too_large: a record of {size} bytes", "1"]


@pytest.mark.parametrize("begin", [b"", b"<html>", b"WARC", b"\x1f\x8b\x08", gzip.compress(b"<p>")])
def test_a_file_that_is_not_an_archive_is_recognised_by_its_first_bytes(begin: bytes) -> None:
    assert not is_warc(begin)


def test_bytes_that_are_not_a_record_are_an_error() -> None:
    found = entries(b"WARC/1.0\r\nno header at all\r\n" * 3)

    assert found
    assert all(isinstance(entry.content, InvalidPage) for entry in found)


class BrokenFile(io.BytesIO):
    """Fails once when it is read after some place, like a disk or a connection."""

    def __init__(self, content: bytes, failures: list[OSError]) -> None:
        super().__init__(content)
        self._failures = failures

    def read(self, size: int | None = -1) -> bytes:
        if self._failures and self.tell() > len(self.getbuffer()) // 2:
            raise self._failures.pop()
        return super().read(size)


@pytest.mark.parametrize("pack", SEPARATE)
def test_a_read_error_is_not_a_damaged_record(pack: Pack) -> None:
    archive = pack([a_record(0), *(a_record(number, NOISE) for number in range(1, 300))])
    failures = [OSError(errno.EIO, "Input/output error")]
    found: list[Entry] = []

    with pytest.raises(OSError, match="Input/output error"):
        found.extend(warc_entries(lambda: BrokenFile(archive, failures), MAX_PAGE_BYTES))

    assert list(map(summary, found)) == list(map(str, range(len(found))))
    assert len(found) > 50


@pytest.mark.parametrize("length", [8181, 8182, 8183, 8184, 16_375, 16_376, 30_000])
def test_a_long_line_of_headers_does_not_end_them(length: int) -> None:
    body = f"<p>{PROSE}</p>".encode()
    headers = [("X-Long", "y" * length), ("Content-Type", "text/html")]
    (entry,) = entries(gzipped([a_record(1, body, headers)]))
    assert isinstance(entry.content, Response)

    page = page_of(entry.content, MAX_PAGE_BYTES)

    assert isinstance(page, PageOf)
    assert page.page.body == body


def test_the_weight_of_a_record_includes_its_headers() -> None:
    headers = [(f"X-{number}", "y" * 5000) for number in range(10)]
    (entry,) = entries(gzipped([a_record(1, b"<p>", headers)]))

    assert weight(FileEntry(0, entry)) > 50_000


def sharing_a_bomb(kind: bytes) -> bytes:
    """Return a hundred damaged members that unpack the same 40 MB, each from a place of its own."""
    head = (HEAD % 999_999_999).replace(b"response", kind)
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    bomb = packer.compress(bytes(40 << 20)) + packer.flush()
    size = len(STUB) + 5 + len(head)
    rests = [size * left - len(STUB) - 5 for left in range(100, 0, -1)]
    blocks = (
        b"\0%b%b" % (n.to_bytes(2, "little"), (n ^ 0xFFFF).to_bytes(2, "little")) for n in rests
    )
    return b"".join(STUB + block + head for block in blocks) + bomb + b"no crc!!"


@pytest.mark.parametrize("kind", [b"response", b"metadata"])
def test_a_bomb_that_many_records_share_is_not_unpacked_for_each(kind: bytes) -> None:
    archive = sharing_a_bomb(kind) + gzipped(three())

    found = list(warc_entries(lambda: io.BytesIO(archive), MAX_PAGE_BYTES))

    assert len(found) < 50
    assert "bytes are skipped, because too much is damaged" in str(found[-1].content)


@pytest.mark.parametrize("name", sorted(JUNK.keys() - {"begins of records"}))  # lines to fastwarc
@pytest.mark.parametrize("max_debt", [0, 20_000, 60_000])
def test_reading_resumes_anywhere_in_junk_with_the_same_result(
    name: str, max_debt: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_search, "MAX_DEBT", max_debt)
    pack = gzipped if "member" in name else plain
    noise = [a_record(number, NOISE) for number in range(3)]
    junk = JUNK[name](900)

    # `entries` begins again at each entry, and reads in parts
    found = stories(pack(noise[:2]) + junk + pack(noise[2:]) + junk + pack(three()))

    assert found[0] == "0"
    assert any(story.startswith("undecodable: ") for story in found)


def test_damage_after_each_record_loses_no_record() -> None:
    member = gzip.compress(a_record(1).stored)

    found = list(warc_entries(
        lambda: io.BytesIO((member + b"xx\x1f\x8b\x08") * 2000), MAX_PAGE_BYTES
    ))  # fmt: skip

    assert sum(isinstance(entry.content, Response) for entry in found) == 2000
    assert len(found) == 4000
