"""Known pages looked for in indexes of their text: tables 2 to 5 of the first paper.

    python -m lab.downstream.search ../shared/pages/*.tar.zst --jars FOLDER [--out FOLDER]

All labelled pages are indexed by Lucene, once a variant. Two kinds of query, each looking for the
page that it comes from:

- `title`: the longest part of the `title` element between `|`, `-`, `:` and the like, of at least
  three distinct words, if no other page has the same. Wherever its words stand one after the other
  in a page's text, they are left out of the index: what is looked for is the rest.
- `sentence`: the first sentence of the gold text that has 8 to 30 words.

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

from lab.downstream.indexes import Costs, run_lucene
from lab.downstream.known_items import KnownItem, sentence_of, title_of, unique, words_of
from lab.downstream.ranking import found_within, holm, ndcg, reciprocal_rank, without_run
from lab.downstream.tables import Results, shown, write_results
from lab.downstream.variants import BASE, VARIANTS, variant
from lab.sets.tasks import Selection, Task, gold_set_of, tasks

ROUNDS: Final = 5
DEPTH: Final = 10
PAPER: Final = (
    "Paper (ClueWeb12-B13, TREC queries): index 382 GB without cleaning, 81 to 96 GB cleaned; "
    "10,000 queries 125.4 h and 64 to 70 h; Decision track P@10 .546 and .568 to .578."
)


def index_lines(name: str, pages: Sequence[Task], titles: Sequence[KnownItem]) -> Iterator[str]:
    """Yield a line a page: its id and the words of its text, without those of its title."""
    text_of = variant(name)
    by_page = {item.page_id: item.words for item in titles}
    for task in pages:
        page_id = task.wanted.page_id
        words = without_run(words_of(text_of(task.page)), by_page.get(page_id, ()))
        yield f"{page_id}\t{' '.join(words)}\n"


def effectiveness(
    kind: str, similarity: str, ranks: Mapping[str, Sequence[int]], notes: Sequence[str]
) -> Results:
    """Return the figures of every variant, with the difference of its reciprocal ranks."""
    reciprocal = {name: np.array([*map(reciprocal_rank, own)]) for name, own in ranks.items()}
    p_values = holm(
        {
            name: float(wilcoxon(own, reciprocal[BASE], zero_method="zsplit").pvalue)
            for name, own in reciprocal.items()
            if name != BASE
        }
    )
    rows = []
    for name in VARIANTS:
        own = ranks[name]
        rows.append(
            (
                name,
                (
                    shown(float(reciprocal[name].mean())),
                    shown(fmean(found_within(rank, 1) for rank in own)),
                    shown(fmean(found_within(rank, DEPTH) for rank in own)),
                    shown(fmean(ndcg(rank, DEPTH) for rank in own)),
                    shown(fmean(rank == 0 for rank in own)),
                    "" if name == BASE else f"{p_values[name]:.2g}",
                ),
            )
        )
    columns = ("MRR", "P@1", "found in 10", "NDCG@10", "not in 1000", f"p of MRR against {BASE}")
    return Results(f"Search by {kind}, {similarity}", columns, tuple(rows), tuple(notes))


def costs_table(costs: dict[str, Costs]) -> Results:
    """Return what each index costs beside that of the tag-stripped pages, in the same rounds."""
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
        f"CPU as medians (smallest, largest) of {ROUNDS} rounds in which the variants take turns.",
        PAPER,
    )
    return Results("What an index costs", columns, rows, notes)


def _ratio(own: Sequence[int], base: Sequence[int]) -> str:
    ratios = [one / other for one, other in zip(own, base, strict=True)]
    return f"{median(ratios):.2f} ({min(ratios):.2f}, {max(ratios):.2f})"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--jars", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("build/downstream"))
    parser.add_argument("--limit", type=int, help="so many pages of each group, for a try")
    chosen = parser.parse_args()
    pages = [
        task
        for source in chosen.sources
        for task in tasks(source, gold_set_of(source), Selection(limit=chosen.limit))
    ]
    titles = unique(KnownItem(task.wanted.page_id, title_of(task)) for task in pages)
    sentences = unique(KnownItem(task.wanted.page_id, sentence_of(task)) for task in pages)
    folder = chosen.out / "search"
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    for name in VARIANTS:
        lines = index_lines(name, pages, titles)
        (folder / "documents" / f"{name}.tsv").write_text("".join(lines), encoding="utf-8")
    queries = [f"{item.page_id}\t{' '.join(item.words)}\n" for item in (*titles, *sentences)]
    (folder / "queries.tsv").write_text("".join(queries), encoding="utf-8")
    ranks, costs = run_lucene(folder, chosen.jars, ROUNDS)
    tables = []
    for kind, part in (
        ("title", slice(0, len(titles))),
        ("first sentence", slice(len(titles), None)),
    ):
        count = len(titles) if kind == "title" else len(sentences)
        notes = (
            f"{count} queries over {len(pages)} pages; Lucene 9.12.3, StandardAnalyzer.",
            f"Wilcoxon's test on query pairs (SciPy {scipy.__version__}) with Holm's correction.",
        )
        for similarity in ("dirichlet", "bm25"):
            own = {name: ranks[name, similarity][part] for name in VARIANTS}
            tables.append(effectiveness(kind, similarity, own, notes))
    write_results(chosen.out, "search", [*tables, costs_table(costs)])


if __name__ == "__main__":
    main()
