"""The parameter files that ship: readable, and what their provenance says."""

import json
from pathlib import Path

import pytest

from models.cleaner import Cleaner
from models.document import Page
from models.engines.hybrid import MIXED, OPEN, Comments, HybridModel, Training
from models.errors import OptionsError
from models.ngram import NgramModel
from models.options import CleanerOptions

PROSE = "The first meeting was held in the back room of the bakery, and eleven people came."
MENU = '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/n">News</a></li></ul>'


@pytest.mark.parametrize(
    ("path", "sets"),
    [(MIXED, {"cleaneval", "daniel", "dragnet", "page-signal", "wcxb"}), (OPEN, {"wcxb"})],
)
def test_a_shipped_file_is_the_one_of_its_provenance(path: Path, sets: set[str]) -> None:
    facts = json.loads(path.with_suffix(".provenance.json").read_bytes())

    assert HybridModel.load(path).digest == facts["sha256"]
    assert path.stat().st_size == facts["file_bytes"] <= 4 << 20
    assert {each["name"] for each in facts["made_from"]} == sets


def test_options_choose_the_openly_licensed_training(english: NgramModel) -> None:
    options = CleanerOptions().with_values({"training": "open"})
    page = Page("https://sample.invalid/", f"<div>{MENU}</div><h1>Roof</h1><p>{PROSE}".encode())

    cleaner = Cleaner(options, english)

    assert cleaner.clean(page).text.endswith(PROSE)
    assert cleaner.fingerprint != Cleaner(CleanerOptions(), english).fingerprint


def test_a_training_is_refused_by_other_engines(english: NgramModel) -> None:
    with pytest.raises(OptionsError, match="comes in one training"):
        Cleaner(CleanerOptions(engine="perplexity", training=Training.OPEN), english)


@pytest.mark.parametrize("comments", [Comments.KEEP, Comments.DROP])
def test_comments_are_refused_by_a_training_that_does_not_tell_them(
    english: NgramModel, comments: Comments
) -> None:
    with pytest.raises(OptionsError, match="training=open does not tell readers' comments apart"):
        Cleaner(CleanerOptions(training=Training.OPEN, comments=comments), english)
