"""Bytes to other bytes, by a seeded generator: the same seed changes them the same way."""

from random import Random
from typing import Final

# where numbers change their length, their sign or their meaning
_EDGES: Final = (
    b"\x00", b"\x7f", b"\x80", b"\xff", b"\xff" * 4, b"\xff" * 10, b"\x80" * 9 + b"\x01",
    b"\x7f\xff\xff\xff", b"\x80\x00\x00\x00", b'"', b"\\ud800", b"[" * 50, b"{", b"1e999", b"null",
)  # fmt: skip
_MOST_CHANGES: Final = 6


def mutated(content: bytes, other: bytes, random: Random) -> bytes:
    """Return `content` with a few changes, some of them pieces of `other`."""
    changed = bytearray(content)
    for _ in range(1 + random.randrange(_MOST_CHANGES)):
        at = random.randrange(len(changed) + 1)
        _change(changed, at, other, random)
    return bytes(changed)


def _change(changed: bytearray, at: int, other: bytes, random: Random) -> None:
    size = 1 + random.randrange(1 << random.randrange(7))
    match random.randrange(7):
        case 0:
            changed[at : at + 1] = bytes([random.randrange(256)])
        case 1:
            if at < len(changed):
                changed[at] ^= 1 << random.randrange(8)
        case 2:
            edge = random.choice(_EDGES)
            changed[at : at + len(edge)] = edge
        case 3:
            changed[at:at] = random.choice(_EDGES)
        case 4:
            del changed[at : at + size]
        case 5:
            start = random.randrange(len(other) + 1)
            changed[at:at] = other[start : start + size]
        case _:
            changed[at:at] = changed[at : at + size] * (1 + random.randrange(3))
