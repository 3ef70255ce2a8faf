"""The loss by wrongly judged blocks, by class."""

import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="in the environment of training alone: make test-training")

from winnow.lab.train.hybrid.align import align
from winnow.lab.train.hybrid.corpus import Sample
from winnow.lab.train.hybrid.fit import Predicted
from winnow.lab.train.hybrid.losses import losses, table_of
from winnow.lab.train.hybrid.matrix import corpus_of
from winnow.lab.train.hybrid.score import Cut
from winnow.models._kernel import PAGE_TYPES
from winnow.models.document import Page
from winnow.models.page import blocks_of

BLOCKS = (
    "Menu and search",
    "Three masons mend the roof",
    "and one climbs",
    "of the old mill",
    "Subscribe now",
)
GOLD = " ".join(BLOCKS[1:4])


def test_wrongly_kept_and_dropped_blocks_cost_their_share_of_the_words() -> None:
    markup = "".join(f"<p>{text}</p>" for text in BLOCKS).encode()
    blocks = blocks_of(Page("https://roofs.invalid/", markup, "text/html"), wanted="every")
    sample = Sample(
        *("turing", "turing", "1", "roofs.invalid", ""),
        blocks,
        align(list(BLOCKS), GOLD, "", by_character=False),
    )
    corpus = corpus_of((sample,))
    content = np.array([0.9, 0.9, 0.1, 0.9, 0.1], np.float32)
    kinds = np.eye(len(PAGE_TYPES), dtype=np.float32)[[PAGE_TYPES.index("article")]]
    judged = Predicted(content, content, content, content, kinds)

    found = losses(corpus, np.ones(1, bool), judged, Cut())

    # 12 words of gold and 12 that are kept, of which 3 each are wrong
    expected = {(True, "before the text, short"): 3 / 24, (False, "inside the text, short"): 3 / 24}
    pages, of_modern = found["modern"]
    assert pages == 1
    assert of_modern == pytest.approx(expected)
    assert table_of(found)[2:] == [
        "| kept: before the text, short | 12.50 |",
        "| dropped: inside the text, short | 12.50 |",
    ]
