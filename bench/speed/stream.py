"""Cost of the stream around the cleaner: a worker with a no-op cleaner beside bare client loops.

Needs a real Kafka (`WINNOW_KAFKA_BOOTSTRAP`, see `make services`). All variants read the same
topic in turn, several rounds, each in a fresh process; only ratios within one round are compared.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from typing import Any, Final

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

VARIANTS: Final = ("aiokafka", "winnow", "confluent")
PARTITIONS: Final = 4
PAGE_BYTES: Final = 74_000  # mean of the pages that the design was measured with
SEED: Final = 7


def main() -> None:
    """Fill a topic, run the rounds, print the table."""
    arguments = _arguments()
    bootstrap = os.environ["WINNOW_KAFKA_BOOTSTRAP"]
    topics = _create_topics(bootstrap)
    _fill(bootstrap, topics["pages"], arguments.pages)
    rounds = []
    for number in range(arguments.rounds):
        costs = {}
        for variant in VARIANTS:
            group = f"{topics['pages']}-{variant}-{number}"
            plan = {
                "bootstrap": bootstrap,
                "topics": topics,
                "group": group,
                "pages": arguments.pages,
            }
            before = _records(bootstrap, topics)
            costs[variant] = _run(variant, plan)
            stored = _records(bootstrap, topics) - before
            assert stored >= 2 * arguments.pages, f"{variant} stored {stored} records"
            print(number, variant, _shown(costs[variant]), flush=True)
        rounds.append(costs)
    _report(rounds)
    AdminClient({"bootstrap.servers": bootstrap}).delete_topics(list(topics.values()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=6000)
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def _create_topics(bootstrap: str) -> dict[str, str]:
    run = f"bench-{int(time.time())}"
    topics = {kind: f"{run}.{kind}" for kind in ("pages", "documents", "stats", "dead")}
    admin = AdminClient({"bootstrap.servers": bootstrap})
    specs = [
        NewTopic(name, PARTITIONS, 1, config={"max.message.bytes": str(10 << 20)})
        for name in topics.values()
    ]
    for created in admin.create_topics(specs).values():
        created.result()
    return topics


def _fill(bootstrap: str, topic: str, pages: int) -> None:
    random_bytes = random.Random(SEED)
    bodies = [
        b"<p>" + random_bytes.randbytes(random_bytes.randint(PAGE_BYTES // 2, PAGE_BYTES * 3 // 4)).hex().encode()
        for _ in range(100)
    ]
    producer = Producer({"bootstrap.servers": bootstrap, "linger.ms": 20})
    for number in range(pages):
        key = f"https://example.org/{number}"
        producer.produce(topic, bodies[number % 100], key=key, partition=number % PARTITIONS)
        if number % 200 == 0:
            producer.flush()
    producer.flush()


def _records(bootstrap: str, topics: dict[str, str]) -> int:
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "bench-count"})
    partitions = [
        TopicPartition(topics[kind], number)
        for kind in ("documents", "stats")
        for number in range(PARTITIONS)
    ]
    total = sum(consumer.get_watermark_offsets(each, timeout=10)[1] for each in partitions)
    consumer.close()
    return int(total)


def _run(variant: str, plan: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "bench.speed.stream_variants", variant],
        input=json.dumps(plan).encode(),
        capture_output=True,
        check=False,
        timeout=600,
    )
    if done.returncode:
        raise SystemExit(f"{variant} failed:\n{done.stderr.decode()[-3000:]}")
    cost: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return cost


def _shown(cost: dict[str, Any]) -> str:
    stages = {name: round(value * 1000, 1) for name, value in cost["stages"].items()}
    return (
        f"{_cpu_us(cost):.0f} us CPU/page, {_rate(cost):.0f} pages/s, "
        f"{cost['max_rss_mb']} MB, ms a batch {stages}"
    )


def _cpu_us(cost: dict[str, Any]) -> float:
    return float(cost["cpu_s"] / cost["pages"] * 1e6)


def _rate(cost: dict[str, Any]) -> float:
    return float(cost["pages"] / cost["wall_s"])


def _report(rounds: list[dict[str, dict[str, Any]]]) -> None:
    rates = [_rate(each["winnow"]) / _rate(each["aiokafka"]) for each in rounds]
    cpus = [_cpu_us(each["winnow"]) / _cpu_us(each["aiokafka"]) for each in rounds]
    print(f"winnow / aiokafka: pages/s {statistics.median(rates):.2f} ({_span(rates)})")
    print(f"winnow / aiokafka: CPU a page {statistics.median(cpus):.2f} ({_span(cpus)})")


def _span(values: list[float]) -> str:
    return f"{min(values):.2f}-{max(values):.2f}"


if __name__ == "__main__":
    main()
