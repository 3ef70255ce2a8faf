"""Headers of a page's record -> the W3C trace context of its document and statistics.

https://www.w3.org/TR/trace-context/, sections 3.2 and 3.3, as OpenTelemetry's Kafka clients read
and write it. Invalid values are dropped: a crawler cannot pass arbitrary bytes to readers.
"""

import re
from typing import Final

from winnow.streams.records import Headers, Incoming

MAX_TRACE_BYTES: Final = 512

_PARENT: Final = re.compile(
    rb"(?P<version>[0-9a-f]{2})-(?P<trace>[0-9a-f]{32})-(?P<span>[0-9a-f]{16})-[0-9a-f]{2}"
    rb"(?P<more>-[!-~]*)?"  # only in later versions
)
_MEMBER: Final = re.compile(rb"[a-z0-9][a-z0-9_*/@-]{0,255}=[ -+\--<>-~]{1,256}")


def trace_context(record: Incoming) -> Headers:
    """Return the trace context of a record; empty without a valid parent."""
    parent = record.header("traceparent") or b""
    if not _is_parent(parent):
        return ()
    state = record.header("tracestate") or b""
    return (("traceparent", parent), *((("tracestate", state),) if _is_state(state) else ()))


def _is_parent(value: bytes) -> bool:
    found = _PARENT.fullmatch(value) if len(value) <= MAX_TRACE_BYTES else None
    if found is None or found["version"] == b"ff" or (found["version"] == b"00" and found["more"]):
        return False
    return bool(found["trace"].strip(b"0") and found["span"].strip(b"0"))


def _is_state(value: bytes) -> bool:
    members = [member.strip(b" \t") for member in value.split(b",") if member.strip(b" \t")]
    is_list = 0 < len(value) <= MAX_TRACE_BYTES and len(members) > 0
    return is_list and all(_MEMBER.fullmatch(member) for member in members)
