"""`make bench-kernel`: what cleaning costs in units of one bare lexbor parse.

Every figure is a ratio of CPU time between variants that take turns in one run, or a size. What is
timed was checked before: documents against a second cleaning page by page, sentences against NLTK.
Needs the development pages and training text in ../shared.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from bench.speed.interleave import run
from bench.speed.pyplexity_formula import DictionaryModel
from models._kernel import sentence_spans
from models.cleaner import Cleaner
from models.document import Document, Page
from models.errors import InvalidPage
from models.ngram import NgramModel
from models.ngram.corpus import text_chunks
from models.ngram.model import DATA
from models.options import CleanerOptions
from models.page import DEFAULT_LIMITS, blocks_of, cut, parse, prepare
from tests.reference_scorer import ReferenceSplitter
from worker.labelled import labelled_pages

SHARED: Final = Path(__file__).parents[3] / "shared"
BATCH: Final = 32
TABLE: Final = Path(__file__).parents[1] / "RESULTS.md"


def main() -> None:
    """Run all parts and print one table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pages", type=int, default=200, help="pages of each set")
    arguments.add_argument("--write", action="store_true", help="write bench/RESULTS.md too")
    chosen = arguments.parse_args()
    if not SHARED.is_dir():
        sys.exit("bench-kernel needs the pages and the text in ../shared, which are not there")
    model = NgramModel.shipped()
    rows = [("part", "figure", "bar")]
    for name in ("cleaneval", "dragnet", "wcxb"):
        rows += _whole_page(name, _pages(name, chosen.pages), model)
        rows += _structure(name, _pages(name, chosen.pages), model)
    rows += _sentences(model)
    rows += _dictionaries(_pages("dragnet", chosen.pages), model)
    rows += _file(model)
    rows += _training()
    table = _table(rows)
    print(table)
    if chosen.write:
        head = "# Results\n\nWritten by `make bench-kernel BENCH_ARGS=--write`.\n\n"
        TABLE.write_text(head + table + "\n", encoding="utf-8")


def _pages(name: str, count: int) -> list[Page]:
    pages = labelled_pages(SHARED / "pages" / f"{name}.tar.zst")
    return [Page(f"http://{name}.invalid/{page.page_id}", page.html) for page in pages][:count]


def _whole_page(name: str, pages: Sequence[Page], model: NgramModel) -> list[tuple[str, str, str]]:
    cleaner = Cleaner(CleanerOptions(engine="perplexity"), model)
    pages = [page for page in pages if isinstance(cleaner.clean_batch([page])[0], Document)]
    _check(cleaner, pages)
    prepared = [prepare(page, DEFAULT_LIMITS) for page in pages]
    blocks = [blocks_of(page).blocks for page in pages]

    def clean() -> None:
        for start in range(0, len(pages), BATCH):
            cleaner.clean_batch(pages[start : start + BATCH])

    rounds = run({
        "parse": lambda: [LexborHTMLParser(each.markup) for each in prepared],
        "whole page": clean,
        "prepare": lambda: [prepare(page, DEFAULT_LIMITS) for page in pages],
        "parse and walk": lambda: [cut(each, parse(each)) for each in prepared],
        "split, tokenise, score": lambda: model.score(blocks),
    })  # fmt: skip
    mean_kb = sum(len(page.body) for page in pages) / len(pages) / 1000
    what = f"{name}, {len(pages)} pages of {mean_kb:.0f} kB"
    text_mb = sum(len(each.text.encode()) for each in blocks) / 1e6
    speed = text_mb / rounds.seconds("split, tokenise, score")
    return [
        (f"{what}: whole page / parse", str(rounds.ratio("whole page", "parse")), "<= 3.5"),
        (f"{name}: prepare / parse", str(rounds.ratio("prepare", "parse")), ""),
        (f"{name}: parse and walk / parse", str(rounds.ratio("parse and walk", "parse")), ""),
        (
            f"{name}: split, tokenise, score / parse",
            f"{rounds.ratio('split, tokenise, score', 'parse')}; {speed:.0f} MB/s of text here",
            "",
        ),
    ]


def _structure(name: str, pages: Sequence[Page], model: NgramModel) -> list[tuple[str, str, str]]:
    cleaner = Cleaner(CleanerOptions(engine="structure"), model)
    pages = [page for page in pages if isinstance(cleaner.clean_batch([page])[0], Document)]
    _check(cleaner, pages)
    prepared = [prepare(page, DEFAULT_LIMITS) for page in pages]
    starts = range(0, len(pages), BATCH)
    rounds = run({
        "parse": lambda: [LexborHTMLParser(each.markup) for each in prepared],
        "whole page": lambda: [cleaner.clean_batch(pages[at : at + BATCH]) for at in starts],
    })  # fmt: skip
    ratio = str(rounds.ratio("whole page", "parse"))
    return [(f"{name}: whole page of the structure engine / parse", ratio, "<= 12")]


def _check(cleaner: Cleaner, pages: Sequence[Page]) -> None:
    for start in range(0, len(pages), BATCH):
        batch = pages[start : start + BATCH]
        if cleaner.clean_batch(batch) != [_alone(cleaner, page) for page in batch]:
            sys.exit("a page cleaned in a batch differs from the same page cleaned alone")


def _alone(cleaner: Cleaner, page: Page) -> Document | InvalidPage:
    return cleaner.clean_batch([page])[0]


def _sentences(model: NgramModel) -> list[tuple[str, str, str]]:
    text = next(text_chunks(SHARED / "corpus/en/wikinews.txt.zst")).decode("utf-8", "replace")
    lines = text.split("\n")
    table, reference = model.punkt.to_table(), ReferenceSplitter(model.punkt)
    different = sum(sentence_spans(line, table) != reference.spans(line) for line in lines)
    if different:
        sys.exit(f"{different} lines are not split as NLTK splits them")
    rounds = run(
        {
            "kernel": lambda: [sentence_spans(line, table) for line in lines],
            "nltk": lambda: [reference.spans(line) for line in lines],
        },
        rounds=3,
    )
    size = f"{len(text) / 1e6:.1f} MB, {len(lines)} lines"
    return [
        (f"sentences, {size}: lines not as NLTK", "0", "0"),
        ("sentences: NLTK / kernel", str(rounds.ratio("nltk", "kernel")), ">= 20"),
    ]


def _dictionaries(pages: Sequence[Page], model: NgramModel) -> list[tuple[str, str, str]]:
    corpus = next(text_chunks(SHARED / "corpus/en/openstax.txt.zst"))
    reference = ReferenceSplitter(model.punkt)
    dictionaries = DictionaryModel(corpus.decode("utf-8", "replace").split("\n"))
    blocks = [blocks_of(page).blocks for page in pages[:50]]

    def score_in_python() -> list[float]:
        lines = [line for each in blocks for line in each.text.split("\n")]
        return [
            dictionaries.perplexity(line[start:end])
            for line in lines
            for start, end in reference.spans(line)
        ]

    rounds = run({"kernel": lambda: model.score(blocks), "python": score_in_python}, rounds=3)
    ratio = str(rounds.ratio("python", "kernel"))
    return [("text work: PyPlexity's formula in dictionaries and NLTK / kernel", ratio, "")]


def _file(model: NgramModel) -> list[tuple[str, str, str]]:
    path = DATA / "en.winnow"
    info = model.info
    listed = sum(info.figures.listed)
    started = time.thread_time()
    NgramModel.open(path)
    attach_ms = (time.thread_time() - started) * 1000
    return [
        (f"file of {listed:,} n-grams: bytes an n-gram", f"{info.bytes_per_ngram:.2f}", "<= 5"),
        ("warm attach, every byte checked: CPU ms here", f"{attach_ms:.1f}", "<= 50"),
    ]


def _training() -> list[tuple[str, str, str]]:
    files = [SHARED / "corpus/en" / name for name in ("wikipedia-2014.txt.zst", "openstax.txt.zst")]
    plain_mb = sum(sum(map(len, text_chunks(file))) for file in files) / 1e6
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "winnow", "model", "train", *map(str, files), "-o", f"{folder}/model.winnow",
            "--order", "2", "--min-counts", "2", "--punkt-bytes", "0",
        ]  # fmt: skip
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        winnow = Path(sys.executable).with_name(command[0])
        subprocess.run([winnow, *command[1:]], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [
        (f"training on {plain_mb:.0f} MB: MB a CPU second here", f"{plain_mb / cpu:.0f}", ">= 30"),
        ("training: peak memory, MB", f"{after.ru_maxrss / 1000:.0f}", "<= 256"),
    ]


def _table(rows: Sequence[tuple[str, str, str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---|---:|---:|", *lines[1:]])


if __name__ == "__main__":
    main()
