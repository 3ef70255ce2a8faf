"""Texts -> Lucene indexes: ranks of the wanted pages, and costs."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROGRAM: Final = Path(__file__).parent / "lucene" / "Search.java"


@dataclass(frozen=True, slots=True)
class Costs:
    """Cost of an index: bytes, CPU nanoseconds of each build and of 10,000 queries."""

    index_bytes: int
    build_ns: tuple[int, ...]
    search_ns: tuple[int, ...]


def run_lucene(
    folder: Path, jars: Path, rounds: int
) -> tuple[dict[tuple[str, str], list[int]], dict[str, Costs]]:
    """Return the ranks by variant and similarity, and the costs by variant."""
    command = ["java", "-cp", f"{jars}/*", str(PROGRAM), str(folder), str(rounds)]
    subprocess.run(command, check=True)  # noqa: S603 - our own program
    ranks: dict[tuple[str, str], list[int]] = {}
    for line in (folder / "ranks.tsv").read_text().splitlines():
        name, similarity, _, rank = line.split("\t")
        ranks.setdefault((name, similarity), []).append(int(rank))
    return ranks, costs_in(folder)


def costs_in(folder: Path) -> dict[str, Costs]:
    """Read the costs of a run by variant."""
    costs = {}
    for line in (folder / "costs.tsv").read_text().splitlines():
        name, size, build, search = line.split("\t")
        costs[name] = Costs(int(size), _integers(build), _integers(search))
    return costs


def _integers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))
