"""The table of the models that ship."""

import pytest

from winnow.lab.train.language.table import Texts, area, row_of
from winnow.models.ngram import NgramModel


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [([1, 2], [3, 4], 1.0), ([3, 4], [1, 2], 0.0), ([1, 3], [2, 4], 0.75), ([1], [1], 0.5)],
)
def test_the_area_is_the_share_of_pairs_in_order(
    low: list[float], high: list[float], wanted: float
) -> None:
    assert area(low, high) == wanted


def test_a_row_has_the_figures_of_a_model_on_pages(model: NgramModel) -> None:
    good = [f"It was the time that they had {number} times." for number in range(100)]
    bad = [f"Zzqx vrrt {number} grrm plonk." for number in range(100)]

    cells = row_of(model, Texts(good, bad)).split(" | ")

    assert cells[0] == "| en"
    assert (cells[-2], cells[-1]) == ("1.000", "100 and 100 |")
    assert row_of(model, Texts(good, bad[:99])).endswith("| | | | |")
