"""Records as an operator reads them."""

import orjson
import pytest

from winnow.streams.operator.topic_reader import Stored
from winnow.streams.records import Incoming
from winnow.worker.printed_records import json_line, record_json, when


@pytest.mark.parametrize(
    ("timestamp_ms", "time"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (253402300799999, "9999-12-31T23:59:59.999Z"),
        (253402300800000, ""),
        (1700000000000000, ""),  # microseconds
        ((1 << 63) - 1, ""),
        (-1, ""),
    ],
)
def test_the_time_of_a_record_is_empty_where_no_calendar_has_it(
    timestamp_ms: int, time: str
) -> None:
    assert when(Stored(Incoming("t", 0, 0, None, None), timestamp_ms)) == time


def test_json_of_a_record_escapes_control_characters() -> None:
    record = Incoming("t", 0, 0, "\x1b[31m\x9b31m\x7fé\u2028".encode(), b"\x9b")

    line = json_line(record_json(Stored(record, 0)))

    assert r"\u001b[31m\u009b31m\u007fé" in line
    assert orjson.loads(line) == record_json(Stored(record, 0))
