"""The time for answers of hosts and archives is linear in their bytes."""

import gzip
import io
import random
import time
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import PurePath

import brotli
import pytest
import zstandard

from tests.exponents import grows_in_proportion
from tests.junk import JUNK, read_all
from winnow.worker.batch.archives.bodies import Coding, unpacked_body
from winnow.worker.batch.archives.reading import file_entries
from winnow.worker.batch.archives.records import fields_of
from winnow.worker.batch.archives.responses import Headers
from winnow.worker.batch.archives.robots import MAX_ROBOTS_BYTES, Robots
from winnow.worker.batch.archives.unpacking import Packing, unpack_bounded

WORDS = " ".join(random.Random(1).choices(["bees", "find", "more", "flowers"], k=1 << 20)).encode()
EMPTY_FRAME = zstandard.ZstdCompressor(write_content_size=False).compress(b"")


def of_size(size: int, piece: bytes) -> bytes:
    return piece * (size // len(piece))


def unpacked(packing: Packing) -> Callable[[bytes], object]:
    return lambda packed: unpack_bounded(packed, packing, 64 << 20)


def joined(body: bytes) -> bytes:
    return unpacked_body(Coding((), ["chunked"]), body + b"0\n\n", 64 << 20, set())


def packed_twice(body: bytes) -> bytes:
    return unpacked_body(Coding(["gzip", "gzip"]), body, 64 << 20, set())


def folded(lines: bytes) -> list[str]:
    return Headers([b"a: b", *lines.split(b"\n")]).tokens("a")


def content_types(values: bytes) -> tuple[str, bool]:
    return Headers([b"content-type: " + values]).content_type()


def record_fields(lines: bytes) -> dict[bytes, bytes]:
    return fields_of([b"a: b", *lines.splitlines(keepends=True)])


def entries_of_lines(content: bytes) -> int:
    found = file_entries(PurePath("a.jsonl"), "", lambda: io.BytesIO(content), 1 << 20)
    return sum(1 for _ in found)


pytestmark = pytest.mark.integration

Reader = Callable[[bytes], object]
Maker = Callable[[int], bytes]
# a reader, the bytes of its smallest input, and what makes an input of a size
READERS: dict[str, tuple[Reader, int, Maker]] = {
    "gzip of empty members": (
        unpacked(Packing.GZIP), 1 << 18, lambda size: of_size(size, gzip.compress(b"")),
    ),
    "gzip of padded members": (
        unpacked(Packing.GZIP), 1 << 18, lambda size: of_size(size, gzip.compress(b"x") + b"\0"),
    ),
    "gzip of one member": (
        unpacked(Packing.GZIP), 1 << 18, lambda size: gzip.compress(WORDS[:size], 1),
    ),
    "gzip in gzip": (
        packed_twice, 1 << 18,
        lambda size: gzip.compress(of_size(size, gzip.compress(b"x")), 0),
    ),
    "deflate": (
        unpacked(Packing.DEFLATE), 1 << 18, lambda size: zlib.compress(WORDS[:size], 1),
    ),
    "brotli": (
        unpacked(Packing.BROTLI), 1 << 18, lambda size: brotli.compress(WORDS[:size], quality=1),
    ),
    "zstd of empty frames": (
        unpacked(Packing.ZSTD), 1 << 18, lambda size: of_size(size, EMPTY_FRAME),
    ),
    "chunks of a byte": (joined, 1 << 17, lambda size: of_size(size, b"1\nx\n")),
    "short lines of JSON": (entries_of_lines, 1 << 17, lambda size: of_size(size, b"{}\n")),
    "blank lines": (entries_of_lines, 1 << 19, lambda size: b"{}" + of_size(size, b"\n")),
    "folded headers": (folded, 1 << 14, lambda size: of_size(size, b" c\n")),
    "folded fields": (record_fields, 1 << 14, lambda size: of_size(size, b" c\n")),
    "content types": (content_types, 1 << 16, lambda size: of_size(size, b"text/html, ")),
    "quotes in content types": (content_types, 1 << 16, lambda size: of_size(size, b'a/b;c=",')),
}  # fmt: skip


@pytest.mark.parametrize("name", READERS)
def test_the_time_of_a_reader_is_in_proportion_to_its_input(name: str) -> None:
    run, smallest, make = READERS[name]

    assert grows_in_proportion(run, [make(smallest << step) for step in range(3)])


@pytest.mark.parametrize("name", JUNK)
def test_the_time_for_junk_is_in_proportion_to_its_bytes(name: str) -> None:
    sizes = (1 << 16, 1 << 17, 1 << 18)

    assert grows_in_proportion(read_all, [JUNK[name](size) for size in sizes], rounds=2)


def test_half_a_megabyte_of_any_junk_costs_little() -> None:
    for name, make in JUNK.items():
        archive = make(1 << 19)
        began = time.process_time()

        read_all(archive)

        assert time.process_time() - began < 3, name


def numbered(size: int, line: str) -> bytes:
    lines: list[bytes] = []
    held = 0
    while held < size:
        lines.append(line.format(len(lines)).encode())
        held += len(lines[-1])
    return b"".join(lines)


ROBOTS: dict[str, Callable[[int], bytes]] = {
    "names and rules": lambda size: (
        numbered(size // 2, "user-agent: a{}\n") + numbered(size // 2, "allow: /{}\n")
    ),
    "one name again and again": lambda size: (
        b"user-agent: winnow\n" * (size // 38) + numbered(size // 2, "allow: /{}\n")
    ),
    "rules with stars": lambda size: b"user-agent: *\n" + numbered(size, "allow: /*a{}$\n"),
    "rules to be escaped": lambda size: b"user-agent: *\n" + numbered(size, "allow: /\xe9\xe9{}\n"),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_the_time_for_a_robots_txt_is_linear_in_its_bytes(name: str) -> None:
    def run(robots: bytes) -> bool:
        return Robots(robots, "winnow").allows("/" + "a" * 4000)

    assert grows_in_proportion(run, [ROBOTS[name](1 << bits) for bits in (16, 17, 18)])


def test_the_largest_robots_txt_costs_little() -> None:
    began = time.process_time()
    tracemalloc.start()

    for make in ROBOTS.values():
        assert Robots(make(MAX_ROBOTS_BYTES), "winnow").allows("/" + "a" * 4000)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert time.process_time() - began < 10  # 256 kB took 18 s before
    assert peak < 100 << 20
