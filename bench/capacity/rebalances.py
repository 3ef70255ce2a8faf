"""Measure times for the simulation on a real Kafka: start, rebalances, repeats.

`make capacity-measure` publishes pages at a steady pace, lets workers join, leave and die, and
watches their documents come. A pause is the longest time without a document of one partition, the
slowest, around an event: with few members and a low load, all of it is the rebalance, and the
session of a member that died. Writes bench/capacity/rebalances.json, which `make capacity` reads.
"""

import argparse
import itertools
import json
import os
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

from bench.speed.stream import DEVELOPMENT_PAGES, MAX_MESSAGE_BYTES, page_bodies
from tests.faults.harness import SESSION_S, Scenario
from winnow.streams.kafka.connection import Connection
from winnow.streams.topics import TopicNames
from winnow.worker.batch.inputs import SAMPLES

TARGET: Final = Path(__file__).with_name("rebalances.json")
PARTITIONS: Final = 12
SETTLE_S: Final = 4.0
WATCHED_S: Final = 12.0
WATCHED_AFTER_DEATH_S: Final = SESSION_S + WATCHED_S


@dataclass
class Watch:
    """Reads documents, with their times and pages."""

    bootstrap: str
    topic: str
    seen: list[tuple[float, bytes]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Read until a stop is requested."""
        consumer = Consumer(
            {
                "bootstrap.servers": self.bootstrap,
                "group.id": "bench-watch",
                "fetch.wait.max.ms": 10,
            }
        )
        consumer.assign(
            [TopicPartition(self.topic, each, OFFSET_BEGINNING) for each in range(PARTITIONS)]
        )
        while not self.ended.is_set():
            for record in consumer.consume(500, 0.05):
                if record.error():
                    raise SystemExit(f"{self.topic}: {record.error()}")
                self.seen.append((time.monotonic(), record.key() or b""))
        consumer.close()

    def pause_s(self, since: float, until: float) -> float:
        """Return the longest time without a document of a partition between two moments."""
        times: dict[int, list[float]] = {number: [since] for number in range(PARTITIONS)}
        for at, key in self.seen:
            if since <= at <= until:
                times[int(key.rsplit(b"/", 1)[1]) % PARTITIONS].append(at)
        return max(
            later - earlier
            for each in times.values()
            for earlier, later in itertools.pairwise([*each, until])
        )

    def repeats(self) -> int:
        """Return the number of repeated documents."""
        pages = Counter(key for _, key in self.seen)
        return sum(count - 1 for count in pages.values())


@dataclass
class Crawl:
    """Publishes pages at a steady pace, to all partitions in turn."""

    bootstrap: str
    topic: str
    bodies: Sequence[bytes]
    pages_per_s: float
    published: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Publish until a stop is requested."""
        producer = Producer(
            {
                "bootstrap.servers": self.bootstrap,
                "linger.ms": 5,
                "message.max.bytes": MAX_MESSAGE_BYTES,
            }
        )
        begun = time.monotonic()
        while not self.ended.is_set():
            due = int((time.monotonic() - begun) * self.pages_per_s)
            for number in range(self.published, due):
                body = self.bodies[number % len(self.bodies)]
                key = f"https://example.org/{number}"
                producer.produce(self.topic, body, key=key, partition=number % PARTITIONS)
            self.published = max(due, self.published)
            producer.poll(0)
            self.ended.wait(0.02)
        producer.flush()


def main() -> None:
    """Run the rounds, print the figures, write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages-per-second", type=float, default=150.0)
    default = DEVELOPMENT_PAGES if DEVELOPMENT_PAGES.exists() else SAMPLES
    parser.add_argument("--source", type=Path, default=default, help="labelled pages or a folder")
    arguments = parser.parse_args()
    bodies = page_bodies(arguments.source)
    rounds = []
    for number in range(arguments.rounds):
        rounds.append(measure(bodies, arguments.pages_per_second))
        print(f"round {number + 1}: {json.dumps(rounds[-1])}", flush=True)
    figures = {
        name: {
            "median": round(statistics.median(each[name] for each in rounds), 3),
            "least": round(min(each[name] for each in rounds), 3),
            "most": round(max(each[name] for each in rounds), 3),
        }
        for name in rounds[0]
    }
    provenance = {
        "command": "make capacity-measure",
        "measured": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "cores": os.cpu_count(),
        "load_average_1_min": round(os.getloadavg()[0], 1),
        "rounds": len(rounds),
        "pages_per_second": arguments.pages_per_second,
        "partitions": PARTITIONS,
        "session_s": SESSION_S,
        "source": arguments.source.name,
    }
    written = {"provenance": provenance, "figures": figures}
    TARGET.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")


def measure(bodies: Sequence[bytes], pages_per_s: float) -> dict[str, float]:
    """Let workers start, join, leave and die under load; return seconds and repeats."""
    bootstrap = os.environ["WINNOW_KAFKA_BOOTSTRAP"]
    run = f"capacity-{time.time_ns()}"
    names = TopicNames(*(f"{run}.{kind}" for kind in ("pages", "documents", "stats", "dead")))
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario("capacity", Connection((bootstrap,)), names, run, Path(folder))
        scenario.in_production()
        scenario.partitions = PARTITIONS
        scenario.make_topics()
        crawl = Crawl(bootstrap, names.pages, bodies, pages_per_s)
        watch = Watch(bootstrap, names.documents)
        threads = [threading.Thread(target=each.run, daemon=True) for each in (crawl, watch)]
        for thread in threads:
            thread.start()
        try:
            return _events(scenario, watch)
        finally:
            crawl.ended.set()
            watch.ended.set()
            for thread in threads:
                thread.join()
            for worker in scenario.workers:
                worker.kill()


def _events(scenario: Scenario, watch: Watch) -> dict[str, float]:
    figures: dict[str, float] = {}
    begun = time.monotonic()
    scenario.start_worker()
    scenario.wait_until(lambda: bool(watch.seen))
    figures["start_s"] = watch.seen[0][0] - begun
    scenario.let_pass(SETTLE_S)
    for members in (2, 3):
        before, begun = watch.repeats(), time.monotonic()
        worker = scenario.start_worker()
        scenario.wait_ready(worker)
        figures[f"join_{members}_ready_s"] = time.monotonic() - begun
        scenario.let_pass(WATCHED_S)
        figures[f"join_{members}_pause_s"] = watch.pause_s(begun, time.monotonic())
        figures[f"join_{members}_repeats"] = watch.repeats() - before
    before, begun = watch.repeats(), time.monotonic()
    code = scenario.end_worker(scenario.workers[-1])
    if code:
        raise SystemExit(f"a stopped worker ended with {code}")
    figures["leave_exit_s"] = time.monotonic() - begun
    scenario.let_pass(WATCHED_S)
    figures["leave_pause_s"] = watch.pause_s(begun, time.monotonic())
    figures["leave_repeats"] = watch.repeats() - before
    before, begun = watch.repeats(), time.monotonic()
    scenario.kill_worker(scenario.workers[-1])
    scenario.let_pass(WATCHED_AFTER_DEATH_S)
    figures["death_pause_s"] = watch.pause_s(begun, time.monotonic())
    figures["death_repeats"] = watch.repeats() - before
    return figures


if __name__ == "__main__":
    main()
