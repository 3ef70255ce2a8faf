"""What happens in the stream -> metrics, and a log line for each page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from winnow.models.document_fields import url_hash
from winnow.streams.cache.redis_cache import CacheEvent
from winnow.streams.deadletters import attempts_of
from winnow.streams.outcomes import (
    BatchResult,
    CleanedPage,
    DeadPage,
    Outcome,
    RepeatedPage,
    Result,
    WithoutPage,
)
from winnow.worker.logs import Event, Keys, Log
from winnow.worker.service.metrics import Metrics
from winnow.worker.settings import Settings

_WITHOUT_PAGE: Final[Mapping[Outcome, Event]] = {
    Outcome.DELETED: "page_deleted",
    Outcome.SKIPPED: "page_skipped",
}


class StreamObserver:
    """Turns what happens in the stream into metrics and log lines."""

    def __init__(self, settings: Settings, metrics: Metrics, log: Log) -> None:
        """Keep the metrics and the log."""
        self._group = settings.group
        self._topic = settings.topic_pages
        self._is_ready = False
        self._sampled_below = settings.log_pages * (1 << 32)
        self._metrics = metrics
        self._log = log

    def batch_taken(self, pages: int, waiting_bytes: int) -> None:
        """Count pages in flight and bytes that wait."""
        self._metrics.in_flight_pages.inc(pages)
        self._metrics.waiting_bytes.set(waiting_bytes)
        self._metrics.batch_pages.observe(pages)

    def batch_stored(self, batch: BatchResult, seconds: Mapping[str, float]) -> None:
        """Count a batch and log its pages."""
        self._metrics.in_flight_pages.dec(len(batch.results))
        self._metrics.commits.inc()
        for stage, duration in seconds.items():
            self._metrics.stage_seconds.labels(stage).observe(duration)
        self._count(batch.results)
        page_ms = 1000 * sum(batch.stage_seconds.values()) / max(1, len(batch.results))
        for result in batch.results:
            self._log_page(result, page_ms)

    def batch_dropped(self, pages: int) -> None:
        """Log that pages in flight were handed over to the next member."""
        self._metrics.in_flight_pages.dec(pages)
        self._log.info("batch_dropped", pages=pages, consumer_group=self._group)

    def delivery_retried(self, topic: str, error: str) -> None:
        """Count and log an attempt to publish that failed or is late."""
        self._metrics.delivery_retries.labels(topic).inc()
        self._log.warning("delivery_retried", topic=topic, error=error)

    def cache_event(self, event: CacheEvent) -> None:
        """Count why cached results were not used."""
        self._metrics.cache_events.labels(event.value).inc()

    def cache_outage(self, why: CacheEvent | None) -> None:
        """Log that the cache is bypassed from now on, or (None) that it is used again."""
        if why is None:
            self._log.info("cache_back")
        else:
            self._log.warning("cache_bypassed", reason=why.value)

    def assigned(self, partitions: int) -> None:
        """Note the end of a rebalance; the first one completes the start."""
        self._metrics.assigned_partitions.set(partitions)
        self._log.info("partitions_assigned", partitions=partitions, consumer_group=self._group)
        if not self._is_ready:
            self._is_ready = True
            self._log.info("worker_ready", topic=self._topic, consumer_group=self._group)

    def revoked(self, partitions: int) -> None:
        """Note the start of a rebalance."""
        self._metrics.rebalances.inc()
        self._metrics.waiting_bytes.set(0)  # fetched records are given up with the partitions
        self._log.info("partitions_revoked", partitions=partitions, consumer_group=self._group)

    def bug(self, source: str, error: BaseException) -> None:
        """Log an internal error with its traceback."""
        topic, partition, offset = source.rsplit("/", 2)
        self._log.error(
            "bug",
            topic=topic,
            partition=int(partition),
            offset=int(offset),
            error=type(error).__name__,
            exc_info=error,
        )

    def _count(self, results: Sequence[Result]) -> None:
        """Add up a batch first: each update of a metric takes a lock."""
        metrics, sentences = self._metrics, Counter[str]()
        for figures in (each.figures for each in results if isinstance(each, CleanedPage)):
            sentences["kept"] += figures.sentences_kept
            for verdict, dropped in figures.dropped_sentences.items():
                sentences[verdict] += dropped
            if figures.text_chars:
                metrics.share_kept.observe(figures.text_chars_kept / figures.text_chars)
        outcomes = Counter(each.outcome.value for each in results)
        reasons = Counter(each.error.reason.value for each in results if isinstance(each, DeadPage))
        parts = Counter(left.part.value for each in results for left in each.passed.left_out)
        for metric, counted in (
            (metrics.pages, outcomes),
            (metrics.sentences, sentences),
            (metrics.dead_letters, reasons),
            (metrics.left_out, parts),
        ):
            for label, number in counted.items():
                metric.labels(label).inc(number)
        metrics.page_bytes.inc(sum(each.record.value_bytes for each in results))
        metrics.published_bytes.inc(sum(each.published_bytes for each in results))

    def _log_page(self, result: Result, duration_ms: float) -> None:
        keys: Keys = {
            "topic": result.record.topic,
            "partition": result.record.partition,
            "offset": result.record.offset,
            "bytes_in": result.record.value_bytes,
            "bytes_out": result.published_bytes,
            "duration_ms": round(duration_ms, 3),
        }
        if isinstance(result, DeadPage):
            self._log_dead(result, keys)
            return
        keys["page_id"] = url_hash(result.url)
        self._log_left_out(result, keys["page_id"])
        if int(keys["page_id"][:8], 16) >= self._sampled_below:
            return
        if isinstance(result, WithoutPage):
            status: Keys = {} if result.status is None else {"status": result.status}
            self._log.info(_WITHOUT_PAGE[result.outcome], **(keys | status))
            return
        if isinstance(result, RepeatedPage):
            self._log.info("page_unchanged", **keys)
            return
        figures = result.figures
        quantiles = figures.perplexity_quantiles
        judged: Keys = {
            "sentences": figures.sentences,
            "kept": figures.sentences_kept,
            "dropped": figures.sentences - figures.sentences_kept,
            "perplexity_median": round(quantiles[len(quantiles) // 2], 1) if quantiles else 0.0,
            "model_digest": figures.model_digest,
        }
        keys |= judged
        self._log.info("page_cleaned", **keys)

    def _log_left_out(self, result: Result, page_id: str) -> None:
        for each in result.passed.left_out:
            self._log.warning(
                "left_out",
                topic=result.record.topic,
                partition=result.record.partition,
                offset=result.record.offset,
                page_id=page_id,
                reason=each.part.value,
                error=each.why,
            )

    def _log_dead(self, result: DeadPage, keys: Keys) -> None:
        why: Keys = {
            "reason": result.error.reason.value,
            "stage": result.stage.value,
            "attempt": attempts_of(result.record) + 1,
            "error": result.error.detail,
        }
        keys |= why
        self._log.warning("page_dead", **keys)
