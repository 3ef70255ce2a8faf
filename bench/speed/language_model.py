"""The language model: sentences compared with NLTK, scores with dictionaries, file and memory."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from bench.speed.pyplexity_formula import DictionaryModel
from bench.speed.rows import Row, at_most, ratio_at_least
from tests.reference_scorer import ReferenceSplitter
from tests.shared_memory import mapping_kilobytes
from winnow.lab.measure.interleave import run
from winnow.lab.train.language.corpus import text_chunks
from winnow.models._kernel import Blocks
from winnow.models._kernel.lab import sentence_spans
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.ngram import NgramModel
from winnow.models.ngram.model import DATA
from winnow.models.page import blocks_of

MODEL: Final = DATA / "en.winnow"
# uses the model like a worker: opens the file, reads it completely, and waits
HOLDER: Final = """
import sys
from winnow.models.ngram import NgramModel
model = NgramModel.open(sys.argv[1])
model.read_ahead()
print(flush=True)
sys.stdin.read()
"""


def rows(pages: Sequence[Page], corpus: Path, model: NgramModel) -> Iterator[Row]:
    """Measure everything; the dictionaries also score `pages`."""
    yield from _sentences(corpus, model)
    yield _dictionaries(pages, corpus, model)
    yield from _file(model)
    yield _second_worker()


def _sentences(corpus: Path, model: NgramModel) -> Iterator[Row]:
    texts = [next(text_chunks(corpus / f"en/{name}.txt.zst")) for name in ("wikinews", "openstax")]
    lines = [line for text in texts for line in text.decode("utf-8", "replace").split("\n")]
    table, reference = model.punkt.to_table(), ReferenceSplitter(model.punkt)
    different = sum(sentence_spans(line, table) != reference.spans(line) for line in lines)
    if different:
        sys.exit(f"{different} lines are split differently from NLTK")
    rounds = run(
        {
            "kernel": lambda: [sentence_spans(line, table) for line in lines],
            "nltk": lambda: [reference.spans(line) for line in lines],
        },
        rounds=3,
    )
    size = f"{sum(map(len, texts)) / 1e6:.1f} MB, {len(lines)} lines"
    yield Row(f"sentences, {size}: lines split differently from NLTK", "0", "0")
    yield ratio_at_least("sentences: NLTK / kernel", rounds.ratio("nltk", "kernel"), 20)


def _dictionaries(pages: Sequence[Page], corpus: Path, model: NgramModel) -> Row:
    text = next(text_chunks(corpus / "en/openstax.txt.zst")).decode("utf-8", "replace")
    reference = ReferenceSplitter(model.punkt)
    dictionaries = DictionaryModel(text.split("\n"))
    blocks = [each for each in map(_blocks, pages[:50]) if each is not None]

    def score_in_python() -> list[float]:
        lines = [line for each in blocks for line in each.text.split("\n")]
        return [
            dictionaries.perplexity(line[start:end])
            for line in lines
            for start, end in reference.spans(line)
        ]

    rounds = run({"kernel": lambda: model.score(blocks), "python": score_in_python}, rounds=3)
    what = f"{len(blocks)} pages: PyPlexity's formula in dictionaries, sentences by NLTK / kernel"
    return Row(what, str(rounds.ratio("python", "kernel")))


def _blocks(page: Page) -> Blocks | None:
    try:
        return blocks_of(page)
    except InvalidPage:
        return None


def _file(model: NgramModel) -> Iterator[Row]:
    listed = sum(model.info.figures.listed)
    yield at_most(
        f"file of {listed:,} n-grams: bytes per n-gram of the table", model.info.bytes_per_ngram, 5
    )
    started = time.thread_time()
    NgramModel.open(MODEL)
    attach_ms = (time.thread_time() - started) * 1000
    yield at_most("warm attach, every byte checked: CPU ms here", attach_ms, 50, "{:.1f}")


def _second_worker() -> Row:
    """Open the model in two processes, and read their private memory of it."""
    command = [sys.executable, "-c", HOLDER, str(MODEL)]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(command, stdin=pipe, stdout=pipe) as first,
        subprocess.Popen(command, stdin=pipe, stdout=pipe) as second,
    ):
        for process in (first, second):
            if process.stdout is None or not process.stdout.readline():
                sys.exit("a process could not open the model")
        memory = [mapping_kilobytes(process.pid, MODEL) for process in (first, second)]
        for process in (first, second):
            process.communicate(b"")
    private_kb = sum(each["Private_Clean"] + each["Private_Dirty"] for each in memory)
    shared = f"{memory[0]['Rss']:,} kB mapped by each"
    return at_most(f"two workers on one model, {shared}: private kB", private_kb, 0, "{:.0f}")
