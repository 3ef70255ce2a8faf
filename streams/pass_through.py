"""A crawler's headers and metadata -> the parts that are copied to all records of the page.

Headers that are not Winnow's own are copied unchanged, and so is `meta`, one JSON object. Both have
a size limit. Parts over the limit are left out whole; the page itself is processed. They are not
cached, so an unchanged page is published with the headers of its newest record.
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

# Names that Winnow reads from pages or writes to its topics, compared without case.
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
# All digits become the same character. A regular expression took 10 ms for one text of 16 KiB.
_ALIKE: Final = bytes.maketrans(b"123456789E", b"000000000e")


class _Object(msgspec.Struct):
    """Any JSON object: every member is validated and skipped without building it."""


_OBJECT: Final = msgspec.json.Decoder(_Object)


class Part(StrEnum):
    """The parts that may be left out."""

    HEADERS = "headers"
    META = "meta"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part that is not copied, and why: sizes and limits, never its content."""

    part: Part
    why: str


@dataclass(frozen=True, slots=True)
class Passed:
    """The headers and metadata that are copied from a page.

    Attributes:
        headers: in their original order, repeated names included.
        meta: a JSON object on one line; empty if there is none.
        left_out: the parts that are not copied.
    """

    headers: Headers = ()
    meta: bytes = b""
    left_out: tuple[LeftOut, ...] = ()

    @property
    def all_headers(self) -> Headers:
        """The headers plus `meta` as one more: for records whose value has no place for it."""
        return (*self.headers, ("meta", self.meta)) if self.meta else self.headers


NOTHING: Final = Passed()


@dataclass(frozen=True, slots=True)
class PassThrough:
    """Chooses which headers and metadata are copied.

    Attributes:
        names: patterns of header names; `*` stands for any characters.
    """

    names: tuple[str, ...] = ALL_NAMES

    def passed(self, record: Incoming, meta: bytes | msgspec.Raw) -> Passed:
        """Return what is copied from a record; `meta` is its metadata, empty for none."""
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
    """Return why some JSON readers would reject `meta`; empty if all accept it."""
    try:
        _OBJECT.decode(meta)
        meta.decode("utf-8")  # msgspec does not validate the text that it skips
        if _is_too_deep(meta):
            return f"meta is nested deeper than {MAX_META_DEPTH}"
        if _perhaps_huge(meta):
            orjson.loads(meta)
    except msgspec.ValidationError:
        return "meta must be an object"
    except RecursionError:
        return f"meta is nested deeper than {MAX_META_DEPTH}"
    except (msgspec.DecodeError, ValueError):
        return "meta is not JSON that every reader accepts"
    return ""


def _perhaps_huge(meta: bytes) -> bool:
    """Return whether a number may be too large for some readers; some texts look like one."""
    alike = meta.translate(_ALIKE, b"+")
    return b"0e000" in alike or b"0" * 300 in alike


def _is_too_deep(valid: bytes) -> bool:
    """Return whether valid JSON is nested deeper than `MAX_META_DEPTH`."""
    if valid.count(b"{") + valid.count(b"[") <= MAX_META_DEPTH:
        return False
    brackets = _STRING.sub(b"", valid).translate(_BRACKETS, _NO_BRACKETS)
    for _ in range(MAX_META_DEPTH):  # removes the innermost ones each time
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)
