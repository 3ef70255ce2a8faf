"""Energy of cleaning, and of searching cleaned pages: equation 9 of the first paper.

    python -m winnow.lab.downstream.energy ../shared/pages/*.tar.zst \
        --search build/downstream/search

kg CO2 = CPU hours * 0.341 kg/kWh * watts / 1000. CPU hours of cleaning are measured here, page by
page, with all variants in turn; CPU hours of queries come from `winnow.lab.downstream.search`.
`--watts` is the power of one core: the processor's thermal design power divided by its number of
cores. If the processor counts joules (RAPL), they are shown too.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Final

from winnow.lab.downstream.indexes import Costs, costs_in
from winnow.lab.downstream.tables import Results, write_results
from winnow.lab.downstream.variants import BASE, VARIANTS, variant
from winnow.lab.sets.tasks import Selection, gold_set_of, tasks
from winnow.models.document import Page

KG_PER_KWH: Final = 0.341
# 105 W for 8 cores, typical of server processors
WATTS: Final = 13.0
MILLION: Final = 1_000_000
QUERIES: Final = 10_000
NS_PER_S: Final = 1e9
RAPL: Final = Path("/sys/class/powercap/intel-rapl:0/energy_uj")
PAPER: Final = (
    "Paper: 0.65 kg for stripping tags and 0.65 kg for scoring 50 M pages; 1 M queries 14.5 kg "
    "without cleaning, 7.4 to 8.1 kg with it."
)


@dataclass(frozen=True, slots=True)
class Work:
    """CPU seconds per page, and joules if the processor counts them."""

    cpu_s: float
    joules: float | None


def kg_co2(cpu_hours: float, watts: float) -> float:
    """Return equation 9."""
    return cpu_hours * KG_PER_KWH * watts / 1000


def cleaning(pages: Sequence[Page]) -> dict[str, Work]:
    """Return the mean cost per page of each variant; the first pass is not measured."""
    found = {}
    for name in VARIANTS:
        text_of = variant(name)
        for page in pages[:20]:
            text_of(page)
        started, joules = thread_time(), _joules()
        for page in pages:
            text_of(page)
        spent = thread_time() - started
        after = _joules()
        used = None if joules is None or after is None else (after - joules) / len(pages)
        found[name] = Work(spent / len(pages), used)
    return found


def break_even(clean_kg: float, query_kg: float, base_query_kg: float) -> float | None:
    """Return after how many million queries cleaning pays off; None if never."""
    saved = base_query_kg - query_kg
    return clean_kg / saved if saved > 0 else None


def table(
    works: Mapping[str, Work], costs: Mapping[str, Costs], watts: float, pages: int
) -> Results:
    """Return kg CO2 by variant, and after how many searches cleaning pays off."""
    base_kg = _queries_kg(costs["raw"], watts)
    rows = []
    for name in VARIANTS:
        clean_kg = kg_co2(works[name].cpu_s * MILLION / 3600, watts)
        query_kg = _queries_kg(costs[name], watts)
        pays = break_even(clean_kg, query_kg, base_kg)
        joules = works[name].joules
        rows.append(
            (
                name,
                (
                    f"{works[name].cpu_s / works[BASE].cpu_s:.1f}",
                    f"{works[name].cpu_s * MILLION / 3600:.2f}",
                    f"{clean_kg:.4f}",
                    "not counted" if joules is None else f"{joules * MILLION / 3.6e6:.3f} kWh",
                    f"{query_kg:.4f}",
                    "-" if name == "raw" else "never" if pays is None else f"{pays:.1f} M",
                ),
            )
        )
    columns = (
        f"CPU / {BASE}",
        "CPU hours, 1 M pages",
        "kg CO2, 1 M pages",
        "RAPL, 1 M pages",
        "kg CO2, 1 M queries",
        "queries until it pays off",
    )
    notes = (
        f"{watts:g} W per core, {KG_PER_KWH} kg/kWh; hours are of this machine.",
        "Queries are over the indexes of `lab.downstream.search`; savings are against raw pages.",
        f"Cleaning: mean of {pages} pages. Joules where the processor counts them (RAPL).",
        PAPER,
    )
    return Results("Energy, by equation 9", columns, tuple(rows), notes)


def _queries_kg(costs: Costs, watts: float) -> float:
    fastest = min(costs.search_ns) / NS_PER_S / QUERIES
    return kg_co2(fastest * MILLION / 3600, watts)


def _joules() -> float | None:
    try:
        return int(RAPL.read_text()) / 1e6
    except OSError:
        return None


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--search", type=Path, required=True, help="folder with costs.tsv")
    parser.add_argument("--watts", type=float, default=WATTS, help="power of one core")
    parser.add_argument("--limit", type=int, default=40, help="pages of each group")
    parser.add_argument("--out", type=Path, default=Path("build/downstream"))
    chosen = parser.parse_args()
    pages = [
        task.page
        for source in chosen.sources
        for task in tasks(source, gold_set_of(source), Selection(limit=chosen.limit))
    ]
    results = table(cleaning(pages), costs_in(chosen.search), chosen.watts, len(pages))
    write_results(chosen.out, "energy", [results])


if __name__ == "__main__":
    main()
