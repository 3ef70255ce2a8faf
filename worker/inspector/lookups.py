"""Look up pages and documents in the cache, the topics or an archive. Read only.

The sources are fixed when the inspector starts; a request can only name one of them.
"""

import asyncio
import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
import orjson

from winnow.models.checksum import content_digest
from winnow.models.document import Page
from winnow.models.errors import InvalidPage, WinnowError
from winnow.models.options import CleanerOptions
from winnow.streams.cache.redis_cache import CacheEvent
from winnow.streams.cache.results import CachedResult, CacheKey, cache_key
from winnow.streams.deadletters import is_stub
from winnow.streams.errors import DamagedValue, KafkaUnavailable, NoSuchTopic
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.replay import fetch
from winnow.streams.operator.topic_reader import Span, Stored, TopicReader
from winnow.streams.pages import Fetched, arrival_from
from winnow.streams.records import Incoming
from winnow.streams.topics import TopicNames
from winnow.worker.batch.archives.cleaning import page_in
from winnow.worker.batch.archives.entries import PageOf, Position, Skipped
from winnow.worker.batch.archives.reading import file_entries
from winnow.worker.batch.inputs import InputError
from winnow.worker.caching import build_cache
from winnow.worker.printed_records import when
from winnow.worker.settings import Settings
from winnow.worker.web.frames import BadRequest

KAFKA_TIMEOUT_S: Final = 5.0
# maximum entries of an archive to skip, per request, to find a page
MOST_ENTRIES: Final = 1000
TOPICS: Final = ("pages", "documents", "dead")
_Number = Annotated[int, msgspec.Meta(ge=0, le=(1 << 31) - 1)]
_Offset = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]
_MAX_FACT_CHARS: Final = 500


class NotFound(WinnowError):  # noqa: N818 - the name that HTTP has for it
    """There is nothing at the requested place."""


class SourceUnavailable(WinnowError):  # noqa: N818 - says what is the matter
    """The brokers, the cache or the file cannot be read."""


class LookupAsked(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Where to look.

    Attributes:
        source: one of the enabled sources.
        url: URL of a page in the cache.
        partition, offset: place of a record in a topic.
        archive, offset, passed, debt: name of an archive, and where to search for the next page,
        from the last answer.
    """

    source: Literal["cache", "pages", "documents", "dead", "archive"]
    url: str = ""
    partition: _Number = 0
    offset: _Offset = 0
    archive: str = ""
    passed: _Number = 0
    debt: _Number = 0


@dataclass(frozen=True, slots=True)
class Found:
    """What was found at a place.

    Attributes:
        place: name of the place.
        facts: further facts, such as headers.
        page: the page, if it is available.
        document, stats: as published; empty if missing.
        why: why there is no page, or why it became a dead letter.
        then: where to search for the next page in an archive.
    """

    place: str
    facts: Mapping[str, str] = field(default_factory=dict)
    page: Page | None = None
    document: Mapping[str, Any] = field(default_factory=dict)
    stats: Mapping[str, Any] = field(default_factory=dict)
    why: str = ""
    then: Position | None = None

    def fields(self) -> dict[str, Any]:
        """Return the members of the answer."""
        return {
            "place": self.place,
            "facts": {name: value[:_MAX_FACT_CHARS] for name, value in self.facts.items()},
            "page": _page_fields(self.page) if self.page else None,
            "document": self.document or None,
            "stats": self.stats or None,
            "why": self.why,
            "next": {"offset": self.then.offset, "passed": self.then.passed, "debt": self.then.debt}
            if self.then and self.then.offset >= 0
            else None,
        }


class CacheSource:
    """Results in Redis, as workers with the same options have stored them."""

    def __init__(self, settings: Settings, fingerprint: str) -> None:
        """Prepare the connection, without connecting."""
        self._settings: Final = settings
        self._fingerprint: Final = fingerprint

    def find(self, url: str) -> Found:
        """Return the result of a page.

        Raises:
            NotFound: there is no result.
            SourceUnavailable: Redis does not answer, or has a damaged value.
        """
        events: list[CacheEvent] = []
        result = asyncio.run(self._read(cache_key(self._fingerprint, url), events))
        if events:
            raise SourceUnavailable(f"cache: {events[0].value}")
        if result is None:
            raise NotFound("the cache has no result for this URL and the worker's options")
        return Found(
            f"cache: {url}", {}, None, _object(result.document), _object(result.stats),
            "the cache holds results, not pages",
        )  # fmt: skip

    async def _read(self, key: CacheKey, events: list[CacheEvent]) -> CachedResult | None:
        cache = build_cache(self._settings, events.append, lambda _: None)
        try:
            (stored,) = await cache.get_many([key])
            return stored.open() if stored else None
        except DamagedValue:
            events.append(CacheEvent.DAMAGED)
            return None
        finally:
            await cache.close()


class TopicSource:
    """Reads records of the topics, without commits."""

    def __init__(self, connection: Connection, names: TopicNames, group: str) -> None:
        """Prepare the connection, without connecting; `group` is only a name for the brokers."""
        self._connection: Final = connection
        self._names: Final = names
        self._group: Final = group

    def find(self, source: str, partition: int, offset: int) -> Found:
        """Return a record with its page, if the page is still in the topic of pages.

        Raises:
            NotFound: there is no such record.
            SourceUnavailable: the brokers do not answer.
        """
        topic = {
            "pages": self._names.pages,
            "documents": self._names.documents,
            "dead": self._names.dead,
        }[source]
        try:
            stored = self._stored(topic, partition, offset)
            if source == "documents":
                return self._document(stored)
            return self._page(stored)
        except (KafkaUnavailable, NoSuchTopic) as error:
            raise SourceUnavailable(str(error)) from error

    def _stored(self, topic: str, partition: int, offset: int) -> Stored:
        with TopicReader(self._connection, self._group, KAFKA_TIMEOUT_S) as reader:
            span = reader.spans(topic).get(partition, Span(0, 0))
            if not span.start <= offset < span.end:
                has = f"has {span.start} to {span.end - 1}" if span.end else "is missing or empty"
                raise NotFound(f"{topic}/{partition}/{offset}: this partition {has}")
            found = list(reader.read(topic, {partition: Span(offset, offset + 1)}))
        if not found:
            raise NotFound(f"{topic}/{partition}/{offset}: no record here, or no longer")
        return found[0]

    def _document(self, stored: Stored) -> Found:
        record = stored.record
        if record.value is None:
            return Found(record.source, _facts(stored), why="the page was deleted: a tombstone")
        document = _object(record.value)
        if not document:
            return Found(record.source, _facts(stored), why="the value is not a JSON object")
        page, why = self._original(record, str(document.get("content_digest", "")))
        return Found(record.source, _facts(stored), page, document, why=why)

    def _original(self, record: Incoming, digest: str) -> tuple[Page | None, str]:
        """Return the page of a document, if the topic of pages still has it."""
        topic, number, at = _place(_text(record.header("source")))
        if topic != self._names.pages:
            return None, "the document does not say where its page is"
        try:
            stored = self._stored(topic, number, at)
            arrival = arrival_from(stored.record)
        except (NotFound, InvalidPage):
            return None, "the topic of pages no longer has its page"
        if not isinstance(arrival, Fetched) or content_digest(arrival.page.body) != digest:
            return None, "the topic of pages has another page at its place"
        return arrival.page, ""

    def _page(self, stored: Stored) -> Found:
        record = stored.record
        if is_stub(record.headers):
            topic, _, _ = _place(_text(record.header("source")))
            is_ours = topic == self._names.pages  # a writer of the topic could name another topic
            original = fetch(self._connection, record) if is_ours else None
            if not isinstance(original, Incoming):
                return Found(
                    record.source, _facts(stored), why="the original is deleted or unreadable"
                )
            record = original
        try:
            arrival = arrival_from(record)
        except InvalidPage as error:
            return Found(stored.record.source, _facts(stored), why=str(error))
        if not isinstance(arrival, Fetched):
            why = "says that the page is deleted or never existed"
            return Found(stored.record.source, _facts(stored), why=why)
        return Found(stored.record.source, _facts(stored), arrival.page)


class ArchiveSource:
    """A WARC or another file of pages, given when the inspector started."""

    def __init__(self, path: Path, max_page_bytes: int) -> None:
        """Keep the path; requests open the file."""
        self._path: Final = path
        self._max_page_bytes: Final = max_page_bytes

    def find(self, start: Position) -> Found:
        """Return the first page from a place on.

        Raises:
            NotFound: there is no page within the entries that a request reads.
            SourceUnavailable: the file cannot be read.
        """
        try:
            entries = file_entries(
                self._path, "", lambda: self._path.open("rb"), self._max_page_bytes, start
            )
            for entry in islice(entries, MOST_ENTRIES):
                what = page_in(entry, self._max_page_bytes)
                if isinstance(what, Skipped):
                    continue
                place = f"{self._path.name}: {entry.place.line or entry.place.offset}"
                if isinstance(what, PageOf):
                    facts = what.record.members() if what.record else {}
                    return Found(place, facts, what.page, then=entry.place.then)
                return Found(place, why=str(what), then=entry.place.then)
        except InputError as error:
            raise SourceUnavailable(error.why) from error
        raise NotFound(f"no page in the next {MOST_ENTRIES} records")


@dataclass(frozen=True, slots=True)
class Lookups:
    """The sources of look-ups; by default there are none."""

    cache: CacheSource | None = None
    topics: TopicSource | None = None
    archives: Mapping[str, ArchiveSource] = field(default_factory=dict)

    def sources(self) -> dict[str, Any]:
        """Return the enabled sources."""
        sources = ["cache"] if self.cache else []
        sources += TOPICS if self.topics else ()
        sources += ["archive"] if self.archives else []
        return {"sources": sources, "archives": sorted(self.archives)}

    def find(self, asked: LookupAsked) -> Found:
        """Return what is at a place.

        Raises:
            BadRequest: the source is not enabled, or the archive is unknown.
            NotFound: the place is empty.
            SourceUnavailable: the source cannot be read.
        """
        if asked.source == "cache" and self.cache:
            return self.cache.find(asked.url)
        if asked.source in TOPICS and self.topics:
            return self.topics.find(asked.source, asked.partition, asked.offset)
        if asked.source == "archive" and (archive := self.archives.get(asked.archive)):
            return archive.find(Position(asked.offset, asked.passed, asked.debt))
        raise BadRequest("source: not enabled when the inspector was started")


def open_lookups(
    settings: Settings | None, fingerprint: str, kinds: frozenset[str], archives: tuple[Path, ...]
) -> Lookups:
    """Return the sources that the operator has enabled.

    Args:
        settings: settings of the worker; needed for the cache and the topics.
        fingerprint: fingerprint of the worker's cleaner, part of the cache keys.
        kinds: `cache` and `topics`, or one of them.
        archives: files of pages; of files with the same name the last is used.
    """
    limits = CleanerOptions().limits
    return Lookups(
        CacheSource(settings, fingerprint) if settings and "cache" in kinds else None,
        TopicSource(settings.connection(), settings.topics(), f"{settings.group}.inspect")
        if settings and "topics" in kinds
        else None,
        {path.name: ArchiveSource(path, limits.page_bytes) for path in archives},
    )


def _place(source: str) -> tuple[str, int, int]:
    """Return topic, partition and offset; an empty topic if it is not a place."""
    parts = source.rsplit("/", 2)
    if len(parts) != 3 or not all(re.fullmatch("[0-9]{1,18}", each) for each in parts[1:]):  # noqa: PLR2004 - the three
        return "", 0, 0
    return parts[0], int(parts[1]), int(parts[2])


def _page_fields(page: Page) -> dict[str, str]:
    return {
        "url": page.url,
        "content_type": page.content_type,
        "body": base64.b64encode(page.body).decode(),
    }


def _facts(stored: Stored) -> dict[str, str]:
    named = {name: _text(value) for name, value in stored.record.headers}
    return {"key": _text(stored.record.key), "time": when(stored)} | named


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", errors="replace")


def _object(value: bytes) -> Mapping[str, Any]:
    """Return the members of a JSON object; empty if it is not one."""
    try:
        fields = orjson.loads(value)
    except orjson.JSONDecodeError:
        return {}
    return fields if isinstance(fields, dict) else {}
