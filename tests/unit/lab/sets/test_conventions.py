"""What is known of the public sets agrees with how they are read and measured."""

from pathlib import Path

import pytest

from winnow.lab.sets.conventions import CONVENTIONS, MODERN, engine_type
from winnow.lab.sets.tasks import gold_set_of

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_set_is_evaluated_by_the_marks_of_its_convention(name: str) -> None:
    assert gold_set_of(Path(f"{name}.tar.zst")) is CONVENTIONS[name].gold


def test_no_tool_is_ranked_by_sets_that_are_labelled_by_rule() -> None:
    ruled = {name for name, convention in CONVENTIONS.items() if convention.is_by_rule}

    makefile = (ROOT / "Makefile").read_text()

    assert f"\nBY_RULE := {' '.join(sorted(ruled))}\n" in makefile
    assert ruled.isdisjoint(MODERN)
    assert all(CONVENTIONS[name].weight < 1 for name in ruled)


def test_every_archive_has_a_convention(shared: Path) -> None:
    archives = {path.name.removesuffix(".tar.zst") for path in (shared / "pages").glob("*.zst")}

    assert archives == set(CONVENTIONS)


@pytest.mark.parametrize(
    ("name", "page_type", "expected"),
    [
        ("wcxb", "article", "article"),
        ("wcxb", "forum", "forum"),
        ("harvest", "forum", "forum"),
        ("fundus", "article", ""),
        ("recipes", "recipe", ""),
    ],
)
def test_types_are_mapped_to_types_of_the_engine(name: str, page_type: str, expected: str) -> None:
    assert engine_type(name, page_type) == expected
