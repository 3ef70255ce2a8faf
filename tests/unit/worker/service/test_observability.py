"""Log lines have known keys and no page text; metrics are in the closed list."""

import io
import json
import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Any, get_type_hints

import msgspec
import orjson
import pytest
import structlog

from winnow.models.errors import InvalidPage, Reason
from winnow.streams.cache.redis_cache import CacheEvent
from winnow.streams.cache.results import CachedResult, CacheKey
from winnow.streams.deadletters import Stage
from winnow.streams.messages import Figures
from winnow.streams.outcomes import (
    BatchResult,
    CleanedPage,
    DeadPage,
    Outcome,
    RepeatedPage,
    Result,
    WithoutPage,
)
from winnow.streams.pass_through import NOTHING, LeftOut, Part, Passed
from winnow.streams.records import Incoming, Outgoing
from winnow.worker.logs import Keys, Log, LogFormat, LogLevel, configure_logging
from winnow.worker.service.metrics import ALL_METRICS, Metrics
from winnow.worker.service.observability import StreamObserver
from winnow.worker.settings import Settings

Lines = Callable[[], list[dict[str, Any]]]

FIGURES = Figures(
    content_digest="",
    model_digest="d" * 64,
    sentences=3,
    sentences_kept=2,
    text_chars=100,
    text_chars_kept=80,
    dropped_sentences={"perplexity": 1},
    perplexity_quantiles=(10.0, 20.0, 30.0, 40.0, 50.0),
)


URL = "https://example.org/?session=secret"
RECORD = Incoming("winnow.pages", 3, 7, URL.encode(), b"<p>the text of the page", ())
OUTGOING = (Outgoing("winnow.documents", URL.encode(), b"the text", ()),)
CACHED = CachedResult("", b"", b"")
EMPTY = InvalidPage(Reason.EMPTY)


def a_page(figures: Figures = FIGURES, passed: Passed = NOTHING) -> CleanedPage:
    return CleanedPage(RECORD, OUTGOING, URL, passed, figures, CacheKey(""), CACHED)


def a_dead_page(error: InvalidPage = EMPTY) -> DeadPage:
    return DeadPage(RECORD, OUTGOING, error, Stage.CLEAN)


def a_batch(*results: Result) -> BatchResult:
    return BatchResult(results, {"decode": 0.001, "clean": 0.003})


@pytest.fixture
def lines() -> Iterator[Lines]:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    out = io.StringIO()
    configure_logging(LogLevel.INFO, LogFormat.JSON, out)
    yield lambda: [orjson.loads(line) for line in out.getvalue().splitlines()]
    root.handlers[:], level = before
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def an_observer(metrics: Metrics, settings: Settings | None = None) -> StreamObserver:
    return StreamObserver(settings or Settings(), metrics, Log())


def value_of(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def test_observer_writes_one_line_per_page_with_its_facts(lines: Lines, metrics: Metrics) -> None:
    an_observer(metrics).batch_stored(a_batch(a_page()), {"publish": 0.01})

    (line,) = lines()
    assert line.pop("ts").endswith("Z")
    assert len(line.pop("page_id")) == 64
    assert line == {
        "event": "page_cleaned",
        "level": "info",
        "topic": "winnow.pages",
        "partition": 3,
        "offset": 7,
        "sentences": 3,
        "kept": 2,
        "dropped": 1,
        "perplexity_median": 30.0,
        "model_digest": "d" * 64,
        "bytes_in": 23,
        "bytes_out": 43,
        "duration_ms": 4.0,
    }


def test_observer_logs_a_dead_letter_with_its_reason(lines: Lines, metrics: Metrics) -> None:
    error = InvalidPage(Reason.TOO_DEEP, "300 levels")
    result = a_dead_page(error)
    again = replace(result, record=replace(result.record, headers=(("attempts", b"2"),)))

    an_observer(metrics).batch_stored(a_batch(result, again), {})

    first, second = lines()
    assert (first["event"], first["level"]) == ("page_dead", "warning")
    assert (first["reason"], first["error"]) == ("too_deep", "300 levels")
    assert (first["stage"], first["attempt"], second["attempt"]) == ("clean", 1, 3)


def test_observer_counts_and_logs_deleted_and_skipped_pages(lines: Lines, metrics: Metrics) -> None:
    gone, dropped, skipped = (
        WithoutPage(RECORD, (), outcome, URL, status)
        for outcome, status in (
            (Outcome.DELETED, 410),
            (Outcome.DELETED, None),
            (Outcome.SKIPPED, 503),
        )
    )

    an_observer(metrics).batch_stored(a_batch(gone, dropped, skipped), {})

    assert [(line["event"], line.get("status"), len(line["page_id"])) for line in lines()] == [
        ("page_deleted", 410, 64),
        ("page_deleted", None, 64),
        ("page_skipped", 503, 64),
    ]
    assert value_of(metrics, "winnow_pages_total", outcome="deleted") == 2
    assert value_of(metrics, "winnow_pages_total", outcome="skipped") == 1


def test_observer_counts_and_logs_headers_that_are_not_copied(
    lines: Lines, metrics: Metrics
) -> None:
    left_out = (LeftOut(Part.HEADERS, "70 headers, limit 64"), LeftOut(Part.META, "no object"))
    result = a_page(passed=Passed(left_out=left_out))

    an_observer(metrics, Settings(log_pages=0.0)).batch_stored(a_batch(result), {})

    assert [(line["level"], line["reason"], line["error"]) for line in lines()] == [
        ("warning", "headers", "70 headers, limit 64"),
        ("warning", "meta", "no object"),
    ]
    assert {line["event"] for line in lines()} == {"left_out"}
    assert value_of(metrics, "winnow_left_out_total", part="meta") == 1


def test_log_lines_have_no_page_text_and_no_url(lines: Lines, metrics: Metrics) -> None:
    observer = an_observer(metrics)
    dead = a_dead_page()

    observer.batch_stored(a_batch(a_page(), RepeatedPage(RECORD, OUTGOING, URL), dead), {})

    assert [(line["event"], line["duration_ms"]) for line in lines()] == [
        ("page_cleaned", 1.333),
        ("page_unchanged", 1.333),
        ("page_dead", 1.333),
    ]
    assert "text of the page" not in str(lines())
    assert "session" not in str(lines())


def test_log_lines_have_no_keys_but_the_known_ones(lines: Lines, metrics: Metrics) -> None:
    observer = an_observer(metrics)
    observer.batch_stored(a_batch(a_page()), {})
    observer.batch_dropped(32)
    observer.delivery_retried("winnow.stats", "KafkaTimeoutError")
    observer.cache_outage(CacheEvent.SLOW)
    observer.cache_outage(None)
    observer.assigned(4)
    observer.revoked(4)
    observer.assigned(3)  # of a later rebalance: it was ready before
    try:
        {"a": 1}["x"]
    except KeyError as error:
        observer.bug("winnow.pages/3/7", error)

    known = {*get_type_hints(Keys), "event", "level", "ts", "exception"}
    assert all(set(line) <= known for line in lines())
    assert [line["event"] for line in lines()][1:] == [
        "batch_dropped",
        "delivery_retried",
        "cache_bypassed",
        "cache_back",
        "partitions_assigned",
        "worker_ready",
        "partitions_revoked",
        "partitions_assigned",
        "bug",
    ]


def test_a_bug_is_logged_with_its_traceback(lines: Lines, metrics: Metrics) -> None:
    try:
        {"a": 1}["x"]
    except KeyError as error:
        an_observer(metrics).bug("winnow.pages/3/7", error)

    (line,) = lines()
    assert (line["topic"], line["partition"], line["offset"]) == ("winnow.pages", 3, 7)
    assert "Traceback" in line["exception"]


def test_clean_pages_are_sampled_and_dead_letters_never(lines: Lines, metrics: Metrics) -> None:
    observer = an_observer(metrics, Settings(log_pages=0.0))
    dead = a_dead_page()

    observer.batch_stored(a_batch(a_page(), dead), {})

    assert [line["event"] for line in lines()] == ["page_dead"]


def test_lines_of_libraries_are_json_with_our_keys(lines: Lines) -> None:
    logging.getLogger("aiokafka.conn").warning("node %d is gone", 3)
    logging.getLogger("aiokafka.conn").info("chatter")

    (line,) = lines()
    assert (line["event"], line["error"]) == ("library", "aiokafka.conn: node 3 is gone")


def test_pages_deleted_before_they_were_read_are_reported(lines: Lines) -> None:
    logging.getLogger("aiokafka.consumer.fetcher").info("Fetch offset 7 is out of range")

    (line,) = lines()
    assert line["error"] == "aiokafka.consumer.fetcher: Fetch offset 7 is out of range"


def test_a_library_that_repeats_itself_writes_one_line(lines: Lines, metrics: Metrics) -> None:
    for _ in range(1000):
        logging.getLogger("aiokafka").error("Unable connect to node with id %s", 1)
        an_observer(metrics).batch_dropped(32)

    assert [line["event"] for line in lines()].count("library") == 1
    assert [line["event"] for line in lines()].count("batch_dropped") == 1000


def test_metrics_count_pages_reasons_and_sentences(metrics: Metrics, lines: Lines) -> None:
    observer = an_observer(metrics)
    dead = a_dead_page()
    observer.assigned(4)
    observer.batch_taken(2, 1000)
    assert value_of(metrics, "winnow_assigned_partitions") == 4
    assert value_of(metrics, "winnow_in_flight_pages") == 2
    assert value_of(metrics, "winnow_waiting_bytes") == 1000

    observer.batch_stored(a_batch(a_page(), dead), {"clean": 0.02})

    assert value_of(metrics, "winnow_in_flight_pages") == 0
    assert value_of(metrics, "winnow_pages_total", outcome="document") == 1
    assert value_of(metrics, "winnow_dead_letters_total", reason="empty") == 1
    assert value_of(metrics, "winnow_sentences_total", verdict="perplexity") == 1
    assert value_of(metrics, "winnow_sentences_total", verdict="kept") == 2
    assert value_of(metrics, "winnow_stage_seconds_sum", stage="clean") == 0.02
    assert value_of(metrics, "winnow_page_bytes_total") == 2 * 23
    assert value_of(metrics, "winnow_published_bytes_total") == 2 * 43
    assert value_of(metrics, "winnow_share_kept_sum") == 0.8
    assert value_of(metrics, "winnow_commits_total") == 1


def test_every_metric_moves_when_what_it_counts_happens(metrics: Metrics, lines: Lines) -> None:
    observer = an_observer(metrics)
    before = samples(metrics)
    left_out = Passed(left_out=(LeftOut(Part.META, "too long"),))
    dead = a_dead_page()
    empty = a_page(msgspec.structs.replace(FIGURES, sentences_kept=0, text_chars_kept=0))

    metrics.build.info({"version": "1"})  # set at the start of a worker
    observer.assigned(4)
    observer.batch_taken(3, 1000)
    observer.batch_stored(a_batch(a_page(passed=left_out), empty, dead), {"clean": 0.02})
    observer.batch_taken(2, 1000)
    observer.delivery_retried("winnow.documents", "timeout")
    observer.cache_event(next(iter(CacheEvent)))
    moved = {name for name, value in samples(metrics).items() if value != before.get(name, 0.0)}
    observer.revoked(4)
    moved |= {name for name, value in samples(metrics).items() if value != before.get(name, 0.0)}

    names = {re.sub(r"_(bucket|sum|count)$", "", name) for name, _ in moved}
    assert {each.name for each in ALL_METRICS} - names == set()


def samples(metrics: Metrics) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in metrics.registry.collect()
        for sample in family.samples
    }


def test_a_page_without_text_has_no_share_of_it(metrics: Metrics, lines: Lines) -> None:
    blank = msgspec.structs.replace(FIGURES, text_chars=0, text_chars_kept=0)

    an_observer(metrics).batch_stored(a_batch(a_page(blank)), {})

    assert value_of(metrics, "winnow_share_kept_count") == 0


@pytest.mark.parametrize(
    ("name", "label", "closed_set"),
    [
        ("winnow_pages_total", "outcome", Outcome),
        ("winnow_dead_letters_total", "reason", Reason),
        ("winnow_left_out_total", "part", Part),
        ("winnow_cache_events_total", "event", CacheEvent),
    ],
)
def test_counters_are_there_before_the_first_event_so_that_it_is_an_increase(
    name: str, label: str, closed_set: type[StrEnum], metrics: Metrics
) -> None:
    shown = [value_of(metrics, name, **{label: each}) for each in closed_set]

    assert shown == [0.0] * len(closed_set)


def test_a_process_without_partitions_holds_no_records(metrics: Metrics, lines: Lines) -> None:
    observer = an_observer(metrics)
    observer.batch_taken(2, 1000)

    observer.revoked(3)

    assert value_of(metrics, "winnow_waiting_bytes") == 0
    assert value_of(metrics, "winnow_rebalances_total") == 1


def test_metrics_shown_are_in_the_closed_list(metrics: Metrics) -> None:
    metrics.build.info({"version": "1"})
    shown = {
        f"{family.name}_total" if family.type == "counter" else family.name
        for family in metrics.registry.collect()
    }

    listed = {each.name.removesuffix("_info") for each in ALL_METRICS}
    assert shown == listed


def test_metric_names_have_units_and_closed_labels() -> None:
    suffixes = ("_total", "_seconds", "_bytes", "_pages", "_partitions", "_kept", "_info")

    assert all(each.name.endswith(suffixes) for each in ALL_METRICS)
    assert {label for each in ALL_METRICS for label in each.labels} == {
        "outcome",
        "reason",
        "verdict",
        "stage",
        "topic",
        "event",
        "part",
    }


@pytest.mark.usefixtures("lines")
@pytest.mark.parametrize("odd", ["Łódź", "half a character \udce9", "\x1b[2J", '"'])
def test_a_line_is_ascii_json_for_any_input(odd: str) -> None:
    out = io.StringIO()
    configure_logging(LogLevel.INFO, LogFormat.JSON, out)

    Log().error("worker_failed", error=odd, offset=1 << 70)

    assert out.getvalue().isascii()
    assert json.loads(out.getvalue())["error"] == odd
    assert json.loads(out.getvalue())["offset"] == 1 << 70


class Broken(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


@pytest.mark.usefixtures("lines")
def test_a_broken_log_stream_does_not_stop_work(metrics: Metrics) -> None:
    configure_logging(LogLevel.INFO, LogFormat.JSON, Broken())

    an_observer(metrics).batch_stored(a_batch(a_page()), {})

    assert value_of(metrics, "winnow_pages_total", outcome="document") == 1


@pytest.mark.usefixtures("lines")  # which puts the loggers back
def test_lines_for_a_terminal_have_only_their_own_control_characters() -> None:
    out = io.StringIO()
    configure_logging(LogLevel.INFO, LogFormat.CONSOLE, out)

    Log().error("worker_failed", error="\x1b]0;title\x07")
    logging.getLogger("aiokafka").error("\x9b31m")
    Log().error("bug", error="ValueError", exc_info=ValueError("\x1b[2J"))

    assert "\ufffd]0;title\ufffd" in out.getvalue()
    assert "aiokafka: \ufffd31m" in out.getvalue()
    assert "ValueError: \ufffd[2J" in out.getvalue()
    assert not any(each in out.getvalue() for each in ("\x1b]", "\x07", "\x9b", "\x1b[2J"))
