"""Labels that contradict the page they are of weigh little in training."""

from dataclasses import replace

import numpy as np
import pytest

from winnow.lab.train.hybrid.hygiene import Labelled, doubts


def a_page(content: list[float]) -> Labelled:
    """Paragraphs of twenty words in one parent."""
    return Labelled(
        content=np.array(content, np.float32),
        comment=np.zeros(len(content), np.float32),
        words=np.full(len(content), 20, np.int32),
        is_prose=np.ones(len(content), bool),
        parents=np.zeros(len(content), np.int64),
        missing=0.0,
    )


def test_equal_paragraphs_after_the_end_of_the_gold_are_doubtful() -> None:
    found = doubts(a_page([0, 1, 1, 1, 1, 0, 0]))

    assert found.tails.tolist() == [False] * 5 + [True] * 2
    assert found.trust.tolist() == pytest.approx([1, 1, 1, 1, 1, 0.2, 0.2])


@pytest.mark.parametrize(
    "page",
    [
        a_page([1, 1, 1, 0]),  # a single one: a note about the author
        a_page([1, 0, 0, 0]),  # the head is one paragraph
        replace(a_page([1, 1, 0, 0]), parents=np.array([1, 1, 2, 2])),
        replace(a_page([1, 1, 0, 0]), comment=np.array([0, 0, 1, 1], np.float32)),
        replace(a_page([1, 1, 0, 0]), is_prose=np.array([True, True, False, False])),
        replace(a_page([1, 1, 0, 0]), words=np.array([20, 20, 5, 5])),
        a_page([0, 0, 1, 0, 1, 0, 0]),  # gold chooses among the paragraphs
    ],
    ids=["one", "short head", "parents", "comments", "links", "words", "chosen"],
)
def test_other_ends_of_gold_are_trusted(page: Labelled) -> None:
    assert doubts(page).trust.tolist() == [1.0] * len(page.content)


def test_blocks_that_gold_has_half_of_are_doubtful_when_they_are_long() -> None:
    found = doubts(replace(a_page([0.5, 0.5, 0.9]), words=np.array([20, 4, 20])))

    assert found.trust.tolist() == pytest.approx([0.3, 1, 1])


@pytest.mark.parametrize(
    ("missing", "trust"), [(0.0, 1.0), (0.1, 1.0), (0.3, 0.625), (0.5, 0.25), (0.9, 0.25)]
)
def test_pages_that_lack_their_gold_weigh_less(missing: float, trust: float) -> None:
    assert doubts(replace(a_page([1]), missing=missing)).trust.tolist() == pytest.approx([trust])
