"""Records that crawlers may send, and what each costs: under the memory that the chart gives."""

import base64
from collections.abc import Callable
from typing import Final

import pytest

from tests.faults.conftest import Record
from tests.faults.harness import PROCESS_BYTES, Scenario
from winnow.streams.records import Outgoing
from winnow.streams.topics import MAX_PAGE_BYTES

REAL_PAGES: Final = 200
LARGE: Final = 9_800_000  # a little below what the pages topic takes
MANY_HEADERS: Final = 400_000  # two bytes each on the wire, some 160 in memory

PROSE: Final = (
    b"<p>The committee met on Monday, and eleven people came to hear what it had decided."
)


def _message(members: bytes) -> bytes:
    return b'{"html":"' + PROSE + b'",' + members + b"}"


def _page(head: bytes, body: bytes) -> bytes:
    return b"<html><head>" + head + b"</head><body>" + PROSE + body + b"</body></html>"


def _filled(unit: bytes, size: int = LARGE) -> bytes:
    return unit * (size // len(unit))


HOSTILE: Final[dict[str, Callable[[], bytes]]] = {
    "lists that nobody reads": lambda: _message(b'"more":[' + _filled(b"[[],{}],") + b"1]"),
    "lists in lists": lambda: _message(b'"more":' + b"[" * 4_800_000 + b"]" * 4_800_000),
    "members of many names": lambda: _message(
        b",".join(b'"%d":0' % number for number in range(900_000))
    ),
    "a text of wide characters": lambda: _message(
        b'"content_type":"' + _filled("\U0001f41d".encode(), 9_000_000) + b'"'
    ),
    "base64 of a page too large": lambda: (
        b'{"body_base64":"' + base64.b64encode(bytes(7_200_000)) + b'"}'
    ),
    "linked data of lists": lambda: _page(
        b'<script type="application/ld+json">[' + _filled(b"[[],{}],", 6_000_000) + b"1]</script>",
        b"",
    ),
    "metadata of many names": lambda: _page(
        _filled(b'<meta name="author" content="x">', 6_000_000), b""
    ),
    "tiny elements": lambda: _page(b"", _filled(b"<p>a", MAX_PAGE_BYTES - 1000)),
    "one long word": lambda: _page(b"", _filled(b"a", MAX_PAGE_BYTES - 1000)),
}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_record_after_real_pages_neither_kills_nor_stops(
    scenario: Scenario, record: Record, hostile: Callable[[], bytes]
) -> None:
    scenario.in_production()
    scenario.make_topics()
    real = (b"<title>%d</title>%b" % (number, PROSE * 400) for number in range(REAL_PAGES))
    body = hostile()
    scenario.fill([*real, *[body] * scenario.partitions])
    scenario.start_worker()

    outcome = scenario.finish()
    record(outcome)
    assert (outcome.restarts, outcome.repeated) == (0, 0)
    assert outcome.peak_bytes <= PROCESS_BYTES


def test_records_of_empty_headers_after_real_pages_neither_kill_nor_stop(
    scenario: Scenario, record: Record
) -> None:
    scenario.in_production()
    scenario.make_topics()
    scenario.fill(b"<title>%d</title>%b" % (number, PROSE) for number in range(REAL_PAGES))
    headers = (("", None),) * MANY_HEADERS
    scenario.fill_records(
        Outgoing(scenario.names.pages, scenario.new_url(), PROSE, headers) for _ in range(12)
    )
    scenario.start_worker()

    outcome = scenario.finish()
    record(outcome)
    assert (outcome.restarts, outcome.repeated) == (0, 0)
    assert outcome.peak_bytes <= PROCESS_BYTES
