"""Gold text laid along a page: which tokens of the page are content."""

from collections.abc import Sequence

from lab.measure.tokens import symbols, tokens
from models._kernel import lcs_pairs


def matched_tokens(page: Sequence[str], gold: Sequence[str]) -> list[bool]:
    """Say of each token of the page whether a longest common subsequence with the gold holds it.

    Raises:
        ValueError: the texts are too long to be aligned (`models._kernel.lcs_pairs`).
    """
    matched = [False] * len(page)
    for position, _ in lcs_pairs(*symbols(page, gold)):
        matched[position] = True
    return matched


def content_shares(blocks: Sequence[str], gold: str, language: str = "") -> list[float]:
    """Return for each block of a page, in order, the share of its tokens that the gold holds.

    A block without tokens has share 0. `language` as for `tokens`. Errors as for
    `matched_tokens`.
    """
    by_block = [tokens(block, language) for block in blocks]
    page = [token for block in by_block for token in block]
    matched = matched_tokens(page, tokens(gold, language))
    shares = []
    start = 0
    for block in by_block:
        hits = sum(matched[start : start + len(block)])
        shares.append(hits / len(block) if block else 0.0)
        start += len(block)
    return shares
