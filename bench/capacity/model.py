"""Cores, partitions, memory and bandwidth for a rate of pages: `make capacity`.

Multiplies the CPU, bytes and memory per page in bench/capacity/costs.json; prints how well the
measurement with one process predicts two. Writes the section of docs/capacity.md.
"""

import argparse
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from bench.capacity.sections import DOCS, replace_section

COSTS: Final = Path(__file__).with_name("costs.json")
VALUES: Final = DOCS.parent / "helm/winnow/values.yaml"
RATES: Final = (1_000, 10_000, 100_000, 1_000_000)
PARTITIONS_A_PROCESS: Final = 1.2  # spare ones, so that no process is idle after the loss of a node
REPLICATION: Final = 3
MEGA: Final = 1e6
TERA: Final = 1e12
GIBI_IN_MEBI: Final = 1024
CHECKED_WITHIN: Final = 0.25


@dataclass(frozen=True)
class Stated:
    """Assumptions.

    Attributes:
        utilization: mean utilization of a core, 0 to 1.
        core_hour: price of a core per hour.
    """

    utilization: float = 0.7
    core_hour: float = 0.04


@dataclass(frozen=True, slots=True)
class Capacity:
    """Needs of a rate; bandwidth is in MB per second, over all brokers together."""

    processes: int
    partitions: int
    memory_gib: float
    brokers_in_mb: float
    brokers_out_mb: float
    redis_mb: float
    disk_tb_a_day: float
    million_pages: float


def measured_costs() -> dict[str, Any]:
    """Return the file of `make capacity-measure`."""
    costs: dict[str, Any] = json.loads(COSTS.read_text())
    return costs


def page_cpu_us() -> float:
    """Return a whole worker's CPU per page in the last measurement."""
    return float(measured_costs()["runs"]["1"]["page_cpu_us"])


def capacity(
    pages_per_s: float, costs: Mapping[str, float], pod_mib: int, stated: Stated
) -> Capacity:
    """Return the needs of a rate, in pods of one process with one thread."""
    cpu_us = costs["page_cpu_us"]
    cores = pages_per_s * cpu_us / 1e6 / stated.utilization
    processes = math.ceil(cores)
    stored = costs["page_bytes"] + costs["document_bytes"] + costs["stats_bytes"]
    return Capacity(
        processes,
        math.ceil(processes * PARTITIONS_A_PROCESS),
        processes * pod_mib / GIBI_IN_MEBI,
        pages_per_s * stored * REPLICATION / MEGA,
        pages_per_s * (costs["page_bytes"] + stored * (REPLICATION - 1)) / MEGA,
        pages_per_s * costs["redis_bytes"] / MEGA,
        pages_per_s * 86_400 * stored * REPLICATION / TERA,
        cpu_us / stated.utilization / 3600 * stated.core_hour,
    )


def check(runs: Mapping[str, Mapping[str, float]]) -> str:
    """Return rows: prediction from one process for two, and measurement."""
    one, two = runs["1"], runs["2"]
    shared_mib = one["pss_mib"] - one["private_mib"]
    foretold = {
        "CPU per page, µs": (one["page_cpu_us"], two["page_cpu_us"]),
        "memory of both (PSS), MiB": (shared_mib + 2 * one["private_mib"], two["pss_mib"]),
        "bytes per page in the pages topic": (one["page_bytes"], two["page_bytes"]),
        "bytes per page in documents": (one["document_bytes"], two["document_bytes"]),
        "bytes per page from and to Redis": (one["redis_bytes"], two["redis_bytes"]),
    }
    rows = []
    for what, (expected, measured) in foretold.items():
        error = measured / expected - 1
        verdict = "" if abs(error) <= CHECKED_WITHIN else " **off**"
        rows.append(f"| {what} | {expected:,.0f} | {measured:,.0f} | {error:+.0%}{verdict} |")
    return "\n".join(rows)


def main() -> None:
    """Print and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--core-hour", type=float, default=Stated.core_hour, help="price")
    parser.add_argument("--utilization", type=float, default=Stated.utilization)
    arguments = parser.parse_args()
    stated = Stated(arguments.utilization, arguments.core_hour)
    text = section(measured_costs(), yaml.safe_load(VALUES.read_text()), stated)
    print(text)
    replace_section("model", text)


def section(costs: Mapping[str, Any], values: Mapping[str, Any], stated: Stated) -> str:
    """Return the tables and the source of their figures."""
    one, provenance = costs["runs"]["1"], costs["provenance"]
    memory = values["memory"]
    pod_mib = values["model"]["sizeMiB"] + memory["perProcessMiB"] + memory["headroomMiB"]
    lines = []
    for rate in RATES:
        needs = capacity(rate, one, pod_mib, stated)
        lines.append(
            f"| {rate:,} | {needs.processes:,} | {needs.partitions:,} | {needs.memory_gib:,.0f} "
            f"| {needs.brokers_in_mb:,.0f} | {needs.brokers_out_mb:,.0f} | {needs.redis_mb:,.1f} "
            f"| {needs.disk_tb_a_day:,.1f} | {needs.million_pages:.3f} |"
        )
    rows = "\n".join(lines)
    return f"""Measured by `make capacity-measure`:
{provenance["pages"]:,} pages of {provenance["source"]}, whole workers,
Kafka and Redis on {provenance["cores"]} cores, {provenance["measured"]}, load
{provenance["load_average_1_min"]}: {one["page_cpu_us"]:,} µs of CPU per page,
{one["page_bytes"]:,} bytes of a page in the pages topic, as the producer wrote it,
{one["document_bytes"]:,} in documents, {one["stats_bytes"]:,} in stats,
{one["redis_bytes"]:,} from and to Redis.
Assumed: {stated.utilization:.0%} utilization, {PARTITIONS_A_PROCESS:g} partitions per process,
{REPLICATION} replicas of each topic, {stated.core_hour:g} per core-hour, pods of one process, the
chart's memory ({pod_mib} MiB). Each reader of documents adds their bytes to the brokers' output.

| pages/s | cores | partitions | memory GiB | brokers in MB/s | brokers out MB/s | \
Redis MB/s | disk TB of a day | cost of a million pages |
{"|---:" * 9}|
{rows}

The prediction from one process for two, and the measurement of two ({one["pages_per_s"]} and
{costs["runs"]["2"]["pages_per_s"]} pages per second with other programs on the machine, load
{one["load_average_1_min"]} and {costs["runs"]["2"]["load_average_1_min"]}):

| | predicted | measured | off by |
|---|---:|---:|---:|
{check(costs["runs"])}"""


if __name__ == "__main__":
    main()
