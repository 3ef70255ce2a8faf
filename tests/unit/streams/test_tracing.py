"""Only a trace context that is valid by its standard is passed on."""

from collections.abc import Callable

import pytest

from winnow.streams.records import Incoming
from winnow.streams.tracing import trace_context

RecordBuilder = Callable[..., Incoming]
PARENT = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.mark.parametrize(
    "parent",
    [PARENT, PARENT.replace(b"00-", b"cc-", 1), PARENT.replace(b"00-", b"cc-", 1) + b"-what.comes"],
)
def test_a_valid_parent_is_passed_on(record: RecordBuilder, parent: bytes) -> None:
    assert trace_context(record(headers=(("traceparent", parent),))) == (("traceparent", parent),)


@pytest.mark.parametrize(
    "parent",
    [
        b"",
        b"\x00\xff",
        PARENT.upper(),
        PARENT + b"\n",
        PARENT + b"-more",
        PARENT[:-1],
        PARENT.replace(b"00-", b"ff-", 1),
        b"00-" + b"0" * 32 + b"-00f067aa0ba902b7-01",
        b"00-4bf92f3577b34da6a3ce929d0e0e4736-" + b"0" * 16 + b"-01",
        PARENT.replace(b"00-", b"cc-", 1) + b"-\x1b[31m",
        PARENT.replace(b"00-", b"cc-", 1) + b"-" + b"x" * 600,
    ],
)
def test_an_invalid_parent_is_not_passed_on_nor_is_its_state(
    record: RecordBuilder, parent: bytes
) -> None:
    headers = (("traceparent", parent), ("tracestate", b"vendor=value"))

    assert trace_context(record(headers=headers)) == ()


@pytest.mark.parametrize("state", [b"vendor=value", b"a=1, b@c=2 ,,d=!~", b"k=with a space"])
def test_a_valid_state_is_passed_on(record: RecordBuilder, state: bytes) -> None:
    both = (("traceparent", PARENT), ("tracestate", state))

    assert trace_context(record(headers=both)) == both


@pytest.mark.parametrize(
    "state",
    [b"", b",", b"novalue", b"k=", b"K=v", b"k=v=w", b"k=\x1b", b"k=\xff", b"k=" + b"v" * 600],
)
def test_an_invalid_state_is_left_out(record: RecordBuilder, state: bytes) -> None:
    headers = (("traceparent", PARENT), ("tracestate", state))

    assert trace_context(record(headers=headers)) == (("traceparent", PARENT),)
