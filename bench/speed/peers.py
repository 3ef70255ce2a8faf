"""`make bench-peers`: cost and accuracy of Winnow's engines and of other tools.

    python -m bench.speed.peers PYTHON RUST_WORKER [--pages N] [--rounds N] [--write]

All clean the same pages in turns, batch by batch, in one run; before each batch they clean another
one, which is not timed. The unit of cost is a bare parse of the page; a tool in a separate process
reports its CPU. All get the same decoded pages, from sites that are only for testing. `--write`
writes bench/RESULTS-peers.md, the figures for docs/compare.md and the README, and the drawing
docs/peers.svg. The exit code is 1 if a bar is missed.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from bench.compare.files import write
from bench.speed.rows import Row, ratio_at_least, table
from winnow.lab.measure.interleave import Rounds
from winnow.lab.measure.metrics import f_measure, occ_overlap
from winnow.lab.measure.peers.pages import decoded
from winnow.lab.measure.peers.process import Tool
from winnow.lab.measure.tokens import tokens
from winnow.lab.report.plots import Point, scatter
from winnow.lab.report.svg import svg_file
from winnow.lab.sets.parts import Part
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, tasks
from winnow.models.cleaner import Cleaner
from winnow.models.document import Document, Page
from winnow.models.ngram import LanguageModels
from winnow.models.options import CleanerOptions

SHARED: Final = Path(__file__).parents[3] / "shared"
TABLE: Final = Path(__file__).parents[1] / "RESULTS-peers.md"
FIGURE: Final = Path(__file__).parents[2] / "docs/peers.svg"
# engines trained without these pages, and trained with them: see docs/evaluation.md
UNSEEN: Final = ("cleaneval", "dragnet")
SETS: Final = (*UNSEEN, "wcxb", "fundus")
BATCH: Final = 32
PARSE: Final = "parse"
ENGINES: Final = {
    "hybrid": {},
    "hybrid:training=open": {"training": "open"},
    "contrast": {"engine": "contrast"},
    "web2text": {"engine": "web2text"},
    "perplexity": {"engine": "perplexity"},
}
TOOLS: Final = (
    *("resiliparse", "turbohtml", "html-to-markdown"),
    *("readability-lxml", "trafilatura", "trafilatura-no-comments"),
    *("inscriptis", "justext", "boilerpy3"),
)
RUST_TOOL: Final = "rs-trafilatura"
# minimum ratio of a tool's cost to the hybrid engine's
BARS: Final = {
    "resiliparse": 1.0,
    RUST_TOOL: 8.0,
    "readability-lxml": 12.0,
    "trafilatura-no-comments": 12.0,
    "trafilatura": 12.0,
}

# pages -> their texts and CPU seconds
Variant = Callable[[Sequence[Page]], tuple[list[str], float]]


@dataclass(frozen=True, slots=True)
class Measured:
    """Accuracy and CPU of every variant on the pages of one set."""

    pages: int
    kilobytes: float
    f: Mapping[str, float]
    rounds: Rounds


def main() -> None:
    """Measure all sets; print the table, and write it with `--write`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", help="interpreter of an environment of lab/measure/peers")
    parser.add_argument("rust", help="the built worker of lab/measure/peers/rs")
    parser.add_argument("--pages", type=int, default=100, help="maximum pages per set")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write the table and the drawing")
    chosen = parser.parse_args()
    if not SHARED.is_dir():
        sys.exit("bench-peers needs the pages in ../shared, which are missing")
    tools = {
        name: Tool([chosen.python, "-m", "winnow.lab.measure.peers.tools", name]) for name in TOOLS
    }
    tools[RUST_TOOL] = Tool([chosen.rust])
    variants: dict[str, Variant] = {PARSE: _parsed}
    models = LanguageModels.shipped()
    for name, values in ENGINES.items():
        variants[name] = _engine(Cleaner(CleanerOptions().with_values(values), models))
    variants |= {name: _tool(tool) for name, tool in tools.items()}
    try:
        found = {name: _measure(_tasks(name, chosen.pages), variants, chosen) for name in SETS}
    finally:
        for tool in tools.values():
            tool.close()
    bars = _bars(found)
    text = f"{_table(found)}\n\n{table(bars)}"
    print(text)
    if chosen.write:
        write("speed", {"sets": {name: _costs(each) for name, each in found.items()}})
        TABLE.write_text(_page(found, text), encoding="utf-8")
        FIGURE.write_text(_figure(found), encoding="utf-8")
    missed = [row.part for row in bars if not row.holds]
    sys.exit("bars missed: " + "; ".join(missed) if missed else 0)


def _tasks(name: str, most: int) -> list[Task]:
    """Return decoded pages of the test part, chosen by a hash of their ids."""
    source = SHARED / "pages" / f"{name}.tar.zst"
    found = list(tasks(source, gold_set_of(source), Selection(part=Part.TEST)))
    drawn = sorted(found, key=lambda task: sha256(task.in_set.encode()).digest())[:most]
    return [
        Task(
            Page(task.page.url or "http://page.invalid/", decoded(task.page).encode()),
            task.wanted,
            task.in_set,
            task.site,
        )
        for task in drawn
    ]


def _measure(
    wanted: Sequence[Task], variants: Mapping[str, Variant], chosen: argparse.Namespace
) -> Measured:
    pages = [task.page for task in wanted]
    # the first round warms up; accuracy is computed from its texts
    f = {name: _f(run(pages)[0], wanted) for name, run in variants.items() if name != PARSE}
    seconds: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(chosen.rounds):
        for taken in seconds.values():
            taken.append(0.0)
        for start in range(0, len(pages), BATCH):
            before = pages[max(0, start - BATCH) : start] or pages[-BATCH:]
            for name, run in variants.items():
                run(before)  # memory that was idle for seconds is slow at first
                seconds[name][-1] += run(pages[start : start + BATCH])[1]
    size = fmean(len(page.body) for page in pages) / 1000
    return Measured(len(pages), size, f, Rounds(seconds))


def _f(texts: Sequence[str], wanted: Sequence[Task]) -> float:
    """Return occ F x 100 of the means over pages (Barbaresi and Lejeune 2020)."""
    overlaps = [
        occ_overlap(
            tokens(text, task.wanted.language), tokens(task.wanted.text, task.wanted.language)
        )
        for text, task in zip(texts, wanted, strict=True)
    ]
    precision = fmean(each.precision for each in overlaps)
    return 100 * f_measure(precision, fmean(each.recall for each in overlaps))


def _parsed(pages: Sequence[Page]) -> tuple[list[str], float]:
    started = process_time()
    for page in pages:
        LexborHTMLParser(page.body)
    return [], process_time() - started


def _engine(cleaner: Cleaner) -> Variant:
    def run(pages: Sequence[Page]) -> tuple[list[str], float]:
        texts: list[str] = []
        spent = 0.0
        for start in range(0, len(pages), BATCH):
            started = process_time()
            documents = cleaner.clean_batch(pages[start : start + BATCH])
            spent += process_time() - started
            texts += [each.text if isinstance(each, Document) else "" for each in documents]
        return texts, spent

    return run


def _tool(tool: Tool) -> Variant:
    def run(pages: Sequence[Page]) -> tuple[list[str], float]:
        replies = [tool.extract({"html": page.body.decode(), "language": ""}) for page in pages]
        spent = sum(float(str(reply["cpu_ms"])) for reply in replies)
        return [str(reply["text"]) for reply in replies], spent / 1000

    return run


def _bars(found: Mapping[str, Measured]) -> list[Row]:
    rows = []
    for name, each in found.items():
        rows += [
            ratio_at_least(f"{name}: {tool} / hybrid", each.rounds.ratio(tool, "hybrid"), bar)
            for tool, bar in BARS.items()
        ]
    return rows


def _table(found: Mapping[str, Measured]) -> str:
    heads = [f"F, {name}" for name in found] + [f"cost, {name}" for name in found]
    lines = [f"| | {' | '.join(heads)} |", "|---|" + "---:|" * len(heads)]
    first = next(iter(found.values()))
    for name in sorted(first.f, key=lambda one: -_mean_f(found, one)):
        cells = [f"{each.f[name]:.1f}" for each in found.values()]
        cells += [str(each.rounds.ratio(name, PARSE)) for each in found.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _mean_f(found: Mapping[str, Measured], name: str) -> float:
    return fmean(found[each].f[name] for each in UNSEEN)


def _cost(found: Mapping[str, Measured], name: str) -> float:
    return fmean(found[each].rounds.ratio(name, PARSE).median for each in UNSEEN)


def _costs(measured: Measured) -> dict[str, dict[str, float]]:
    """Return the CPU of a page by tool: milliseconds, and multiples of a bare parse."""
    rounds = measured.rounds
    return {
        name: {
            "ms": round(1000 * rounds.seconds(name) / measured.pages, 4),
            "parses": round(rounds.ratio(name, PARSE).median, 4),
        }
        for name in measured.f
    }


def _figure(found: Mapping[str, Measured]) -> str:
    """Draw cost against accuracy on the sets outside of training."""
    names = [name for name in found[UNSEEN[0]].f if name != "hybrid"]
    points = [
        Point(name, _cost(found, name), _mean_f(found, name), name in ENGINES) for name in names
    ]
    drawn = scatter(points, "CPU of a page / bare parse", "occ F x 100, CleanEval and dragnet")
    return svg_file(drawn, ".peer{fill:#8a949e}")


def _page(found: Mapping[str, Measured], text: str) -> str:
    sizes = ", ".join(
        f"{each.pages} of {name} of {each.kilobytes:.0f} kB" for name, each in found.items()
    )
    return f"""# Cost and accuracy

Written by `make bench-peers BENCH_ARGS=--write`: pages of sites that are for testing only,
{sizes}.
F is occ F x 100; cost is CPU relative to a bare parse of the same pages: median over rounds with
minimum and maximum. `hybrid` was trained on all of these pages, `hybrid:training=open` only on
wcxb: for it, pages and sites of the other sets are unseen.

{text}
"""


if __name__ == "__main__":
    main()
