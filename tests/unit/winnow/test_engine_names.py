"""Every engine stands wherever engines are listed by name."""

import json
import re
from pathlib import Path
from typing import Final, get_args, get_type_hints

import pytest

from winnow.models.engines.choice import ENGINES
from winnow.models.engines.engine import Engine
from winnow.models.explanation import _BLOCK_REASONS
from winnow.models.options import CleanerOptions
from winnow.once import OptionKeywords

ROOT: Final = Path(__file__).resolve().parents[3]
CHART: Final = json.loads((ROOT / "helm/winnow/values.schema.json").read_text())


def engine(name: str) -> Engine:
    return ENGINES[name](CleanerOptions(engine=name))


def words(page: str) -> set[str]:
    return set(re.findall(r"\w+", (ROOT / page).read_text(encoding="utf-8")))


def test_an_engine_is_called_as_it_calls_itself() -> None:
    assert {name: engine(name).name for name in ENGINES} == {name: name for name in ENGINES}


def test_the_keyword_of_the_library_takes_every_engine() -> None:
    assert set(get_args(get_type_hints(OptionKeywords)["engine"])) == ENGINES.keys()


def test_the_chart_takes_every_engine() -> None:
    taken = CHART["properties"]["worker"]["properties"]["engine"]["enum"]

    assert set(taken) == {"", *ENGINES}


def test_the_inspector_has_a_range_of_thresholds_for_every_engine() -> None:
    script = (ROOT / "worker/inspector/static/main.js").read_text(encoding="utf-8")
    ranges = re.search(r"^const RANGES = \{(.*)\};$", script, re.MULTILINE)

    assert ranges
    assert set(re.findall(r"(\w+): \[", ranges[1])) == ENGINES.keys()


def test_every_engine_says_why_a_block_stays_or_goes() -> None:
    by_rule = {name for name in ENGINES if engine(name).rule.has_probabilities} | {"perplexity"}

    assert _BLOCK_REASONS.keys() | by_rule == ENGINES.keys()


@pytest.mark.parametrize(
    "place",
    ["README.md", "docs/engines.md", "docs/concepts.md"],
)
def test_pages_about_the_engines_name_each(place: str) -> None:
    assert ENGINES.keys() - words(place) == set()
