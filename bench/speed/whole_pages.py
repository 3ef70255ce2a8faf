"""Cost of whole pages and of stages, relative to a bare parse of the same pages."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from bench.speed.rows import Row, ratio_at_most
from winnow.lab.measure.interleave import run_parts
from winnow.lab.sets.labelled import LabelledPage, labelled_pages
from winnow.models._kernel import Reader
from winnow.models.cleaner import Cleaner
from winnow.models.document import Document, Page
from winnow.models.ngram import NgramModel
from winnow.models.options import CleanerOptions
from winnow.models.page import DEFAULT_LIMITS, blocks_of, decode, read

SHARED: Final = Path(__file__).parents[3] / "shared"
BATCH: Final = 32
SETS: Final = ("cleaneval", "dragnet", "wcxb")
STAGES: Final = ("read", "split, tokenise, score")
# the default engine with a worker's memory of sites, and its maximum cost relative to the engine
SITES: Final = "hybrid, sites remembered"
MOST_SITES: Final = 1.1
# maximum cost of a page in parses, by engine and set
BARS: Final = {
    "perplexity": {"cleaneval": 2.1, "dragnet": 1.45, "wcxb": 1.25},
    "contrast": {"cleaneval": 2.3, "dragnet": 1.6, "wcxb": 1.4},
    "hybrid": {"cleaneval": 3.3, "dragnet": 2.4, "wcxb": 2.1},
    "web2text": {"cleaneval": 4.8, "dragnet": 3.4, "wcxb": 2.9},
}


def development_pages(
    folder: Path, count: int, names: Sequence[str] = SETS
) -> dict[str, list[Page]]:
    """Return pages of each set, chosen by a hash of their names, because types are adjacent."""
    sets = {}
    for name in names:
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
    engines[SITES] = Cleaner(CleanerOptions(seen=2), model, site_key=bytes(16))
    batches = [pages[start : start + BATCH] for start in range(0, len(pages), BATCH)]
    parts = [_variants(batch, engines, model) for batch in batches]
    rounds = run_parts({variant: [part[variant] for part in parts] for variant in parts[0]})
    mean_kb = sum(len(page.body) for page in pages) / len(pages) / 1000
    text_mb = sum(len(blocks_of(page).text.encode()) for page in pages) / 1e6
    speed = text_mb / rounds.seconds("split, tokenise, score")
    what = f"{name}, {len(pages)} pages of {mean_kb:.0f} kB"
    return [
        *(
            ratio_at_most(
                f"{what}: engine {engine} / parse", rounds.ratio(engine, "parse"), bars[name]
            )
            for engine, bars in BARS.items()
        ),
        ratio_at_most(f"{what}: {SITES} / hybrid", rounds.ratio(SITES, "hybrid"), MOST_SITES),
        *(Row(f"{name}: {stage} / parse", str(rounds.ratio(stage, "parse"))) for stage in STAGES),
        Row(f"{name}: split, tokenise, score: MB of text per CPU second here", f"{speed:.0f}"),
    ]


def _variants(
    batch: Sequence[Page], engines: Mapping[str, Cleaner], model: NgramModel
) -> dict[str, Callable[[], object]]:
    """Return the functions to time: a bare parse, the stages, whole pages by each engine."""
    reader = Reader("uncovered", DEFAULT_LIMITS)
    sources = [decode(page) for page in batch]
    blocks = [blocks_of(page) for page in batch]

    def parse_alone() -> None:
        # like the cleaner, free each tree before the next one is built
        for source in sources:
            LexborHTMLParser(source.markup)

    stages = (
        lambda: [read(reader, page) for page in batch],
        lambda: model.score(blocks),
    )
    whole = {
        engine: lambda cleaner=cleaner: cleaner.clean_batch(batch)
        for engine, cleaner in engines.items()
    }
    return {"parse": parse_alone, **dict(zip(STAGES, stages, strict=True)), **whole}


def _check(cleaner: Cleaner, pages: Sequence[Page]) -> None:
    for start in range(0, len(pages), BATCH):
        batch = pages[start : start + BATCH]
        alone = [cleaner.clean_batch([page])[0] for page in batch]
        if cleaner.clean_batch(batch) != alone:
            sys.exit("a page cleaned in a batch differs from the same page cleaned alone")
