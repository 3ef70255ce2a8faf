"""`make compare`: whole tables, lists and headings in the texts of Winnow and of other tools.

    python -m bench.compare.integrity OUTPUTS PAGES... [--limit N]

OUTPUTS is a folder of `make quality-peers`. A block of a page counts as kept by a tool when at
least half of its words are in a longest common subsequence of the words of the page and of the
text. The faults are the same as of `make integrity`.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.compare.files import UNSEEN, write
from winnow.lab.measure.choice import Choice
from winnow.lab.measure.copies import held_twice
from winnow.lab.measure.faults import Counts, Fault
from winnow.lab.measure.outputs import read_outputs, tools_of
from winnow.lab.measure.tokens import lowered_words, symbols
from winnow.lab.sets.parts import Part
from winnow.lab.sets.tasks import Selection, gold_set_of, set_name, tasks
from winnow.models import Cleaner, CleanerOptions
from winnow.models._kernel.lab import lcs_pairs
from winnow.models.errors import InvalidPage
from winnow.models.explanation import Explanation

_HALF: Final = 0.5
_SHOWN: Final = (Fault.TABLE, Fault.LIST, Fault.NOTES, Fault.HEADING, Fault.COPY, Fault.CONSENT)


def kept_by(explanation: Explanation, text: str) -> tuple[bool, ...]:
    """Say of each block of a page whether a text holds it."""
    blocks = [lowered_words(each.block.text) for each in explanation.blocks]
    page, wanted = symbols([word for block in blocks for word in block], lowered_words(text))
    owners = [order for order, block in enumerate(blocks) for _ in block]
    hits = [0] * len(blocks)
    for at, _ in lcs_pairs(page, wanted):
        hits[owners[at]] += 1
    return tuple(
        bool(block) and hit >= _HALF * len(block) for block, hit in zip(blocks, hits, strict=True)
    )


def measure(source: Path, texts: Mapping[str, Path], limit: int) -> dict[str, Counts]:
    """Count the faults of every tool on the test pages of one set."""
    cleaner = Cleaner(CleanerOptions().with_values({"training": "open"}))
    outputs = {tool: read_outputs(path) for tool, path in texts.items()}
    counts: dict[str, Counts] = defaultdict(Counts)
    for task in tasks(source, gold_set_of(source), Selection(part=Part.TEST, limit=limit)):
        try:
            explanation = cleaner.explain(task.page)
        except InvalidPage:
            continue
        twice = held_twice(task.wanted.text)
        found = {UNSEEN: explanation.document.text}
        found |= {tool: each[task.in_set].text for tool, each in outputs.items()}
        for tool, text in found.items():
            counts[tool].add(Choice(explanation, kept_by(explanation, text), twice))
    return counts


def rows(measured: Sequence[Mapping[str, Counts]]) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the faults per 1,000 documents of each tool, all sets together."""
    for tool in measured[0]:
        whole = Counts()
        for counts in (each[tool] for each in measured):
            whole.documents += counts.documents
            whole.faults.update(counts.faults)
        yield (
            tool,
            {
                "documents": whole.documents,
                **{fault.value: round(whole.per_thousand(fault), 1) for fault in _SHOWN},
            },
        )


def main() -> None:
    """Measure all sets, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("outputs", type=Path)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--limit", type=int, default=40, help="pages of each group of each set")
    chosen = parser.parse_args()
    texts = tools_of([chosen.outputs], [set_name(source) for source in chosen.sources])
    measured = [measure(source, texts[set_name(source)], chosen.limit) for source in chosen.sources]
    found = dict(rows(measured))
    write("integrity", {"tools": found})
    for tool, figures in found.items():
        print(tool, figures)


if __name__ == "__main__":
    main()
