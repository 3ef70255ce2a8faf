"""Known-item search in indexes of cleaned text: tables 2 to 5 of the first paper.

    python -m winnow.lab.downstream.search ../shared/pages/*.tar.zst --jars FOLDER [--out FOLDER]

Lucene indexes all labelled pages, once per variant; pages of the same host are distractors.
Each query looks for the page that it comes from; a query that two pages share is left out. Kinds:

- `title`: the longest part of the `title` element between `|`, `-`, `:` and similar;
- `headline`: the first `h1`;
- `anchor`: the most frequent text of links to the page from other pages;
- `first sentence`: the first sentence of the gold text that has 8 to 30 words.

The first three have at least three distinct words. Occurrences of the title or headline in the
page's text are left out of the index, so the search must find the rest.

Ranked by query likelihood with Dirichlet smoothing (mu = 2000, as in the paper) and by BM25.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Final

import numpy as np
import scipy
from scipy.stats import wilcoxon

from winnow.lab.downstream.indexes import Costs, run_lucene
from winnow.lab.downstream.known_items import Named, known_items, named, words_of
from winnow.lab.downstream.ranking import found_within, holm, ndcg, reciprocal_rank, without_run
from winnow.lab.downstream.tables import Results, shown, write_results
from winnow.lab.downstream.variants import BASE, VARIANTS, variant
from winnow.lab.measure.bootstrap import redrawn_pages
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, tasks

ROUNDS: Final = 3
WILCOXON: Final = (
    f"Wilcoxon's test on query pairs (SciPy {scipy.__version__}) with Holm's correction; pairs "
    "without a difference count half for each side. It weighs ranks of differences, not their "
    "sizes."
)
# Wilcoxon's test cannot decide with fewer pairs
LEAST_QUERIES: Final = 6
DEPTH: Final = 10
PAPER: Final = (
    "Paper (ClueWeb12-B13, TREC queries): index 382 GB without cleaning, 81 to 96 GB cleaned; "
    "10,000 queries 125.4 h and 64 to 70 h; Decision track P@10 .546 and .568 to .578."
)


def index_lines(name: str, pages: Sequence[Task], names: Sequence[Named]) -> Iterator[str]:
    """Yield one line per page: its id and the words of its text, without title and headline."""
    text_of = variant(name)
    for task, called in zip(pages, names, strict=True):
        words = words_of(text_of(task.page))
        for run in (called.title, called.headline):
            words = without_run(words, run)
        yield f"{task.wanted.page_id}\t{' '.join(words)}\n"


def effectiveness(
    kind: str, similarity: str, ranks: Mapping[str, Sequence[int]], notes: Sequence[str]
) -> Results:
    """Return the figures of every variant, and the difference of its reciprocal ranks."""
    reciprocal = {name: np.array([*map(reciprocal_rank, own)]) for name, own in ranks.items()}
    p_values = holm(
        {
            name: float(wilcoxon(own, reciprocal[BASE], zero_method="zsplit").pvalue)
            for name, own in reciprocal.items()
            if name != BASE
        }
    )
    draws = redrawn_pages(len(ranks[BASE])) / len(ranks[BASE])
    rows = []
    for name in VARIANTS:
        own = ranks[name]
        low, high = np.quantile(draws @ (reciprocal[name] - reciprocal[BASE]), (0.025, 0.975))
        rows.append(
            (
                name,
                (
                    shown(float(reciprocal[name].mean())),
                    shown(fmean(found_within(rank, 1) for rank in own)),
                    shown(fmean(found_within(rank, DEPTH) for rank in own)),
                    shown(fmean(ndcg(rank, DEPTH) for rank in own)),
                    shown(fmean(rank == 0 for rank in own)),
                    "" if name == BASE else f"{low:+.3f} to {high:+.3f}",
                    "" if name == BASE else f"{p_values[name]:.2g}",
                ),
            )
        )
    columns = (
        *("MRR", "P@1", "found in 10", "NDCG@10", "not in 1000"),
        *(f"MRR less {BASE}, 95 %", "Holm's p"),
    )
    return Results(f"Search by {kind}, {similarity}", columns, tuple(rows), tuple(notes))


def costs_table(costs: Mapping[str, Costs]) -> Results:
    """Return the cost of each index relative to tag-stripped pages, in the same rounds."""
    base = costs[BASE]
    rows = tuple(
        (
            name,
            (
                f"{costs[name].index_bytes / 1e6:.1f}",
                shown(costs[name].index_bytes / base.index_bytes),
                _ratio(costs[name].build_ns, base.build_ns),
                _ratio(costs[name].search_ns, base.search_ns),
            ),
        )
        for name in VARIANTS
    )
    columns = ("index MB", f"index / {BASE}", "CPU of building", "CPU of 10,000 queries")
    notes = (
        f"CPU: median (min, max) of {len(base.build_ns)} rounds; the variants take turns.",
        PAPER,
    )
    return Results("Cost of an index", columns, rows, notes)


def _ratio(own: Sequence[int], base: Sequence[int]) -> str:
    ratios = [one / other for one, other in zip(own, base, strict=True)]
    return f"{median(ratios):.2f} ({min(ratios):.2f}, {max(ratios):.2f})"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--jars", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("build/downstream"))
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="number of cost measurements")
    parser.add_argument("--limit", type=int, help="maximum pages of each group, for a quick run")
    chosen = parser.parse_args()
    pages = [
        task
        for source in chosen.sources
        for task in tasks(source, gold_set_of(source), Selection(limit=chosen.limit))
    ]
    names = [named(task.page) for task in pages]
    items = {
        kind: found
        for kind, found in known_items(pages, names).items()
        if len(found) >= LEAST_QUERIES
    }
    folder = chosen.out / "search"
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    for name in VARIANTS:
        lines = index_lines(name, pages, names)
        (folder / "documents" / f"{name}.tsv").write_text("".join(lines), encoding="utf-8")
    queries = [
        f"{item.page_id}\t{' '.join(item.words)}\n" for found in items.values() for item in found
    ]
    (folder / "queries.tsv").write_text("".join(queries), encoding="utf-8")
    ranks, costs = run_lucene(folder, chosen.jars, chosen.rounds)
    tables = []
    first = 0
    for kind, found in items.items():
        part = slice(first, first + len(found))
        first += len(found)
        notes = (
            f"{len(found)} queries over {len(pages)} pages; Lucene 9.12.3, StandardAnalyzer.",
            "Each wants one page: AP is the reciprocal rank, P@10 a tenth of found in 10.",
            WILCOXON,
        )
        for similarity in ("dirichlet", "bm25"):
            own = {name: ranks[name, similarity][part] for name in VARIANTS}
            tables.append(effectiveness(kind, similarity, own, notes))
    write_results(chosen.out, "search", [*tables, costs_table(costs)])


if __name__ == "__main__":
    main()
