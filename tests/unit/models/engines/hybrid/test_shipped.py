"""The parameter files that ship: readable, and what their provenance says."""

import hashlib
import json
from pathlib import Path

import pytest

from winnow.lab.sets.conventions import CONVENTIONS
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page
from winnow.models.engines.hybrid import MIXED, OPEN, Convention, Training
from winnow.models.engines.hybrid.model import confidence_path
from winnow.models.errors import OptionsError
from winnow.models.ngram import NgramModel
from winnow.models.options import CleanerOptions

PROSE = "The first meeting was held in the back room of the bakery, and eleven people came."
MENU = '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/n">News</a></li></ul>'


@pytest.mark.parametrize(
    ("path", "sets"),
    [(MIXED, set(CONVENTIONS)), (OPEN, {"wcxb"})],
)
def test_a_shipped_file_is_the_one_of_its_provenance(path: Path, sets: set[str]) -> None:
    facts = json.loads(path.with_suffix(".provenance.json").read_bytes())

    assert hashlib.sha256(path.read_bytes()).hexdigest() == facts["sha256"]
    assert path.stat().st_size == facts["file_bytes"] <= 4 << 20
    assert {each["name"] for each in facts["made_from"]} == sets


@pytest.mark.parametrize("path", [MIXED, OPEN])
def test_shipped_confidence_was_fitted_for_its_parameters(path: Path) -> None:
    own = confidence_path(path)
    facts = json.loads(own.with_suffix(".provenance.json").read_bytes())

    assert hashlib.sha256(own.read_bytes()).hexdigest() == facts["sha256"]
    # if not: make train-confidence
    assert hashlib.sha256(path.read_bytes()).hexdigest() == facts["parameters_sha256"]
    assert facts["on_sites_left_out"]["bad_in_lowest"] >= 0.6
    assert facts["on_sites_left_out"]["spearman"] >= 0.5


def test_options_choose_the_openly_licensed_training(english: NgramModel) -> None:
    options = CleanerOptions().with_values({"training": "open"})
    page = Page("https://sample.invalid/", f"<div>{MENU}</div><h1>Roof</h1><p>{PROSE}".encode())

    cleaner = Cleaner(options, english)

    assert cleaner.clean(page).text.endswith(PROSE)
    assert cleaner.fingerprint != Cleaner(CleanerOptions(), english).fingerprint


def test_a_training_is_refused_by_other_engines(english: NgramModel) -> None:
    with pytest.raises(OptionsError, match="does not have the option training"):
        Cleaner(CleanerOptions(engine="perplexity", training=Training.OPEN), english)


@pytest.mark.parametrize("comments", [Convention.KEEP, Convention.DROP])
def test_comments_are_refused_by_a_training_without_them(
    english: NgramModel, comments: Convention
) -> None:
    with pytest.raises(OptionsError, match="training=open does not recognise readers' comments"):
        Cleaner(CleanerOptions(training=Training.OPEN, comments=comments), english)
