"""Whole pages, and the stages of one, beside a bare parse of the same pages."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from bench.speed.rows import Row, ratio_at_most
from lab.measure.interleave import run
from lab.sets.labelled import LabelledPage, labelled_pages
from models._kernel import Sentences
from models.cleaner import Cleaner
from models.document import Document, Page
from models.ngram import NgramModel
from models.options import CleanerOptions
from models.page import DEFAULT_LIMITS, blocks_of, cut, parse, prepare

BATCH: Final = 32
SETS: Final = ("cleaneval", "dragnet", "wcxb")
# what a page may cost, in parses, by engine
BARS: Final = {"perplexity": 3.5, "contrast": 3.5, "hybrid": 6.0, "web2text": 12.0}


def development_pages(folder: Path, count: int) -> dict[str, list[Page]]:
    """Return pages of each set, drawn by a hash of their names: types of page lie together."""
    sets = {}
    for name in SETS:
        labelled = sorted(labelled_pages(folder / f"{name}.tar.zst"), key=_drawn)
        sets[name] = [
            Page(f"http://{name}.invalid/{page.page_id}", page.html) for page in labelled[:count]
        ]
    return sets


def _drawn(page: LabelledPage) -> bytes:
    return sha256(page.page_id.encode()).digest()


def cleaners(model: NgramModel) -> dict[str, Cleaner]:
    """Return a cleaner for each engine."""
    return {name: Cleaner(CleanerOptions(engine=name), model) for name in BARS}


def rows(sets: Mapping[str, Sequence[Page]], model: NgramModel) -> Iterator[Row]:
    """Measure all engines on all sets."""
    for name, pages in sets.items():
        yield from _set(name, pages, model)


def _set(name: str, pages: Sequence[Page], model: NgramModel) -> list[Row]:
    engines = cleaners(model)
    pages = [
        page for page in pages if isinstance(engines["perplexity"].clean_batch([page])[0], Document)
    ]
    for cleaner in engines.values():
        _check(cleaner, pages)
    prepared = [prepare(page, DEFAULT_LIMITS) for page in pages]
    blocks = [blocks_of(page).blocks for page in pages]

    def parse_alone() -> None:
        # each tree is freed before the next one is built, as the cleaner does
        for each in prepared:
            LexborHTMLParser(each.markup)

    def score() -> list[Sentences]:
        return model.score(blocks)

    stages = {
        "parse": parse_alone,
        "prepare": lambda: [prepare(page, DEFAULT_LIMITS) for page in pages],
        "parse and walk": lambda: [cut(parse(each)) for each in prepared],
        "split, tokenise, score": score,
    }
    whole = {
        engine: lambda cleaner=cleaner: _clean(cleaner, pages)
        for engine, cleaner in engines.items()
    }
    rounds = run({**stages, **whole})
    mean_kb = sum(len(page.body) for page in pages) / len(pages) / 1000
    text_mb = sum(len(each.text.encode()) for each in blocks) / 1e6
    speed = text_mb / rounds.seconds("split, tokenise, score")
    what = f"{name}, {len(pages)} pages of {mean_kb:.0f} kB"
    return [
        *(
            ratio_at_most(f"{what}: engine {engine} / parse", rounds.ratio(engine, "parse"), bar)
            for engine, bar in BARS.items()
        ),
        *(
            Row(f"{name}: {stage} / parse", str(rounds.ratio(stage, "parse")))
            for stage in stages
            if stage != "parse"
        ),
        Row(f"{name}: split, tokenise, score: MB of text a CPU second here", f"{speed:.0f}"),
    ]


def _clean(cleaner: Cleaner, pages: Sequence[Page]) -> None:
    for start in range(0, len(pages), BATCH):
        cleaner.clean_batch(pages[start : start + BATCH])


def _check(cleaner: Cleaner, pages: Sequence[Page]) -> None:
    for start in range(0, len(pages), BATCH):
        batch = pages[start : start + BATCH]
        alone = [cleaner.clean_batch([page])[0] for page in batch]
        if cleaner.clean_batch(batch) != alone:
            sys.exit("a page cleaned in a batch differs from the same page cleaned alone")
