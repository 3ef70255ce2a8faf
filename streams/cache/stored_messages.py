"""Stored values of both topics -> what an unchanged page gives: checked, and written anew."""

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
    """Return what a page gives whose content, and so whose result, is the stored one.

    Raises:
        ForeignResult: what is stored are no messages, or those of another page.
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
        raise ForeignResult("not as its schema says") from error
    if message.meta is not msgspec.UNSET:
        raise ForeignResult("with meta, which is the record's and never stored")
    fields: dict[str, Any] = msgspec.to_builtins(message)
    if not of_page.items() <= fields.items():
        raise ForeignResult("of another page")
    # what is written anew differs if a member stands in it twice, or it is not as we write
    if message_value(fields) != value:
        raise ForeignResult("not as it is written")
    return fields
