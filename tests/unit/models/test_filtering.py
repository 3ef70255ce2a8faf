"""Which documents are wanted, and which are copies."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import winnow
from winnow.models._kernel import PAGE_TYPES, CopyIndex
from winnow.models.errors import OptionsError
from winnow.models.filtering import CopyFilter, CopyRule, DocumentFilter, Unwanted

PAGE = "<title>Bees</title><p>The bees find more flowers in the city than in the country.</p>"
DOCUMENT = winnow.clean(PAGE, url="https://bees.invalid/")
LEAST = 32 << 20


def a_document(**fields: Any) -> winnow.Document:  # noqa: ANN401 - of any field
    stated: dict[str, Any] = {
        "language": "en", "confidence": 0.9, "words": 60, "page_type": "article",
    }  # fmt: skip
    return replace(DOCUMENT, **(stated | fields))


def test_a_document_says_how_many_words_it_has() -> None:
    markdown = winnow.clean(PAGE, url="https://bees.invalid/", format="markdown")

    assert (DOCUMENT.words, markdown.words) == (12, 12)
    assert DOCUMENT.to_dict()["words"] == 12


@pytest.mark.parametrize(
    ("wanted", "fields", "fault"),
    [
        (DocumentFilter(), {"language": "", "confidence": None, "words": 0}, None),
        (DocumentFilter(languages=frozenset({"en", "de"})), {}, None),
        (DocumentFilter(languages=frozenset({"en"})), {"language": ""}, Unwanted.LANGUAGE),
        (DocumentFilter(languages=frozenset({"en"})), {"language": "nl"}, Unwanted.LANGUAGE),
        (DocumentFilter(min_confidence=0.9), {}, None),
        (DocumentFilter(min_confidence=0.9), {"confidence": 0.89}, Unwanted.CONFIDENCE),
        (DocumentFilter(min_confidence=0.1), {"confidence": None}, Unwanted.CONFIDENCE),
        (DocumentFilter(min_words=60), {}, None),
        (DocumentFilter(min_words=61), {}, Unwanted.WORDS),
        (DocumentFilter(page_types=frozenset({"article"})), {}, None),
        (DocumentFilter(page_types=frozenset({"forum"})), {}, Unwanted.PAGE_TYPE),
        (DocumentFilter(page_types=frozenset({"forum"})), {"page_type": ""}, Unwanted.PAGE_TYPE),
        (DocumentFilter(dropped_page_types=frozenset({"article"})), {}, Unwanted.PAGE_TYPE),
        (DocumentFilter(dropped_page_types=frozenset({"forum"})), {"page_type": ""}, None),
        (
            DocumentFilter(frozenset({"de"}), 1.0, 99, frozenset({"forum"})), {},
            Unwanted.LANGUAGE,  # the first one
        ),
    ],
)  # fmt: skip
def test_a_document_is_judged_by_its_fields_and_by_its_message_alike(
    wanted: DocumentFilter, fields: dict[str, Any], fault: Unwanted | None
) -> None:
    document = a_document(**fields)

    assert wanted.fault_of(document) is fault
    assert wanted.fault_in(document.to_dict()) is fault


@given(
    some.dictionaries(
        some.sampled_from(["language", "confidence", "words", "page_type", "simhash"]),
        some.one_of(
            some.none(), some.booleans(), some.integers(), some.floats(), some.text(max_size=4),
            some.lists(some.integers(), max_size=1), some.just({}),
        ),
    )
)  # fmt: skip
def test_any_message_is_judged(message: dict[str, Any]) -> None:
    wanted = DocumentFilter(frozenset({"en"}), 0.5, 3, frozenset({"forum"}))

    found = wanted.fault_in(message)

    assert found is None or found in Unwanted
    assert CopyRule(3).fingerprint_in(message) is None


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"languages": frozenset({"english"})}, "language 'english'"),
        ({"languages": frozenset({""})}, "language ''"),
        ({"page_types": frozenset({"blog"})}, "page type 'blog'.*article"),
        ({"dropped_page_types": frozenset({"blog"})}, "page type 'blog'"),
        ({"min_confidence": 80.0}, "confidence 80.0: must be 0 to 1"),
        ({"min_words": -1}, "words -1"),
    ],
)
def test_impossible_filter_values_are_refused(values: dict[str, Any], why: str) -> None:
    with pytest.raises(OptionsError, match=why):
        DocumentFilter(**values)


def test_every_page_type_can_be_asked_for() -> None:
    for name in PAGE_TYPES:
        wanted = DocumentFilter(page_types=frozenset({name}))
        assert wanted.fault_of(a_document(page_type=name)) is None


@given(some.text(max_size=12) | some.from_regex("simhash:.*", fullmatch=True))
def test_a_rule_for_copies_is_read_or_refused(text: str) -> None:
    try:
        rule = CopyRule.of(text)
    except OptionsError:
        return
    assert CopyRule.of(str(rule)) == rule


@pytest.mark.parametrize("text", ["", "near", "simhash", "simhash:", "simhash:9", "simhash:-1"])
def test_an_unknown_rule_is_named(text: str) -> None:
    with pytest.raises(OptionsError, match="must be exact, or simhash:N with N from 0 to 8"):
        CopyRule.of(text)


def test_copies_are_equal_texts_or_fingerprints_that_differ_little() -> None:
    own = int(DOCUMENT.simhash, 16)
    near = replace(DOCUMENT, simhash=f"{own ^ 0b10101:016x}", text_digest="0" * 64)
    for rule, is_copy in ((CopyRule(), False), (CopyRule(2), False), (CopyRule(3), True)):
        copies = CopyFilter(rule, LEAST)
        fingerprint = rule.fingerprint_of(DOCUMENT)
        assert fingerprint is not None
        copies.remember(fingerprint)

        assert copies.is_copy(fingerprint)
        assert copies.is_copy(rule.fingerprint_of(near)) is is_copy
        assert copies.is_copy(rule.fingerprint_in(near.to_dict())) is is_copy


def test_a_text_without_words_is_not_a_copy() -> None:
    empty = replace(DOCUMENT, text="", simhash="")

    assert CopyRule().fingerprint_of(empty) is None
    assert not CopyFilter(CopyRule(), LEAST).is_copy(None)


def test_the_index_gives_the_nearest_of_what_was_seen() -> None:
    index = CopyIndex(3, LEAST)

    assert [index.add(each) for each in (0b1111, 0b0111, 0b0111)] == [0, 1, 2]
    assert index.find(0b0011) == (1, 1)
    assert index.find(0b1111) == (0, 0)
    assert index.find(1 << 63) is None


def test_the_oldest_fingerprints_are_forgotten_in_bounded_memory() -> None:
    copies = CopyFilter(CopyRule(3), LEAST)
    numbers = random.Random(1)
    prints = [numbers.getrandbits(64) for _ in range(500_000)]

    for each in prints:
        copies.remember(each)

    assert copies.forgotten > 0
    assert copies.is_copy(prints[-1])
    assert not copies.is_copy(prints[0])
    with pytest.raises(OptionsError, match="memory of copies: 1000 bytes: must be at least"):
        CopyFilter(CopyRule(3), 1000)
