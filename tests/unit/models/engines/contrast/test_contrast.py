"""The contrast engine: content or boilerplate, by two language models and without labels."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models._kernel import JudgedPage
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page, Verdict
from winnow.models.engines.contrast import BOILERPLATE, ContrastEngine, ContrastParameters
from winnow.models.errors import ModelError, OptionsError
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.options import CleanerOptions
from winnow.models.page import blocks_of

PROSE = (
    "The first meeting was held in the back room of the bakery, and eleven people came. "
    "They agreed to mend the roof before the winter, and to ask the council for the money."
)
MENU = "".join(f"<li><a href=/>{name}</a>" for name in ("Home", "News", "Contact us", "Log in"))
NOTICE = "<p>Copyright 2011</p><p>All rights reserved</p><p>Privacy policy Terms of use</p>" * 2
GREEK = (
    "Η πρώτη συνάντηση έγινε στο πίσω δωμάτιο του φούρνου και ήρθαν έντεκα άνθρωποι. "
    "Συμφώνησαν να επισκευάσουν τη στέγη πριν από τον χειμώνα."
)


@pytest.fixture(scope="module")
def boilerplate() -> NgramModel:
    return NgramModel.open(BOILERPLATE)


def judged(engine: ContrastEngine, page: Page) -> JudgedPage:
    models = LanguageModels([NgramModel.shipped()])
    (found,) = models.judge(engine.rule, [blocks_of(page)])
    return found


def a_page(*blocks: str, lang: str = "") -> Page:
    body = "".join(f"<div>{block}</div>" for block in blocks)
    markup = f"<html lang='{lang}'><meta charset=utf-8><body>{body}</body></html>"
    return Page("https://sample.invalid/page", markup.encode())


def contrasting(english: NgramModel, threshold: float | None = None) -> Cleaner:
    return Cleaner(CleanerOptions(engine="contrast", threshold=threshold), english)


def test_clean_keeps_prose_between_two_menus(english: NgramModel) -> None:
    page = a_page(f"<ul>{MENU}</ul>", f"<p>{PROSE}</p>" * 3, f"<ul>{MENU}</ul>")

    document = contrasting(english).clean(page)

    assert document.text == "\n\n".join([PROSE] * 3)
    assert document.stats.dropped_sentences.keys() == {Verdict.BOILERPLATE}


@pytest.mark.parametrize("concealed", ["noscript", "div hidden"])
def test_clean_leaves_out_concealed_text_when_the_page_shows_text(
    english: NgramModel, concealed: str
) -> None:
    other = PROSE.replace("bakery", "school")
    page = a_page(
        f"<p>{PROSE}</p>" * 4, f"<{concealed}><p>{other}</p></{concealed.split(maxsplit=1)[0]}>"
    )

    document = contrasting(english).clean(page)

    assert document.text == "\n\n".join([PROSE] * 4)


def test_clean_keeps_prose_of_a_language_that_neither_model_knows(english: NgramModel) -> None:
    page = a_page(f"<ul>{MENU}</ul>", f"<p>{GREEK}</p>" * 3, f"<ul>{MENU}</ul>", lang="el")

    document = contrasting(english).clean(page)

    assert document.text == "\n\n".join([GREEK] * 3)
    assert document.language == "el"


def test_clean_keeps_something_of_a_page_of_links_alone(english: NgramModel) -> None:
    document = contrasting(english).clean(a_page(f"<ul>{MENU}</ul>"))

    assert document.text


def test_a_higher_threshold_keeps_less(english: NgramModel) -> None:
    page = a_page(f"<ul>{MENU}</ul>", f"<p>{PROSE}</p>", NOTICE, PROSE, f"<ul>{MENU}</ul>")

    low = contrasting(english, -9.0).clean(page)
    high = contrasting(english, 9.0).clean(page)

    assert high.stats.tokens_kept < low.stats.tokens_kept
    assert (low.threshold, high.threshold) == (-9.0, 9.0)


def test_another_threshold_is_another_fingerprint(english: NgramModel) -> None:
    assert contrasting(english).fingerprint != contrasting(english, 1.0).fingerprint


def test_a_threshold_that_is_not_a_number_is_refused(english: NgramModel) -> None:
    with pytest.raises(OptionsError, match="must be a number"):
        contrasting(english, float("nan"))


def test_a_missing_model_of_boilerplate_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.winnow"):
        ContrastEngine.load(tmp_path / "none.winnow")


def test_a_page_without_text_gets_no_verdict(english: NgramModel) -> None:
    assert contrasting(english).clean(a_page()).stats.sentences == 0


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=40), max_size=12))
def test_every_sentence_has_the_verdict_of_its_block(
    texts: list[str],
) -> None:
    found = judged(ContrastEngine.load(), a_page(*texts))

    by_block: dict[int, set[int]] = {}
    for index, verdict in enumerate(found.verdicts):
        by_block.setdefault(found.sentences.sentence(index)[2], set()).add(verdict)
    assert len(found.verdicts) == len(found.sentences)
    assert all(len(codes) == 1 for codes in by_block.values())


def test_parameters_decide(boilerplate: NgramModel) -> None:
    page, low = a_page(MENU, PROSE), ContrastParameters(block=-1e6)
    high = ContrastParameters(block=1e6, least_share=0.0)

    kept, dropped = (judged(ContrastEngine(boilerplate, each), page) for each in (low, high))

    assert set(kept.verdicts) == {0}
    assert set(dropped.verdicts) == {2}
