import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.models.engines.hybrid.parameter_file import (
    TYPES,
    a_file,
    constant,
    lexicon,
    sealed,
    stump,
    templates,
)
from winnow.models._kernel import Blocks
from winnow.models._kernel.lab import hybrid_feature_names, hybrid_page_words, hybrid_templates
from winnow.models.document import Page, Verdict
from winnow.models.engines.hybrid import Convention, HybridModel, HybridOptions, PageType
from winnow.models.errors import ModelError, OptionsError
from winnow.models.page import blocks_of as page_blocks

VERDICTS = tuple(Verdict)
PAGE = """
<title>Bees of the city</title><body>
<ul class="menu"><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul>
<h1>Bees of the city</h1>
<p>The bees find more flowers in the city than in the fields around it.</p>
<div class="comments"><p>I have seen three of them on my balcony today.</p></div>
<p style="display:none">A hidden paragraph.</p>
<noscript><p>Please switch on scripts.</p></noscript>
"""


def blocks_of(markup: str) -> Blocks:
    return page_blocks(Page("https://bees.invalid/", markup.encode(), "text/html"), wanted="every")


def verdicts_of(model: HybridModel, markup: str, options: HybridOptions) -> dict[str, Verdict]:
    blocks = blocks_of(markup)
    (judgement,) = model.judge([blocks], options)
    texts = [blocks.block(order).text for order in range(len(blocks))]
    return {text: VERDICTS[code] for text, code in zip(texts, judgement.verdicts, strict=True)}


def test_judge_keeps_plain_text_and_drops_links_when_trees_ask_for_the_share_of_links() -> None:
    verdicts = verdicts_of(HybridModel(a_file()), PAGE, HybridOptions())

    assert verdicts["Home"] is Verdict.BOILERPLATE
    assert verdicts["News"] is Verdict.BOILERPLATE
    assert verdicts["Bees of the city"] is Verdict.KEPT


def test_judge_sees_hidden_blocks_and_those_without_scripts() -> None:
    verdicts = verdicts_of(HybridModel(a_file()), PAGE, HybridOptions())

    assert {"A hidden paragraph.", "Please switch on scripts."} <= verdicts.keys()


def test_cut_leaves_hidden_blocks_out_when_no_engine_asks_for_elements() -> None:
    blocks = page_blocks(Page("https://bees.invalid/", PAGE.encode(), "text/html"), wanted="shown")

    assert "hidden" not in blocks.text
    assert "scripts" not in blocks.text


@pytest.mark.parametrize(
    ("comments", "kept"),
    [(Convention.AUTO, True), (Convention.KEEP, True), (Convention.DROP, False)],
)
def test_judge_treats_comments_as_the_options_say(comments: Convention, kept: bool) -> None:
    in_comments = stump(hybrid_feature_names()[0].index("commenting"), 0.5, -9.0, 9.0)
    model = HybridModel(a_file(comments=in_comments))

    verdicts = verdicts_of(model, PAGE, HybridOptions(comments=comments))

    comment = verdicts["I have seen three of them on my balcony today."]
    assert comment is (Verdict.KEPT if kept else Verdict.COMMENT)


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (HybridOptions(), []),
        (HybridOptions(title=Convention.KEEP), ["Towns of bees"]),
        (HybridOptions(bylines=Convention.KEEP), ["By Ann Grain"]),
        (HybridOptions(captions=Convention.KEEP), ["A bee on a flower"]),
        (HybridOptions(captions=Convention.DROP), []),
        (HybridOptions(standfirst=Convention.KEEP), ["Why gardens are the new meadows of bees"]),
    ],
)
def test_judge_treats_roles_as_the_options_say(options: HybridOptions, kept: list[str]) -> None:
    page = """<title>Towns of bees</title><h1><a href=/>Towns of bees</a></h1>
        <h2 class=standfirst><a href=/>Why gardens are the new meadows of bees</a></h2>
        <p><a href=/>By Ann Grain</a><p>Bees find twelve kinds of flowers in the towns of the north.
        <figure><figcaption><a href=/>A bee on a flower</a></figcaption></figure>
        <p>They find fewer of them in the fields of the south."""

    verdicts = verdicts_of(HybridModel(a_file()), page, options)

    standfirst = "Why gardens are the new meadows of bees"
    roles = ["Towns of bees", standfirst, "By Ann Grain", "A bee on a flower"]
    assert [role for role in roles if verdicts[role] is Verdict.KEPT] == kept
    assert len(verdicts) == 2 + len(roles)


SUMMARY = "Gardens and balconies of towns have more flowers in summer than the fields around them."


@pytest.mark.parametrize(
    ("standfirst", "is_one"),
    [
        (f"<p class=article__intro>{SUMMARY}</p>", True),
        (f"<div id=Standfirst><p>{SUMMARY}</p></div>", True),
        (f"<h2>{SUMMARY}</h2>", True),  # a heading that repeats the description
        (f"<p>{SUMMARY}</p>", False),  # a first paragraph is text
        (f"<p>{'They fly far. ' * 60}<p class=standfirst>", False),
        ("<p class=standfirst>Nature, bees</p>", False),
    ],
)
def test_judge_drops_the_standfirst_that_a_label_or_the_description_shows(
    standfirst: str, is_one: bool
) -> None:
    page = f"""<title>Towns of bees</title><meta name=description content="{SUMMARY}">
        <h1>Towns of bees</h1>{standfirst}<p>Bees find twelve kinds of flowers in the towns.
        <p>They find fewer of them in the fields of the south."""
    model = HybridModel(a_file())

    texts = [
        {text for text, verdict in verdicts.items() if verdict is Verdict.KEPT}
        for verdicts in (
            verdicts_of(model, page, HybridOptions()),
            verdicts_of(model, page, HybridOptions(standfirst=Convention.DROP)),
        )
    ]

    assert len(texts[0] - texts[1]) == is_one


def test_judge_names_a_dropped_comment_a_comment() -> None:
    in_comments = stump(hybrid_feature_names()[0].index("commenting"), 0.5, -9.0, 9.0)
    model = HybridModel(a_file(comments=in_comments))

    verdicts = verdicts_of(model, PAGE, HybridOptions(threshold=0.99))

    assert verdicts["I have seen three of them on my balcony today."] is Verdict.COMMENT


@pytest.mark.parametrize(("words", "kept"), [(8, 1), (80, 2)])
def test_judge_keeps_something_when_no_block_reaches_the_threshold(words: int, kept: int) -> None:
    """Of a page of few words the likeliest block, else its best container."""
    text = f"<p>{'word ' * words}</p>"
    blocks = blocks_of(f"<main>{text}{text}</main>")

    (judgement,) = HybridModel(a_file()).judge([blocks], HybridOptions(threshold=1.0))

    assert judgement.verdicts.count(0) == kept


def test_judge_reports_the_likeliest_type_of_page() -> None:
    model = HybridModel(a_file(likeliest_kind=1))

    (judgement,) = model.judge([blocks_of(PAGE)])

    assert judgement.page_type == PageType.FORUM
    assert judgement.page_type_probability == pytest.approx(0.961, abs=0.001)


def buckets_of(markup: str) -> set[int]:
    return set(np.frombuffer(hybrid_page_words(blocks_of(markup)), np.uint32).tolist())


@pytest.mark.parametrize(
    ("label", "expected"),
    [("add-to-basket", PageType.PRODUCT), ("entryTitle", PageType.ARTICLE)],
)
def test_judge_takes_the_words_of_labels_for_the_type(label: str, expected: PageType) -> None:
    (basket,) = buckets_of("<p class=basket>Wax") - buckets_of("<p>Wax")
    column = hybrid_feature_names()[2].index("words_product")
    by_words = stump(column, 0.9, -5.0, 5.0)
    others = constant(0.0)
    kinds = others * 2 + by_words + others * (TYPES - 3)
    model = HybridModel(a_file(words=lexicon(basket, product=2), kinds=kinds))

    (judgement,) = model.judge([blocks_of(f'<p class="{label}">Wax')])

    assert judgement.page_type == expected


def test_words_of_a_page_are_listed_once_in_any_case() -> None:
    assert len(buckets_of("<p>Bees and more bees<p>BEES")) == 3
    assert hybrid_page_words(blocks_of("<p>")) == b""


def templates_of(markup: str) -> list[int]:
    hashes, _ = hybrid_templates(blocks_of(markup))
    return [int(each) for each in np.frombuffer(hashes, np.uint32)]


def test_a_template_is_an_element_and_its_nearest_two_labels_without_digits() -> None:
    first, again, other_element, other_label, further_out = (
        templates_of(markup)[0]
        for markup in (
            '<div id="page-1"><div class="post-7"><p>Wax</p></div></div>',
            '<main><div id="page-2"><div><div class="post-81"><p>Hon</p></div></div></div></main>',
            '<div id="page-1"><div class="post-7"><h2>Wax</h2></div></div>',
            '<div id="page-1"><div class="note"><p>Wax</p></div></div>',
            '<div id="page-1"><div class="post-7"><div class="a"><p>Wax</p></div></div></div>',
        )
    )

    assert first == again
    assert len({first, other_element, other_label, further_out}) == 4


def test_a_block_with_fewer_than_two_labels_around_it_is_in_no_template() -> None:
    assert templates_of("<table><td>Wax<td class=price>3") == [0, 0]
    assert templates_of("<table id=shop><td>Wax<td class=price>3")[1] != 0


def test_words_come_with_the_templates() -> None:
    hashes, words = hybrid_templates(blocks_of("<p>Three new hives<p>..."))

    assert len(hashes) == len(words) == 8
    assert np.frombuffer(words, np.float32)[0] == 3.0
    assert hybrid_templates(blocks_of("<p>")) == (b"", b"")


@pytest.mark.parametrize(("column", "threshold"), [(0, 2.9), (1, 2.5), (2, 63), (3, 127), (4, 6)])
def test_judge_asks_the_forest_only_about_blocks_of_known_templates(
    column: int, threshold: float
) -> None:
    markup = "<body class=shop><p class=tip>Buy three hives<p>Plain."
    (tip, _) = templates_of(markup)
    # odds of 3 for text without links, three words, surprise, content, pages
    forest = stump(column, threshold, 1.0, -4.0)
    model = HybridModel(a_file(known=templates({tip: (64, 128, 7)}, forest)))

    (judgement,) = model.judge([blocks_of(markup)])
    (before,) = HybridModel(a_file()).judge([blocks_of(markup)])

    changed, kept = judgement.probabilities
    assert changed == pytest.approx(1 / (1 + np.exp(1.0)), abs=1e-6)
    assert kept == before.probabilities[1]
    assert judgement.page_types == before.page_types


def test_load_refuses_templates_that_are_not_in_order() -> None:
    rows = templates({5: (0, 0, 1), 6: (0, 0, 1)}).replace(b"\x06\0\0\0", b"\x05\0\0\0")

    with pytest.raises(ModelError, match="template"):
        HybridModel(a_file(known=rows))


def test_judge_gives_one_judgement_per_page_in_any_batch() -> None:
    model = HybridModel(a_file())
    pages = [blocks_of(PAGE), blocks_of("<br>"), blocks_of("<p>Plain.")]

    together = model.judge(pages)

    assert [each.verdicts for each in together] == [
        model.judge([page])[0].verdicts for page in pages
    ]
    assert together[1].verdicts == b""


def test_judge_refuses_blocks_that_were_cut_without_elements() -> None:
    shown = page_blocks(Page("https://bees.invalid/", PAGE.encode(), "text/html"), wanted="shown")

    with pytest.raises(ValueError, match="without elements"):
        HybridModel(a_file()).judge([shown])


def test_judge_takes_plain_text() -> None:
    blocks = page_blocks(Page("https://bees.invalid/", b"One.\n\nTwo.", "text/plain"))

    (judgement,) = HybridModel(a_file()).judge([blocks])

    assert judgement.verdicts == b"\0\0"


@given(end=st.integers(0, len(a_file()) - 1))
def test_load_refuses_a_truncated_file(end: int) -> None:
    with pytest.raises(ModelError):
        HybridModel(a_file()[:end])


@given(place=st.integers(0, len(a_file()) - 1), change=st.integers(1, 255))
def test_load_refuses_a_file_with_a_changed_byte(place: int, change: int) -> None:
    file = bytearray(a_file())
    file[place] ^= change

    with pytest.raises(ModelError):
        HybridModel(bytes(file))


@given(payload=st.binary(max_size=300))
def test_load_refuses_any_other_payload_even_when_its_seal_is_right(payload: bytes) -> None:
    with pytest.raises(ModelError):
        HybridModel(sealed(payload))


@given(data=st.data())
def test_a_forged_file_is_refused_or_judges_every_block(data: st.DataObject) -> None:
    payload = bytearray(a_file()[24:])
    for _ in range(data.draw(st.integers(1, 4))):
        payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(st.integers(0, 255))
    cut_off = data.draw(st.integers(0, 40)) if data.draw(st.booleans()) else 0
    forged = sealed(bytes(payload[: len(payload) - cut_off]))
    blocks = blocks_of(PAGE)

    try:
        model = HybridModel(forged)
    except ModelError:
        return
    (judgement,) = model.judge([blocks])

    assert len(judgement.verdicts) == len(blocks)
    assert set(judgement.verdicts) <= set(range(len(VERDICTS)))


def test_load_says_which_features_a_file_was_written_for() -> None:
    file = bytearray(a_file())
    file[8:16] = struct.pack("<Q", 7)

    with pytest.raises(ModelError, match="another version of the features"):
        HybridModel(bytes(file))


def test_load_names_the_file_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no\.bin"):
        HybridModel.load(tmp_path / "no.bin")


def test_options_refuse_a_threshold_that_is_not_a_probability() -> None:
    with pytest.raises(OptionsError, match="probability"):
        HybridOptions(threshold=1.5)


def test_constant_forests_judge_every_block_alike() -> None:
    model = HybridModel(a_file(comments=constant(9.0)))

    verdicts = verdicts_of(model, PAGE, HybridOptions(comments=Convention.DROP))

    assert list(verdicts.values()).count(Verdict.COMMENT) >= len(verdicts) - 1


@given(markup=st.text(alphabet="<>/abdivpul ='\"\n.é中", max_size=400))
def test_judge_gives_a_verdict_for_every_block_of_any_markup(markup: str) -> None:
    blocks = page_blocks(
        Page("https://bees.invalid/", b"<p>x" + markup.encode(), "text/html"), wanted="every"
    )

    (judgement,) = HybridModel(a_file()).judge([blocks])

    assert len(judgement.verdicts) == len(blocks) == len(judgement.probabilities)
