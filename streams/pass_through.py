"""What a crawler says beside its page -> what travels on with all that the page gives.

Headers that are not Winnow's own travel as they came, and `meta`, one JSON object, unchanged. Both
are bounded, and what does not fit is left out whole: the page itself goes on. Nothing of it is
cached, so an unchanged page goes out with what its newest record says.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Final

import msgspec
import orjson

from winnow.streams.records import Headers, Incoming, record_bytes

MAX_PASSED_HEADERS: Final = 64
MAX_PASSED_BYTES: Final = 16 << 10  # names and values
MAX_META_BYTES: Final = 16 << 10
MAX_META_DEPTH: Final = 32
ALL_NAMES: Final = ("*",)

# What Winnow reads from pages or writes to its topics, in any case: some readers see no difference.
OWN_HEADERS: Final = frozenset(
    {
        *("url", "content-type", "status", "fetched-at", "meta", "traceparent", "tracestate"),
        *("schema-version", "source", "reason", "stage", "attempts", "version", "detail", "stub"),
    }
)

_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_BREAKS: Final = bytes.maketrans(b"\r\n", b"  ")
_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
# Digits look alike in it. An expression for the same took 10 ms for one text of 16 KiB.
_ALIKE: Final = bytes.maketrans(b"123456789E", b"000000000e")


class _Object(msgspec.Struct):
    """Any JSON object: every member is checked and passed over unbuilt."""


_OBJECT: Final = msgspec.json.Decoder(_Object)


class Part(StrEnum):
    """What may be left out."""

    HEADERS = "headers"
    META = "meta"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that does not travel on, and why: figures and limits, nothing of its content."""

    part: Part
    why: str


@dataclass(frozen=True, slots=True)
class Passed:
    """What travels on with a page.

    Attributes:
        headers: in the order in which they came, repeated names included.
        meta: a JSON object on one line; empty without one.
        left_out: what does not.
    """

    headers: Headers = ()
    meta: bytes = b""
    left_out: tuple[LeftOut, ...] = ()

    @property
    def all_headers(self) -> Headers:
        """The headers and, as one more, `meta`: for records whose value has no place for it."""
        return (*self.headers, ("meta", self.meta)) if self.meta else self.headers


NOTHING: Final = Passed()


@dataclass(frozen=True, slots=True)
class PassThrough:
    """Chooses what travels on.

    Attributes:
        names: of the headers that do; `*` in one stands for any characters.
    """

    names: tuple[str, ...] = ALL_NAMES

    def passed(self, record: Incoming, meta: bytes | msgspec.Raw) -> Passed:
        """Return what travels on with a record, `meta` being what it says as that, or empty."""
        if not record.headers and not meta:
            return NOTHING
        headers = self._headers(record)
        left_out = tuple(_left_out(headers, memoryview(meta)))
        parts = {each.part for each in left_out}
        return Passed(
            () if Part.HEADERS in parts else headers,
            b"" if Part.META in parts else bytes(meta).strip().translate(_BREAKS),
            left_out,
        )

    def _headers(self, record: Incoming) -> Headers:
        passed = (each for each in record.headers if each[0].lower() not in OWN_HEADERS)
        if self.names == ALL_NAMES:
            return tuple(passed)
        return tuple(each for each in passed if any(fnmatchcase(each[0], n) for n in self.names))


def _left_out(headers: Headers, meta: memoryview) -> Iterator[LeftOut]:
    size = record_bytes(None, None, headers)
    if len(headers) > MAX_PASSED_HEADERS:
        yield LeftOut(Part.HEADERS, f"{len(headers)} headers, limit {MAX_PASSED_HEADERS}")
    elif size > MAX_PASSED_BYTES:
        yield LeftOut(Part.HEADERS, f"headers of {size} bytes, limit {MAX_PASSED_BYTES}")
    if meta.nbytes > MAX_META_BYTES:
        yield LeftOut(Part.META, f"meta of {meta.nbytes} bytes, limit {MAX_META_BYTES}")
    elif meta.nbytes and (why := _unfit(bytes(meta))):
        yield LeftOut(Part.META, why)


def _unfit(meta: bytes) -> str:
    """Return why `meta` cannot stand in a document for every reader of JSON; empty if it can."""
    try:
        _OBJECT.decode(meta)
        meta.decode("utf-8")  # msgspec looks at no text that it passes over
        if _is_too_deep(meta):
            return f"meta is nested deeper than {MAX_META_DEPTH}"
        if _perhaps_huge(meta):
            orjson.loads(meta)
    except msgspec.ValidationError:
        return "meta is no object"
    except RecursionError:
        return f"meta is nested deeper than {MAX_META_DEPTH}"
    except (msgspec.DecodeError, ValueError):
        return "meta is no JSON that every reader takes"
    return ""


def _perhaps_huge(meta: bytes) -> bool:
    """Return whether some number may be one that readers have no room for, or a text looks so."""
    alike = meta.translate(_ALIKE, b"+")
    return b"0e000" in alike or b"0" * 300 in alike


def _is_too_deep(valid: bytes) -> bool:
    """Return whether valid JSON is nested deeper than `MAX_META_DEPTH`."""
    if valid.count(b"{") + valid.count(b"[") <= MAX_META_DEPTH:
        return False
    brackets = _STRING.sub(b"", valid).translate(_BRACKETS, _NO_BRACKETS)
    for _ in range(MAX_META_DEPTH):  # each time the innermost go
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)
