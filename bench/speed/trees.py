"""`make bench-trees OLD=PATH`: compare the cost of a page in this tree and in another.

Both trees run in separate processes and clean the same batches in turns. The unit is a bare lexbor
parse of the page. First the texts of both trees are compared: the table has the number of pages
that differ. OLD is a checkout with a built kernel, of any commit that has `winnow.models`.
"""

import argparse
import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import TracebackType
from typing import Final, Self

from bench.speed.rows import Row, table
from bench.speed.whole_pages import BATCH, SETS, SHARED, development_pages
from winnow.lab.measure.interleave import Rounds
from winnow.models.document import Page

HERE: Final = Path(__file__).parents[2]
CHILD: Final = Path(__file__).with_name("tree_child.py")
ENGINES: Final = ("hybrid", "perplexity", "contrast", "web2text")
FORMATS: Final = ("text", "markdown")
PARSE: Final = "parse"


class Tree:
    """One checkout in a separate process."""

    def __init__(self, folder: Path, pages: Path) -> None:
        """Start the process with the pages of a file."""
        self._process = subprocess.Popen(
            [sys.executable, str(CHILD), str(pages)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(folder)},
            cwd=folder,
            text=True,
        )

    def __enter__(self) -> Self:
        """Return this object."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def clean(self, engine: str, form: str, first: int) -> tuple[float, list[str]]:
        """Return the CPU seconds of one batch and a digest of each text."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{engine} {form} {first} {first + BATCH}\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return answer["cpu_s"], answer["texts"]


def main() -> None:
    """Compare the trees on all sets and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="another checkout with a built kernel")
    parser.add_argument("--pages", type=int, default=200, help="maximum pages per set")
    parser.add_argument("--set", action="append", help=f"of ../shared/pages; default: {SETS}")
    parser.add_argument("--rounds", type=int, default=7, help="0: only compare the texts")
    parser.add_argument("--engine", choices=ENGINES, action="append", help="default: all")
    chosen = parser.parse_args()
    if not SHARED.is_dir():
        sys.exit("bench-trees needs the pages in ../shared, which are missing")
    engines = chosen.engine or ENGINES
    sets = development_pages(SHARED / "pages", chosen.pages, chosen.set or SETS)
    rows = [
        row
        for name, pages in sets.items()
        for row in _rows(name, pages, chosen.old.resolve(), engines, chosen.rounds)
    ]
    print(table(rows))


def _rows(
    name: str, pages: Sequence[Page], old: Path, engines: Sequence[str], rounds: int
) -> Iterator[Row]:
    stored = [[page.url, b64encode(page.body).decode()] for page in pages]
    with NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(stored, file)
        file.flush()
        with Tree(old, Path(file.name)) as before, Tree(HERE, Path(file.name)) as now:
            trees = {"old": before, "new": now}
            yield from _texts(name, trees, engines, len(pages))
            if rounds:
                yield from _costs(name, trees, engines, (len(pages), rounds))


def _texts(name: str, trees: dict[str, Tree], engines: Sequence[str], pages: int) -> Iterator[Row]:
    for engine in engines:
        for form in FORMATS:
            different = sum(
                one != other
                for first in range(0, pages, BATCH)
                for one, other in zip(
                    *(tree.clean(engine, form, first)[1] for tree in trees.values()), strict=True
                )
            )
            yield Row(f"{name}, {engine}, {form}: pages that differ", f"{different} of {pages}")


def _costs(
    name: str, trees: dict[str, Tree], engines: Sequence[str], size: tuple[int, int]
) -> Iterator[Row]:
    pages, rounds = size
    variants = [(tree, engine) for engine in (PARSE, *engines) for tree in trees]
    seconds: dict[str, list[float]] = {f"{tree} {engine}": [] for tree, engine in variants}
    for _ in range(rounds):
        for taken in seconds.values():
            taken.append(0.0)
        for first in range(0, pages, BATCH):
            for tree, engine in variants:
                spent = trees[tree].clean(engine, "text", first)[0]
                seconds[f"{tree} {engine}"][-1] += spent
    found = Rounds(seconds)
    for engine in engines:
        old = found.ratio(f"old {engine}", f"old {PARSE}")
        new = found.ratio(f"new {engine}", f"new {PARSE}")
        share = found.ratio(f"new {engine}", f"old {engine}")
        yield Row(f"{name}, {engine}: parses, old", str(old))
        yield Row(f"{name}, {engine}: parses, new", str(new))
        yield Row(f"{name}, {engine}: new / old", str(share))


if __name__ == "__main__":
    main()
