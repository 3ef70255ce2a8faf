"""Scores of a choice of blocks, to evaluate training."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from winnow.lab.sets.conventions import MODERN
from winnow.lab.train.hybrid.corpus import Sample
from winnow.lab.train.hybrid.fit import Predicted
from winnow.lab.train.hybrid.matrix import Choice, Corpus, Floats
from winnow.models._kernel import PAGE_TYPES
from winnow.models._kernel.lab import HYBRID_DOCUMENTATION
from winnow.models.engines.hybrid import PageType

_ARTICLE, _DOCUMENTATION = map(PAGE_TYPES.index, (PageType.ARTICLE, PageType.DOCUMENTATION))


@dataclass(frozen=True, slots=True)
class Cut:
    """Thresholds for blocks.

    Attributes:
        article: threshold for articles.
        other: factor on the best threshold for other pages.
        documentation: factor on the threshold for documentation; it is in the kernel, not in the
        file.
    """

    article: float = 0.48
    other: float = 1.0
    documentation: float = HYBRID_DOCUMENTATION


def best_threshold(probabilities: Floats, words: Floats) -> float:
    """Return half of the best expected F1 of a page (the kernel's `decode::best_threshold`)."""
    order = np.argsort(-probabilities, kind="stable")
    expected = np.cumsum((probabilities * words)[order])
    kept = np.cumsum(words[order])
    return float((expected / np.maximum(1e-9, kept + expected[-1])).max())


def chosen(probabilities: Floats, words: Floats, kinds: Floats, cut: Cut) -> Choice:
    """Return the kept blocks of a page with these type probabilities."""
    words = np.maximum(words, 0.1)
    article, documentation = float(kinds[_ARTICLE]), float(kinds[_DOCUMENTATION])
    other = cut.other * best_threshold(probabilities, words)
    usual = article * cut.article + (1 - article) * other
    kept: Choice = probabilities > usual * (1 - documentation * (1 - cut.documentation))
    if not kept.any():
        kept[np.argmax(probabilities * np.minimum(words, 50))] = True
    return kept


def precision_recall(sample: Sample, kept: Choice) -> tuple[float, float]:
    """Return precision and recall of the multiset of words."""
    labels = sample.labels
    got = np.bincount(labels.ids[np.repeat(kept, labels.words)], minlength=len(labels.gold))
    hits = np.minimum(got, labels.gold).sum()
    return hits / max(1, got.sum()), hits / max(1, labels.gold.sum())


@dataclass(frozen=True, slots=True)
class PageScore:
    """Precision and recall of one page."""

    sample: Sample
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Return F1 of the multiset of words."""
        return _f(self.precision, self.recall)


def page_scores(
    corpus: Corpus, tested: Choice, predicted: Predicted, cut: Cut
) -> Iterator[PageScore]:
    """Yield the scores of all tested pages."""
    for number, kept in kept_blocks(corpus, tested, predicted, cut):
        sample = corpus.samples[number]
        yield PageScore(sample, *precision_recall(sample, kept))


def kept_blocks(
    corpus: Corpus, tested: Choice, predicted: Predicted, cut: Cut
) -> Iterator[tuple[int, Choice]]:
    """Yield the number of each tested page, and its kept blocks."""
    for number in map(int, np.nonzero(tested)[0]):
        rows = slice(corpus.offsets[number], corpus.offsets[number + 1])
        words = corpus.samples[number].labels.words.astype(np.float32)
        yield number, chosen(predicted.content[rows], words, predicted.kinds[number], cut)


def table(corpus: Corpus, tested: Choice, predicted: Predicted, cut: Cut) -> dict[str, float]:
    """Return F x 100 by group: occ F of the mean precision and recall, for WCXB the mean of F1.

    `daniel` is the mean of its languages, `modern` the mean of the modern sets.
    """
    pages: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for page in page_scores(corpus, tested, predicted, cut):
        sample, figures = page.sample, (page.precision, page.recall)
        if sample.family == "wcxb":
            f = _f(*figures)
            pages["wcxb"].append((f, f))
            pages[f"wcxb/{sample.page_type}"].append((f, f))
        else:
            pages[sample.group].append(figures)
    scores = {name: 100 * _f(*np.mean(rows, axis=0)) for name, rows in pages.items()}
    means = {
        "daniel": [score for name, score in scores.items() if name.startswith("daniel/")],
        "modern": [scores[name] for name in MODERN if name in scores],
    }
    return scores | {name: float(np.mean(found)) for name, found in means.items() if found}


def type_scores(corpus: Corpus, tested: Choice, predicted: Predicted) -> dict[str, float]:
    """Return the accuracy x 100 of page types, per WCXB type and for all tested pages.

    It is empty if no tested page has a type.
    """
    hits: dict[str, list[bool]] = defaultdict(list)
    for number in np.nonzero(tested)[0]:
        sample = corpus.samples[number]
        if sample.page_type:
            is_right = PAGE_TYPES[int(predicted.kinds[number].argmax())] == sample.page_type
            hits[f"type/{sample.page_type}"].append(is_right)
            hits["type"].append(is_right)
    return {name: 100 * float(np.mean(pages)) for name, pages in hits.items()}


def _f(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
