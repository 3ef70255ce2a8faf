"""Documents of sites that training did not see: faults per 1,000, and word F1 by set.

    python -m winnow.lab.measure.unseen ../shared/pages build/thirds

The folder has a parameter file of the hybrid engine for each part of the sites, trained without it:
`0.bin`, `1.bin`, ... by `winnow.lab.train.hybrid --fold 0 --folds N --out 0.bin`. Each page is
judged by the file of its own part (`make integrity-left-out`).
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from winnow.lab.measure.faults import Counts
from winnow.lab.measure.integrity import choices, table
from winnow.lab.measure.metrics import word_f1
from winnow.lab.sets.conventions import CONVENTIONS
from winnow.lab.sets.parts import fold_of
from winnow.lab.sets.tasks import Selection, Task, tasks
from winnow.models import Cleaner
from winnow.models.engines.hybrid import HybridModel, HybridOptions
from winnow.models.engines.hybrid.engine import HybridEngine
from winnow.models.errors import InvalidPage


@dataclass(slots=True)
class Unseen:
    """Faults by column, and the word F1 of the documents of each set; a refused page gets 0."""

    counts: dict[str, Counts] = field(default_factory=dict)
    scores: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, task: Task, cleaner: Cleaner) -> None:
        """Clean a page of the set `name` by parameters that did not see its site."""
        scores = self.scores.setdefault(name, [])
        try:
            explanation = cleaner.explain(task.page)
        except InvalidPage:
            scores.append(0.0)
            return
        scores.append(word_f1(explanation.document.text, task.wanted.text))
        for column, choice in choices(explanation, task.wanted.text):
            self.counts.setdefault(column, Counts()).add(choice)

    def f1_table(self) -> Iterator[str]:
        """Yield the lines of the table of F1 x 100 in Markdown."""
        yield "| set | pages | word F1 |"
        yield "|---|---:|---:|"
        for name, scores in self.scores.items():
            yield f"| {name} | {len(scores)} | {100 * fmean(scores):.2f} |"


def cleaners_of(folder: Path) -> list[Cleaner]:
    """Return a cleaner for each part of the sites.

    Raises:
        FileNotFoundError: a part has no parameter file.
        ModelError: a file cannot be used.
    """
    count = sum(1 for _ in folder.glob("*.bin"))
    if not count:
        raise FileNotFoundError(f"{folder}: has no parameter files")
    files = (folder / f"{part}.bin" for part in range(count))
    models = (HybridModel(file.read_bytes()) for file in files)
    return [Cleaner(engine=HybridEngine(model, HybridOptions())) for model in models]


def main(arguments: Sequence[str]) -> None:
    """Print both tables, of all labelled pages together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path, help="folder of the development pages")
    parser.add_argument("parameters", type=Path, help="folder of the parameter files")
    parser.add_argument("--limit", type=int, help="maximum pages per group and set")
    chosen = parser.parse_args(arguments)
    cleaners, found = cleaners_of(chosen.parameters), Unseen()
    for name, convention in CONVENTIONS.items():
        source = chosen.pages / f"{name}.tar.zst"
        for task in tasks(source, convention.gold, Selection(limit=chosen.limit)):
            found.add(name, task, cleaners[fold_of(task.site, len(cleaners))])
    print("\n".join((*table(found.counts, digits=1), "", *found.f1_table())))


if __name__ == "__main__":
    main(sys.argv[1:])
