"""How title, author and date are compared with the gold, and counted."""

import pytest

from winnow.lab.measure.metadata import Count, is_right


@pytest.mark.parametrize(
    ("field", "wanted", "given", "right"),
    [
        ("title", "Bees \u2013 \u201cfor  all\u201d", 'bees - "for all"', True),
        ("title", "Bees", "Bees | Hive", False),
        ("author", "By Ann Bee, MD and Bob Wasp", "Bob Wasp; Ann Bee", True),
        ("author", "Ännchen Biene", "annchen biene", True),
        ("author", "Ann Bee", "Ann Bee, Bob Wasp", False),
        ("date", "2025-05-03", "2025-05-03T10:00:00Z", True),
        ("date", "2025-05-03", "2025-05-04", False),
        ("date", "", "2025-05-04", False),
    ],
)
def test_values_are_compared_by_meaning(
    field: str,
    wanted: str,
    given: str,
    right: bool,
) -> None:
    assert is_right(field, wanted, given) is right


def test_a_value_for_a_page_without_gold_costs_precision_alone() -> None:
    count = Count()

    count.add("date", "2025-05-03", "2025-05-03")
    count.add("date", "", "2025-05-03")
    count.add("date", "2025-05-03", "")

    assert (count.recall, count.precision) == (0.5, 0.5)
