"""Measure the costs of a page in a deployment with one and two processes: `make capacity-measure`.

It uses a real Kafka, a real Redis and whole workers. CPU and memory are read from /proc, bytes of
the brokers from their logs on disk, bytes of Redis from its counters. Writes
bench/capacity/costs.json.
"""

import argparse
import json
import os
import re
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import redis
from confluent_kafka import Consumer, TopicPartition

from bench.speed.stream import DEVELOPMENT_PAGES, fill, page_bodies
from tests.faults.harness import PARTITIONS, Scenario
from tests.services.processes import ServerProcess
from winnow.streams.kafka.connection import Connection
from winnow.streams.topics import TopicNames
from winnow.worker.batch.inputs import SAMPLES

TARGET: Final = Path(__file__).with_name("costs.json")
PROCESSES: Final = (1, 2)
TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
DONE_WITHIN_S: Final = 400.0


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--logs", type=Path, required=True, help="folder of the brokers' data")
    default = DEVELOPMENT_PAGES if DEVELOPMENT_PAGES.exists() else SAMPLES
    parser.add_argument("--source", type=Path, default=default, help="labelled pages or a folder")
    arguments = parser.parse_args()
    bodies = page_bodies(arguments.source)
    runs = {}
    for processes in PROCESSES:
        runs[str(processes)] = measure(bodies, arguments.pages, processes, arguments.logs)
        print(f"{processes} processes: {json.dumps(runs[str(processes)])}", flush=True)
    written = {
        "provenance": {
            "command": "make capacity-measure",
            "measured": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            "cores": os.cpu_count(),
            "load_average_1_min": round(os.getloadavg()[0], 1),
            "pages": arguments.pages,
            "source": arguments.source.name,
        },
        "runs": runs,
    }
    TARGET.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")


def measure(bodies: Sequence[bytes], pages: int, processes: int, logs: Path) -> dict[str, float]:
    """Clean pages with a number of processes; return the costs per page."""
    bootstrap, redis_url = os.environ["WINNOW_KAFKA_BOOTSTRAP"], os.environ["WINNOW_REDIS_URL"]
    run = f"costs-{time.time_ns()}"
    names = TopicNames(*(f"{run}.{kind}" for kind in ("pages", "documents", "stats", "dead")))
    with tempfile.TemporaryDirectory() as folder:
        scenario = Scenario("costs", Connection((bootstrap,)), names, run, Path(folder))
        scenario.in_production()
        scenario.environment |= {"WINNOW_REDIS_URL": redis_url, "WINNOW_BATCH_PAGES": "128"}
        scenario.make_topics()
        try:
            workers = [scenario.start_worker() for _ in range(processes)]
            scenario.wait_ready(*workers)
            scenario.let_pass(3)  # the last process to join causes another rebalance
            cpu_s, network = sum(map(_cpu_s, workers)), _redis_bytes(redis_url)
            begun = time.monotonic()
            fill(bootstrap, names.pages, bodies, pages, f"https://{run}.example")
            scenario.ends = _ends(bootstrap, names.pages)
            scenario.wait_until(scenario.is_done, DONE_WITHIN_S)
            wall_s = time.monotonic() - begun
            used_s = sum(map(_cpu_s, workers)) - cpu_s
            memory = [_memory_mib(worker) for worker in workers]
            moved = _redis_bytes(redis_url) - network
        finally:
            for worker in scenario.workers:
                worker.kill()
    return {
        "page_cpu_us": round(used_s / pages * 1e6),
        "pages_per_s": round(pages / wall_s),
        "pss_mib": round(sum(pss for pss, _ in memory)),
        "private_mib": round(sum(private for _, private in memory) / processes),
        "page_bytes": _log_bytes(logs, names.pages) // pages,
        "document_bytes": _log_bytes(logs, names.documents) // pages,
        "stats_bytes": _log_bytes(logs, names.stats) // pages,
        "redis_bytes": moved // pages,
        "load_average_1_min": round(os.getloadavg()[0], 1),
    }


def _ends(bootstrap: str, topic: str) -> dict[int, int]:
    """Return the number of pages per partition: keys distribute them unevenly."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": topic})
    places = [TopicPartition(topic, number) for number in range(PARTITIONS)]
    ends = {each.partition: consumer.get_watermark_offsets(each, timeout=10) for each in places}
    consumer.close()
    return {partition: high for partition, (_, high) in ends.items()}


def _cpu_s(worker: ServerProcess) -> float:
    fields = Path(f"/proc/{worker.process_id.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def _memory_mib(worker: ServerProcess) -> tuple[float, float]:
    """Return PSS, and private memory."""
    text = Path(f"/proc/{worker.process_id.pid}/smaps_rollup").read_text()
    kib = {name: int(size) for name, size in re.findall(r"^(\w+): +(\d+) kB$", text, re.MULTILINE)}
    return kib["Pss"] / 1024, kib["Private_Dirty"] / 1024


def _redis_bytes(url: str) -> int:
    with redis.Redis.from_url(url) as client:
        counts = client.info("stats")
    return int(counts["total_net_input_bytes"]) + int(counts["total_net_output_bytes"])


def _log_bytes(folder: Path, topic: str) -> int:
    sizes = [file.stat().st_size for file in folder.rglob(f"{topic}-*/*.log")]
    if not sizes:
        raise SystemExit(f"{folder} has no log of {topic}: give the data folder of the brokers")
    return sum(sizes)


if __name__ == "__main__":
    main()
