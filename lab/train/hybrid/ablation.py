"""Ablation of the hybrid engine: effect of its parts, of more or fewer trees, and of more sites.

python -m winnow.lab.train.hybrid.ablation ../shared/pages ablation --trees 70
python -m winnow.lab.train.hybrid.ablation ../shared/pages sizes
python -m winnow.lab.train.hybrid.ablation ../shared/pages sites --trees 70

Every row of the first two is trained again, once, without dragnet and without a third of the sites
of WCXB; its figures are from these pages. Rows of the last one leave out each third of all sites in
turn. For the effect of a memory of sites see `lab/measure/sites.py`.
"""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from winnow.lab.measure.interleave import Rounds, run
from winnow.lab.sets.labelled import labelled_pages
from winnow.lab.sets.parts import fold_of
from winnow.lab.train.hybrid.corpus import samples
from winnow.lab.train.hybrid.cross import cross
from winnow.lab.train.hybrid.embedding import no_words
from winnow.lab.train.hybrid.file import file_of
from winnow.lab.train.hybrid.fit import Boosters, Predicted, Size, predict, train
from winnow.lab.train.hybrid.matrix import Choice, Corpus, Floats, corpus_of
from winnow.lab.train.hybrid.score import Cut, table
from winnow.models._kernel import Blocks
from winnow.models._kernel.lab import hybrid_feature_names
from winnow.models.document import Page
from winnow.models.engines.contrast import BOILERPLATE
from winnow.models.engines.hybrid import HybridModel
from winnow.models.ngram import NgramModel
from winnow.models.page import blocks_of, decode

# groups of columns in their order, by the name of their first column
GROUPS: Final = {
    "text of the block": "link_share",
    "overlap with title and description": "distinct_share",
    "place in text and tree": "order_share",
    "windows and landmarks": "w2_links",
    "names, roles, scores of containers": "doubtful",
    "series of equal elements, the page": "near_twins",
}
# trees, leaves of a tree, share of the network
SIZES: Final = {
    "the network alone": (1, 2, 1.0),
    "50": (50, 15, 0.4),
    "100": (100, 15, 0.4),
    "200": (200, 15, 0.4),
}
FOLDS: Final = 3
# eighths of the sites that are not tested
SHARES: Final = (1, 2, 4, 8)
SETS: Final = ("dragnet", "page-signal", "cleaneval", "daniel", "wcxb")
COST_PAGES: Final = 100

Figures = Mapping[str, float]


def splits(corpus: Corpus) -> dict[str, Choice]:
    """Return the left-out samples: a set, and a third of the sites of WCXB."""
    families = np.array([sample.family for sample in corpus.samples])
    sites = sorted({sample.site for sample in corpus.samples})
    third = set(sites[::FOLDS])
    in_third = np.array([sample.site in third for sample in corpus.samples])
    return {"dragnet": families == "dragnet", "wcxb": (families == "wcxb") & in_third}


def left_out(corpus: Corpus) -> Choice:
    """Return all tested samples."""
    tested: Choice = np.logical_or.reduce(list(splits(corpus).values()))
    return tested


def row(name: str, figures: Figures, more: str = "") -> None:
    """Print one row of a Markdown table."""
    cells = " | ".join(f"{figures[key]:.1f}" for key in ("dragnet", "wcxb"))
    print(f"| {name} | {cells} |{more}", flush=True)


def figures_of(corpus: Corpus, predicted: Predicted) -> Figures:
    """Return F x 100 per left-out part."""
    scores = table(corpus, left_out(corpus), predicted, Cut())
    return {name: scores[name] for name in splits(corpus)}


def retrained(corpus: Corpus, size: Size) -> tuple[Boosters, Predicted]:
    """Train without the left-out samples, and judge them."""
    tested = left_out(corpus)
    trees = train(corpus, ~tested, size)
    return trees, predict(corpus, tested, trees)


def ablation(corpus: Corpus, size: Size) -> None:
    """Print F without a stage, page types, features or words."""
    print("| changed | dragnet | wcxb |\n|---|---:|---:|")
    _, whole = retrained(corpus, size)
    row("nothing", figures_of(corpus, whole))
    for name, content in (
        ("without knowledge of templates", whole.mixed),
        ("only the trees", whole.second),
        ("only the network", whole.first),
    ):
        row(name, figures_of(corpus, replace(whole, content=content)))
    for name, article in (("all pages cut as articles", 1.0), ("no page cut as an article", 0.0)):
        fixed = replace(whole, kinds=with_article(whole.kinds, article))
        row(name, figures_of(corpus, fixed))
    for name in GROUPS:
        row(f"without {name}", figures_of(corpus, retrained(without(corpus, name), size)[1]))
    wordless = replace(corpus, block_words=no_words(len(corpus.content)))
    row("without single words", figures_of(corpus, retrained(wordless, size)[1]))
    row("with language models", figures_of(corpus, retrained(with_language(corpus), size)[1]))


def with_article(kinds: Floats, article: float) -> Floats:
    """Return type probabilities with articles set to a value, and other types to zero."""
    changed = np.zeros_like(kinds)
    changed[:, 0] = article
    return changed


def with_language(corpus: Corpus) -> Corpus:
    """Return the corpus with two more columns: bits per token of content, and minus boilerplate."""
    content, boilerplate = NgramModel.shipped(), NgramModel.open(BOILERPLATE)
    columns = [
        np.stack([bits(model, sample.blocks) for model in (content, boilerplate)], axis=1)
        for sample in corpus.samples
    ]
    scores = np.vstack(columns)
    scores[:, 1] = scores[:, 0] - scores[:, 1]
    return replace(corpus, features=np.hstack([corpus.features, scores]))


def bits(model: NgramModel, blocks: Blocks) -> Floats:
    """Return the bits per token of every block, 0 if it was not scored."""
    (sentences,) = model.score([blocks])
    owners = np.frombuffer(sentences.column("block"), np.uint32)
    surprise = -np.frombuffer(sentences.column("log2_prob"), np.float32)
    tokens = np.frombuffer(sentences.column("tokens"), np.uint32)
    all_bits = np.bincount(owners, surprise, len(blocks))
    counts = np.bincount(owners, tokens, len(blocks))
    return (all_bits / np.maximum(counts, 1)).astype(np.float32)


def without(corpus: Corpus, group: str) -> Corpus:
    """Return the corpus with a group of columns set to a constant, without information."""
    names = hybrid_feature_names()[0]
    starts = [names.index(first) for first in GROUPS.values()]
    place = list(GROUPS).index(group)
    features = corpus.features.copy()
    features[:, starts[place] : [*starts, len(names)][place + 1]] = 0.0
    return replace(corpus, features=features)


def sizes(corpus: Corpus, pages: Path, rows: int) -> None:
    """Print accuracy and cost of several sizes."""
    figures, models = {}, {}
    for name, (trees, leaves, share) in SIZES.items():
        size = Size(rows=rows, trees=trees, leaves=leaves, share=share)
        boosters, predicted = retrained(corpus, size)
        figures[name] = figures_of(corpus, predicted)
        models[name] = HybridModel(file_of(boosters, Cut()))
    costs = costs_of(models, pages)
    print("| trees | dragnet | wcxb | x parse |\n|---|---:|---:|---:|")
    for name in SIZES:
        row(name, figures[name], f" {costs.ratio(name, 'parse')} |")


def sites(corpus: Corpus, size: Size) -> None:
    """Print accuracy on unseen sites, by the number of sites in training."""
    print(f"| pages | sites | {' | '.join(SETS)} |\n|---:|---:|{'---:|' * len(SETS)}")
    names = np.array([sample.site for sample in corpus.samples])
    folds = np.array([fold_of(name, FOLDS) for name in names])
    eighths = np.array([fold_of(f"eighth of {name}", SHARES[-1]) for name in names])
    every = np.ones(len(names), bool)
    for share in SHARES:
        known = eighths < share
        scores = table(corpus, every, cross(corpus, folds, size, known), Cut())
        seen = round(known.sum() * (FOLDS - 1) / FOLDS)
        seen_sites = round(len(set(names[known])) * (FOLDS - 1) / FOLDS)
        cells = " | ".join(f"{scores[name]:.1f}" for name in SETS)
        print(f"| {seen} | {seen_sites} | {cells} |", flush=True)


def costs_of(models: Mapping[str, HybridModel], folder: Path) -> Rounds:
    """Return the cost of judging pages of dragnet for each model, and of a bare lexbor parse."""
    labelled = list(labelled_pages(folder / "dragnet.tar.zst"))[:COST_PAGES]
    pages = [Page(page.facts.url or "", page.html, "text/html") for page in labelled]
    sources = [decode(page) for page in pages]
    outlines = [blocks_of(page, wanted="every") for page in pages]

    def parse_all() -> None:
        for source in sources:
            LexborHTMLParser(source.markup)

    def judge_all(model: HybridModel) -> None:
        for blocks in outlines:
            model.judge([blocks])

    judging = {name: partial(judge_all, model) for name, model in models.items()}
    return run({"parse": parse_all, **judging})


def main() -> None:
    """Read the pages once, and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path)
    parser.add_argument("what", choices=("ablation", "sizes", "sites"))
    parser.add_argument("--trees", type=int, default=Size().trees, help="ignored for sizes")
    parser.add_argument("--rows", type=int, default=60_000)
    arguments = parser.parse_args()
    corpus = corpus_of(tuple(samples(arguments.pages)))
    size = replace(Size(), trees=arguments.trees, rows=arguments.rows)
    match arguments.what:
        case "ablation":
            ablation(corpus, size)
        case "sizes":
            sizes(corpus, arguments.pages, arguments.rows)
        case _:
            sites(corpus, size)


if __name__ == "__main__":
    main()
