"""How often documents break things that readers see as a unit: faults per 1,000 documents.

    python -m winnow.lab.measure.integrity ../shared/pages/*.tar.zst --limit 40

Pages need no gold text. Each page is cleaned with the default options and explained; the units of
the page (tables, lists, sections, ...) are compared with the blocks that are kept, by the rules of
`winnow.lab.measure.faults`. One column is what the engine says of each block by itself, the other
is the document that users get. `make compare` counts the same for other tools.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from winnow.lab.measure.choice import Choice
from winnow.lab.measure.copies import held_twice
from winnow.lab.measure.faults import Counts, Fault
from winnow.lab.measure.tokens import lowered_words
from winnow.lab.sets.tasks import Selection, gold_set_of, tasks
from winnow.models import Cleaner, Page
from winnow.models.document import Verdict
from winnow.models.errors import InvalidPage
from winnow.models.explanation import Explanation

BY_BLOCK: Final = "blocks alone"
WHOLE: Final = "units"


class Source(NamedTuple):
    """A page and its gold text; empty if it has no gold text."""

    page: Page
    gold: str = ""


def choices(explanation: Explanation, gold: str = "") -> Iterator[tuple[str, Choice]]:
    """Yield what the engine says of each block by itself, and what is kept."""
    kept = tuple(each.kept > 0 for each in explanation.blocks)
    by_block = tuple(
        is_kept if each.decider == "engine" else each.verdict is not Verdict.KEPT
        for is_kept, each in zip(kept, explanation.blocks, strict=True)
    )
    held = held_twice(gold), " ".join(lowered_words(gold))
    yield BY_BLOCK, Choice(explanation, by_block, *held)
    yield WHOLE, Choice(explanation, kept, *held)


def pages_of(source: Path, limit: int | None) -> Iterator[Source]:
    """Yield the pages of a labelled set with their gold, or all files of another folder."""
    if source.is_dir() and not (source / "gold").is_dir():
        for path in sorted(source.rglob("*.htm*"))[:limit]:
            yield Source(Page(url="", body=path.read_bytes()))
        return
    for task in tasks(source, gold_set_of(source), Selection(limit=limit)):
        yield Source(task.page, task.wanted.text)


def measure(pages: Iterable[Source], cleaner: Cleaner) -> dict[str, Counts]:
    """Count the faults of pages by column."""
    counts: dict[str, Counts] = {}
    for source in pages:
        try:
            explanation = cleaner.explain(source.page)
        except InvalidPage:
            continue
        for name, choice in choices(explanation, source.gold):
            counts.setdefault(name, Counts()).add(choice)
    return counts


def table(columns: Mapping[str, Counts], digits: int = 0) -> Iterator[str]:
    """Yield the lines of a table in Markdown; `digits` after the point of faults."""
    yield f"{columns[WHOLE].documents} documents, faults per 1,000"
    yield ""
    yield f"| fault | {' | '.join(columns)} |"
    yield f"|---|{'---:|' * len(columns)}"
    for fault in Fault:
        yield _row(
            fault, (f"{counts.per_thousand(fault):.{digits}f}" for counts in columns.values())
        )
    found = columns.values()
    holed = (100 * each.faults[Fault.TABLE] / max(each.tables, 1) for each in found)
    yield _row("% of kept tables with holes", (f"{share:.1f}" for share in holed))
    yield _row("kept tables", (str(each.tables) for each in found))
    whole = (100 * each.whole_tables / max(each.gold_tables, 1) for each in found)
    yield _row("% of the gold's tables that are whole", (f"{share:.1f}" for share in whole))
    yield _row("tables of the gold", (str(each.gold_tables) for each in found))


def _row(name: str, cells: Iterable[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def main(arguments: Sequence[str]) -> None:
    """Print the table of all sources together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--limit", type=int, help="maximum pages per group and source")
    chosen = parser.parse_args(arguments)
    pages = (page for source in chosen.sources for page in pages_of(source, chosen.limit))
    print("\n".join(table(measure(pages, Cleaner()))))


if __name__ == "__main__":
    main(sys.argv[1:])
