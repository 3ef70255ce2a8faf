"""Statistics of the latest documents: kept text by host and page type. Read only."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import msgspec
import orjson

from winnow.streams.errors import KafkaUnavailable, NoSuchTopic
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.topic_reader import Span, Stored, TopicReader
from winnow.streams.topics import TopicNames
from winnow.worker.inspector.lookups import KAFKA_TIMEOUT_S, SourceUnavailable
from winnow.worker.printed_records import when
from winnow.worker.settings import Settings

MOST_DOCUMENTS: Final = 500
# limit of both topics together, per request
MOST_BYTES: Final = 64 << 20
MOST_GROUPS: Final = 100
_SHOWN_CHARS: Final = 300
UNKNOWN: Final = "unknown"


class RecentAsked(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How many of the latest documents to read."""

    last: Annotated[int, msgspec.Meta(ge=1, le=MOST_DOCUMENTS)] = 100


@dataclass(frozen=True, slots=True)
class RecentDocument:
    """Figures of a document.

    Attributes:
        place: `documents/PARTITION/OFFSET`, for the look-up.
        confidence: None if the engine has no confidence.
        kept: share of the page's characters that is kept; None without statistics.
        chars: characters of the page's text; 0 without statistics.
    """

    place: str
    time: str
    url: str
    host: str
    title: str
    page_type: str
    confidence: float | None
    kept: float | None
    chars: int


class RecentSource:
    """Reads the ends of the topics of documents and statistics, without commits."""

    def __init__(self, connection: Connection, names: TopicNames, group: str) -> None:
        """Prepare the connection, without connecting; `group` is only a name for the brokers."""
        self._connection: Final = connection
        self._names: Final = names
        self._group: Final = group

    def fields(self, last: int) -> dict[str, Any]:
        """Return the latest documents, doubtful ones first, and the share kept per group.

        Raises:
            SourceUnavailable: the brokers do not answer.
        """
        try:
            with TopicReader(self._connection, self._group, KAFKA_TIMEOUT_S) as reader:
                stats = _newest(_last(reader, self._names.stats, last))
                documents = _documents(_last(reader, self._names.documents, last), stats)
        except (KafkaUnavailable, NoSuchTopic) as error:
            raise SourceUnavailable(str(error)) from error
        shown = heapq.nlargest(last, documents, key=lambda each: (each.time, each.place))
        shown.sort(key=lambda each: (each.confidence is None, each.confidence or 0.0, each.place))
        return {
            "documents": shown,
            "hosts": _groups(shown, lambda each: each.host),
            "page_types": _groups(shown, lambda each: each.page_type),
        }


def open_recent(settings: Settings) -> RecentSource:
    """Return a reader of the topics in the settings."""
    return RecentSource(settings.connection(), settings.topics(), f"{settings.group}.inspect")


def _last(reader: TopicReader, topic: str, last: int) -> Iterable[Stored]:
    """Yield the last records of each partition, up to the byte limit of a request."""
    spans = {
        number: Span(max(span.start, span.end - last), span.end)
        for number, span in reader.spans(topic).items()
    }
    left = MOST_BYTES // 2
    for stored in reader.read(topic, spans):
        left -= stored.record.value_bytes
        if left < 0:
            return
        yield stored


def _newest(records: Iterable[Stored]) -> dict[str, Mapping[str, Any]]:
    """Return the statistics by URL; a later record of a URL replaces or deletes the earlier one."""
    newest: dict[str, Mapping[str, Any]] = {}
    for stored in records:
        newest[_url(stored)] = _members(stored)
    return newest


def _documents(
    records: Iterable[Stored], stats: Mapping[str, Mapping[str, Any]]
) -> list[RecentDocument]:
    """Return the newest document of each URL, without deleted ones."""
    newest: dict[str, RecentDocument | None] = {}
    for stored in records:
        url, members = _url(stored), _members(stored)
        newest[url] = _document(stored, url, members, stats.get(url, {})) if members else None
    return [each for each in newest.values() if each]


def _document(
    stored: Stored, url: str, document: Mapping[str, Any], stats: Mapping[str, Any]
) -> RecentDocument:
    record = stored.record
    chars, kept = _number(stats, "text_chars"), _number(stats, "text_chars_kept")
    return RecentDocument(
        place=f"documents/{record.partition}/{record.offset}",
        time=when(stored),
        url=url,
        host=_host(url),
        title=_text(document, "title"),
        page_type=_text(document, "page_type") or UNKNOWN,
        confidence=_number(document, "confidence"),
        kept=min(1.0, kept / chars) if chars and kept is not None else None,
        chars=int(chars or 0),
    )


def _groups(
    documents: Iterable[RecentDocument], name_of: Callable[[RecentDocument], str]
) -> list[dict[str, Any]]:
    """Return name, documents, share of characters kept and mean confidence, largest first."""
    members: defaultdict[str, list[RecentDocument]] = defaultdict(list)
    for each in documents:
        members[name_of(each)].append(each)
    counts = Counter({name: len(each) for name, each in members.items()})
    return [
        {
            "name": name,
            "documents": count,
            "kept": _mean([(each.kept, each.chars) for each in members[name]]),
            "confidence": _mean([(each.confidence, 1) for each in members[name]]),
        }
        for name, count in counts.most_common(MOST_GROUPS)
    ]


def _mean(weighed: Iterable[tuple[float | None, int]]) -> float | None:
    known = [(value, weight) for value, weight in weighed if value is not None]
    total = sum(weight for _, weight in known)
    return sum(value * weight for value, weight in known) / total if total else None


def _members(stored: Stored) -> Mapping[str, Any]:
    try:
        fields = orjson.loads(stored.record.value or b"")
    except orjson.JSONDecodeError:
        return {}
    return fields if isinstance(fields, dict) else {}


def _url(stored: Stored) -> str:
    return (stored.record.key or b"").decode("utf-8", errors="replace")[:_SHOWN_CHARS]


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or UNKNOWN
    except ValueError:
        return UNKNOWN


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value[:_SHOWN_CHARS] if isinstance(value, str) else ""


def _number(fields: Mapping[str, Any], name: str) -> float | None:
    """Return a non-negative number; the value is untrusted, since others can write to the topic."""
    value = fields.get(name)
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    return float(value) if is_number and value is not None else None
