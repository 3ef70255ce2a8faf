"""A page without a document -> a record of the dead-letter topic: the original and the reason."""

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from importlib.metadata import version
from typing import Final

import orjson

from winnow.models.errors import InvalidPage, Reason
from winnow.streams.errors import TooManyDeadLetters
from winnow.streams.pages import stated_meta
from winnow.streams.pass_through import PassThrough
from winnow.streams.records import Headers, Incoming, Outgoing, UnreadValue
from winnow.streams.topics import MAX_RECORD_BYTES, RECORD_FRAMING_BYTES

VERSION: Final = version("winnow-web")
STUB_TYPE: Final = b"application/vnd.winnow.stub+json"
MAX_DETAIL_CHARS: Final = 500
MAX_STUB_KEY_BYTES: Final = 8192

# Our headers; a record that already has one of these names was a dead letter before.
RESERVED_HEADERS: Final = frozenset(
    {"reason", "stage", "source", "attempts", "version", "detail", "stub"}
)
PASS_ALL: Final = PassThrough()


class Stage(StrEnum):
    """The stage at which the page was given up."""

    DECODE = "decode"  # record -> page
    CLEAN = "clean"  # page -> document
    ENCODE = "encode"  # document -> records
    PUBLISH = "publish"  # a record that is too large for every topic


def dead_letter(  # noqa: PLR0913 - one argument per part
    record: Incoming,
    error: InvalidPage,
    stage: Stage,
    topic: str,
    *,
    max_bytes: int = MAX_RECORD_BYTES,
    passing: PassThrough = PASS_ALL,
) -> Outgoing:
    """Return the dead letter of a record: its key, bytes and headers, and the reason.

    If the letter would have more than `max_bytes`, it becomes a stub: the place of the record and
    the headers that `passing` chooses. So does a record without key and value, which producers
    reject, and a record whose value was not read.
    """
    headers = _explanation(record, error, stage)
    kept = tuple(each for each in record.headers if each[0] not in RESERVED_HEADERS)
    letter = Outgoing(topic, record.key, record.value, kept + headers)
    fits = letter.record_bytes + RECORD_FRAMING_BYTES <= max_bytes
    is_nothing = record.key is None and record.value is None
    is_read = not isinstance(record.value, UnreadValue)
    if fits and is_read and not is_nothing:
        return letter
    return _stub(record, headers, topic, passing)


def stub(
    record: Incoming,
    error: InvalidPage,
    stage: Stage,
    topic: str,
    *,
    passing: PassThrough = PASS_ALL,
) -> Outgoing:
    """Return a dead letter that only points to its original."""
    return _stub(record, _explanation(record, error, stage), topic, passing)


def is_stub(headers: Headers) -> bool:
    """Return whether a dead letter with these headers only points to its original.

    The content type cannot tell: in a whole letter it is the crawler's.
    """
    return ("stub", b"true") in headers


def attempts_of(record: Incoming) -> int:
    """Return how often a record was tried before, from its dead letter; 0 for a new one."""
    raw = record.header("attempts") or b""
    return int(raw) if raw.isdigit() and len(raw) <= 6 else 0  # noqa: PLR2004 - a sane count


@dataclass(frozen=True, slots=True)
class DeadLetterLimits:
    """Limits on dead letters; at one of them the process stops.

    Attributes:
        ratio: largest share of dead letters in the last `window` pages; 1: no limit.
        consecutive: dead letters in a row.
        window: pages for the ratio; with fewer pages seen the ratio is not checked.
    """

    ratio: float = 0.75
    consecutive: int = 250
    window: int = 1000


class DeadLetterGuard:
    """Counts outcomes in stream order and raises at a limit."""

    def __init__(self, limits: DeadLetterLimits) -> None:
        """Start with nothing seen."""
        self._limits = limits
        self._recent: deque[bool] = deque()
        self._dead_recently = 0
        self._in_a_row = 0
        self._last_reason: Reason | None = None

    def check(self, reasons: list[Reason | None]) -> None:
        """Count the outcomes of a batch (None for a document) before any of it is published.

        Deletions and skipped records do not count: they show nothing about how pages fare.

        Raises:
            TooManyDeadLetters: a limit is reached; the batch must not be published.
        """
        for reason in reasons:
            self._count(reason)
            if self._in_a_row >= self._limits.consecutive:
                raise TooManyDeadLetters(
                    f"{self._in_a_row} dead letters in a row, the last for {self._last_reason}"
                )
            if self._dead_recently > self._limits.ratio * self._limits.window:
                raise TooManyDeadLetters(
                    f"{self._dead_recently} of the last {self._limits.window} pages are "
                    f"dead letters, the last for {self._last_reason}"
                )

    def _count(self, reason: Reason | None) -> None:
        is_dead = reason is not None
        self._last_reason = reason or self._last_reason
        self._in_a_row = self._in_a_row + 1 if is_dead else 0
        self._recent.append(is_dead)
        self._dead_recently += is_dead
        if len(self._recent) > self._limits.window:
            self._dead_recently -= self._recent.popleft()


def _explanation(record: Incoming, error: InvalidPage, stage: Stage) -> Headers:
    headers: Headers = (
        ("reason", error.reason.value.encode()),
        ("stage", stage.value.encode()),
        ("source", record.source.encode()),
        ("attempts", str(attempts_of(record) + 1).encode()),
        ("version", VERSION.encode()),
    )
    detail = error.detail[:MAX_DETAIL_CHARS].encode("utf-8", errors="replace")
    return (*headers, ("detail", detail)) if detail else headers


def _stub(record: Incoming, headers: Headers, topic: str, passing: PassThrough) -> Outgoing:
    key = record.key if len(record.key or b"") <= MAX_STUB_KEY_BYTES else None
    passed = passing.passed(record, stated_meta(record))
    pointer: dict[str, object] = {"source": record.source, **_facts(record)}
    if passed.meta:
        pointer["meta"] = orjson.Fragment(passed.meta)
    value = orjson.dumps(pointer, option=orjson.OPT_SORT_KEYS)
    marks: Headers = (("content-type", STUB_TYPE), ("stub", b"true"))
    return Outgoing(topic, key, value, passed.headers + marks + headers)


def _facts(record: Incoming) -> dict[str, int | str]:
    """Return the known facts about a record's content."""
    if isinstance(record.value, UnreadValue):
        return {"record_bytes": record.value.skipped_bytes} if record.value.skipped_bytes else {}
    return {
        "value_bytes": record.value_bytes,
        "record_bytes": record.record_bytes,
        "value_sha256": sha256(record.value or b"").hexdigest(),
    }
