"""Cached values of both topics -> records of an unchanged page: validated and written again."""

from typing import Any, Final

import msgspec

from winnow.models.document import Page
from winnow.models.document_fields import url_hash
from winnow.streams.errors import ForeignResult
from winnow.streams.messages import Published, message_value
from winnow.streams.schema_check import decoder_of

_DOCUMENT: Final = decoder_of("document")
_STATS: Final = decoder_of("stats")


def repeated(stored: Published, page: Page, content_digest: str) -> Published:
    """Return the records of a page whose content has not changed since the result was cached.

    Raises:
        ForeignResult: the values are not valid messages, or belong to another page.
    """
    of_page = {"url": page.url, "url_hash": url_hash(page.url), "content_digest": content_digest}
    fetched = {"fetched_at": page.fetched_at}
    document = _fields(stored.document, _DOCUMENT, of_page)
    stats = _fields(stored.stats, _STATS, of_page)
    is_same_fetch = fetched.items() <= document.items()
    return Published(
        stored.document if is_same_fetch else message_value(document | fetched),
        message_value(stats | fetched | {"cache_hit": True, "cpu_ms": {}}),
        document.get("confidence"),
    )


def _fields(
    value: bytes, decoder: msgspec.json.Decoder[Any], of_page: dict[str, str]
) -> dict[str, Any]:
    try:
        message = decoder.decode(value)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise ForeignResult("does not match its schema") from error
    if message.meta is not msgspec.UNSET:
        raise ForeignResult("contains meta, which is never stored")
    fields: dict[str, Any] = msgspec.to_builtins(message)
    if not of_page.items() <= fields.items():
        raise ForeignResult("belongs to another page")
    # encoding it again gives other bytes if a member is repeated, or if it was not written by us
    if message_value(fields) != value:
        raise ForeignResult("not written by this version")
    return fields
