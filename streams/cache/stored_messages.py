"""Cached values of both topics -> records of unchanged pages: validated and written again."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from winnow.models.checksum import content_digests
from winnow.models.document import Page
from winnow.models.document_fields import url_hash
from winnow.streams.cache.results import StoredResult, page_digest
from winnow.streams.errors import ForeignResult
from winnow.streams.messages import Published, message_value
from winnow.streams.schema_check import decoder_of

_Write = Callable[[Any], bytes]

_DOCUMENT: Final = decoder_of("document")
_STATS: Final = decoder_of("stats")
_ENCODER: Final = msgspec.json.Encoder(order="deterministic")
# msgspec takes half the time; it writes numbers from 1e16 on without the `+` of orjson and kernel
_WRITERS: Final[tuple[_Write, ...]] = (
    _ENCODER.encode,
    lambda message: message_value(msgspec.to_builtins(message)),
)


def unchanged(pages: Sequence[Page], found: Sequence[StoredResult | None]) -> list[str]:
    """Return the content digest of each page that its stored result is of, and "" for the others.

    All pages are read before the first result is: in turns they push each other out of the
    processor's caches.
    """
    bodies = [page.body for page, stored in zip(pages, found, strict=True) if stored]
    digests = iter(content_digests(bodies))
    same = [""] * len(pages)
    for place, (page, stored) in enumerate(zip(pages, found, strict=True)):
        if stored:
            digest = next(digests)
            if stored.page_digest == page_digest(digest, page.content_type, page.robots_tag):
                same[place] = digest
    return same


def repeated(stored: Published, page: Page, content_digest: str) -> Published:
    """Return the records of a page whose content has not changed since the result was cached.

    Raises:
        ForeignResult: the values are not valid messages, or belong to another page.
    """
    of_page = page.url, url_hash(page.url), content_digest
    document, write = _message(stored.document, _DOCUMENT, of_page)
    value = stored.document
    if document.fetched_at != page.fetched_at:
        document.fetched_at = page.fetched_at
        value = write(document)
    stats, write = _message(stored.stats, _STATS, of_page)
    stats.fetched_at, stats.cache_hit, stats.cpu_ms = page.fetched_at, True, {}
    confidence = None if document.confidence is msgspec.UNSET else document.confidence
    return Published(value, write(stats), confidence)


def _message(
    value: bytes, decoder: msgspec.json.Decoder[Any], of_page: tuple[str, str, str]
) -> tuple[Any, _Write]:
    """Return a message, and what writes it with the same bytes."""
    try:
        message = decoder.decode(value)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise ForeignResult("does not match its schema") from error
    if message.meta is not msgspec.UNSET:
        raise ForeignResult("contains meta, which is never stored")
    if (message.url, message.url_hash, message.content_digest) != of_page:
        raise ForeignResult("belongs to another page")
    # writing it again gives other bytes if a member is repeated, or if it was not written by us
    for write in _WRITERS:
        if write(message) == value:
            return message, write
    raise ForeignResult("not written by this version")
