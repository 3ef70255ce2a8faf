"""Options of a cleaner, in all forms."""

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
        "standfirst": "drop",
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
        standfirst=Convention.DROP,
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
        ("threshold", "high", "option threshold must be a number, not 'high'"),
        (
            "max_perplexity",
            "high",
            "option max_perplexity must be a perplexity or like q.95",
        ),
        ("max_perplexity", "q1.5", "option max_perplexity is q1.5: a quantile must be 0 to 1"),
        ("max_perplexity", 0.5, "option max_perplexity is 0.5: a perplexity must be finite"),
        ("max_perplexity", "inf", "option max_perplexity is inf: a perplexity must be finite"),
        ("comments", "maybe", "option comments must be one of auto, keep, drop, not 'maybe'"),
        ("captions", "maybe", "option captions must be one of auto, keep, drop, not 'maybe'"),
        ("training", None, "option training must be one of mixed, open, not None"),
        ("format", "pdf", "option format must be one of text, markdown, not 'pdf'"),
        ("mark", None, "option mark must be true or false, not None"),
        ("chunks", "many", "option chunks must be an integer, not 'many'"),
        ("chunks", 31, "option chunks must be 0 or at least 32, not 31"),
        ("chunks", -32, "option chunks must be 0 or at least 32, not -32"),
        ("chunk_overlap", 1, "option chunk_overlap must be 0 to half of chunks, not 1"),
        ("seen", 2.5, "option seen must be an integer, not 2.5"),
    ],
)
def test_an_invalid_value_is_refused_at_once(name: str, value: object, message: str) -> None:
    given: dict[str, Any] = {name: value}

    with pytest.raises(OptionsError, match=message):
        CleanerOptions(**given)
    with pytest.raises(OptionsError, match=message):
        CleanerOptions().with_values(given)


@pytest.mark.parametrize(
    "name", ["links", "images", "data_text", "comments", "title", "standfirst"]
)
@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, "keep"), (False, "drop"), ("true", "keep"), ("no", "drop"), ("keep", "keep")],
)
def test_true_and_false_keep_and_drop(name: str, value: object, expected: str) -> None:
    given: dict[str, Any] = {name: value}

    assert getattr(CleanerOptions(**given), name) == expected


@pytest.mark.parametrize("text", ["4000", "q0.95", "q1", "1"])
def test_a_ceiling_is_written_in_the_form_it_is_read(text: str) -> None:
    assert str(CleanerOptions(max_perplexity=text).ceiling) == text
    assert CleanerOptions(max_perplexity=None).ceiling is None


@pytest.mark.parametrize("name", ["noindex", "training", "format"])
def test_true_is_not_a_value_of_other_choices(name: str) -> None:
    given: dict[str, Any] = {name: True}

    with pytest.raises(OptionsError, match=f"option {name} must be one of"):
        CleanerOptions(**given)
