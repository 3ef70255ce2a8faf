"""A quadratic loop is found anywhere in the grid."""

import math
from collections.abc import Callable

import pytest

from tests.exponents import MAX_EXPONENT, exponent
from tests.growth.grid import LARGEST, SMALL, Cost, Grid

NAMES = [f"construct {number}" for number in range(60)]
MODES = ["text", "Markdown", "spans", "explain"]
LOOP = NAMES[37]
# seconds of a byte of an ordinary construct
BYTE_S = 1e-7
CHEAP = 0.4
Seconds = Callable[[int], float]


def linear(size: int) -> float:
    return BYTE_S * size


def with_caches(size: int) -> float:
    return BYTE_S * size * math.pow(max(1.0, size / 100_000), 0.1)


def quadratic(share: float) -> Seconds:
    """Return seconds with a loop over the page for each byte, a share of the rest at 1 MB.

    The rest is small, so that the construct is not dear.
    """
    return lambda size: CHEAP * linear(size) * (1 + share * size / 1e6)


def costs_of(seconds: dict[str, Seconds], most_bytes: int = LARGEST) -> list[Cost]:
    """Measure constructs with given costs; their pages begin with their name."""

    def page(name: str) -> Callable[[int], bytes]:
        return lambda size: name.encode().ljust(size)

    def measure(_mode: str, body: bytes, _times: int) -> float | None:
        seconds_of = seconds.get(body[:20].strip().decode(), linear)
        return seconds_of(len(body)) if len(body) <= most_bytes else None

    grid = Grid({name: page(name) for name in NAMES}, MODES, measure, lambda _cost: False)
    return list(grid.costs())


@pytest.mark.parametrize("degree", [1.0, 1.5, 2.0])
def test_exponent_is_the_degree_of_growth(degree: float) -> None:
    sizes = (1_000, 10_000, 100_000)

    assert exponent(sizes, [size**degree / 1e9 for size in sizes]) == pytest.approx(degree)


@pytest.mark.parametrize("share", [0.2, 1.0, 100.0])
def test_a_quadratic_part_is_found(share: float) -> None:
    costs = costs_of({LOOP: quadratic(share)})

    bad = {cost.construct for cost in costs if cost.exponent > MAX_EXPONENT}

    assert bad == {LOOP}


def test_a_quadratic_part_is_found_where_larger_pages_are_refused() -> None:
    costs = costs_of({LOOP: quadratic(1.0)}, most_bytes=LARGEST // 4)

    assert {cost.construct for cost in costs if cost.exponent > MAX_EXPONENT} == {LOOP}
    assert {max(cost.seconds) for cost in costs} <= {SMALL[-1], LARGEST // 4}


def test_an_undetected_quadratic_part_at_most_doubles_the_largest_page() -> None:
    shares = [share / 1000 for share in range(300)]

    unseen = [share for share in shares if fit_of_small(quadratic(share)) <= 1.05]

    assert quadratic(max(unseen))(LARGEST) <= 2.2 * CHEAP * linear(LARGEST)


def test_the_largest_page_of_a_certain_loop_is_left_out() -> None:
    costs = costs_of({LOOP: quadratic(100.0)})

    assert {max(cost.seconds) for cost in costs if cost.construct == LOOP} == {SMALL[-1]}


def fit_of_small(seconds: Seconds) -> float:
    return exponent(SMALL, [seconds(size) for size in SMALL])


def test_a_cost_step_from_full_caches_passes() -> None:
    costs = costs_of({LOOP: with_caches})

    assert max(cost.exponent for cost in costs) <= MAX_EXPONENT


def test_each_construct_is_cleaned_in_text_and_markdown_and_some_in_every_mode() -> None:
    costs = costs_of({})

    by_mode = {mode: [cost for cost in costs if cost.mode == mode] for mode in MODES}

    assert [len(by_mode[mode]) for mode in ("text", "Markdown")] == [60, 60]
    assert {cost.construct for cost in by_mode["spans"]} == {
        cost.construct for cost in by_mode["explain"]
    }
    assert len(by_mode["spans"]) >= math.ceil(60 / 15)


def test_the_largest_page_is_cleaned_for_a_random_part_of_the_rest() -> None:
    costs = costs_of({})

    largest = sum(
        max(cost.seconds) == LARGEST for cost in costs if cost.mode in {"text", "Markdown"}
    )

    # a third is dear, and one in twenty is drawn
    assert 120 / 3 <= largest <= 120 / 3 + 120 / 20


def test_a_cost_that_passes_a_bound_is_measured_again() -> None:
    looks: list[int] = []

    def measure(_mode: str, body: bytes, _times: int) -> float:
        looks.append(len(body))
        # other work on the machine while the largest page is cleaned for the first time
        is_disturbed = len(body) == LARGEST and looks.count(LARGEST) == 1
        return linear(len(body)) * (3 if is_disturbed else 1)

    (cost,) = Grid({"a": bytes}, ["text"], measure, lambda _cost: False).costs()

    assert looks.count(LARGEST) == 2
    assert cost.exponent == pytest.approx(1.0)
