"""Raw pages in, documents out: the promises of the cleaner, with any engine."""

import math
import pickle
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models.cleaner import Cleaner
from winnow.models.document import BlockKind, Document, Page, Verdict
from winnow.models.engines.choice import ENGINES
from winnow.models.engines.hybrid import Convention, PageType
from winnow.models.errors import InvalidPage, OptionsError, Reason
from winnow.models.ngram import NgramModel
from winnow.models.options import CleanerOptions, TextFormat

PROSE = "The first meeting was held in the back room of the bakery, and eleven people came."
MENU = "Home Login Cart Sitemap RSS"
PERPLEXITY = CleanerOptions(engine="perplexity")


def a_page(*blocks: str, head: str = "", url: str = "https://sample.invalid/page") -> Page:
    body = "".join(f"<div>{block}</div>" for block in blocks)
    return Page(url=url, body=f"<html><head>{head}</head><body>{body}</body></html>".encode())


def test_clean_drops_a_menu_and_keeps_prose(english: NgramModel) -> None:
    cleaner = Cleaner(PERPLEXITY, english)

    document = cleaner.clean(a_page(MENU, PROSE))

    assert document.text == PROSE
    assert document.stats.dropped_sentences == {Verdict.PERPLEXITY: 1}


@pytest.mark.parametrize("name", [each.name for each in fields(Document)])
def test_every_attribute_is_read_when_it_is_touched(english: NgramModel, name: str) -> None:
    cleaner = Cleaner(replace(PERPLEXITY, spans=True, sources=True), english)
    touched, whole = (cleaner.clean(a_page(MENU, PROSE)) for _ in range(2))
    assert whole.text == PROSE

    assert getattr(touched, name) == getattr(whole, name)
    assert replace(touched) == touched == whole


def test_a_cleaned_page_has_only_the_attributes_of_a_document(english: NgramModel) -> None:
    document = Cleaner(PERPLEXITY, english).clean(a_page(PROSE))

    assert not hasattr(document, "subtitle")
    assert pickle.loads(pickle.dumps(document)) == document


@pytest.mark.parametrize("label", ["Partager", "Condividi", "Delen", "Udostępnij"])
def test_a_label_above_links_that_go_does_not_stay(english: NgramModel, label: str) -> None:
    links = "<ul><li><a href=#>Facebook</a></li><li><a href=#>Courriel</a></li></ul>"
    menu = "<header><nav><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul></nav></header>"
    prose = f"<p>{PROSE}</p><p>{PROSE} She counted them twice before she wrote it down.</p>"
    article = f"<main><article><h1>Roof</h1>{prose}<h2>{label}</h2>{links}{prose}</article></main>"
    markup = f"<title>Roof</title>{menu}{article}<footer><p>© 2026 Example</p></footer>"

    text = Cleaner(CleanerOptions(), english).clean(Page("", markup.encode())).text

    assert label not in text.splitlines()
    assert text.count(PROSE) == 4


def test_clean_judges_by_structure_when_no_engine_is_named(english: NgramModel) -> None:
    menu = '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/n">News</a></li></ul>'
    page = a_page(menu, f"<h1>The roof</h1><p>{PROSE}</p>", head="<title>The roof</title>")

    document = Cleaner(CleanerOptions(), english).clean(page)

    assert document.engine == "hybrid"
    assert document.text == f"The roof\n\n{PROSE}"
    assert document.stats.dropped_sentences == {Verdict.BOILERPLATE: 2}
    assert document.stats.page_type in set(PageType)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("concealed", ["noscript", "div hidden"])
def test_clean_reads_concealed_text_when_the_page_shows_almost_nothing(
    english: NgramModel, engine: str, concealed: str
) -> None:
    end = concealed.split(maxsplit=1)[0]
    page = a_page("Loading", f"<{concealed}>{f'<p>{PROSE}</p>' * 3}</{end}>")

    document = Cleaner(CleanerOptions(engine=engine), english).clean(page)

    assert PROSE in document.text


def test_clean_takes_the_language_that_a_foreign_page_declares(english: NgramModel) -> None:
    text = "Каждую среду в деревню у реки приезжает старый автобус с книжными полками."
    page = Page("u://x", f'<html lang="ru-RU"><body><p>{text}</p></body></html>'.encode())

    document = Cleaner(CleanerOptions(), english).clean(page)

    assert (document.language, document.text) == ("ru", text)


def test_clean_names_no_page_type_when_the_engine_gives_none(english: NgramModel) -> None:
    assert Cleaner(PERPLEXITY, english).clean(a_page(PROSE)).stats.page_type == ""


def test_comments_are_refused_by_an_engine_without_them(english: NgramModel) -> None:
    with pytest.raises(OptionsError, match="does not have the option comments"):
        Cleaner(replace(PERPLEXITY, comments=Convention.DROP), english)


@pytest.mark.parametrize("name", ["title", "bylines", "captions", "standfirst"])
def test_roles_are_refused_by_an_engine_without_them(english: NgramModel, name: str) -> None:
    with pytest.raises(OptionsError, match=f"does not have the option {name}"):
        Cleaner(PERPLEXITY.with_values({name: "drop"}), english)


def test_comments_are_named_in_options_by_their_values() -> None:
    assert CleanerOptions().with_values({"comments": "keep"}).comments is Convention.KEEP
    with pytest.raises(OptionsError, match="one of auto, keep, drop"):
        CleanerOptions().with_values({"comments": "some"})


def test_clean_keeps_paragraphs_apart(english: NgramModel) -> None:
    other = "Most of them had never baked a loaf of bread before that cold evening in March."

    document = Cleaner(CleanerOptions(), english).clean(a_page(PROSE, other))

    assert document.text == f"{PROSE}\n\n{other}"


def test_clean_marks_dropped_blocks_when_asked_to(english: NgramModel) -> None:
    cleaner = Cleaner(replace(PERPLEXITY, mark=True), english)

    document = cleaner.clean(a_page(MENU, PROSE))

    assert document.text.startswith("<ppl ")
    assert f">{MENU}</ppl>" in document.text
    assert document.text.endswith(PROSE)


def test_clean_writes_markdown_when_asked_to(english: NgramModel) -> None:
    heading = "<h2>A roof before the winter</h2>"
    page = a_page(f"<p>{PROSE}</p>", heading, f"<ul><li>{PROSE}</li></ul>")
    cleaner = Cleaner(CleanerOptions(format=TextFormat.MARKDOWN), english)

    document = cleaner.clean(page)

    assert document.text == f"{PROSE}\n\n## A roof before the winter\n\n- {PROSE}"


def test_clean_lists_blocks_and_sentences_with_verdicts_when_asked_for_spans(
    english: NgramModel,
) -> None:
    document = Cleaner(replace(PERPLEXITY, spans=True), english).clean(a_page(MENU, PROSE))

    assert [block.text for block in document.blocks] == [MENU, PROSE]
    assert {block.kind for block in document.blocks} == {BlockKind.OTHER}
    assert [sentence.verdict for sentence in document.sentences] == [
        Verdict.PERPLEXITY,
        Verdict.KEPT,
    ]
    assert [sentence.block for sentence in document.sentences] == [0, 1]


def test_clean_gives_the_place_of_a_sentence_in_its_block(english: NgramModel) -> None:
    text = f"Zażółć gęślą jaźń. *** {PROSE} {PROSE} {PROSE}"

    document = Cleaner(replace(PERPLEXITY, spans=True), english).clean(a_page(MENU, text))

    places = [(each.start, each.end) for each in document.sentences if each.block == 1]
    assert places == sorted(set(places))
    assert len(places) > 2
    assert all(
        document.blocks[each.block].text[each.start : each.end] == each.text
        for each in document.sentences
    )


def test_statistics_count_tokens_and_bytes_by_reason(english: NgramModel) -> None:
    menu = "Café Señor RSS XML"

    stats = Cleaner(PERPLEXITY, english).clean(a_page(menu, PROSE)).stats

    assert stats.dropped_sentences == {Verdict.PERPLEXITY: 1}
    assert stats.dropped_tokens == {Verdict.PERPLEXITY: stats.tokens - stats.tokens_kept}
    assert stats.dropped_bytes == {Verdict.PERPLEXITY: len(menu.encode())}
    assert stats.text_bytes_kept == len(PROSE.encode())


def test_statistics_account_for_every_sentence(english: NgramModel) -> None:
    page = a_page(MENU, PROSE, "© 2024 RSS XML", f"{PROSE} {PROSE}")

    stats = Cleaner(PERPLEXITY, english).clean(page).stats

    assert stats.sentences == 5
    assert stats.sentences_kept + sum(stats.dropped_sentences.values()) == stats.sentences
    assert stats.tokens_kept + sum(stats.dropped_tokens.values()) == stats.tokens
    assert stats.blocks_kept <= stats.blocks == 4
    assert 0 < stats.tokens_kept < stats.tokens
    assert 0 < stats.text_chars_kept < stats.text_chars
    assert list(stats.perplexity_quantiles) == sorted(stats.perplexity_quantiles)
    assert len(stats.perplexity_quantiles) == 5
    assert 0 <= stats.oov_rate <= 1
    assert stats.page_bytes == len(page.body)


def test_clean_takes_title_and_canonical_url_from_the_head(english: NgramModel) -> None:
    head = '<title>Bees</title><link rel="canonical" href="/bees">'

    document = Cleaner(CleanerOptions(), english).clean(a_page(PROSE, head=head))

    assert (document.title, document.canonical_url) == ("Bees", "https://sample.invalid/bees")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("el", "Ύστερα από σαράντα χρόνια το παλιό ελαιοτριβείο του χωριού άνοιξε τις πόρτες του."),
        ("ru", "Каждую среду в деревню у реки приезжает старый автобус с книжными полками."),
        ("zh", "河边那座有一百年历史的老茶馆，经过两年的修缮，昨天上午重新开张。"),
        ("pl", "Po dwóch latach remontu na ulice miasta wrócił tramwaj z drewnianymi ławkami."),
    ],
)
def test_clean_keeps_a_page_whose_language_the_model_cannot_judge(
    english: NgramModel, language: str, text: str
) -> None:
    body = f'<html lang="{language}-x"><body><p>{text}</p></body></html>'.encode()

    document = Cleaner(CleanerOptions(engine="perplexity"), english).clean(Page("u://x", body))

    assert document.text == text
    assert document.language == language


def test_clean_raises_the_reason_for_a_page_that_gives_no_document(english: NgramModel) -> None:
    with pytest.raises(InvalidPage) as refused:
        Cleaner(CleanerOptions(), english).clean(Page("https://sample.invalid/", b" \n "))

    assert refused.value.reason is Reason.EMPTY


def test_clean_batch_puts_a_refusal_in_its_place_and_cleans_the_others(
    english: NgramModel,
) -> None:
    pages = [a_page(PROSE), Page("https://sample.invalid/pdf", b"%PDF-1.4 \x00\x01"), a_page(MENU)]

    first, refused, last = Cleaner(PERPLEXITY, english).clean_batch(pages)

    assert isinstance(first, Document)
    assert first.text == PROSE
    assert isinstance(refused, InvalidPage)
    assert refused.reason is Reason.NOT_HTML
    assert isinstance(last, Document)
    assert last.text == MENU  # no page with text comes out empty


def test_a_refusal_in_a_batch_keeps_no_page_in_memory(english: NgramModel) -> None:
    pages = [Page("https://sample.invalid/binary", b"\x00\x01\x02" * 100), a_page(PROSE)]

    refused, _ = Cleaner(PERPLEXITY, english).clean_batch(pages)

    assert isinstance(refused, InvalidPage)
    assert (refused.__traceback__, refused.__context__) == (None, None)


@pytest.mark.parametrize(
    "page",
    [Page("https://x.invalid/\ud800", b"<p>x"), Page("https://x.invalid/", b"<p>x", "\udc80")],
)
def test_a_page_with_half_a_character_is_refused_alone(english: NgramModel, page: Page) -> None:
    good = Page("https://x.invalid/", b"<p>The bees find more flowers in the city.</p>")

    refused, cleaned = Cleaner(PERPLEXITY, english).clean_batch([page, good])

    assert isinstance(refused, InvalidPage)
    assert refused.reason is Reason.UNDECODABLE
    assert isinstance(cleaned, Document)


def test_blocks_tell_how_likely_they_are_content_where_the_engine_does(
    english: NgramModel,
) -> None:
    page = a_page(MENU, PROSE)

    judged = Cleaner(CleanerOptions(spans=True), english).clean(page)
    scored = Cleaner(replace(PERPLEXITY, spans=True), english).clean(page)

    kept = {each.block for each in judged.sentences if each.verdict is Verdict.KEPT}
    assert 0 < len(kept) < len(judged.blocks)
    for block in judged.blocks:
        assert block.probability is not None
        assert (block.probability >= judged.threshold) == (block.order in kept)
    assert {block.probability for block in scored.blocks} == {None}


def test_clean_batch_gives_what_clean_gives(english: NgramModel) -> None:
    cleaner = Cleaner(CleanerOptions(spans=True), english)
    pages = [a_page(MENU, PROSE), a_page(PROSE), a_page(PROSE, MENU, PROSE)]

    assert cleaner.clean_batch(pages) == [cleaner.clean(page) for page in pages]


def test_clean_measures_stages_when_asked_to(english: NgramModel) -> None:
    page = a_page(*[PROSE] * 50)

    timed = Cleaner(CleanerOptions(), english, timed=True).clean(page).stats
    untimed = Cleaner(CleanerOptions(), english).clean(page).stats

    assert timed.cpu_ms.keys() == {"read", "judge", "write"}
    assert all(milliseconds > 0 for milliseconds in timed.cpu_ms.values())
    assert untimed.cpu_ms == {}


def test_a_release_with_other_rules_has_another_fingerprint(
    english: NgramModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Cleaner(CleanerOptions(), english).fingerprint

    monkeypatch.setattr("winnow.models.cleaner.KERNEL_VERSION", "999.0.0")

    assert Cleaner(CleanerOptions(), english).fingerprint != before


def test_fingerprints_differ_when_a_document_could(english: NgramModel) -> None:
    options = CleanerOptions()
    variants = [
        options,
        replace(options, engine="perplexity"),
        replace(options, threshold=0.3),
        replace(options, comments=Convention.DROP),
        replace(options, title=Convention.DROP),
        replace(options, bylines=Convention.DROP),
        replace(options, captions=Convention.DROP),
        replace(options, format=TextFormat.MARKDOWN),
        replace(options, mark=True),
        replace(options, spans=True),
    ]

    fingerprints = {Cleaner(variant, english).fingerprint for variant in variants}

    assert len(fingerprints) == len(variants)
    assert Cleaner(options, english).fingerprint == Cleaner(options, english).fingerprint


@pytest.mark.parametrize("threshold", [0.5, -1.0, math.nan, math.inf])
def test_a_threshold_that_is_not_a_perplexity_is_refused(
    english: NgramModel, threshold: float
) -> None:
    with pytest.raises(OptionsError, match="at least 1"):
        Cleaner(CleanerOptions(engine="perplexity", threshold=threshold), english)


@pytest.mark.parametrize("threshold", [1e300, -1e39, math.nan, math.inf])
def test_a_threshold_that_is_not_log_odds_is_refused(english: NgramModel, threshold: float) -> None:
    with pytest.raises(OptionsError, match="log-odds must be finite"):
        Cleaner(CleanerOptions(engine="web2text", threshold=threshold), english)


def test_an_unknown_engine_is_refused_with_the_known_names(
    english: NgramModel,
) -> None:
    with pytest.raises(OptionsError, match=r"'magic': must be one of .*perplexity"):
        Cleaner(CleanerOptions(engine="magic"), english)


MARKUP = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<div>",
                "</div>",
                "<table><tr><td>",
                "</table>",
                "<li>",
                "<pre>",
                "<b>",
            ]
        ),
        st.text(max_size=30),
    ),
    max_size=30,
).map("".join)


@given(markup=MARKUP)
def test_cleaned_text_comes_from_the_page(english: NgramModel, markup: str) -> None:
    cleaner = Cleaner(CleanerOptions(engine="perplexity", threshold=1e12), english)

    cleaned = cleaner.clean_batch([Page("https://sample.invalid/", markup.encode())])[0]

    if isinstance(cleaned, InvalidPage):
        assert cleaned.reason in set(Reason)
        return
    spans = replace(CleanerOptions(), spans=True)
    whole = Cleaner(spans, english).clean(Page("https://sample.invalid/", markup.encode()))
    there = iter("\n".join(block.text for block in whole.blocks).split())
    assert all(word in there for word in cleaned.text.split())
