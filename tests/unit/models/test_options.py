"""Options of a cleaner, however they are given."""

from typing import Any

import pytest

from winnow.models import CleanerOptions, Convention, OptionsError, TextFormat, Training
from winnow.models.ngram.ceiling import Ceiling


def test_values_given_as_text_are_the_values() -> None:
    given: dict[str, Any] = {
        "threshold": "0.5",
        "max_perplexity": "q.95",
        "comments": "keep",
        "title": "drop",
        "bylines": "keep",
        "captions": "auto",
        "training": "mixed",
        "format": "markdown",
        "mark": "yes",
        "spans": "no",
        "seen": "3",
    }

    options = CleanerOptions(**given)

    same = CleanerOptions(
        threshold=0.5,
        max_perplexity=Ceiling(0.95, is_quantile=True),
        comments=Convention.KEEP,
        title=Convention.DROP,
        bylines=Convention.KEEP,
        captions=Convention.AUTO,
        training=Training.MIXED,
        format=TextFormat.MARKDOWN,
        mark=True,
        spans=False,
        seen=3,
    )
    assert repr(options) == repr(same)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("threshold", "high", "option threshold is a number, not 'high'"),
        ("max_perplexity", "high", "option max_perplexity is a perplexity or as q.95, not 'high'"),
        ("max_perplexity", "q1.5", "option max_perplexity is q1.5, and a quantile is 0 to 1"),
        ("max_perplexity", 0.5, "option max_perplexity is 0.5, and a perplexity is at least 1"),
        ("max_perplexity", "inf", "option max_perplexity is inf, and a perplexity is at least 1"),
        ("comments", "maybe", "option comments is one of auto, keep, drop, not 'maybe'"),
        ("captions", "maybe", "option captions is one of auto, keep, drop, not 'maybe'"),
        ("training", None, "option training is one of mixed, open, not None"),
        ("format", "pdf", "option format is one of text, markdown, not 'pdf'"),
        ("mark", None, "option mark is true or false, not None"),
        ("chunks", "many", "option chunks is a whole number, not 'many'"),
        ("chunks", 31, "option chunks is 0, or 32 or more, not 31"),
        ("chunks", -32, "option chunks is 0, or 32 or more, not -32"),
        ("chunk_overlap", 1, "option chunk_overlap is 0 to half of chunks, not 1"),
        ("seen", 2.5, "option seen is a whole number, not 2.5"),
    ],
)
def test_a_value_that_is_none_for_its_name_is_refused_at_once(
    name: str, value: object, message: str
) -> None:
    given: dict[str, Any] = {name: value}

    with pytest.raises(OptionsError, match=message):
        CleanerOptions(**given)
    with pytest.raises(OptionsError, match=message):
        CleanerOptions().with_values(given)


@pytest.mark.parametrize("name", ["links", "images", "data_text", "comments", "title", "captions"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, "keep"), (False, "drop"), ("true", "keep"), ("no", "drop"), ("keep", "keep")],
)
def test_true_and_false_keep_and_drop(name: str, value: object, expected: str) -> None:
    given: dict[str, Any] = {name: value}

    assert getattr(CleanerOptions(**given), name) == expected


@pytest.mark.parametrize("text", ["4000", "q0.95", "q1", "1"])
def test_a_ceiling_is_written_as_it_is_read(text: str) -> None:
    assert str(CleanerOptions(max_perplexity=text).ceiling) == text
    assert CleanerOptions(max_perplexity=None).ceiling is None


@pytest.mark.parametrize("name", ["noindex", "training", "format"])
def test_true_is_no_value_of_other_choices(name: str) -> None:
    given: dict[str, Any] = {name: True}

    with pytest.raises(OptionsError, match=f"option {name} is one of"):
        CleanerOptions(**given)
