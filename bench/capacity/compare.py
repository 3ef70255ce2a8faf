"""Compare scaling rules on simulated days: `make capacity-simulation`.

Times come from `make capacity-measure`, except the ones that a cluster adds, which are assumptions
below. Writes the section of docs/capacity.md and its drawings.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bench.capacity import drawing
from bench.capacity.crawls import CRAWLS, HOURS
from bench.capacity.group import Times
from bench.capacity.model import page_cpu_us
from bench.capacity.scalers import Rule
from bench.capacity.sections import DOCS, replace_section
from bench.capacity.simulation import Case, Day, Outcome

MEASURED: Final = Path(__file__).with_name("rebalances.json")
POD_S: Final = 10.0  # assumed: scheduling, and a container from an image on the node
SESSION_S: Final = 60.0  # the default of WINNOW_SESSION_SECONDS
PARTITIONS: Final = 12
SECOND_LAG: Final = 20_000
RULES: Final = (
    Rule("fixed 4", fixed=4),
    Rule("fixed 10", fixed=10),
    Rule("CPU 80 %", cpu=0.8),
    Rule("lag 2,000", lag_per_pod=2000),
    Rule("lag 20,000", lag_per_pod=SECOND_LAG),
    Rule("lag 2,000 or CPU 80 %", lag_per_pod=2000, cpu=0.8),
    Rule("lag 20,000 or CPU 80 %", lag_per_pod=SECOND_LAG, cpu=0.8),
)
DRAWN: Final = ("CPU 80 %", "lag 2,000", "lag 2,000 or CPU 80 %")


def measured_times() -> Times:
    """Return the measured times; for rebalances the longest median, as in a cluster at least."""
    figures: dict[str, dict[str, float]] = json.loads(MEASURED.read_text())["figures"]
    pause_s = max(
        each["median"]
        for name, each in figures.items()
        if name.endswith("pause_s") and not name.startswith("death")
    )
    return Times(page_cpu_us() / 1e6, POD_S, figures["start_s"]["median"], pause_s, SESSION_S)


def main() -> None:
    """Simulate every rule on every crawl; write tables and drawings."""
    times = measured_times()
    outcomes: dict[str, dict[str, Outcome]] = {}
    for crawl, rate in CRAWLS.items():
        outcomes[crawl] = {}
        for rule in RULES:
            outcome = Day(Case(rate, rule, times, PARTITIONS, HOURS[crawl] * 3600)).run()
            outcomes[crawl][rule.name] = outcome
            print(f"{crawl:7} {_row(rule.name, outcome)}", flush=True)
    (DOCS / "capacity-rules.svg").write_text(drawing.costs(outcomes))
    drawn = {name: outcomes["bursty"][name] for name in DRAWN}
    (DOCS / "capacity-bursty.svg").write_text(drawing.days(drawn, PARTITIONS))
    replace_section("simulation", _section(times, outcomes))


def _section(times: Times, outcomes: Mapping[str, Mapping[str, Outcome]]) -> str:
    provenance: dict[str, Any] = json.loads(MEASURED.read_text())["provenance"]
    head = (
        f"A page takes {times.page_s * 1e3:.2f} ms, so a process cleans {1 / times.page_s:.0f} per "
        f"second. Measured here ({provenance['measured']}, {provenance['cores']} cores, load "
        f"{provenance['load_average_1_min']}): start of a process {times.start_s:.1f} s, a "
        f"rebalance {times.pause_s:.1f} s. Assumed: {times.pod_s:.0f} s for a pod until its "
        f"process starts, a session of {times.session_s:.0f} s, one death per pod and day, "
        f"{PARTITIONS} partitions."
    )
    lines = [head]
    for crawl, by_rule in outcomes.items():
        lines += [
            "",
            f"**{crawl.capitalize()}**, {HOURS[crawl]:g} hours",
            "",
            _HEAD,
            "|---" + "|---:" * 8 + "|",
        ]
        lines += [_row(name, outcome) for name, outcome in by_rule.items()]
    return "\n".join(lines)


_HEAD: Final = (
    "| rule | wait p50 s | p99 s | max s | max lag | mean pods | max pods "
    "| rebalances per hour | pages per million cleaned twice |"
)


def _row(name: str, outcome: Outcome) -> str:
    most_lag = max(lag for _, lag, _ in outcome.series)
    return (
        f"| {name} | {outcome.wait_p50_s:,.1f} | {outcome.wait_p99_s:,.1f} "
        f"| {outcome.wait_max_s:,.0f} | {most_lag:,} | {outcome.mean_pods:,.2f} "
        f"| {outcome.most_pods} | {outcome.rebalances / outcome.hours:.1f} "
        f"| {outcome.repeats / outcome.done * 1e6:,.0f} |"
    )


if __name__ == "__main__":
    main()
