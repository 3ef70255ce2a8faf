"""`Document` -> records of the documents and stats topics, as their JSON Schemas define."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import orjson

from winnow.models._kernel import SCHEMA_VERSION
from winnow.models.document import Document, PageStats, Verdict
from winnow.models.document_fields import rounded, url_hash
from winnow.streams.pass_through import Passed
from winnow.streams.records import Headers, Incoming, Outgoing
from winnow.streams.topics import TopicNames
from winnow.streams.tracing import trace_context

JSON_TYPE: Final = b"application/json"


@dataclass(frozen=True, slots=True)
class Published:
    """The values of the two records of a cleaned page.

    Attributes:
        confidence: of the document; None when it has none.
    """

    document: bytes
    stats: bytes
    confidence: float | None = None


class Figures(msgspec.Struct, frozen=True):
    """What logs and metrics say of a page, as its message of statistics has it."""

    content_digest: str
    model_digest: str
    sentences: int
    sentences_kept: int
    text_chars: int
    text_chars_kept: int
    dropped_sentences: dict[str, int]
    perplexity_quantiles: tuple[float, ...]


_FIGURES: Final = msgspec.json.Decoder(Figures)


def figures_of(stats: bytes) -> Figures:
    """Read the figures of a page in its message of statistics, and build nothing else of it."""
    return _FIGURES.decode(stats)


def encode(document: Document) -> Published:
    """Return the values for both topics; equal pages and models give equal documents."""
    return Published(document_value(document), stats_value(document), document.confidence)


def message_value(fields: dict[str, Any]) -> bytes:
    """Return JSON with sorted keys, so that equal fields give equal bytes.

    The bytes are copied: orjson 3.12 and later keeps up to twelve times their size allocated, and
    two batches of documents wait for the brokers at a time.
    """
    return bytes(memoryview(orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)))


def document_value(document: Document, warc: Mapping[str, str] | None = None) -> bytes:
    """Return the JSON of a document; equal documents give equal bytes.

    Args:
        document: the cleaned page.
        warc: the place of the page's record in its archive.
    """
    written = document.messages
    value = written.document if written else message_value(document.to_dict())
    return with_member(value, b"warc", message_value(dict(warc))) if warc else value


def stats_value(document: Document) -> bytes:
    """Return the JSON of a page's statistics."""
    if document.messages:
        return document.messages.stats
    return message_value(
        {
            "schema_version": SCHEMA_VERSION,
            "url": document.url,
            "url_hash": url_hash(document.url),
            "engine": document.engine,
            "engine_digest": document.engine_digest,
            "model_digest": document.model_digest,
            "content_digest": document.content_digest,
            "fetched_at": document.fetched_at,
            "cache_hit": False,
            **_counts(document.stats),
        }
    )


def with_meta(value: bytes, meta: bytes) -> bytes:
    """Add the crawler's metadata, unchanged, to the JSON of a document or of statistics.

    It comes last and out of the sorted order, so that cached bytes are not encoded again.
    """
    return with_member(value, b"meta", meta) if meta else value


def with_member(value: bytes, name: bytes, member: bytes) -> bytes:
    """Return the JSON of an object with one more member, added last."""
    return b"".join((memoryview(value)[:-1], b',"', name, b'":', member, b"}"))


def records_of(
    url: str, published: Published, record: Incoming, names: TopicNames, passed: Passed
) -> tuple[Outgoing, Outgoing]:
    """Return the two records of a cleaned page, keyed by URL, in the trace of its record."""
    key = url.encode()
    headers: Headers = (
        *passed.headers,
        ("content-type", JSON_TYPE),
        ("schema-version", str(SCHEMA_VERSION).encode()),
        ("source", record.source.encode()),
        *trace_context(record),
    )
    return (
        Outgoing(names.documents, key, with_meta(published.document, passed.meta), headers),
        Outgoing(names.stats, key, with_meta(published.stats, passed.meta), headers),
    )


def tombstones_of(
    url: str, record: Incoming, names: TopicNames, passed: Passed
) -> tuple[Outgoing, Outgoing]:
    """Return the two tombstones that remove a page from compacted topics and readers."""
    key = url.encode()
    source: Headers = (("source", record.source.encode()),)
    headers = passed.all_headers + source + trace_context(record)
    return Outgoing(names.documents, key, None, headers), Outgoing(names.stats, key, None, headers)


def _counts(stats: PageStats) -> dict[str, Any]:
    return {
        "page_bytes": stats.page_bytes,
        "charset": stats.charset,
        "blocks": stats.blocks,
        "blocks_kept": stats.blocks_kept,
        "sentences": stats.sentences,
        "sentences_kept": stats.sentences_kept,
        "tokens": stats.tokens,
        "tokens_kept": stats.tokens_kept,
        "text_chars": stats.text_chars,
        "text_chars_kept": stats.text_chars_kept,
        "text_bytes_kept": stats.text_bytes_kept,
        "dropped_sentences": _by_reason(stats.dropped_sentences),
        "dropped_tokens": _by_reason(stats.dropped_tokens),
        "dropped_bytes": _by_reason(stats.dropped_bytes),
        "perplexity_quantiles": list(stats.perplexity_quantiles),
        "oov_rate": stats.oov_rate,
        "cpu_ms": dict(stats.cpu_ms),
        "page_type": stats.page_type,
        "language": stats.language,
        "model_language": stats.model_language,
        "quality": rounded(stats.quality),
    }


def _by_reason(dropped: Mapping[Verdict, int]) -> dict[str, int]:
    return {why.value: number for why, number in dropped.items()}
