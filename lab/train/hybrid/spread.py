"""Print the spread of trainings with several seeds: mean, minimum and maximum by group.

python -m winnow.lab.train.hybrid.spread build/seeds/0.jsonl build/seeds/1.jsonl build/seeds/2.jsonl

A file has the output of `winnow.lab.train.hybrid --fold` with one seed, one line per fold. The
figure of a seed is the mean of its folds.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

Figures = Mapping[str, float]


def spread(seeds: Sequence[Sequence[Figures]]) -> Iterator[str]:
    """Yield the rows of a Markdown table; `seeds` has the folds of each seed.

    Raises:
        ValueError: seeds have different numbers of folds.
    """
    if len({len(folds) for folds in seeds}) != 1:
        raise ValueError(f"seeds differ in folds: {[len(folds) for folds in seeds]}")
    names = sorted({name for folds in seeds for figures in folds for name in figures})
    for name in names:
        found = [fmean(figures[name] for figures in folds if name in figures) for folds in seeds]
        yield f"| {name} | {fmean(found):.1f} | {min(found):.1f} | {max(found):.1f} |"


def main() -> None:
    """Read the files and print the table."""
    parser = argparse.ArgumentParser(
        "winnow.lab.train.hybrid.spread",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("seeds", nargs="+", type=Path, metavar="FILE", help="lines of one seed")
    files = [path.read_text(encoding="utf-8").splitlines() for path in parser.parse_args().seeds]
    try:
        rows = list(spread([[json.loads(line) for line in lines] for lines in files]))
    except ValueError as error:
        sys.exit(f"winnow.lab.train.hybrid.spread: {error}")
    print(f"{len(files)} seeds, {len(files[0])} folds")
    print("| group | mean | min | max |\n|---|---:|---:|---:|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
