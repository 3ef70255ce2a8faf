"""WARC files with all that crawlers leave in them."""

import gzip
import io
from base64 import b32encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import Any, Final

import orjson
import zstandard

from winnow.worker.batch.archives.entries import PageOf, Response, Skipped
from winnow.worker.batch.archives.responses import page_of
from winnow.worker.batch.archives.warc import warc_entries

PROSE: Final = "The first meeting was held in the back room of the bakery, and eleven people came."
DATE: Final = "2026-11-01T10:00:00Z"
Headers = Sequence[tuple[str, str]]
OVER_HTTP: Final = {"response", "request", "revisit"}
HTML: Final = (("Content-Type", "text/html; charset=utf-8"),)


def record_id(number: int) -> str:
    return f"<urn:uuid:00000000-0000-4000-8000-{number:012d}>"


@dataclass(frozen=True)
class Record:
    """An uncompressed record of a WARC."""

    stored: bytes

    def changed(self, old: bytes, new: bytes) -> "Record":
        assert old in self.stored
        return Record(self.stored.replace(old, new, 1))


def a_record(
    number: int = 0,
    body: bytes = f"<p>{PROSE}</p>".encode(),
    headers: Headers = HTML,
    *,
    status: str = "200 OK",
    kind: str = "response",
    uri: str | None = None,
    fields: Headers = (),
) -> Record:
    fetched = "GET / HTTP/1.1" if kind == "request" else f"HTTP/1.1 {status}"
    lines = [fetched, *(f"{name}: {value}" for name, value in headers)]
    block = "\r\n".join([*lines, "", ""]).encode() + body if kind in OVER_HTTP else body
    named = {
        "WARC-Type": kind,
        "WARC-Record-ID": record_id(number),
        "WARC-Date": DATE,
        "WARC-Target-URI": uri or f"https://a.invalid/{number}",
        "WARC-IP-Address": "192.0.2.1",
        "WARC-Payload-Digest": sha1_of(body),
        "WARC-Block-Digest": sha1_of(block),
        **dict(fields),
        "Content-Length": str(len(block)),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return Record(f"WARC/1.1\r\n{head}\r\n".encode() + block + b"\r\n\r\n")


def sha1_of(content: bytes) -> str:
    return "sha1:" + b32encode(sha1(content, usedforsecurity=False).digest()).decode()


def a_response(block: bytes, uri: str = "https://a.invalid/") -> Record:
    """Return a record with these bytes as its response, valid or not."""
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: {record_id(0)}\r\n"
    head += f"WARC-Target-URI: {uri}\r\nWARC-Date: {DATE}\r\nContent-Length: {len(block)}\r\n\r\n"
    return Record(head.encode() + block + b"\r\n\r\n")


def plain(records: Iterable[Record]) -> bytes:
    return b"".join(record.stored for record in records)


def gzipped(records: Iterable[Record]) -> bytes:
    return b"".join(gzip.compress(record.stored, 1) for record in records)


def zstandard_frames(records: Iterable[Record]) -> bytes:
    compressor = zstandard.ZstdCompressor()
    return b"".join(compressor.compress(record.stored) for record in records)


def in_one_member(records: Iterable[Record]) -> bytes:
    return gzip.compress(plain(records))


def with_dictionary(records: Iterable[Record]) -> bytes:
    """Return zstd frames that share a dictionary, which comes first, as IIPC defines."""
    stored = [record.stored for record in records]
    samples: list[bytes | bytearray | memoryview[int]] = [
        each[:1000] + bytes([number % 256]) * 50 for number in range(200) for each in stored
    ]
    dictionary = zstandard.train_dictionary(4096, samples)
    frame = (0x184D2A5D).to_bytes(4, "little") + len(dictionary).to_bytes(4, "little")
    compressor = zstandard.ZstdCompressor(dict_data=dictionary)
    return frame + dictionary.as_bytes() + b"".join(map(compressor.compress, stored))


def mixed_archive(bodies: Iterable[bytes]) -> tuple[bytes, list[str]]:
    """Return a packed WARC with a page for each body, and the ids of those that are whole.

    Among them are requests, metadata, revisits, images, redirects and damaged records.
    """
    members: list[bytes] = []
    ids: list[str] = []
    for number, body in enumerate(bodies):
        member = gzip.compress(a_record(number, body).stored, 1)
        if number % 50 == 7:
            cut = len(member) // 2
            members.append(member[:cut])  # the next one begins in its middle
        elif number % 50 == 27:
            wrong = a_record(number, body).changed(b"Content-Length: ", b"Content-Length: 9")
            members.append(gzip.compress(wrong.stored, 1))
        else:
            members.append(member)
            ids.append(record_id(number))
        others = [a_record(1_000_000 + number, kind="request", body=b"")]
        others += [a_record(2_000_000 + number, b"fetchTimeMs: 12", kind="metadata")]
        if number % 10 == 3:
            others.append(a_record(3_000_000 + number, b"", kind="revisit"))
            others.append(
                a_record(4_000_000 + number, b"\xff\xd8", [("Content-Type", "image/jpeg")])
            )
            others.append(a_record(5_000_000 + number, b"", status="301 Moved"))
        members += [gzip.compress(each.stored, 1) for each in others]
    return b"".join(members), ids


def documents(folder: Path) -> list[dict[str, Any]]:
    """Return the documents of all shards of JSON lines in a folder, in order."""
    found: list[dict[str, Any]] = []
    for shard in sorted(folder.glob("part-*.jsonl.zst")):
        with zstandard.open(shard, "rb") as lines:
            found += [orjson.loads(line) for line in lines.read().splitlines()]
    return found


def errors(folder: Path) -> list[dict[str, Any]]:
    """Return the entries of a run's error log."""
    return [orjson.loads(line) for line in (folder / "errors.jsonl").read_bytes().splitlines()]


def pages(archive: bytes) -> list[PageOf]:
    """Return the pages of an archive in which every record is fine."""
    entries = warc_entries(lambda: io.BytesIO(archive), 1 << 20)
    contents = [entry.content for entry in entries]
    found = [page_of(each, 1 << 20) for each in contents if isinstance(each, Response)]
    assert all(isinstance(each, Response | Skipped) for each in contents)
    return [each for each in found if isinstance(each, PageOf)]


def page_in(block: bytes, uri: str = "https://a.invalid/") -> PageOf:
    """Return the page of an archive with one response."""
    (page,) = pages(plain([a_response(block, uri)]))
    return page
