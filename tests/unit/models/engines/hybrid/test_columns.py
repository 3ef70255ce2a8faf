"""What the trees see of a block: copies of a text, and its place among the likely blocks."""

import numpy as np
import pytest

from winnow.models._kernel import Blocks
from winnow.models._kernel.lab import (
    hybrid_block_features,
    hybrid_feature_names,
    hybrid_neighbourhood_features,
)
from winnow.models.document import Page
from winnow.models.page import blocks_of as page_blocks

TEASER = "A roof of glass for the market"
PAGE = f"<h2>{TEASER}</h2><p>Three masons work on it.</p><p>{TEASER}</p><p>Imprint</p>"
PROBABILITIES = [0.9, 0.8, 0.7, 0.1]


def blocks_of(markup: str) -> Blocks:
    return page_blocks(Page("https://roofs.invalid/", markup.encode(), "text/html"), wanted="every")


def first_column(name: str, markup: str = PAGE) -> list[float]:
    names = hybrid_feature_names()[0]
    rows = np.frombuffer(hybrid_block_features(blocks_of(markup)), np.float32).reshape(
        -1, len(names)
    )
    return [float(value) for value in rows[:, names.index(name)]]


def second_column(name: str) -> list[float]:
    names = hybrid_feature_names()[1]
    rows, _ = hybrid_neighbourhood_features(blocks_of(PAGE), PROBABILITIES)
    table = np.frombuffer(rows, np.float32).reshape(-1, len(names))
    return [float(value) for value in table[:, names.index(name)]]


def test_a_text_is_a_copy_when_the_same_text_comes_before_it() -> None:
    assert first_column("copied_before") == [0, 0, 1, 0]


def test_a_block_that_was_streamed_is_marked_as_hidden() -> None:
    assert first_column("hidden", "<p>A</p><div hidden id='S:0'><p>B</p></div>") == [0, 1]


def test_copies_are_as_likely_as_the_likeliest_of_the_others() -> None:
    assert second_column("p_copies") == pytest.approx([0.7, -1, 0.9, -1])
    assert second_column("p_first_copy") == pytest.approx([-1, -1, 0.9, -1])
    assert second_column("copy_distance") == [0, 0, 2, 0]


def test_columns_of_a_page_follow_its_probabilities() -> None:
    names = hybrid_feature_names()[2]

    _, row = hybrid_neighbourhood_features(blocks_of(PAGE), PROBABILITIES)

    columns = dict(zip(names, np.frombuffer(row, np.float32), strict=True))
    # 7, 5, 7 and 1 words
    assert columns["p_words"] == pytest.approx(15.3)
    assert columns["p_page"] == pytest.approx(15.3 / 20)


@pytest.mark.parametrize(("markup", "count"), [(PAGE, 3), (PAGE, 5), ("<hr>", 0)])
def test_columns_need_one_probability_per_block(markup: str, count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} probabilities"):
        hybrid_neighbourhood_features(blocks_of(markup), [0.5] * count)


def test_the_last_likely_block_ends_the_kept_text() -> None:
    assert second_column("from_first_kept") == [0, 1, 2, 3]
    assert second_column("to_last_kept") == [2, 1, 0, -1]


def test_ranks_are_shares_of_the_words_of_likelier_blocks() -> None:
    # 7, 5, 7 and 1 words
    assert second_column("p_rank") == pytest.approx([0.35, 0.6, 0.95, 1.0])
    assert second_column("kept_share") == pytest.approx([0.95] * 4)
