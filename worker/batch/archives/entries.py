"""What stands in the files that a run reads, each with its place."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from winnow.models.document import Page
from winnow.models.errors import InvalidPage


class Skipped(StrEnum):
    """Why something in an archive is passed over: it is no page, and no fault of it."""

    WARC_TYPE = "warc_type"  # a request, metadata, and other types without a page as fetched
    REVISIT = "revisit"  # says that the page is as it was; the response stands elsewhere
    STATUS = "status"  # a response whose status is not 200 to 299
    NOT_HTTP = "not_http"  # a response of another protocol, as dns:
    CONTENT_TYPE = "content_type"  # a response that is no HTML


class Mended(StrEnum):
    """What of a record was read although the standards forbid it, because browsers read it."""

    WARC_FIELDS = "warc_fields"  # lines that do not end in CR and LF
    HTTP_HEADERS = "http_headers"  # the same of HTTP, or an odd status line
    INTERIM = "interim_response"  # 100, 103 or a proxy's answer before the response, in one record
    CONTENT_TYPE = "content_type"  # several, of which the last one counts
    CONTENT_ENCODING = "content_encoding"  # a coding that nobody knows
    BODY = "body"  # cut short, or with bytes after its end
    TARGET_URI = "target_uri"  # with spaces


@dataclass(frozen=True, slots=True)
class WarcRecord:
    """What a WARC says of a page: the member `warc` of its document.

    Attributes:
        record_id: WARC-Record-ID with its angle brackets.
        date: WARC-Date, when the page was fetched.
        target_uri: WARC-Target-URI.
        payload_digest: WARC-Payload-Digest; empty when there is none, as all that follow.
        ip_address: WARC-IP-Address.
        truncated: WARC-Truncated: why the page is not whole.
    """

    record_id: str
    date: str
    target_uri: str
    payload_digest: str = ""
    ip_address: str = ""
    truncated: str = ""

    def members(self) -> dict[str, str]:
        """Return what is known, by the names of the message."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}


@dataclass(frozen=True, slots=True)
class Response:
    """A response as it stands in a WARC.

    Attributes:
        record: what the WARC says of it.
        head: status line and headers of HTTP with the empty line behind them, if there is one.
        body: the rest, which may be packed.
        resource_type: content type of a resource, which has no head; else empty.
        is_mended: whether the fields of its record are not written as the standard has it.
    """

    record: WarcRecord
    head: bytes
    body: bytes
    resource_type: str = ""
    is_mended: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """A line of JSON: an input message of the stream."""

    line: bytes


@dataclass(frozen=True, slots=True)
class Position:
    """Where to read on in a file.

    Attributes:
        offset: where to begin, in bytes of the file as it is stored.
        passed: how many entries to pass over from there.
        debt: of the search for records in a damaged archive, see `record_search.py`.
    """

    offset: int = 0
    passed: int = 0
    debt: int = 0


BEGIN: Final = Position()
END: Final = Position(offset=-1)  # nothing is left in the file, or nothing of it can be read

Content = Page | Response | Message | InvalidPage | Skipped


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file.

    Attributes:
        then: where to read on behind it.
        offset: in bytes of the file as it is stored; 0 for a line.
        line: its number from 1, if it is a line.
        number: how many records before it have the same offset: those of one packed member.
    """

    then: Position
    offset: int = 0
    line: int = 0
    number: int = 0

    @property
    def is_whole_file(self) -> bool:
        """Whether it is all that stands in its file."""
        return self.then == END

    @property
    def name(self) -> str:
        """Return a name for a file of what stands there."""
        if self.line:
            return f"line-{self.line:09d}"
        return f"record-{self.offset:012d}" + (f"-{self.number}" if self.number else "")

    def __str__(self) -> str:
        """Return it as people are told."""
        if self.line:
            return f"line {self.line}"
        place = f"record at byte {self.offset}"
        return f"{place}, number {self.number + 1} of its member" if self.number else place


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a file."""

    place: Place
    content: Content


@dataclass(frozen=True, slots=True)
class PageOf:
    """A page with where it comes from.

    Attributes:
        record: the WARC record that it was in, if any.
        meta: what its message says as `meta`.
        mended: what was read although the standards forbid it.
    """

    page: Page
    record: WarcRecord | None = None
    meta: bytes = b""
    mended: frozenset[Mended] = frozenset()
