"""`make bench-kernel`: the cost of cleaning in units of one bare lexbor parse.

Every figure of cost is a ratio of CPU time between variants that take turns in one run, or is
labelled as specific to this machine. Results are checked before they are timed: documents against a
second cleaning page by page, sentences against NLTK. Needs the development pages and training text
in ../shared. The exit code is 1 if a bar is missed.
"""

import argparse
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.speed import hostile, language_model, threads, training, whole_pages
from bench.speed.rows import Row, table
from winnow.models.document import Page
from winnow.models.ngram import NgramModel

PARTS: Final = (*whole_pages.SETS, "threads", "hostile", "model", "training")
TABLE: Final = Path(__file__).parents[1] / "RESULTS.md"


def main() -> None:
    """Run all parts and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pages", type=int, default=200, help="pages of each set")
    arguments.add_argument("--part", choices=PARTS, action="append", help="default: all parts")
    arguments.add_argument("--write", action="store_true", help="also write bench/RESULTS.md")
    chosen = arguments.parse_args()
    if chosen.write and chosen.part:
        arguments.error("--write needs all parts")
    if not whole_pages.SHARED.is_dir():
        sys.exit("bench-kernel needs the pages and the text in ../shared, which are missing")
    model = NgramModel.shipped()
    sets = whole_pages.development_pages(whole_pages.SHARED / "pages", chosen.pages)
    rows = []
    for row in _measured(chosen.part or PARTS, sets, model):
        print(f"{row.part}: {row.figure}", file=sys.stderr, flush=True)
        rows.append(row)
    text = table(rows)
    print(text)
    if chosen.write:
        TABLE.write_text(f"{_head(model)}\n{text}\n", encoding="utf-8")
    missed = [row.part for row in rows if not row.holds]
    sys.exit("bars missed: " + "; ".join(missed) if missed else 0)


def _measured(
    parts: Sequence[str], sets: Mapping[str, Sequence[Page]], model: NgramModel
) -> Iterator[Row]:
    yield from whole_pages.rows({name: sets[name] for name in sets if name in parts}, model)
    if "threads" in parts:
        yield from threads.rows(sets, model)
    if "hostile" in parts:
        yield from hostile.rows(sets, whole_pages.SHARED / "pages", model)
    if "model" in parts:
        yield from language_model.rows(sets["dragnet"], whole_pages.SHARED / "corpus", model)
    if "training" in parts:
        yield from training.rows(whole_pages.SHARED / "corpus")


def _head(model: NgramModel) -> str:
    return f"""# Results

Written by `make bench-kernel BENCH_ARGS=--write` on {platform.machine()}, Python \
{platform.python_version()}, with the shipped model {model.digest[:12]}.
Ratios are medians over rounds, with minimum and maximum.
"""


if __name__ == "__main__":
    main()
