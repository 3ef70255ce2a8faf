"""The table of the third paper on the same languages, with today's versions of its tools.

    python -m winnow.lab.downstream.tools ../shared/pages/daniel.tar.zst --against CACHE/outputs

Barbaresi and Lejeune (2020) ran ten tools, some in several configurations, on 1,694 pages of
DAnIEL. `winnow.lab.measure.peers` runs the maintained ones and newer tools on the pages available
here. Engines of Winnow run in this process.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

from winnow.lab.downstream.tables import Results, shown, write_results
from winnow.lab.measure.bootstrap import OCC_F, interval
from winnow.lab.measure.engines import build_engine
from winnow.lab.measure.figures import FIGURE, Figure, scaled
from winnow.lab.measure.outputs import read_outputs, tools_of
from winnow.lab.measure.run import Evaluation
from winnow.lab.measure.runs import Run, groups_of
from winnow.lab.measure.summary import Summary, summarise
from winnow.lab.sets.tasks import Selection, gold_set_of, set_name, tasks

ENGINES: Final = (
    *("hybrid", "hybrid:training=open", "contrast", "web2text", "perplexity", "everything"),
)
MEASURES: Final = (
    *("occ_precision", "occ_recall", "occ_f", "voc_f", "aligned_f", "cosine", "euclidean", "kl"),
    *("empty", "almost_empty", "clean_ms", "parse_ratio"),
)
PAPER: Final = (
    "Paper (2020, older versions, all its pages), the best occ F of a language: English 90.4, "
    "Greek 89.0, Polish 84.2, Russian 63.3; converters kept over 90 % at a precision of 20 to 30 %."
)
SUCCESSORS: Final = (
    "Of the paper's ten tools newspaper3k lives on as newspaper4k; dragnet builds on no Python "
    "that Winnow supports, and news-please, which fetches, runs newspaper and readability: neither "
    "is here. jusText: the language's stop list, English alone, all lists (the paper's `_langid`, "
    "`_english` and no mark); BoilerPy3: article, default, largest, everything."
)
TRAINED: Final = (
    "`hybrid` was trained on pages of this set, `hybrid:training=open` on none of them, thresholds "
    "of `perplexity` were chosen on the training part."
)


def by_language(runs: Sequence[Run], figure: Figure) -> Results:
    """Return one figure of every tool, with one column per language and their mean."""
    groups = groups_of(runs)
    rows = []
    for run in runs:
        values = [_value(figure, _summary(run, group)) for group in groups]
        cells = [shown(value, 1) for value in (*values, fmean(values))]
        if figure.key == "occ_f":
            found = interval(run.scores, OCC_F)
            cells.append(f"{100 * found.low:.1f} to {100 * found.high:.1f}")
        rows.append((run.engine, tuple(cells)))
    counts = ", ".join(f"{sum(s.group == g for s in runs[0].scores)} {_short(g)}" for g in groups)
    columns = [*map(_short, groups), "mean"] + ["95 %, all pages"] * (figure.key == "occ_f")
    notes = (f"Pages: {counts}; Chinese by characters.", TRAINED, PAPER, SUCCESSORS)
    title = f"Tools by language, {figure.title}"
    return Results(title, tuple(columns), tuple(rows), notes[: 4 if figure.key == "occ_f" else 2])


def all_measures(runs: Sequence[Run]) -> Results:
    """Return every measure of every tool, as the mean over languages."""
    groups = groups_of(runs)
    figures = [FIGURE[key] for key in MEASURES]
    rows = []
    for run in runs:
        summaries = [_summary(run, group) for group in groups]
        means = [fmean(_value(figure, each) for each in summaries) for figure in figures]
        rows.append((run.engine, tuple(shown(mean, 2) for mean in means)))
    notes = (
        f"Mean of {len(groups)} languages. LCS F is the paper's clean-eval.",
        "Time is CPU per page, and as a multiple of a bare parse.",
    )
    columns = tuple(figure.title for figure in figures)
    return Results("Tools, every measure", columns, tuple(rows), notes)


def _summary(run: Run, group: str) -> Summary:
    return summarise([score for score in run.scores if score.group == group])


def _value(figure: Figure, summary: Summary) -> float:
    return scaled(figure, summary) or 0.0


def _short(group: str) -> str:
    return group.rpartition("/")[2]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path)
    parser.add_argument("--against", type=Path, required=True, help="folder of SET/TOOL.jsonl")
    parser.add_argument("--out", type=Path, default=Path("build/downstream"))
    parser.add_argument("--limit", type=int, help="maximum pages of each language, for a quick run")
    chosen = parser.parse_args()
    name = set_name(chosen.pages)
    evaluation = Evaluation({engine: build_engine(engine) for engine in ENGINES})
    evaluation.add_set(
        name,
        tasks(chosen.pages, gold_set_of(chosen.pages), Selection(limit=chosen.limit)),
        {
            tool: read_outputs(path)
            for tool, path in sorted(tools_of([chosen.against], [name])[name].items())
        },
        lambda _task: None,
    )
    runs = sorted(evaluation.runs(), key=lambda run: not run.is_own)
    shown_by_language = [FIGURE["occ_f"], FIGURE["empty"], FIGURE["almost_empty"]]
    tables = [by_language(runs, figure) for figure in shown_by_language]
    write_results(chosen.out, "tools", [*tables, all_measures(runs)])


if __name__ == "__main__":
    main()
