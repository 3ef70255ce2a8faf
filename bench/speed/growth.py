"""`make bench-growth`: growth of cost with size: exponents of log-log fits, at most 1.05.

It measures CPU time of this thread. The sizes of one dimension take turns in rounds, and the
minimum over rounds counts, because other work on the machine can only add time. Results are checked
before they are timed. `--write` writes the section of docs/capacity.md. The exit code is 1 if an
exponent is above the bar.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from bench.capacity.sections import replace_section
from bench.speed.language_model import HOLDER
from bench.speed.rows import Row, at_most, table
from tests.exponents import exponent
from tests.faults.crawl import WORDS
from tests.services.processes import Lifetime, ServerProcess
from tests.shared_memory import mapping_kilobytes
from winnow.lab.train.language.training import TrainingPlan, train_model
from winnow.models.cleaner import Cleaner
from winnow.models.document import Document, Page
from winnow.models.ngram import NgramModel
from winnow.models.ngram.model import DATA
from winnow.models.options import CleanerOptions
from winnow.models.page import blocks_of
from winnow.models.sites import SiteMemory

BAR: Final = 1.05
PAGE_BYTES: Final = (1_000, 10_000, 100_000, 1_000_000, 8_000_000)  # the largest page is 8 MiB
BLOCKS: Final = (10, 100, 1_000, 10_000, 100_000)
BATCHES: Final = (1, 4, 16, 64, 256)
HOSTS: Final = (10, 100, 1_000, 10_000)
PROCESSES: Final = (1, 2, 4, 8)
VOCABULARY: Final = 60_000
SCORED: Final = 200  # paragraphs


def main() -> None:
    """Measure all dimensions, print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--n-grams",
        type=float,
        nargs="+",
        default=[0.1, 0.5, 2, 20],
        help="n-grams of models, in millions",
    )
    parser.add_argument("--write", action="store_true", help="write docs/capacity.md too")
    arguments = parser.parse_args()
    rows = []
    for row in _rows(arguments.rounds, arguments.n_grams):
        print(f"{row.part}: {row.figure}", file=sys.stderr, flush=True)
        rows.append(row)
    print(table(rows))
    if arguments.write:
        replace_section("growth", table(rows))
    missed = [row.part for row in rows if not row.holds]
    sys.exit("bars missed: " + "; ".join(missed) if missed else 0)


def _rows(rounds: int, n_grams: list[float]) -> Iterator[Row]:
    cleaner = Cleaner(CleanerOptions(engine="hybrid"), NgramModel.shipped())
    pages = {size: _page(size, 400) for size in PAGE_BYTES}
    yield _fit("bytes of a page", _cleaning(cleaner, {s: [p] for s, p in pages.items()}), rounds)
    short = {count: _page(count * 60, 50) for count in BLOCKS}
    counts = {len(blocks_of(page)): [page] for page in short.values()}
    yield _fit("blocks of a page", _cleaning(cleaner, counts), rounds)
    batches = {size: [_page(20_000, 400, number) for number in range(size)] for size in BATCHES}
    yield _fit("pages of a batch", _cleaning(cleaner, batches), rounds)
    yield _fit("hosts remembered, one page each", _remembering(), rounds)
    with tempfile.TemporaryDirectory() as folder:
        yield _fit("n-grams of a model, scoring", _scoring(Path(folder), n_grams), rounds)
        yield from _processes(Path(folder))


def _fit(what: str, runs: Mapping[int, Callable[[], object]], rounds: int) -> Row:
    """Return the larger exponent, over all sizes or the upper three, without constant costs."""
    seconds = {size: float("inf") for size in runs}
    for run in runs.values():
        run()
    for _ in range(rounds):
        for size, run in runs.items():
            started = time.thread_time()
            run()
            seconds[size] = min(seconds[size], time.thread_time() - started)
    sizes = sorted(seconds)
    return row_of_fit(what, {size: seconds[size] for size in sizes})


def row_of_fit(what: str, seconds: Mapping[int, float]) -> Row:
    """Return the row of a fit to CPU seconds by size, in rising order."""
    sizes, taken_s = list(seconds), list(seconds.values())
    whole, upper = exponent(sizes, taken_s), exponent(sizes[-3:], taken_s[-3:])
    shown = ", ".join(f"{size:,}: {1000 * taken:.3g} ms" for size, taken in seconds.items())
    exponents = f"exponent ({whole:.2f} over all, {upper:.2f} over the upper three)"
    return at_most(f"{what} ({shown}), {exponents}", max(whole, upper), BAR)


def _page(size: int, paragraph: int, seed: int = 1) -> Page:
    chooser = random.Random(seed)
    parts, held = ["<html><head><title>A page</title></head><body>"], 0
    while held < size:
        words = " ".join(chooser.choices(WORDS, k=max(1, paragraph // 6)))
        parts.append(f"<p>{words}.</p>\n")
        held += len(parts[-1])
    body = "".join(parts).encode()
    return Page(f"https://example.org/{size}/{seed}", body)


def _cleaning(
    cleaner: Cleaner, batches: Mapping[int, list[Page]]
) -> dict[int, Callable[[], object]]:
    for size, pages in batches.items():
        wrong = [each for each in cleaner.clean_batch(pages) if not isinstance(each, Document)]
        if wrong:
            sys.exit(f"a page of {size} is refused: {wrong[0]}")
    return {
        size: lambda pages=pages: cleaner.clean_batch(pages)  # type: ignore[misc]
        for size, pages in batches.items()
    }


def _remembering() -> dict[int, Callable[[], object]]:
    blocks = [f"block {number}" for number in range(64)]

    def visit(hosts: int) -> None:
        memory = SiteMemory(b"k" * 32)
        for host in range(hosts):
            memory.meet(f"{host}.example", f"https://{host}.example/", blocks)
        if len(memory) != min(hosts, memory.options.hosts):
            sys.exit("a host was not remembered")

    return {hosts: lambda hosts=hosts: visit(hosts) for hosts in HOSTS}  # type: ignore[misc]


def _scoring(folder: Path, n_grams: list[float]) -> dict[int, Callable[[], object]]:
    """Train models on uniformly drawn words; nearly every pair is new."""
    chooser = np.random.default_rng(1)
    names = np.array([_word(number) for number in range(VOCABULARY)])
    paragraphs = [" ".join(names[chooser.integers(0, VOCABULARY, 40)]) for _ in range(SCORED)]
    markup = "".join(f"<p>{each}.</p>" for each in paragraphs).encode()
    blocks = blocks_of(Page("https://example.org/", markup))
    runs: dict[int, Callable[[], object]] = {}
    for millions in n_grams:
        text, model_file = folder / f"{millions}.txt", folder / f"{millions}.winnow"
        with text.open("w") as out:
            for _ in range(max(1, round(millions * 20))):
                words = names[chooser.integers(0, VOCABULARY, (2500, 20))]
                out.writelines(" ".join(line) + "\n" for line in words)
        train_model([text], model_file, TrainingPlan(order=2, punkt_bytes=0, weights=(0.3, 0.6)))
        text.unlink()
        model = NgramModel.open(model_file)
        listed = sum(model.info.figures.listed)
        if model.score([blocks]) == []:
            sys.exit("the model scored nothing")
        runs[listed] = lambda model=model: model.score([blocks] * 5)  # type: ignore[misc]
    return runs


def _word(number: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return "".join(letters[number // 26**place % 26] for place in range(4)) + "a"


def _processes(folder: Path) -> Iterator[Row]:
    """Open the shipped model in several processes, and read their private memory of it."""
    model = DATA / "en.winnow"
    for count in PROCESSES:
        command = [sys.executable, "-c", "import time\n" + HOLDER + "\ntime.sleep(60)", str(model)]
        held = [
            ServerProcess(command, folder / f"{count}-{number}", Lifetime.CALLER)
            for number in range(count)
        ]
        try:
            private = 0
            for process in held:
                while "\n" not in process.output():
                    if not process.is_running():
                        sys.exit(f"a process could not open the model: {process.output()}")
                    time.sleep(0.05)
            for process in held:
                memory = mapping_kilobytes(process.process_id.pid, model)
                private += memory["Private_Dirty"]
        finally:
            for process in held:
                process.kill()
        yield at_most(f"{count} processes on one model: kB of private memory", private, 0)


if __name__ == "__main__":
    main()
