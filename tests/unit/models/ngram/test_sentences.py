"""The sentence splitter of the kernel gives the spans of NLTK's Punkt."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference_scorer import ReferenceSplitter
from winnow.lab.train.language.corpus import text_chunks
from winnow.lab.train.language.punkt_training import parameters_of, train_punkt
from winnow.models._kernel.lab import KNOWN_ABBREVIATIONS, sentence_spans
from winnow.models.errors import ModelError
from winnow.models.ngram.punkt import PunktLists

PUNKT = PunktLists(
    abbreviations=("dr", "e.g", "etc", "mr", "st", "u.s", "x-y", "élan"),
    collocations=(("##number##", "may"), ("j", "bach"), ("no", "##number##")),
    starters=("however", "the", "élan"),
    orthography=(("bach", 4), ("however", 18), ("in", 48), ("the", 50), ("we", 2), ("élan", 112)),
)
PIECES = (
    "Dr. e.g. etc. U.S. St. X-y. Élan élan However the The in In we Bach J. É. 1. No. 5 -3,5. ٣. "
    ". ! ? ... . . . .. ?! .) .” ') ” “ ’ « » -- - , ; : ( [ } * @ # ` & · … \u0301. 中. "
    "。 ！」 ？ । ؟"
).split()
SPACES = (" ", "", "  ", "\n", "\t", "\u00a0", "\x1c", "\x85", "\u2028", "\r\n")


@pytest.fixture(scope="module")
def splitter() -> ReferenceSplitter:
    return ReferenceSplitter(PUNKT)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Mr. Smith came. He left.", ["Mr. Smith came.", "He left."]),
        ("He said “Stop.” Then he left!", ["He said “Stop.”", "Then he left!"]),
        ("J. S. Bach wrote it, e.g. this. However it is.", None),
        ("我来了。你好吗？好！」他说。", ["我来了。", "你好吗？", "好！」", "他说。"]),
        ("वह आया। फिर गया।", ["वह आया।", "फिर गया।"]),
        ("   ", []),
        ("", []),
        ("no end", ["no end"]),
    ],
)
def test_split_gives_the_sentences_of_crafted_text(
    splitter: ReferenceSplitter, text: str, sentences: list[str] | None
) -> None:
    spans = sentence_spans(text, PUNKT.to_table())

    assert spans == splitter.spans(text)
    if sentences is not None:
        assert [text[start:end] for start, end in spans] == sentences


@given(st.lists(st.sampled_from(PIECES) | st.sampled_from(SPACES) | st.text(max_size=4)))
def test_split_gives_the_spans_of_nltk_on_any_text(pieces: list[str]) -> None:
    text = "".join(pieces)

    assert sentence_spans(text, PUNKT.to_table()) == ReferenceSplitter(PUNKT).spans(text)


@pytest.mark.parametrize("seed", range(4))
def test_split_gives_the_spans_of_nltk_on_text_dense_in_abbreviations(
    splitter: ReferenceSplitter, seed: int
) -> None:
    chance = random.Random(seed)
    table = PUNKT.to_table()

    for _ in range(1500):
        words = chance.choices(PIECES, k=chance.randint(1, 30))
        text = "".join(word + chance.choice(SPACES) for word in words)

        assert sentence_spans(text, table) == splitter.spans(text), text


def test_split_gives_the_spans_of_nltk_on_two_megabytes_of_real_text(shared: Path) -> None:
    corpus = shared / "corpus" / "en"
    training = b"".join(text_chunks(corpus / "wikinews.txt.zst")).decode()
    punkt = train_punkt([training])
    table, splitter = punkt.to_table(), ReferenceSplitter(punkt)
    text = next(text_chunks(corpus / "nltk-brown.txt.zst")).decode("utf-8", errors="replace")
    text += next(text_chunks(corpus / "standard-ebooks.txt.zst")).decode("utf-8", errors="replace")

    different = [
        line for line in text.split("\n") if sentence_spans(line, table) != splitter.spans(line)
    ]

    assert len(text) > 2_000_000
    assert different == []


@pytest.mark.parametrize("unit", [". ", "a.) ", ". . . .", "x.", "!\n", "。", "(", "--", "'"])
def test_split_is_linear_on_hostile_text(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))

    sentence_spans(text, PUNKT.to_table())  # the test's time limit is the assertion


def test_punkt_lists_survive_their_text_form() -> None:
    assert PunktLists.from_text(PUNKT.to_text()) == PUNKT
    assert parameters_of(PUNKT).abbrev_types == {*PUNKT.abbreviations, *KNOWN_ABBREVIATIONS}


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Anna Reed and Mr. Miller came with Prof. Brown.",
        "Das ist ein Satz von Dr. Müller.",
        "Spotkałem prof. Nowaka.",
        "Ήρθε ο Δρ. Γεωργίου.",
    ],
)
def test_a_title_before_a_name_never_ends_a_sentence(text: str) -> None:
    empty = PunktLists((), (), (), ())

    assert sentence_spans(text, empty.to_table()) == [(0, len(text))]


def test_a_sentence_still_ends_after_an_abbreviation_before_a_word_that_begins_sentences() -> None:
    text = "They sell hammers, nails etc. The shop is old."

    assert len(sentence_spans(text, PUNKT.to_table())) == 2


def test_lists_with_unicode_line_separators_are_read_back() -> None:
    lists = train_punkt(["The b\x1cee finds flowers. The b\x1cee finds more.\n" * 30])

    assert any("\x1c" in type_ for type_, _ in lists.orthography)
    assert PunktLists.from_text(lists.to_text()) == lists


def test_training_gives_the_same_parameters_with_any_hash_seed() -> None:
    text = "Mr. A. Smith met Dr. Jones. He left. The U.S. army. " * 40

    assert train_punkt([text]) == train_punkt([text])
    assert "mr" in train_punkt([text]).abbreviations


@pytest.mark.parametrize("line", ["X\tdr", "A", "A\tdr\t1", "O\tdr\tupper", "O\tdr\t256"])
def test_lists_refuse_a_line_that_no_training_wrote(line: str) -> None:
    with pytest.raises(ModelError, match="not a line of Punkt parameters"):
        PunktLists.from_text(f"A\tmr\n{line}\n")
