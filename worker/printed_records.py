"""Print Kafka records for an operator: as one JSON object, or a few lines of text."""

from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import orjson

from winnow.streams.operator.topic_reader import Stored
from winnow.streams.records import Incoming
from winnow.worker.terminal import harmless_json, one_line

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def record_json(stored: Stored) -> dict[str, Any]:
    """Return the whole record; bytes that are not UTF-8 text as `{"base64": ...}`."""
    record = stored.record
    return {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": when(stored),
        "key": _json_of(record.key),
        "headers": [[name, _json_of(value)] for name, value in record.headers],
        "value": _json_of(record.value),
    }


def json_line(value: object) -> str:
    """Return JSON without terminal control characters."""
    return harmless_json(orjson.dumps(value).decode())


def header_text(record: Incoming, name: str) -> str:
    """Return a header as text on one line; empty if the record does not have it."""
    return one_line((record.header(name) or b"").decode("utf-8", errors="replace"))


def url_of(record: Incoming) -> str:
    """Return the URL from a record's header or key, on one line."""
    raw = record.header("url") or record.key or b""
    return one_line(raw.decode("utf-8", errors="replace"))


def when(stored: Stored) -> str:
    """Return a record's time in RFC 3339; empty if it is missing or after the year 9999."""
    if stored.timestamp_ms < 0:
        return ""
    try:
        moment = _EPOCH + timedelta(milliseconds=stored.timestamp_ms)
    except OverflowError:  # microseconds, for example: brokers accept any number from a producer
        return ""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parsed(value: bytes | None) -> dict[str, Any]:
    """Return the value parsed as a JSON object; empty if it is not one."""
    try:
        fields = orjson.loads(value or b"")
    except orjson.JSONDecodeError:
        return {}
    return fields if isinstance(fields, dict) else {}


def _json_of(raw: bytes | None) -> str | dict[str, str] | None:
    if raw is None:
        return None
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": b64encode(raw).decode("ascii")}
