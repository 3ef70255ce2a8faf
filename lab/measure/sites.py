"""Effect of the memory of sites on each engine, in crawl order and shuffled.

    python -m winnow.lab.measure.sites ../shared/pages/daniel.tar.zst

F is on multisets of tokens, as the mean over the languages of the set: without a memory, and with
blocks dropped that N earlier pages of the host had. DAnIEL has up to 27 pages per host; its file
names have the date of the crawl. `cost` is CPU of the memory over CPU of a bare lexbor parse.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from winnow.lab.measure.scores import Costs, PageScore, score_page
from winnow.lab.measure.summary import summarise
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, tasks
from winnow.models._kernel import JudgedPage, render
from winnow.models.engines.choice import ENGINES, engine_of
from winnow.models.engines.engine import Engine
from winnow.models.errors import InvalidPage
from winnow.models.ngram import LanguageModels
from winnow.models.options import CleanerOptions
from winnow.models.page import blocks_of, decode
from winnow.models.sites import SiteMemory, SiteOptions

OTHER_PAGES: Final = (1, 2, 3, 6)
SEED: Final = 1
KEY: Final = bytes(16)


@dataclass(frozen=True, slots=True)
class Judged:
    """An engine's result for a page, before the memory; `parse_s`: CPU of a bare parse."""

    task: Task
    page: JudgedPage
    parse_s: float


@dataclass(frozen=True, slots=True)
class Row:
    """The result of one page order and setting; `pages` is None without a memory."""

    order: str
    pages: int | None
    f_by_group: dict[str, float]
    changed: int
    cost: float

    @property
    def mean_f(self) -> float:
        """Mean over the groups."""
        return sum(self.f_by_group.values()) / len(self.f_by_group)


def judged(engine: Engine, models: LanguageModels, found: Sequence[Task]) -> list[Judged]:
    """Judge every page independently; refused pages are left out."""
    pages = []
    for task in found:
        try:
            blocks = blocks_of(task.page, wanted=engine.rule)
        except InvalidPage:
            continue
        markup = decode(task.page).markup
        started = thread_time()
        LexborHTMLParser(markup)
        parse_s = thread_time() - started
        (page,) = models.judge(engine.rule, [blocks])
        pages.append(Judged(task, page, parse_s))
    return pages


def row(order: str, pages: Sequence[Judged], others: int | None) -> Row:
    """Score the pages in the given order, with a new memory."""
    memory = SiteMemory(KEY, SiteOptions(others)) if others else None
    scores: list[PageScore] = []
    changed, memory_s = 0, 0.0
    for each in pages:
        page = each.page
        if memory is not None:
            started = thread_time()
            page = memory.without_seen(each.task.page.url, page)
            memory_s += thread_time() - started
        changed += page.verdicts != each.page.verdicts
        text = render(page.blocks, page.sentences, page.verdicts, "text", mark=False).text
        scores.append(score_page(text, each.task.wanted, Costs()))
    return Row(order, others, f_by_group(scores), changed, memory_s / sum(p.parse_s for p in pages))


def f_by_group(scores: Sequence[PageScore]) -> dict[str, float]:
    """Return F x 100 by group."""
    groups = defaultdict(list)
    for score in scores:
        groups[score.group].append(score)
    return {name: 100 * summarise(found).occ.f for name, found in sorted(groups.items())}


def rows(pages: Sequence[Judged], orders: Sequence[int]) -> list[Row]:
    """Return the rows of one engine: without a memory, then by order and setting."""
    # a file's name begins with the day of the crawl
    crawl = sorted(pages, key=lambda page: page.task.in_set.rpartition("/")[2])
    shuffled = list(crawl)
    random.Random(SEED).shuffle(shuffled)  # noqa: S311 - no secret: the same order every time
    made = [row("any", crawl, None)]
    for name, ordered in (("crawl", crawl), ("shuffled", shuffled)):
        made += [row(name, ordered, others) for others in orders]
    return made


def options_of(text: str) -> CleanerOptions:
    """Read `NAME` or `NAME:OPTION=VALUE,...`."""
    name, _, rest = text.partition(":")
    pairs = (pair.partition("=") for pair in rest.split(",") if pair)
    return CleanerOptions().with_values({"engine": name, **{key: value for key, _, value in pairs}})


def main() -> None:
    """Print a table in Markdown, engine by engine."""
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=Path)
    parser.add_argument(
        "--engine", dest="engines", action="append", metavar="NAME[:OPTION=VALUE,...]"
    )
    chosen = parser.parse_args()
    found = list(tasks(chosen.source, gold_set_of(chosen.source), Selection()))
    models = LanguageModels.shipped()
    groups = sorted({task.wanted.group for task in found})
    print("| engine | order | other pages | mean F |", " | ".join(groups), "| changed | cost |")
    print("|---|---|---:|---:|" + "---:|" * (len(groups) + 2))
    for name in chosen.engines or ENGINES:
        engine = engine_of(options_of(name))
        for each in rows(judged(engine, models, found), OTHER_PAGES):
            figures = " | ".join(f"{each.f_by_group[group]:.1f}" for group in groups)
            pages, cost = (each.pages, f"{each.cost:.2f}") if each.pages else ("off", "")
            print(f"| {name} | {each.order} | {pages} | {each.mean_f:.2f} | {figures} |", end="")
            print(f" {each.changed} | {cost} |", flush=True)


if __name__ == "__main__":
    main()
