"""Junk that looks like a WARC archive, of any size."""

import gzip
import io
from collections import deque
from collections.abc import Callable

from winnow.worker.batch.archives.warc import warc_entries

HEAD = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n"
STUB = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"  # the header of a member


def as_often(piece: bytes, size: int) -> bytes:
    return piece * (size // len(piece))


def nested(size: int) -> bytes:
    """Return records that all claim to reach beyond the end."""
    return b"".join(HEAD % (size - at) for at in range(0, size, len(HEAD % size)))


def overlapping_members(size: int) -> bytes:
    """Return members of gzip that all reach to the end: blocks of one are content of the others."""
    block = b"\0\xff\xff\0\0"  # stored, 65,535 bytes; 145 divides those with the 5 of the block
    stub = STUB + block + HEAD % 99_999
    return as_often(stub.ljust(145, b"x"), size)


JUNK: dict[str, Callable[[int], bytes]] = {
    "begins of records": lambda size: as_often(b"WARC/1.0\r\n", size),
    "records without a length": lambda size: as_often(b"WARC/1.0\r\nA: b\r\n\r\n", size),
    "records of a wrong length": lambda size: as_often(HEAD % 9, size),
    "nested records": nested,
    "begins of members": lambda size: gzip.compress(b"WARC/") + as_often(STUB[:4], size),
    "members without a length": lambda size: as_often(gzip.compress(b"WARC/1.0\r\n\r\n"), size),
    "members of a wrong sum": lambda size: as_often(gzip.compress(HEAD % 9)[:-8] + bytes(8), size),
    "overlapping members": overlapping_members,
}


def read_all(archive: bytes) -> None:
    deque(warc_entries(lambda: io.BytesIO(archive), 8 << 20), maxlen=0)
