"""Gold text laid along the blocks of a page."""

from hypothesis import given
from hypothesis import strategies as st

from lab.measure.alignment import content_shares, matched_tokens

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=60)


def test_content_shares_tell_content_from_boilerplate() -> None:
    blocks = ["Home Login", "The grain stays.", "", "And so it does ©"]

    shares = content_shares(blocks, "The grain stays. And so it does")

    assert shares == [0.0, 1.0, 0.0, 0.8]


def test_content_shares_go_by_characters_when_the_page_is_chinese() -> None:
    assert content_shares(["首页", "谷物留下"], "谷物留", "zh") == [0.0, 0.75]


@given(WORDS, WORDS)
def test_matched_tokens_are_a_subsequence_of_the_gold(page: list[str], gold: list[str]) -> None:
    matched = [t for t, hit in zip(page, matched_tokens(page, gold), strict=True) if hit]

    rest = iter(gold)
    assert all(token in rest for token in matched)
