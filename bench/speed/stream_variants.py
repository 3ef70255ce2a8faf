"""A consumer of pages that publishes two records per page, stores them and commits.

`python -m bench.speed.stream_variants VARIANT` reads the plan as JSON from standard input, runs one
variant over all pages of a topic, and writes the cost as one JSON line.
"""

import asyncio
import json
import os
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

import confluent_kafka
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from winnow.models.document import Document, Page, PageStats
from winnow.models.errors import InvalidPage
from winnow.streams.health import StreamState
from winnow.streams.isolation import PageCleaner
from winnow.streams.kafka.connection import Connection
from winnow.streams.outcomes import BatchResult
from winnow.worker.caching import build_cache
from winnow.worker.cleaning import build_cleaner
from winnow.worker.logs import Log, LogFormat, LogLevel, configure_logging
from winnow.worker.service.allocator import keep_what_is_there, tune_allocator
from winnow.worker.service.assembly import Parts, run_worker
from winnow.worker.service.metrics import Metrics
from winnow.worker.service.observability import StreamObserver
from winnow.worker.settings import Settings

DOCUMENT: Final = os.urandom(4500).hex()  # 9 kB, like an article's text
STATS: Final = b"s" * 1000
BATCH: Final = 128


@dataclass(frozen=True)
class Plan:
    """Where the pages are, and how many to read."""

    bootstrap: str
    topics: dict[str, str]
    group: str
    pages: int
    redis_url: str = ""


@dataclass
class Cost:
    """Cost of a variant from its first page to its last commit."""

    pages: int = 0
    cpu_s: float = 0.0
    wall_s: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)
    max_rss_mb: int = 0


class Meter:
    """Measures CPU of the whole process and wall time, from the first page on."""

    def __init__(self) -> None:
        """Measure nothing yet."""
        self._cpu_s = self._wall_s = -1.0

    def start(self) -> None:
        """Start, once."""
        if self._wall_s < 0:
            self._cpu_s, self._wall_s = _cpu_s(), time.monotonic()

    def cost(self, pages: int, stages: Mapping[str, float]) -> Cost:
        """Return the cost so far."""
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        wall_s = time.monotonic() - self._wall_s
        return Cost(pages, _cpu_s() - self._cpu_s, wall_s, dict(stages), rss)


class NoCleaner:
    """A no-op cleaner: every page gives the same document."""

    fingerprint = "none"

    def __init__(self) -> None:
        """Prepare the document."""
        stats = PageStats(74000, "utf-8", 9, 9, 99, 99, 999, 999, 9000, 9000, {}, (), 0.0)
        text = ("t", "", "", "", "", DOCUMENT, "en", "none", "0" * 64)
        self._document = Document("", *text, 0.0, "", "", stats)

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        """Return the document for each page."""
        return [replace(self._document, url=page.url) for page in pages]


class Counter(StreamObserver):
    """The observer of a worker, which stops it after a number of pages."""

    def __init__(self, settings: Settings, pages: int, stop: asyncio.Event, meter: Meter) -> None:
        """Count from 0."""
        super().__init__(settings, Metrics(), Log())
        self._left = pages
        self._stop = stop
        self._meter = meter
        self._stages: dict[str, float] = {}
        self._batches = 0
        self.cost = Cost()

    def batch_taken(self, pages: int, waiting_bytes: int) -> None:
        """Start the meter with the first page."""
        self._meter.start()
        super().batch_taken(pages, waiting_bytes)

    def batch_stored(self, batch: BatchResult, seconds: Mapping[str, float]) -> None:
        """Count, and stop at the last page."""
        super().batch_stored(batch, seconds)
        self._batches += 1
        self._left -= len(batch.results)
        for stage, duration in seconds.items():
            self._stages[stage] = self._stages.get(stage, 0.0) + duration
        if self._left <= 0:
            mean = {stage: total / self._batches for stage, total in self._stages.items()}
            self.cost = self._meter.cost(0, mean)
            self._stop.set()


async def winnow(plan: Plan) -> Cost:
    """Run a whole worker with a no-op cleaner."""
    return await run_worker_on(plan, NoCleaner(), Meter())


async def winnow_real(plan: Plan) -> Cost:
    """Run a whole worker as it is deployed."""
    return await run_worker_on(plan, build_cleaner(Settings()), Meter())


async def run_worker_on(plan: Plan, cleaner: PageCleaner, meter: Meter) -> Cost:
    """Run a whole worker, with its cache, metrics and log lines, until all pages are done."""
    _begin_process()
    settings = Settings(
        kafka_bootstrap=(plan.bootstrap,),
        group=plan.group,
        topic_pages=plan.topics["pages"],
        topic_documents=plan.topics["documents"],
        topic_stats=plan.topics["stats"],
        topic_dead=plan.topics["dead"],
        batch_pages=BATCH,
        redis_url=plan.redis_url,
    )
    stop = asyncio.Event()
    counter = Counter(settings, plan.pages, stop, meter)
    cache = build_cache(settings, lambda _: None, lambda _: None)
    state = StreamState(60.0, time.monotonic)
    parts = Parts(settings.connection(), cleaner, cache, counter, lambda source, error: None, state)
    keep_what_is_there()
    await run_worker(settings, parts, stop)
    return replace(counter.cost, pages=plan.pages)


def _begin_process() -> None:
    tune_allocator(1)
    configure_logging(LogLevel.INFO, LogFormat.JSON, Path(os.devnull).open("w"))  # noqa: SIM115


async def aiokafka(plan: Plan) -> Cost:
    """Run a minimal loop on aiokafka that loses no page."""
    options = Connection((plan.bootstrap,)).client_options()
    consumer = AIOKafkaConsumer(
        plan.topics["pages"],
        **options,
        group_id=plan.group,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        max_partition_fetch_bytes=8 << 20,
        max_poll_records=BATCH,
    )
    producer = AIOKafkaProducer(
        **options, acks="all", enable_idempotence=True, linger_ms=5, max_batch_size=512 << 10
    )
    meter, done, document = Meter(), 0, DOCUMENT.encode()
    async with consumer, producer:
        while done < plan.pages:
            fetched = await consumer.getmany(timeout_ms=500, max_records=BATCH)
            records = [record for each in fetched.values() for record in each]
            if not records:
                continue
            meter.start()
            stored = []
            for record in records:
                stored.append(
                    await producer.send(plan.topics["documents"], document, key=record.key)
                )
                stored.append(await producer.send(plan.topics["stats"], STATS, key=record.key))
            await asyncio.gather(*stored)
            await consumer.commit()
            done += len(records)
        return meter.cost(done, {})


def confluent(plan: Plan) -> Cost:
    """Run a minimal loop on librdkafka that loses no page."""
    consumer = confluent_kafka.Consumer(
        {
            "bootstrap.servers": plan.bootstrap,
            "group.id": plan.group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "max.partition.fetch.bytes": 8 << 20,
        }
    )
    producer = confluent_kafka.Producer(
        {
            "bootstrap.servers": plan.bootstrap,
            "acks": "all",
            "enable.idempotence": True,
            "linger.ms": 5,
        }
    )
    consumer.subscribe([plan.topics["pages"]])
    meter, done, document = Meter(), 0, DOCUMENT.encode()
    while done < plan.pages:
        records = [each for each in consumer.consume(BATCH, 0.5) if not each.error()]
        if not records:
            continue
        meter.start()
        for record in records:
            producer.produce(plan.topics["documents"], document, key=record.key())
            producer.produce(plan.topics["stats"], STATS, key=record.key())
        producer.flush()
        consumer.commit(asynchronous=False)
        done += len(records)
    cost = meter.cost(done, {})
    consumer.close()
    return cost


VARIANTS: Final = {"winnow": winnow, "winnow-real": winnow_real, "aiokafka": aiokafka}


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Run a variant by name."""
    plan = Plan(**json.loads(sys.stdin.read()))
    variant = sys.argv[1]
    cost = confluent(plan) if variant == "confluent" else asyncio.run(VARIANTS[variant](plan))
    sys.stdout.write(json.dumps(asdict(cost)) + "\n")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
