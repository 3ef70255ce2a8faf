"""CleanEval as the first paper scores it: Levenshtein similarity, and the sweep of its cut-off.

    python -m lab.downstream.cleaning ../shared/pages/cleaneval.tar.zst ../shared/corpus/en

The sweep has bigrams and trigrams of general English and of one domain (answers on health, as the
paper's abstracts of one disease), trained here on text whose licence is open. Models are ours:
interpolated, where the paper divides counts.
"""

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Final

import numpy as np

from lab.downstream.tables import Results, shown, write_results
from lab.downstream.variants import VARIANTS, TextOf, variant
from lab.measure.metrics import char_similarity
from lab.sets.tasks import Selection, Task, gold_set_of, tasks
from lab.train.language.training import TrainingPlan, train_model

CUT_OFFS: Final = tuple(range(1000, 15_000, 1000))
DOMAIN: Final = "medquad-nih-health.txt.zst"
# no licence that lets a model be given away
NOT_OPEN: Final = ("nltk-brown", "nltk-abc-news", "gum-mixed")
PAPER: Final = (
    "Paper (2023, all of CleanEval): bigrams 8K .7976, 10K .7980; jusText .7620. General English "
    "beat the domain's model everywhere; bigrams and trigrams were about equal."
)


def similarities(text_of: TextOf, pages: Sequence[Task]) -> list[float]:
    """Return 1 - Levenshtein distance / longer length of every page."""
    return [char_similarity(text_of(task.page), task.wanted.text) for task in pages]


def by_engine(pages: Sequence[Task]) -> Results:
    """Return the similarity of every way of cleaning."""
    rows = []
    for name in VARIANTS:
        found = similarities(variant(name), pages)
        low, middle, high = np.quantile(found, (0.1, 0.5, 0.9))
        rows.append((name, tuple(shown(value, 4) for value in (fmean(found), low, middle, high))))
    notes = (f"{len(pages)} pages of CleanEval; empty results count as 0.", PAPER)
    columns = ("mean", "10 %", "median", "90 %")
    return Results("CleanEval, Levenshtein similarity of characters", columns, tuple(rows), notes)


def sweep(models: Mapping[str, Path | str], pages: Sequence[Task]) -> Results:
    """Return the mean similarity at every cut-off, a row a model."""
    rows = []
    for name, path in models.items():
        means = []
        for cut_off in CUT_OFFS:
            text_of = variant(f"perplexity:threshold={cut_off}{path and f',model={path}'}")
            means.append(fmean(similarities(text_of, pages)))
        rows.append((name, tuple(shown(mean, 4) for mean in means)))
    columns = tuple(f"{cut_off // 1000}K" for cut_off in CUT_OFFS)
    notes = (f"{len(pages)} pages of CleanEval, `perplexity` engine.", PAPER)
    return Results("Cut-off of perplexity, by model", columns, tuple(rows), notes)


def trained(corpus: Path, folder: Path) -> dict[str, Path]:
    """Train the models of the sweep on the files of a folder."""
    texts = sorted(corpus.glob("*.txt.zst"))
    general = [path for path in texts if not path.name.startswith(NOT_OPEN)]
    domain = [path for path in texts if path.name == DOMAIN]
    models = {}
    for name, files in (("general", general), ("one domain", domain)):
        for order, called in ((2, "bigrams"), (3, "trigrams")):
            path = folder / f"{name.replace(' ', '-')}-{order}.winnow"
            train_model(files, path, TrainingPlan(order=order, language="en"))
            models[f"{name}, {called}"] = path
    return models


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--out", type=Path, default=Path("build/downstream"))
    parser.add_argument("--limit", type=int, help="so many pages, for a try")
    chosen = parser.parse_args()
    selection = Selection(limit=chosen.limit)
    pages = list(tasks(chosen.pages, gold_set_of(chosen.pages), selection))
    with tempfile.TemporaryDirectory() as folder:
        models: dict[str, Path | str] = {"shipped": "", **trained(chosen.corpus, Path(folder))}
        write_results(chosen.out, "cleaning", [by_engine(pages), sweep(models, pages)])


if __name__ == "__main__":
    main()
