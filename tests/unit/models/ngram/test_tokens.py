"""The token rule of the kernel equals the rule of the oracle."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference_scorer import reference_tokens
from winnow.models._kernel.lab import tokens

AWKWARD = (
    "aZ09é'’ʼ_-–“”.,\u00ad\u200d\u200b\ufeff\u0301\u094dनσςΣİ汉か。ไ \t\n\x00\x1c·٣²½\U0001f600"
)


@pytest.mark.parametrize("tokeniser", [1, 2, 3])
@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Don’t panic—it's 3.14!", ["don't", "panic", "-", "it's", "3", ".", "14", "!"]),
        ("“O’Neill’s” naïve_x", ['"', "o'neill's", '"', "naïve", "_", "x"]),
        ("汉字かなkana", ["汉", "字", "か", "な", "kana"]),
        ("soft\u00adware हिन्दी ΣΑΣ", ["software", "हिन्दी", "σασ"]),
        ("", []),
        (" \u200b\x00", []),
    ],
)
def test_tokens_follow_the_rule_on_crafted_text(
    tokeniser: int, text: str, folded: list[str]
) -> None:
    expected = reference_tokens(text, tokeniser)

    assert tokens(text, tokeniser) == expected
    if tokeniser == 1:
        assert expected == folded


# the kernel and Python may know characters of different versions of Unicode
ASSIGNED = st.characters(codec="utf-8", exclude_categories=["Cn"])


@given(st.text(st.sampled_from(AWKWARD) | ASSIGNED, max_size=60))
def test_tokens_equal_the_oracles_on_any_text(text: str) -> None:
    for tokeniser in (1, 2, 3):
        assert tokens(text, tokeniser) == reference_tokens(text, tokeniser)


def test_tokens_equal_the_oracles_for_every_assigned_character() -> None:
    assigned = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) not in {"Cn", "Cs"}
    ]

    text = "\n".join(f"a{c}b {c} é{c}'{c}" for c in assigned)

    assert tokens(text, 1) == reference_tokens(text, 1)


def test_tokens_refuses_a_variant_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="unknown tokeniser"):
        tokens("a", 4)
