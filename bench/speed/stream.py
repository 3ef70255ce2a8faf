"""Cost of the stream around the cleaner: a worker with a no-op cleaner beside bare client loops.

Needs a real Kafka in `WINNOW_KAFKA_BOOTSTRAP`. All variants read the same topic in turn, several
rounds, each in a fresh process; only ratios within one round are compared. Each must have stored
two records a page before its cost counts.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from bench.speed.stream_variants import Cost, Plan
from worker.inputs import SAMPLES
from worker.labelled import labelled_pages

COMPARED: Final = ("aiokafka", "winnow", "confluent")
REAL: Final = "winnow-real"
PARTITIONS: Final = 4
DEVELOPMENT_PAGES: Final = Path(__file__).parents[3] / "shared/pages/dragnet.tar.zst"
MAX_MESSAGE_BYTES: Final = 10 << 20


def main() -> None:
    """Fill a topic, run the rounds, print the tables."""
    arguments = _arguments()
    bootstrap = os.environ["WINNOW_KAFKA_BOOTSTRAP"]
    topics = _create_topics(bootstrap)
    try:
        bodies = _bodies(arguments.source)
        mean = _fill(bootstrap, topics["pages"], bodies, arguments.pages)
        print(f"{arguments.pages} pages of {mean:,.0f} bytes from {arguments.source}")
        rounds = [_round(bootstrap, topics, arguments, i) for i in range(arguments.rounds)]
        _report(rounds)
    finally:
        admin = AdminClient({"bootstrap.servers": bootstrap})
        for deleted in admin.delete_topics(list(topics.values())).values():
            deleted.result()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=6000, help="pages a variant")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--real-share", type=float, default=0.25, help="of the pages, real clean")
    default = DEVELOPMENT_PAGES if DEVELOPMENT_PAGES.exists() else SAMPLES
    parser.add_argument("--source", type=Path, default=default, help="labelled pages or a folder")
    return parser.parse_args()


def _create_topics(bootstrap: str) -> dict[str, str]:
    run = f"bench-{int(time.time())}"
    topics = {kind: f"{run}.{kind}" for kind in ("pages", "documents", "stats", "dead")}
    config = {"max.message.bytes": str(MAX_MESSAGE_BYTES)}
    new = [NewTopic(name, PARTITIONS, 1, config=config) for name in topics.values()]
    admin = AdminClient({"bootstrap.servers": bootstrap})
    for created in admin.create_topics(new).values():
        created.result()
    return topics


def _bodies(source: Path) -> list[bytes]:
    if source == SAMPLES:
        return [path.read_bytes() for path in sorted(SAMPLES.glob("*.*html"))]
    return [page.html for page in labelled_pages(source)]


def _fill(bootstrap: str, topic: str, bodies: Sequence[bytes], pages: int) -> float:
    producer = Producer(
        {
            "bootstrap.servers": bootstrap,
            "linger.ms": 20,
            "message.max.bytes": MAX_MESSAGE_BYTES,
            "queue.buffering.max.kbytes": 1 << 18,
        }
    )
    total = 0
    for number in range(pages):
        body = bodies[number % len(bodies)]
        total += len(body)
        key = f"https://example.org/{number}"
        producer.produce(topic, body, key=key, partition=number % PARTITIONS)
        if number % 200 == 0:
            producer.flush()
    producer.flush()
    return total / pages


def _round(
    bootstrap: str, topics: dict[str, str], arguments: argparse.Namespace, number: int
) -> dict[str, Cost]:
    costs = {}
    for variant in (*COMPARED, REAL):
        pages = arguments.pages
        if variant == REAL:
            pages = max(1, round(pages * arguments.real_share))
        group = f"{topics['pages']}-{variant}-{number}"
        before = _stored(bootstrap, topics)
        costs[variant] = _run(variant, Plan(bootstrap, topics, group, pages))
        stored = _stored(bootstrap, topics) - before
        if stored < 2 * pages and variant != REAL:  # a real cleaner refuses some pages
            raise SystemExit(f"{variant} stored {stored} records for {pages} pages")
        print(f"round {number + 1}  {variant:12}{_shown(costs[variant])}", flush=True)
    return costs


def _stored(bootstrap: str, topics: dict[str, str]) -> int:
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "bench-count"})
    total = 0
    for name in (topics["documents"], topics["stats"]):
        for number in range(PARTITIONS):
            low_high = consumer.get_watermark_offsets(TopicPartition(name, number), timeout=10)
            total += low_high[1]
    consumer.close()
    return total


def _run(variant: str, plan: Plan) -> Cost:
    done = subprocess.run(
        [sys.executable, "-m", "bench.speed.stream_variants", variant],
        input=json.dumps(asdict(plan)).encode(),
        capture_output=True,
        check=False,
        timeout=900,
    )
    if done.returncode:
        raise SystemExit(f"{variant} failed:\n{done.stderr.decode()[-3000:]}")
    return Cost(**json.loads(done.stdout.splitlines()[-1]))


def _shown(cost: Cost) -> str:
    parts = "  ".join(f"{name} {1000 * mean:.0f}" for name, mean in cost.stages.items())
    return (
        f"{_cpu_us(cost):6.0f} us CPU a page  {_rate(cost):6.0f} pages/s  "
        f"{cost.max_rss_mb:4d} MB" + (f"  ms a batch: {parts}" if parts else "")
    )


def _cpu_us(cost: Cost) -> float:
    return cost.cpu_s / cost.pages * 1e6


def _rate(cost: Cost) -> float:
    return cost.pages / cost.wall_s


def _report(rounds: Sequence[dict[str, Cost]]) -> None:
    for other in ("aiokafka", "confluent"):
        rates = [_rate(each["winnow"]) / _rate(each[other]) for each in rounds]
        cpus = [_cpu_us(each["winnow"]) / _cpu_us(each[other]) for each in rounds]
        print(f"winnow / bare {other}: pages/s {_median(rates)}, CPU a page {_median(cpus)}")
    around = [_cpu_us(each["winnow"]) / _cpu_us(each[REAL]) for each in rounds]
    print(f"share of the CPU of a page that is not cleaning: {_median(around)}")


def _median(ratios: Sequence[float]) -> str:
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})"


if __name__ == "__main__":
    main()
