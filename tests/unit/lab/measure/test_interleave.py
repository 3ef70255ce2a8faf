"""Variants in turns: what each costs in terms of another."""

from itertools import accumulate

import pytest

from winnow.lab.measure.interleave import run, run_parts


def test_parts_take_turns_and_a_round_is_their_sum() -> None:
    order: list[str] = []
    # a machine that slows down: what runs later takes longer, warm-up aside
    clock = iter(accumulate(range(100)))

    rounds = run_parts(
        {
            name: [lambda name=name, part=part: order.append(f"{name}{part}") for part in range(3)]  # type: ignore[misc]
            for name in ("a", "b")
        },
        rounds=2,
        clock=lambda: float(next(clock)),
    )

    assert order[:6] == ["a0", "a1", "a2", "b0", "b1", "b2"]
    assert order[6:] == ["a0", "b0", "a1", "b1", "a2", "b2"] * 2
    # parts took 1, 5, 9 and 3, 7, 11 in the first round, 12 more in the second
    ratio = rounds.ratio("b", "a")
    assert ratio.low == pytest.approx(57 / 51)
    assert ratio.high == pytest.approx(21 / 15)
    assert rounds.seconds("a") == (15 + 51) / 2


def test_a_variant_in_one_piece_is_run_once_a_round() -> None:
    runs: list[str] = []

    run({"a": lambda: runs.append("a"), "b": lambda: runs.append("b")}, rounds=1)

    assert runs == ["a", "b", "a", "b"]


def test_variants_of_other_parts_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        run_parts({"a": [int, int], "b": [int]}, rounds=1)
