"""Every list of engines has all engines."""

import json
import math
import re
from pathlib import Path
from typing import Final

import pytest

from winnow.models.document import Verdict
from winnow.models.engines.choice import ENGINES, engine_of
from winnow.models.engines.engine import Engine
from winnow.models.engines.hybrid import Convention
from winnow.models.errors import OptionsError
from winnow.models.options import CleanerOptions

ROOT: Final = Path(__file__).resolve().parents[3]
CHART: Final = json.loads((ROOT / "helm/winnow/values.schema.json").read_text())


def engine(name: str) -> Engine:
    return engine_of(CleanerOptions(engine=name))


def words(page: str) -> set[str]:
    return set(re.findall(r"\w+", (ROOT / page).read_text(encoding="utf-8")))


def test_an_engine_has_its_registered_name() -> None:
    assert {name: engine(name).name for name in ENGINES} == {name: name for name in ENGINES}


def test_the_chart_takes_every_engine() -> None:
    taken = CHART["properties"]["worker"]["properties"]["engine"]["enum"]

    assert set(taken) == {"", *ENGINES}


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_says_why_a_block_stays_or_goes(name: str) -> None:
    reasons = ENGINES[name].reasons

    assert reasons or engine(name).rule.has_probabilities or name == "perplexity"
    assert not reasons or reasons.keys() >= {Verdict.KEPT, Verdict.BOILERPLATE}


@pytest.mark.parametrize("name", ENGINES)
def test_the_slider_of_every_engine_holds_what_a_calibration_tries(name: str) -> None:
    slider, tried = ENGINES[name].slider, ENGINES[name].tried
    at = [math.log10(each) if slider.is_logarithmic else each for each in tried]

    assert slider.least <= min(at) < max(at) <= slider.most
    assert list(tried) == sorted(set(tried))


def test_only_the_registry_knows_which_options_are_of_one_engine() -> None:
    refused = CleanerOptions(engine="contrast", captions=Convention.KEEP)

    with pytest.raises(OptionsError, match="'contrast' does not have the option captions"):
        engine_of(refused)


@pytest.mark.parametrize(
    "place",
    ["README.md", "docs/engines.md", "docs/concepts.md"],
)
def test_pages_about_the_engines_name_each(place: str) -> None:
    assert ENGINES.keys() - words(place) == set()
