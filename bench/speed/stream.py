"""Cost of the stream around the cleaner: a worker with a no-op cleaner and bare client loops.

Needs a real Kafka in `WINNOW_KAFKA_BOOTSTRAP`. All variants read the same topic in turn, in several
rounds, each in a new process; only ratios within one round are compared. Each must have stored two
records per page before its cost counts.
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
from winnow.lab.sets.labelled import labelled_pages
from winnow.worker.batch.inputs import SAMPLES

COMPARED: Final = ("aiokafka", "winnow", "confluent")
REAL: Final = "winnow-real"
PARTITIONS: Final = 4
DEVELOPMENT_PAGES: Final = Path(__file__).parents[3] / "shared/pages/dragnet.tar.zst"
MAX_MESSAGE_BYTES: Final = 10 << 20
TABLE: Final = Path(__file__).parents[1] / "RESULTS-stream.md"
HEAD: Final = """# Cost of the stream

Written by `make bench-stream BENCH_ARGS=--write`: {pages} pages of {bytes:,.0f} bytes, on {cores}
cores. `winnow` is a whole worker with a no-op cleaner, `winnow-real` one that cleans; `aiokafka`
and `confluent` are minimal loops that lose no page.
Medians over rounds, with minimum and maximum. Wall time depends on other load of the machine:
without a free core, pages/s is at most the inverse of the CPU.
"""


def main() -> None:
    """Fill a topic, run the rounds, print the tables."""
    arguments = _arguments()
    bootstrap = os.environ["WINNOW_KAFKA_BOOTSTRAP"]
    topics = create_topics(bootstrap)
    try:
        bodies = page_bodies(arguments.source)
        mean = fill(bootstrap, topics["pages"], bodies, arguments.pages)
        print(f"{arguments.pages} pages of {mean:,.0f} bytes from {arguments.source}")
        rounds = [_round(bootstrap, topics, arguments, i) for i in range(arguments.rounds)]
    finally:
        delete_topics(bootstrap, topics)
    text = _table(rounds)
    print(text)
    if arguments.write:
        head = HEAD.format(pages=arguments.pages, bytes=mean, cores=os.cpu_count())
        load = f"Load average at the end: {os.getloadavg()[1]:.0f}, over five minutes.\n"
        TABLE.write_text(f"{head}{load}\n{text}\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=6000, help="pages per variant")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--real-share", type=float, default=0.25, help="share of pages that are really cleaned"
    )
    parser.add_argument("--write", action="store_true", help="also write bench/RESULTS-stream.md")
    default = DEVELOPMENT_PAGES if DEVELOPMENT_PAGES.exists() else SAMPLES
    parser.add_argument("--source", type=Path, default=default, help="labelled pages or a folder")
    return parser.parse_args()


def create_topics(bootstrap: str, partitions: int = PARTITIONS) -> dict[str, str]:
    """Create the four topics of a run; return their names by kind."""
    run = f"bench-{time.time_ns()}"
    topics = {kind: f"{run}.{kind}" for kind in ("pages", "documents", "stats", "dead")}
    config = {"max.message.bytes": str(MAX_MESSAGE_BYTES)}
    new = [NewTopic(name, partitions, 1, config=config) for name in topics.values()]
    admin = AdminClient({"bootstrap.servers": bootstrap})
    for created in admin.create_topics(new).values():
        created.result()
    return topics


def delete_topics(bootstrap: str, topics: dict[str, str]) -> None:
    """Delete the topics of `create_topics`."""
    admin = AdminClient({"bootstrap.servers": bootstrap})
    for deleted in admin.delete_topics(list(topics.values())).values():
        deleted.result()


def page_bodies(source: Path) -> list[bytes]:
    """Return the pages of a source, each once."""
    if source == SAMPLES:
        return [path.read_bytes() for path in sorted(SAMPLES.glob("*.*html"))]
    return [page.html for page in labelled_pages(source)]


def fill(
    bootstrap: str,
    topic: str,
    bodies: Sequence[bytes],
    pages: int,
    site: str = "https://example.org",
) -> float:
    """Publish pages, each under a unique URL; return their mean size in bytes."""
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
        key = f"{site}/{number}"
        producer.produce(topic, body, key=key)
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
        before = stored_records(bootstrap, topics)
        costs[variant] = run_variant(variant, Plan(bootstrap, topics, group, pages))
        stored = stored_records(bootstrap, topics) - before
        if stored < 2 * pages and variant != REAL:  # a real cleaner refuses some pages
            raise SystemExit(f"{variant} stored {stored} records for {pages} pages")
        print(f"round {number + 1}  {variant:12}{_shown(costs[variant])}", flush=True)
    return costs


def stored_records(bootstrap: str, topics: dict[str, str], partitions: int = PARTITIONS) -> int:
    """Return the number of documents and statistics in the topics."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "bench-count"})
    total = 0
    for name in (topics["documents"], topics["stats"]):
        for number in range(partitions):
            low_high = consumer.get_watermark_offsets(TopicPartition(name, number), timeout=10)
            total += low_high[1]
    consumer.close()
    return total


def run_variant(variant: str, plan: Plan) -> Cost:
    """Run a variant in a new process."""
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
        f"{cpu_us(cost):6.0f} us CPU per page  {_rate(cost):6.0f} pages/s  "
        f"{cost.max_rss_mb:4d} MB" + (f"  ms per batch: {parts}" if parts else "")
    )


def cpu_us(cost: Cost) -> float:
    """Return the CPU per page, in microseconds."""
    return cost.cpu_s / cost.pages * 1e6


def _rate(cost: Cost) -> float:
    return cost.pages / cost.wall_s


def _table(rounds: Sequence[dict[str, Cost]]) -> str:
    lines = ["| variant | us of CPU per page | pages/s | peak MB |", "|---|---:|---:|---:|"]
    for name in (*COMPARED, REAL):
        costs = [each[name] for each in rounds]
        cpu, rate = median([cpu_us(cost) for cost in costs]), median([_rate(c) for c in costs])
        lines.append(f"| {name} | {cpu} | {rate} | {max(cost.max_rss_mb for cost in costs)} |")
    lines += ["", "| ratio within a round | pages/s | CPU per page |", "|---|---:|---:|"]
    for other in ("aiokafka", "confluent"):
        rates = [_rate(each["winnow"]) / _rate(each[other]) for each in rounds]
        cpus = [cpu_us(each["winnow"]) / cpu_us(each[other]) for each in rounds]
        lines.append(f"| winnow / bare {other} | {median(rates, 2)} | {median(cpus, 2)} |")
    lines += ["", "| ms per batch | " + " | ".join(rounds[0]["winnow"].stages) + " |"]
    lines.append("|---|" + "---:|" * len(rounds[0]["winnow"].stages))
    for name in ("winnow", REAL):
        stages = [each[name].stages for each in rounds]
        parts = [median([1000 * each[stage] for each in stages]) for stage in stages[0]]
        lines.append(f"| {name} | " + " | ".join(parts) + " |")
    around = [cpu_us(each["winnow"]) / cpu_us(each[REAL]) for each in rounds]
    share = f"Share of the CPU per page that is not cleaning: {median(around, 2)}."
    return "\n".join([*lines, "", share])


def median(figures: Sequence[float], digits: int = 0) -> str:
    """Return the median of figures, with minimum and maximum."""
    middle, least, most = statistics.median(figures), min(figures), max(figures)
    return f"{middle:,.{digits}f} ({least:,.{digits}f}-{most:,.{digits}f})"


if __name__ == "__main__":
    main()
