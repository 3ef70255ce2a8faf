"""The closed list of metrics: every name, unit and label that `/metrics` can have."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    disable_created_metrics,
)

from winnow.models.errors import Reason
from winnow.streams.cache.redis_cache import CacheEvent
from winnow.streams.outcomes import Outcome
from winnow.streams.pass_through import Part

Kind = Literal["counter", "gauge", "histogram", "info"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric as Prometheus shows it."""

    name: str
    kind: Kind
    meaning: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


_SECONDS: Final = (
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    30.0,
)
_PAGES: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
_SHARES: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)

PAGES: Final = Metric(
    "winnow_pages_total",
    "counter",
    "Pages done, repeated ones too, by outcome: document, cached, deleted, skipped, dead",
    ("outcome",),
)
PAGE_BYTES: Final = Metric("winnow_page_bytes_total", "counter", "Bytes of the pages done")
PUBLISHED_BYTES: Final = Metric(
    "winnow_published_bytes_total", "counter", "Bytes of documents, stats and dead letters stored"
)
DEAD_LETTERS: Final = Metric(
    "winnow_dead_letters_total", "counter", "Dead letters stored, by reason", ("reason",)
)
LEFT_OUT: Final = Metric(
    "winnow_left_out_total",
    "counter",
    "Pages whose headers or meta were out of bounds and did not travel on, by part: headers, meta",
    ("part",),
)
SENTENCES: Final = Metric(
    "winnow_sentences_total", "counter", "Sentences of cleaned pages, by verdict", ("verdict",)
)
SHARE_KEPT: Final = Metric(
    "winnow_share_kept", "histogram", "Share of the characters of a page kept", buckets=_SHARES
)
STAGE_SECONDS: Final = Metric(
    "winnow_stage_seconds",
    "histogram",
    "Wall seconds of a batch in a stage: decode, cache, clean, publish, commit",
    ("stage",),
    _SECONDS,
)
BATCH_PAGES: Final = Metric("winnow_batch_pages", "histogram", "Pages in a batch", buckets=_PAGES)
IN_FLIGHT_PAGES: Final = Metric(
    "winnow_in_flight_pages", "gauge", "Pages taken and not yet stored and committed"
)
WAITING_BYTES: Final = Metric(
    "winnow_waiting_bytes", "gauge", "Bytes of records fetched and not yet taken"
)
DELIVERY_RETRIES: Final = Metric(
    "winnow_delivery_retries_total",
    "counter",
    "Attempts to publish that failed, and every 10 s of one that lasts, by topic",
    ("topic",),
)
CACHE_EVENTS: Final = Metric(
    "winnow_cache_events_total",
    "counter",
    "Batches that bypassed the shared cache and values not used or not stored, by cause",
    ("event",),
)
COMMITS: Final = Metric(
    "winnow_commits_total", "counter", "Batches stored whose offsets were given to the group"
)
REBALANCES: Final = Metric("winnow_rebalances_total", "counter", "Rebalances of the group seen")
ASSIGNED_PARTITIONS: Final = Metric(
    "winnow_assigned_partitions", "gauge", "Partitions assigned to this process"
)
BUILD: Final = Metric("winnow_build_info", "info", "Version, and what pages are cleaned with")

ALL_METRICS: Final = (
    PAGES,
    PAGE_BYTES,
    PUBLISHED_BYTES,
    DEAD_LETTERS,
    LEFT_OUT,
    SENTENCES,
    SHARE_KEPT,
    STAGE_SECONDS,
    BATCH_PAGES,
    IN_FLIGHT_PAGES,
    WAITING_BYTES,
    DELIVERY_RETRIES,
    CACHE_EVENTS,
    COMMITS,
    REBALANCES,
    ASSIGNED_PARTITIONS,
    BUILD,
)


class Metrics:
    """The metrics of one process, in a registry of its own."""

    def __init__(self) -> None:
        """Register the metrics of the list, and no others.

        Counters with a closed set of labels begin at 0: one that appears with its first event
        shows Prometheus no increase.
        """
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry: Final = CollectorRegistry()
        self.pages: Final = self._counter(PAGES)
        self.page_bytes: Final = self._counter(PAGE_BYTES)
        self.published_bytes: Final = self._counter(PUBLISHED_BYTES)
        self.dead_letters: Final = self._counter(DEAD_LETTERS)
        self.left_out: Final = self._counter(LEFT_OUT)
        self.sentences: Final = self._counter(SENTENCES)
        self.share_kept: Final = self._histogram(SHARE_KEPT)
        self.stage_seconds: Final = self._histogram(STAGE_SECONDS)
        self.batch_pages: Final = self._histogram(BATCH_PAGES)
        self.in_flight_pages: Final = self._gauge(IN_FLIGHT_PAGES)
        self.waiting_bytes: Final = self._gauge(WAITING_BYTES)
        self.delivery_retries: Final = self._counter(DELIVERY_RETRIES)
        self.cache_events: Final = self._counter(CACHE_EVENTS)
        self.commits: Final = self._counter(COMMITS)
        self.rebalances: Final = self._counter(REBALANCES)
        self.assigned_partitions: Final = self._gauge(ASSIGNED_PARTITIONS)
        self.build: Final = Info(
            BUILD.name.removesuffix("_info"), BUILD.meaning, registry=self.registry
        )
        _begin(self.pages, Outcome)
        _begin(self.dead_letters, Reason)
        _begin(self.left_out, Part)
        _begin(self.cache_events, CacheEvent)

    def _counter(self, metric: Metric) -> Counter:
        return Counter(metric.name, metric.meaning, metric.labels, registry=self.registry)

    def _gauge(self, metric: Metric) -> Gauge:
        return Gauge(metric.name, metric.meaning, metric.labels, registry=self.registry)

    def _histogram(self, metric: Metric) -> Histogram:
        return Histogram(
            metric.name,
            metric.meaning,
            metric.labels,
            buckets=metric.buckets,
            registry=self.registry,
        )


def _begin(counter: Counter, values: Iterable[str]) -> None:
    for value in values:
        counter.labels(value)
