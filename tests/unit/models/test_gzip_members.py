"""The kernel unpacks gzip as zlib does, in parts of any size."""

import gzip
import random
import zlib
from collections.abc import Iterator
from itertools import product

import pytest

from winnow.models._kernel import GzipMembers

WORDS = b"<p>Bees find flowers.</p>\n<a href='/a?b=1'>Home</a> honey \xc3\xa9 "
PIECE_BYTES = 1 << 20


def some_bytes(seed: int, size: int) -> bytes:
    """Return text with matches at all distances, and now and then random bytes."""
    chance = random.Random(seed)
    made = bytearray()
    while len(made) < size:
        kind = chance.random()
        start = chance.randrange(len(WORDS))
        made += WORDS[start : start + chance.randrange(1, 40)]
        if kind < 0.2 and made:
            distance = min(len(made), chance.choice((1, 2, 3, 7, 15, 16, 17, 300, 30_000)))
            begin = len(made) - distance
            made += made[begin : begin + chance.randrange(1, 300)]
        elif kind < 0.25:
            made += chance.randbytes(chance.randrange(1, 80))
        elif kind < 0.3:
            made += bytes([chance.randrange(256)]) * chance.randrange(1, 600)
    return bytes(made[:size])


def member(data: bytes, level: int = 6, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, 31, 9, strategy)
    return packer.compress(data) + packer.flush()


def pieces(
    packed: bytes, part_bytes: int = 1 << 16, piece_bytes: int = PIECE_BYTES
) -> Iterator[tuple[int, bytes]]:
    found = GzipMembers(0, piece_bytes)
    for start in range(0, len(packed), part_bytes):
        found.feed(packed[start : start + part_bytes])
        yield from iter(found.piece, None)
    yield from iter(found.rest, None)
    if found.is_inside:
        raise EOFError


def unpacked(packed: bytes, part_bytes: int = 1 << 16, piece_bytes: int = PIECE_BYTES) -> bytes:
    return b"".join(piece for _, piece in pieces(packed, part_bytes, piece_bytes))


def by_zlib(packed: bytes) -> bytes | None:
    """Return what zlib unpacks; None if it is damaged or cut short."""
    whole = b""
    while packed := packed.lstrip(b"\0"):
        state = zlib.decompressobj(31)
        try:
            whole += state.decompress(packed)
        except zlib.error:
            return None
        if not state.eof:
            return None
        packed = state.unused_data
    return whole


@pytest.mark.parametrize("level", range(10))
@pytest.mark.parametrize("strategy", [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY])
def test_all_kinds_of_blocks_are_unpacked(level: int, strategy: int) -> None:
    for size in (0, 1, 100, 40_000, 300_000):
        data = some_bytes(level, size)
        packed = member(data, level, strategy)

        assert unpacked(packed) == data
        assert unpacked(packed, 4096, 1000) == data


@pytest.mark.parametrize(
    ("part_bytes", "piece_bytes"), [*product((1, 7, 300), (1, 64, PIECE_BYTES))]
)
def test_the_parts_of_the_file_and_the_size_of_pieces_make_no_difference(
    part_bytes: int, piece_bytes: int
) -> None:
    each = [some_bytes(seed, 9000 * seed) for seed in range(3)]
    packed = b"\0\0".join(
        member(data, *kind)
        for data, kind in zip(each, ((6,), (0,), (9, zlib.Z_FIXED)), strict=True)
    )

    assert unpacked(packed, part_bytes, piece_bytes) == b"".join(each)


def test_a_piece_ends_with_its_member_and_names_its_place() -> None:
    first, second = member(b"one" * 500), member(b"two")

    found = list(pieces(first + b"\0" * 5 + second))

    assert found == [(0, b"one" * 500), (len(first) + 5, b"two")]


def test_pieces_are_limited() -> None:
    sizes = [len(piece) for _, piece in pieces(member(bytes(10_000_000)))]

    assert sum(sizes) == 10_000_000
    assert set(sizes[:-1]) == {PIECE_BYTES}


def test_all_parts_of_a_header_are_passed_over() -> None:
    body = member(b"data")[10:]
    flags = 2 + 4 + 8 + 16
    header = b"\x1f\x8b\x08" + bytes([flags]) + bytes(6) + b"\x05\x00extra" + b"name\0" + b"why\0"
    checksum = (zlib.crc32(header) & 0xFFFF).to_bytes(2, "little")

    for part_bytes in (1, 1 << 16):
        assert unpacked(header + checksum + body, part_bytes) == b"data"
    with pytest.raises(ValueError, match="data error"):
        unpacked(header + b"??" + body)


def test_a_member_that_is_cut_short_gives_what_it_has() -> None:
    data = some_bytes(5, 3000)
    packed = member(data)
    for end in range(1, len(packed)):
        found = GzipMembers(0, PIECE_BYTES)
        found.feed(packed[:end])
        assert found.piece() is None
        place, rest = found.rest() or (0, b"")

        assert place == 0
        assert data.startswith(rest)
        assert found.is_inside
    assert len(rest) == len(data)


def test_bytes_before_damage_are_given_unless_their_checksum_is_wrong() -> None:
    data = some_bytes(5, 3000)
    packed = member(data)
    packer = zlib.compressobj(wbits=31)
    unfinished = packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)
    for changed, why, is_given in (
        (unfinished + b"\xff", "data error", True),
        (packed[:-8] + bytes(8), "incorrect data check", False),
        (packed[:-4] + bytes(4), "incorrect length check", False),
    ):
        found = GzipMembers(0, PIECE_BYTES)
        found.feed(changed)
        if is_given:
            assert found.piece() == (0, data)
        with pytest.raises(ValueError, match=why):
            found.piece()


def test_the_reason_of_damage_does_not_depend_on_the_parts_of_the_file() -> None:
    # a distance before the beginning
    packed = b"\x1f\x8b\x08" + bytes(7) + bytes.fromhex("1b000000010000000077770000000000")

    for part_bytes in range(1, len(packed) + 1):
        with pytest.raises(ValueError, match=r"^data error$"):
            unpacked(packed, part_bytes)


def test_the_place_of_damage_is_the_place_of_its_member_or_of_other_bytes() -> None:
    for before in (b"", member(b"one"), member(b"one") + b"\0" * 9):
        found = GzipMembers(5, PIECE_BYTES)
        found.feed(before + b"other")
        with pytest.raises(ValueError, match="incorrect header check"):
            list(iter(found.piece, None))

        assert found.begin == 5 + len(before)


@pytest.mark.parametrize("head", [b"HTTP/1.1 200\r\n\r\n", b""])
def test_the_block_of_a_record_is_a_piece_of_its_own(head: bytes) -> None:
    block = some_bytes(4, 40_000)
    record = [b"WARC/1.1\r\n\r\n", head, block, b"\r\n\r\n"]

    found = [piece for _, piece in pieces(member(b"".join(record)), 1 << 20)]

    assert found == [part for part in record if part]


@pytest.mark.parametrize("kind", [(6,), (6, zlib.Z_FIXED), (0,), (9, zlib.Z_HUFFMAN_ONLY)])
def test_damage_is_found_exactly_where_zlib_finds_it(kind: tuple[int, ...]) -> None:
    packed = member(some_bytes(7, 1500), *kind)
    chance = random.Random(3)
    whole = 0
    for _ in range(6000):
        changed = bytearray(packed)
        for _ in range(chance.choice((1, 1, 2, 5))):
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
        wanted = by_zlib(bytes(changed))
        try:
            found = unpacked(bytes(changed), chance.choice((50, 1 << 16)))
        except (ValueError, EOFError):
            found = None

        assert found == wanted
        whole += found is not None
    assert 0 < whole < 3000


def test_damage_of_a_whole_header_of_codes_is_found_as_zlib_finds_it() -> None:
    chance = random.Random(5)
    for _ in range(20_000):
        # a last block with codes of its own, of random bits
        data = bytes([5 | chance.randrange(32) << 3]) + chance.randbytes(60)
        packed = gzip.compress(b"")[:10] + data
        state = zlib.decompressobj(31)
        try:
            wanted: bytes | None = state.decompress(packed)
        except zlib.error:
            wanted = None
        found = GzipMembers(0, PIECE_BYTES)
        found.feed(packed)
        try:
            list(iter(found.piece, None))
            is_right = True
        except ValueError:
            is_right = False

        assert is_right == (wanted is not None)
