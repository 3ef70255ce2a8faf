"""Weights of pages in the trees."""

import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="in the environment of training alone: make test-training")

from winnow.lab.train.hybrid.align import align
from winnow.lab.train.hybrid.corpus import Sample
from winnow.lab.train.hybrid.fit import Size, content_trees
from winnow.lab.train.hybrid.matrix import corpus_of
from winnow.models.document import Page
from winnow.models.page import blocks_of

MARKUP = "<p>Three masons mend the roof of the old mill.</p>" * 100


def a_sample(page_type: str, gold: str) -> Sample:
    blocks = blocks_of(Page("https://roofs.invalid/", MARKUP.encode(), "text/html"), wanted="every")
    texts = [blocks.block(order).text for order in range(len(blocks))]
    labels = align(texts, gold, "", by_character=False)
    return Sample("wcxb", "wcxb", page_type, page_type, page_type, blocks, labels)


@pytest.mark.parametrize(("non_articles", "is_content"), [(0.01, True), (100.0, False)])
def test_pages_that_are_not_articles_are_weighted_by_size_in_trees(
    non_articles: float, is_content: bool
) -> None:
    text = "Three masons mend the roof of the old mill. " * 100
    corpus = corpus_of((a_sample("article", text), a_sample("forum", "nothing")))
    size = Size(trees=20, non_articles=non_articles)

    trees = content_trees(corpus, corpus.features, np.ones(2, bool), size)

    odds = np.asarray(trees.predict(corpus.features, num_threads=1, raw_score=True))
    assert bool(odds.mean() > 0) == is_content
