"""`Cleaner.explain`: blocks of a page with verdicts and reasons."""

import math
from dataclasses import replace

import pytest

from winnow.models._kernel import DECIDERS
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page, Verdict
from winnow.models.engines.choice import ENGINES
from winnow.models.errors import InvalidPage, OptionsError, Reason
from winnow.models.explanation import (
    PERPLEXITY_BARS,
    PERPLEXITY_DECADES,
    ExplainedBlock,
    Most,
    UnitKind,
    explained_blocks,
    perplexity_counts,
)
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.options import CleanerOptions

PROSE = "The first meeting was held in the back room of the bakery. Eleven people came."
PAGE = Page(
    "https://sample.invalid/roof",
    (
        "<title>The roof</title><ul class=menu><li><a href=/>Home</a><li><a href=/n>Login</a></ul>"
        f"<h1>The roof</h1><p>{PROSE}</p><p>\N{ZERO WIDTH JOINER}</p>"
    ).encode(),
)


def explained(
    options: CleanerOptions, model: NgramModel, page: Page = PAGE
) -> list[ExplainedBlock]:
    return list(Cleaner(options, model).explain(page).blocks)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_explanation_has_the_document_that_clean_gives(engine: str, english: NgramModel) -> None:
    cleaner = Cleaner(CleanerOptions(engine=engine), english)

    assert cleaner.explain(PAGE).document == cleaner.clean(PAGE)


@pytest.mark.parametrize("engine", ENGINES)
def test_blocks_and_sentences_equal_a_cleaned_documents(engine: str, english: NgramModel) -> None:
    options = CleanerOptions(engine=engine, spans=True)
    document = Cleaner(options, english).clean(PAGE)

    blocks = explained(options, english)

    judged = tuple(replace(each.block, probability=each.probability) for each in blocks)
    assert judged == document.blocks
    assert tuple(own for each in blocks for own in each.sentences) == document.sentences
    assert sum(each.kept > 0 for each in blocks) == document.stats.blocks_kept
    assert sum(each.kept for each in blocks) == document.stats.sentences_kept


@pytest.mark.parametrize("engine", ENGINES)
def test_sentences_are_counted_by_perplexity(engine: str, english: NgramModel) -> None:
    explanation = Cleaner(CleanerOptions(engine=engine), english).explain(PAGE, Most(blocks=0))
    stats = explanation.document.stats

    counts = explanation.perplexities

    assert sum(counts.kept) == stats.sentences_kept
    assert sum(counts.dropped) == stats.sentences - stats.sentences_kept


def test_a_bar_includes_its_start_and_excludes_its_end() -> None:
    perplexities = [0.0, 1.0, 10.0, 1e7, 9e9, 9.99]

    counts = perplexity_counts(perplexities, [True, True, True, True, False, False])

    assert len(counts.kept) == len(counts.dropped) == PERPLEXITY_BARS
    tenth = math.ceil(PERPLEXITY_BARS / PERPLEXITY_DECADES)
    assert {at: each for at, each in enumerate(counts.kept) if each} == {
        0: 1,
        tenth - 1: 1,
        PERPLEXITY_BARS - 1: 1,
    }
    assert {at: each for at, each in enumerate(counts.dropped) if each} == {
        tenth - 1: 1,
        PERPLEXITY_BARS - 1: 1,
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_blocks_beyond_the_limit_are_counted(engine: str, english: NgramModel) -> None:
    cleaner = Cleaner(CleanerOptions(engine=engine), english)
    whole = cleaner.explain(PAGE)

    part = cleaner.explain(PAGE, Most(blocks=3))

    assert part.blocks == whole.blocks[:3]
    assert part.blocks_left_out == len(whole.blocks) - 3
    assert part.document.text == whole.document.text


def test_hybrid_compares_a_probability_with_the_threshold(english: NgramModel) -> None:
    blocks = explained(CleanerOptions(threshold=0.5), english)

    prose = next(each for each in blocks if each.block.text == PROSE)
    menu = next(each for each in blocks if each.block.text == "Home")
    assert prose.probability is not None
    assert menu.probability is not None
    assert prose.reason == f"probability {prose.probability:.3f} is above the threshold of 0.500"
    assert menu.reason == f"probability {menu.probability:.3f} is not above the threshold of 0.500"
    assert menu.probability < 0.5 < prose.probability
    assert menu.verdict is Verdict.BOILERPLATE


def test_hybrid_keeps_something_of_a_page_that_would_be_empty(
    english: NgramModel,
) -> None:
    (kept,) = [each for each in explained(CleanerOptions(threshold=1.0), english) if each.kept]

    assert kept.reason.startswith("in the best container of a page without kept blocks; ")


STATISTICS = (
    f"<p>{PROSE}</p><table>"
    "<tr><td><a href=Ash>Ash</a><td>49<td>45<tr><td><a href=Birch>Birch</a><td>60<td>62"
    f"<tr><td><a href=Cedar>Cedar</a><td>80<td>82</table><p>{PROSE}</p>"
)


def test_a_block_whose_verdict_a_unit_decided_says_which(english: NgramModel) -> None:
    explanation = Cleaner(CleanerOptions(), english).explain(Page("", STATISTICS.encode()))

    (table,) = explanation.units
    assert (table.kind, table.first, table.end) == (UnitKind.TABLE, 1, 10)
    assert table.members == ((1, 4), (4, 7), (7, 10))
    assert all(each.kept for each in explanation.blocks)
    by_table = [each for each in explanation.blocks if each.decider == "table"]
    assert by_table
    assert all(each.reason.startswith("kept with its table; ") for each in by_table)
    others = [each for each in explanation.blocks if each.decider == "engine"]
    assert all("table" not in each.reason for each in others)


def test_every_decider_and_unit_of_the_kernel_has_words(english: NgramModel) -> None:
    explanation = Cleaner(CleanerOptions(), english).explain(PAGE)
    block = explanation.blocks[0]

    for number, decider in enumerate(DECIDERS[1:], 1):
        (found,) = explained_blocks(
            explanation.document, [block.block], block.sentences, [0.1], [number]
        )
        assert found.decider == decider
        assert not found.reason.startswith("probability")


def test_hybrid_gives_the_probability_of_each_page_type(english: NgramModel) -> None:
    explanation = Cleaner(CleanerOptions(), english).explain(PAGE)

    likeliest = max(explanation.page_types, key=explanation.page_types.__getitem__)
    assert likeliest == explanation.document.stats.page_type
    assert sum(explanation.page_types.values()) == pytest.approx(1.0)


def test_perplexity_counts_the_sentences_above_the_threshold(english: NgramModel) -> None:
    blocks = explained(CleanerOptions(engine="perplexity", threshold=1.0), english)

    prose = next(each for each in blocks if each.block.text == PROSE)
    assert prose.reason == "2 of 2 sentences are above the perplexity of 1"
    assert prose.verdict is Verdict.PERPLEXITY
    assert prose.probability is None
    menu = next(each for each in blocks if each.block.text == "Home")
    assert menu.reason == "its sentence is above the perplexity of 1"


def test_perplexity_says_that_no_model_knows_the_language(english: NgramModel) -> None:
    greek = Page("", "<p>Το πρώτο τρένο φεύγει στις επτά το πρωί από τον σταθμό.</p>".encode())

    (block,) = explained(CleanerOptions(engine="perplexity"), english, greek)

    assert block.reason == "no model for the language of the page, so it is kept whole"
    assert block.kept


@pytest.mark.parametrize("engine", ["contrast", "web2text"])
def test_other_engines_say_what_they_take_a_block_for(engine: str, english: NgramModel) -> None:
    blocks = explained(CleanerOptions(engine=engine), english)

    reasons = {each.verdict: each.reason for each in blocks if each.sentences}
    assert all("content" in reason or "boilerplate" in reason for reason in reasons.values())


@pytest.mark.parametrize("engine", ENGINES)
def test_a_block_without_words_has_no_verdict(engine: str, english: NgramModel) -> None:
    (wordless,) = [each for each in explained(CleanerOptions(engine=engine), english)
                if each.block.text == "\N{ZERO WIDTH JOINER}"]  # fmt: skip

    assert wordless.verdict is None
    assert wordless.reason == "has no words to judge"
    assert not wordless.kept


def test_blocks_shown_by_other_pages_of_the_host_are_marked_as_seen() -> None:
    options = CleanerOptions(engine="perplexity", threshold=1e12, seen=1)
    cleaner = Cleaner(options, LanguageModels.shipped(), site_key=bytes(32))
    stories = ("Two ships left the harbour early.", "A new school will open in the spring.")
    pages = [
        Page(f"https://news.invalid/{at}", f"<p>Sports and weather.<p>{story}".encode())
        for at, story in enumerate(stories)
    ]

    first, again = (cleaner.explain(page).blocks[0] for page in pages)

    assert first.verdict is Verdict.KEPT
    assert again.verdict is Verdict.SEEN
    assert again.reason == "other pages of the host show the same block"


def test_a_message_that_is_not_a_page_is_refused_as_by_clean(english: NgramModel) -> None:
    with pytest.raises(InvalidPage) as error:
        Cleaner(CleanerOptions(), english).explain(Page("", b"%PDF-1.7 ..."))

    assert error.value.reason is Reason.NOT_HTML


def test_sentences_beyond_the_limit_and_blocks_after_them_are_counted(english: NgramModel) -> None:
    prose = "The first meeting was held in the bakery. " * 10
    page = Page("", f"<title>Long</title><p>{prose}<p>{prose}<p>{prose}".encode())
    cleaner = Cleaner(CleanerOptions(), english)
    whole = cleaner.explain(page)

    part = cleaner.explain(page, Most(sentences=15))

    assert [len(each.sentences) for each in part.blocks] == [10, 5]
    assert [each.verdict for each in part.blocks] == [each.verdict for each in whole.blocks[:2]]
    assert (part.blocks_left_out, part.sentences_left_out) == (1, 15)
    assert part.document.text == whole.document.text


@pytest.mark.parametrize(
    "verdicts", [(Verdict.KEPT, Verdict.PERPLEXITY), (Verdict.PERPLEXITY, Verdict.KEPT)]
)
def test_the_first_verdict_of_a_block_counts_when_as_many_sentences_have_another(
    verdicts: tuple[Verdict, Verdict], english: NgramModel
) -> None:
    options = CleanerOptions(engine="perplexity", spans=True)
    document = Cleaner(options, english).clean(PAGE)
    own = [each for each in document.sentences if each.text in PROSE]
    judged = [replace(each, verdict=said) for each, said in zip(own, verdicts, strict=True)]

    (block,) = explained_blocks(document, [document.blocks[own[0].block]], judged, ())

    assert block.verdict is verdicts[0]


def test_influences_on_a_block_are_measured_with_the_largest_first(
    english: NgramModel,
) -> None:
    found = Cleaner(CleanerOptions(), english).influences(PAGE, 0)

    named = {(each.kind.value, each.name): each.log_odds for each in found}
    weights = [abs(each.log_odds) for each in found]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > 0
    assert {kind for kind, _ in named} == {"word", "label", "element", "block"}
    assert {("word", "home"), ("label", "menu"), ("element", "li"), ("block", "1")} <= set(named)
    assert named["label", "menu"] < 0  # it speaks for boilerplate


def test_the_weight_of_a_label_is_the_difference_to_the_page_without_it(
    english: NgramModel,
) -> None:
    cleaner = Cleaner(CleanerOptions(), english)
    without = replace(PAGE, body=PAGE.body.replace(b" class=menu", b""))
    weighed = next(each for each in cleaner.influences(PAGE, 0) if each.name == "menu")

    with_it = cleaner.explain(PAGE).blocks[0].probability
    without_it = cleaner.explain(without).blocks[0].probability

    assert with_it is not None
    assert without_it is not None
    difference = math.log(with_it / (1 - with_it)) - math.log(without_it / (1 - without_it))
    assert weighed.log_odds == pytest.approx(difference, abs=1e-3)


@pytest.mark.parametrize(
    ("engine", "block", "why"),
    [("contrast", 0, "engine contrast: gives blocks no probability"), ("hybrid", 9, "block 9: ")],
)
def test_influences_that_cannot_be_measured_are_refused(
    engine: str, block: int, why: str, english: NgramModel
) -> None:
    cleaner = Cleaner(CleanerOptions(engine=engine), english)

    with pytest.raises(OptionsError, match=why):
        cleaner.influences(PAGE, block)
