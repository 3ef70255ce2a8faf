"""The entries of the files that a run reads, with their places."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import msgspec

from winnow.models.document import Page
from winnow.models.errors import InvalidPage


class Skipped(StrEnum):
    """Why a record of an archive is skipped: it is not a page, and that is not an error."""

    WARC_TYPE = "warc_type"  # a request, metadata, and other types without a page as fetched
    REVISIT = "revisit"  # an unchanged page; its response is in another record
    STATUS = "status"  # a response whose status is not 200 to 299
    NOT_HTTP = "not_http"  # a response of another protocol, such as dns:
    CONTENT_TYPE = "content_type"  # a response that is not HTML


class Mended(StrEnum):
    """A violation of the standards that was repaired, as browsers do."""

    WARC_FIELDS = "warc_fields"  # WARC fields that do not end in CR LF
    HTTP_HEADERS = "http_headers"  # HTTP headers that do not end in CR LF, or an odd status line
    INTERIM = "interim_response"  # 100, 103 or a proxy's answer before the response, in one record
    CONTENT_TYPE = "content_type"  # several; the last one is used
    CONTENT_ENCODING = "content_encoding"  # an unknown coding
    BODY = "body"  # cut short, or with bytes after its end
    TARGET_URI = "target_uri"  # with spaces


class WarcRecord(msgspec.Struct, frozen=True):
    """The facts in a page's WARC record: the member `warc` of its document.

    Attributes:
        record_id: WARC-Record-ID with its angle brackets.
        date: WARC-Date, when the page was fetched.
        target_uri: WARC-Target-URI.
        payload_digest: WARC-Payload-Digest; this and the following are empty if missing.
        ip_address: WARC-IP-Address.
        truncated: WARC-Truncated: why the page is incomplete.
    """

    record_id: str
    date: str
    target_uri: str
    payload_digest: str = ""
    ip_address: str = ""
    truncated: str = ""

    def members(self) -> dict[str, str]:
        """Return the known facts, by the names in the message."""
        return {name: value for name in self.__struct_fields__ if (value := getattr(self, name))}


class Response(msgspec.Struct, frozen=True):
    """A response in a WARC.

    Attributes:
        record: the facts in its record.
        head: HTTP status line and headers, with the empty line after them if there is one.
        body: the rest, which may be encoded.
        resource_type: content type of a resource, which has no HTTP head; else empty.
        is_mended: whether the fields of its record violate the standard.
        block_type: content type of its block; HTML if a response was stored without its HTTP head.
        identified_type: content type that the crawler found in the body.
    """

    record: WarcRecord
    head: bytes
    body: bytes
    resource_type: str = ""
    is_mended: bool = False
    block_type: str = ""
    identified_type: str = ""


class Message(msgspec.Struct, frozen=True):
    """A line of JSON: an input message of the stream."""

    line: bytes


@dataclass(frozen=True, slots=True)
class Position:
    """Where to continue reading in a file.

    Attributes:
        offset: start, in bytes of the stored file.
        passed: number of entries to skip from there.
        debt: debt of the search for records in a damaged archive, see `record_search.py`.
    """

    offset: int = 0
    passed: int = 0
    debt: int = 0


BEGIN: Final = Position()
END: Final = Position(offset=-1)  # the file is at its end or unreadable

Content = Page | Response | Message | InvalidPage | Skipped


class Place(msgspec.Struct, frozen=True):
    """The place of an entry in a file.

    Attributes:
        then: where to continue reading after it.
        offset: offset in bytes of the stored file; 0 for a line.
        line: its line number from 1, if it is a line.
        number: how many earlier records in the same compressed member have this offset.
    """

    then: Position
    offset: int = 0
    line: int = 0
    number: int = 0

    @property
    def is_whole_file(self) -> bool:
        """Whether the entry is its whole file."""
        return self.then == END

    @property
    def name(self) -> str:
        """Return a name for a file with the entry's text."""
        if self.line:
            return f"line-{self.line:09d}"
        return f"record-{self.offset:012d}" + (f"-{self.number}" if self.number else "")

    def __str__(self) -> str:
        """Return the place in words."""
        if self.line:
            return f"line {self.line}"
        place = f"record at byte {self.offset}"
        return f"{place}, number {self.number + 1} of its member" if self.number else place


class Entry(msgspec.Struct, frozen=True):
    """An entry of a file."""

    place: Place
    content: Content


class PageOf(msgspec.Struct, frozen=True):
    """A page and its origin.

    Attributes:
        record: its WARC record, if any.
        meta: the member `meta` of its message.
        mended: violations of the standards that were repaired.
    """

    page: Page
    record: WarcRecord | None = None
    meta: bytes = b""
    mended: frozenset[Mended] = frozenset()
