"""Fingerprint and signals of a text against slow and plain programs for the same formulas."""

import math
from collections import Counter
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.models import Cleaner, CleanerOptions, Page
from winnow.models._kernel.lab import signal_words, text_signals

_MASK: Final = (1 << 64) - 1
_PIECES: Final = (
    "The",
    "bee",
    "bee",
    "hive",
    "...",
    "-",
    "#",
    "\n",
    "\n\n",
    " ",
    ".",
    "中",
    "é",
    "7",
)
# what has no case, or no class of its own, is a matter of tables of Unicode
_COMMON: Final = st.characters(
    exclude_categories=("C", "M", "Zl", "Zp", "So", "Nl"), exclude_characters="İ"
)
_TEXTS: Final = st.lists(st.sampled_from(_PIECES) | st.text(_COMMON, max_size=4), max_size=60).map(
    " ".join
)


def _quality(text: str) -> dict[str, float]:
    return dict(text_signals(text)[1])


def _simhash(text: str) -> int | None:
    """Return the SimHash of a text, straight from what the kernel's documentation says."""
    keys = [_key(word) for word in signal_words(text) if word[0].isalnum()]
    if len(keys) < 2:
        return keys[0] if keys else None
    votes = [0] * 64
    for first, second in pairwise(keys):
        turned = (first << 1 | first >> 63) & _MASK
        value = _mix(turned ^ second, 0x9E3779B97F4A7C15)
        for bit in range(64):
            votes[bit] += 1 if value >> bit & 1 else -1
    return sum(1 << bit for bit, vote in enumerate(votes) if vote > 0)


def _key(word: str) -> int:
    """Return the key of a word: of its folded letters, eight bytes of UTF-8 at a time."""
    folded = word.lower().replace("ς", "σ").replace("’", "'").encode()
    pieces = [int.from_bytes(folded[at : at + 8], "little") for at in range(0, len(folded), 8)]
    if len(pieces) == 1:
        return _mix(pieces[0] ^ 0xA0761D6478BD642F, 0xE7037ED1A0B428DB ^ len(folded))
    key = 0x8EBC6AF09C88C6E3 ^ len(folded)
    for piece in pieces:
        key = _mix(key ^ piece, 0xE7037ED1A0B428DB)
    return _mix(key, 0xA0761D6478BD642F)


def _mix(one: int, other: int) -> int:
    product = one * other
    return (product ^ product >> 64) & _MASK


@settings(deadline=None)
@given(_TEXTS)
def test_simhash_follows_its_formula(text: str) -> None:
    assert text_signals(text)[0] == _simhash(text)


@settings(deadline=None)
@given(_TEXTS)
def test_words_joined_are_the_text_without_white_space(text: str) -> None:
    assert "".join(signal_words(text)) == "".join(text.split())


@settings(deadline=None)
@given(_TEXTS)
def test_shares_of_repeated_words_follow_gopher(text: str) -> None:
    words, found = signal_words(text), _quality(text)

    for size in (2, 3, 4):
        assert found[f"gopher_top_{size}_gram_chars"] == _share(_top(words, size), len(text))
    for size in range(5, 11):
        again = _share(_again(words, size), len(text))
        assert found[f"gopher_duplicate_{size}_gram_chars"] == again


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0


def _top(words: list[str], size: int) -> int:
    runs = Counter(" ".join(words[at : at + size]) for at in range(len(words) - size + 1))
    return max((len(run) * count for run, count in runs.most_common(1)), default=0)


def _again(words: list[str], size: int) -> int:
    seen, at, chars = set(), 0, 0
    while at < len(words) - size + 1:
        run = "".join(words[at : at + size])
        if run in seen:
            chars += len(run)
            at += size
        else:
            seen.add(run)
            at += 1
    return chars


@settings(deadline=None)
@given(_TEXTS)
def test_signals_of_redpajama_follow_its_formulas(text: str) -> None:
    words, found = [word for word in signal_words(text) if word[0].isalnum()], _quality(text)
    counts = Counter(word.lower() for word in words)
    entropy = sum(-count / len(words) * math.log(count / len(words)) for count in counts.values())

    assert found["redpajama_words"] == len(words)
    assert found["redpajama_unique_words"] == _share(len(counts), len(words))
    assert found["redpajama_unigram_entropy"] == pytest.approx(entropy)


def test_a_copy_with_a_change_has_nearly_the_same_fingerprint() -> None:
    body = " ".join(f"word{number} of the text" for number in range(300))
    other = " ".join(f"term{number} in a page" for number in range(300))

    prints = [text_signals(text)[0] for text in (body, body.replace("word77", "bee"), other)]

    assert _distance(prints[0], prints[1]) <= 3
    assert _distance(prints[0], prints[2]) > 8


def _distance(left: int | None, right: int | None) -> int:
    assert left is not None
    assert right is not None
    return (left ^ right).bit_count()


def test_documents_of_one_text_have_one_fingerprint_in_any_format() -> None:
    body = b"<p>The <b>bees</b> find <a href=/x>more flowers</a> in the city than elsewhere.</p>"
    page = Page("https://bees.invalid/", body, "text/html")

    text = Cleaner(CleanerOptions(quality=True)).clean(page)
    options = CleanerOptions(quality=True).with_values({"format": "markdown", "links": "keep"})
    marked_up = Cleaner(options).clean(page)

    assert "](https://bees.invalid/x)" in marked_up.text
    assert text.text_digest != marked_up.text_digest
    assert text.simhash == marked_up.simhash
    assert text.stats.quality == marked_up.stats.quality
    assert text.stats.quality["gopher_words"] == 10


def test_a_document_without_text_has_no_fingerprint() -> None:
    document = Cleaner().clean(Page("https://a.invalid/", b"<p><img src=x></p>", "text/html"))

    assert (document.text, document.simhash, document.stats.quality) == ("", "", {})


def test_signals_are_counted_only_when_they_are_asked_for() -> None:
    body = b"<p>The bees find more flowers in the city than elsewhere.</p>"

    document = Cleaner().clean(Page("https://bees.invalid/", body, "text/html"))

    assert document.simhash
    assert document.stats.quality == {}
