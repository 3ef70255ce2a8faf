"""CleanEval as in the first paper: Levenshtein similarity, and a sweep of the cut-off.

    python -m winnow.lab.downstream.cleaning PAGES/cleaneval.tar.zst CORPUS/en \
        --against CACHE/outputs

The sweep has the shipped model of general English (bigrams), trigrams of the same text, and both
for one domain (answers on health, like the paper's abstracts of one disease), trained here on
openly licensed text. The models are interpolated, whereas the paper divides counts.
"""

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Final

import numpy as np

from winnow.lab.downstream.tables import Results, shown, write_results
from winnow.lab.downstream.variants import BASE, ENGINES, variant
from winnow.lab.measure.bootstrap import redrawn_pages
from winnow.lab.measure.metrics import char_similarity
from winnow.lab.measure.outputs import Output, read_outputs, tools_of
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, set_name, tasks
from winnow.lab.train.language.training import TrainingPlan, train_model
from winnow.models._kernel import render
from winnow.models.errors import InvalidPage
from winnow.models.ngram import NgramModel
from winnow.models.page import blocks_of

OWN: Final = (BASE, *ENGINES)
CUT_OFFS: Final = tuple(range(1000, 15_000, 1000))
# like the shipped model: n-grams seen once are not listed
MIN_COUNTS: Final = (1, 2, 2)
DOMAIN: Final = "medquad-nih-health.txt.zst"
# licences that do not allow a model to be published
NOT_OPEN: Final = ("nltk-brown", "nltk-abc-news", "gum-mixed")
PAPER: Final = (
    "Paper (2023, all of CleanEval): bigrams 8K .7976, 10K .7980; jusText .7620. General English "
    "beat the domain's model everywhere; bigrams and trigrams were about equal."
)


def engine_texts(name: str, pages: Sequence[Task]) -> list[str]:
    """Return the texts of one engine; refused pages are missing."""
    text_of = variant(name)
    return [text_of(task.page) for task in pages]


def tool_texts(path: Path, pages: Sequence[Task]) -> list[str]:
    """Return the texts of another tool; pages without a line are missing."""
    outputs = read_outputs(path)
    return [outputs.get(task.in_set, Output()).text for task in pages]


def similarities(texts: Sequence[str], pages: Sequence[Task]) -> list[float]:
    """Return 1 - Levenshtein distance / longer length of every page."""
    return [
        char_similarity(text, task.wanted.text) for text, task in zip(texts, pages, strict=True)
    ]


def by_engine(pages: Sequence[Task], tools: Mapping[str, Path]) -> Results:
    """Return the similarity of every way of cleaning, with its 95 % interval."""
    draws = redrawn_pages(len(pages)) / len(pages)
    rows = []
    for name in (*OWN, *tools):
        texts = tool_texts(tools[name], pages) if name in tools else engine_texts(name, pages)
        found = similarities(texts, pages)
        low, high = np.quantile(draws @ np.array(found), (0.025, 0.975))
        empty = sum(not text.strip() for text in texts)
        interval = f"{low:.4f} to {high:.4f}"
        rows.append((name, (shown(fmean(found), 4), interval, shown(median(found), 4), str(empty))))
    known = "`hybrid` was trained on these pages, `hybrid:training=open` on none of them."
    notes = (f"{len(pages)} pages of CleanEval; empty results count as 0. {known}", PAPER)
    columns = ("mean", "95 %", "median", "empty")
    return Results("CleanEval, Levenshtein similarity of characters", columns, tuple(rows), notes)


def sweep(models: Mapping[str, NgramModel], pages: Sequence[Task]) -> Results:
    """Return the mean similarity at every cut-off, one row per model."""
    rows = []
    for name, model in models.items():
        found = np.array([at_cut_offs(model, task) for task in pages])
        rows.append((name, tuple(shown(mean, 4) for mean in found.mean(axis=0))))
    columns = tuple(f"{cut_off // 1000}K" for cut_off in CUT_OFFS)
    notes = (
        f"{len(pages)} pages of CleanEval, sentences above the cut-off dropped.",
        f"General bigrams ship; n-grams of two words and more were seen {MIN_COUNTS[1]} times.",
        PAPER,
    )
    return Results("Cut-off of perplexity, by model", columns, tuple(rows), notes)


def at_cut_offs(model: NgramModel, task: Task) -> list[float]:
    """Return the similarity of one page at every cut-off; its sentences are scored once."""
    try:
        blocks = blocks_of(task.page)
    except InvalidPage:
        return [char_similarity("", task.wanted.text)] * len(CUT_OFFS)
    (sentences,) = model.score([blocks])
    found: dict[bytes, float] = {}
    for verdicts in map(sentences.above, map(float, CUT_OFFS)):
        if verdicts not in found:
            text = render(blocks, sentences, verdicts, "text", mark=False).text
            found[verdicts] = char_similarity(text, task.wanted.text)
    return [found[sentences.above(float(cut_off))] for cut_off in CUT_OFFS]


def trained(corpus: Path, folder: Path) -> dict[str, NgramModel]:
    """Train the models of the sweep that are not shipped, on the files of a folder."""
    general = [p for p in sorted(corpus.glob("*.txt.zst")) if not p.name.startswith(NOT_OPEN)]
    domain = [corpus / DOMAIN]
    models = {}
    for name, files, order in (
        ("general trigrams", general, 3),
        ("domain bigrams", domain, 2),
        ("domain trigrams", domain, 3),
    ):
        path = folder / f"{name.replace(' ', '-')}.winnow"
        train_model(files, path, TrainingPlan(order=order, language="en", min_counts=MIN_COUNTS))
        models[name] = NgramModel.open(path)
    return models


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--against", type=Path, required=True, help="folder of SET/TOOL.jsonl")
    parser.add_argument("--out", type=Path, default=Path("build/downstream"))
    parser.add_argument("--limit", type=int, help="maximum pages, for a quick run")
    chosen = parser.parse_args()
    selection = Selection(limit=chosen.limit)
    pages = list(tasks(chosen.pages, gold_set_of(chosen.pages), selection))
    name = set_name(chosen.pages)
    tools = dict(sorted(tools_of([chosen.against], [name])[name].items()))
    with tempfile.TemporaryDirectory() as folder:
        shipped = {"general bigrams": NgramModel.shipped()}
        models = {**shipped, **trained(chosen.corpus, Path(folder))}
        write_results(chosen.out, "cleaning", [by_engine(pages, tools), sweep(models, pages)])


if __name__ == "__main__":
    main()
