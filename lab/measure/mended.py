"""F1 of an engine and of other tools on pages with corrected gold, before and after.

    python -m winnow.lab.measure.mended OUTPUTS SET.tar.zst ... [--hardest N]

OUTPUTS is the output folder of `winnow.lab.measure.peers`: SET/TOOL.jsonl. With `--hardest` it
lists the N pages with the lowest best F1 of all tools, corrected or not; this choice favours no
engine. A page without a line of a tool counts as empty.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from winnow.lab.measure.engines import TextEngine, build_engine
from winnow.lab.measure.metrics import occ_overlap
from winnow.lab.measure.outputs import Output, read_outputs, tools_of
from winnow.lab.measure.tokens import tokens
from winnow.lab.sets.patches import SHIPPED, Patches
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, set_name, tasks
from winnow.models.errors import InvalidPage, WinnowError
from winnow.models.options import CleanerOptions


@dataclass(frozen=True, slots=True)
class PageFigures:
    """F1 of one page by engine and tool, against the original and the corrected gold.

    Attributes:
        after: empty if the page has no patch.
    """

    page_id: str
    before: Mapping[str, float]
    after: Mapping[str, float]

    @property
    def best(self) -> float:
        """The best F1 of all, against the original gold."""
        return max(self.before.values())


@dataclass(frozen=True, slots=True)
class Change:
    """Effect of corrections on one engine or tool: mean F1, and pages that rise and fall."""

    name: str
    before: float
    after: float
    risen: int
    fallen: int


def figures(
    pages: Iterable[Task],
    engine: TextEngine,
    outputs: Mapping[str, Mapping[str, Output]],
    patches: Patches,
) -> Iterator[PageFigures]:
    """Score the pages of one set, read without patches; the engine has its default name.

    Raises:
        PatchError: a patch does not match its page.
    """
    for task in pages:
        texts = {CleanerOptions().engine: _cleaned(engine, task)}
        for tool, by_page in outputs.items():
            texts[tool] = by_page.get(task.in_set, Output()).text
        name = task.wanted.page_id.removesuffix(f"/{task.in_set}")
        gold = task.wanted.text
        mended = patches.text(name, task.in_set, task.page.body, gold)
        yield PageFigures(
            task.wanted.page_id,
            _scores(texts, gold, task.wanted.language),
            _scores(texts, mended, task.wanted.language) if mended != gold else {},
        )


def hardest(pages: Iterable[PageFigures], count: int) -> list[PageFigures]:
    """Return the pages with the lowest best F1, the lowest first."""
    return sorted(pages, key=lambda page: (page.best, page.page_id))[:count]


def changes(pages: Sequence[PageFigures]) -> list[Change]:
    """Return the effect of corrections on each engine and tool, over the corrected pages.

    They are ordered by F1 before, the best first.

    Raises:
        ValueError: no page is corrected.
    """
    mended = [page for page in pages if page.after]
    if not mended:
        raise ValueError("no page is corrected")
    found = [
        Change(
            name,
            fmean(page.before[name] for page in mended),
            fmean(page.after[name] for page in mended),
            sum(page.after[name] > page.before[name] for page in mended),
            sum(page.after[name] < page.before[name] for page in mended),
        )
        for name in mended[0].before
    ]
    return sorted(found, key=lambda change: -change.before)


def _cleaned(engine: TextEngine, task: Task) -> str:
    try:
        return engine.clean_text(task.page)
    except InvalidPage:
        return ""


def _scores(texts: Mapping[str, str], gold: str, language: str) -> dict[str, float]:
    wanted = tokens(gold, language)
    return {name: occ_overlap(tokens(text, language), wanted).f1 for name, text in texts.items()}


def _all_figures(origin: Path, sources: Sequence[Path]) -> Iterator[PageFigures]:
    """Read the sets with outputs in the origin."""
    engine, patches = build_engine(CleanerOptions().engine), Patches.read(SHIPPED)
    files = tools_of([origin], [set_name(source) for source in sources])
    tools = set.intersection(*(set(by_tool) for by_tool in files.values()))
    for source in sources:
        by_tool = files[set_name(source)]
        outputs = {tool: read_outputs(by_tool[tool]) for tool in sorted(tools)}
        pages = tasks(source, gold_set_of(source), Selection())
        yield from figures(pages, engine, outputs, patches)


def main() -> None:
    """Print a table of the effect of corrections, or a list of the hardest pages."""
    parser = argparse.ArgumentParser(
        "winnow.lab.measure.mended",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("outputs", type=Path)
    parser.add_argument("sources", nargs="+", type=Path, metavar="SET")
    parser.add_argument("--hardest", type=int, metavar="N", help="list N pages instead")
    chosen = parser.parse_args()
    try:
        pages = list(_all_figures(chosen.outputs, chosen.sources))
    except WinnowError as error:
        sys.exit(f"winnow.lab.measure.mended: {error}")
    if chosen.hardest:
        for page in hardest(pages, chosen.hardest):
            print(f"{page.best:.3f}", "mended" if page.after else "as it is", page.page_id)
        return
    print(f"{sum(bool(page.after) for page in pages)} mended pages\n")
    print("| engine or tool | without | with | rise | fall |\n|---|---:|---:|---:|---:|")
    for change in changes(pages):
        print(
            f"| {change.name} | {change.before * 100:.1f} | {change.after * 100:.1f} "
            f"| {change.risen} | {change.fallen} |"
        )


if __name__ == "__main__":
    main()
