"""Declarations of pages become title, author, date and addresses."""

import re
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models._kernel import Metadata
from winnow.models.document import Page
from winnow.models.page import blocks_of

URL = "https://sample.invalid/news/bees"


def _metadata(head: str, body: str = "<p>x") -> Metadata:
    markup = f"<html><head>{head}</head><body>{body}"
    page = Page(URL, markup.encode(errors="replace"), "text/html; charset=utf-8")
    return blocks_of(page).metadata(URL, "")


def test_metadata_is_empty_when_a_page_says_nothing() -> None:
    metadata = _metadata("")

    values = {name: getattr(metadata, name) for name in dir(metadata) if not name.startswith("_")}
    assert values.pop("tags") == ()
    assert values.pop("sources") == {}
    assert len(values) == 11
    assert set(values.values()) == {""}


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<meta property=og:title content=A><title>B</title>", "<h1>C</h1>", "A"),
        ("<meta property=og:title content=' '><title>B</title>", "<h1>C</h1>", "B"),
        (
            '<script type="application/ld+json">{"headline": "A"}</script><title>B</title>',
            "<p>x",
            "A",
        ),
        ("<title> B\n C </title>", "<p>x", "B C"),
        ("", "<h2>B</h2><h1>C</h1>", "C"),
        (f"<title>{'B' * 600}</title>", "<h1>C</h1>", "C"),
    ],
)
def test_title_is_the_first_usable_source(head: str, body: str, title: str) -> None:
    assert _metadata(head, body).title == title


@pytest.mark.parametrize(
    ("head", "address"),
    [
        ("<link rel=canonical href=/bees>", "https://sample.invalid/bees"),
        (
            "<base href=https://other.invalid/a/><link rel=canonical href=b>",
            "https://other.invalid/a/b",
        ),
        ("<link rel='me Canonical' href=/bees>", "https://sample.invalid/bees"),
        (
            "<link rel=canonical href='javascript:x'><meta property=og:url content=http://o.invalid>",
            "http://o.invalid",
        ),
        ("<link rel=canonical href='http://[bad'>", ""),
        ("<link rel=canonical href='mailto:a@b.invalid'>", ""),
        ("<link rel=canonical href='android-app://a.invalid/http/b'>", ""),
        ("<link rel=canonical href='http://a.invalid:99999/'>", ""),
        ("<link rel=canonical href='http://a.invalid:0/'>", ""),
        ("<link rel=canonical href=' /a b '>", "https://sample.invalid/a%20b"),
        ("<link rel=canonical href='/a&#1;b'>", ""),
        ("<link rel=canonical href='/a\u202eb'>", ""),
        ("<link rel=canonical href='/a\u200bb'>", ""),
        ("<link rel=canonical href='/bienen/größe'>", "https://sample.invalid/bienen/größe"),
        (
            "<base href='http://a.invalid:x/'><link rel=canonical href=b>",
            "https://sample.invalid/news/b",
        ),
    ],
)
def test_canonical_url_is_absolute_and_http(head: str, address: str) -> None:
    assert _metadata(head).canonical_url == address


@pytest.mark.parametrize(
    "head",
    [
        "<meta property=og:image:secure_url content=/bee.jpg>",
        "<meta name=twitter:image:src content=/bee.jpg>",
        "<link rel=image_src href=/bee.jpg>",
        "<link rel=image_src href=/bee.jpg><meta name=thumbnailurl content=/small.jpg>",
        "<link rel=image_src href=/wasp.jpg><meta property=og:image content=/bee.jpg>",
    ],
)
def test_image_is_declared_in_several_ways(head: str) -> None:
    assert _metadata(head).image == "https://sample.invalid/bee.jpg"


@pytest.mark.parametrize(
    "keywords",
    [
        "bees, city",
        "bees; city",
        "bees、city",
        "bees，Bees，city",
        "bees | city",
        "bees، city",
        "bees؛ city",
    ],
)
def test_keywords_have_several_separators(keywords: str) -> None:
    assert _metadata(f'<meta name=keywords content="{keywords}">').tags == ("bees", "city")
    script = f'<script type="application/ld+json">{{"keywords": "{keywords}"}}</script>'
    assert _metadata(script).tags == ("bees", "city")


def test_a_metadata_line_drops_the_characters_that_blocks_drop() -> None:
    for character in map(chr, (*range(1, 0x100), *range(0x2000, 0x2070), 0x3000, 0xFEFF)):
        content = f"a{character}b"
        if character in "&<\r":
            continue

        blocks = blocks_of(Page(URL, f"<title>{content}</title><p>{content}".encode(), "text/html"))

        assert blocks.metadata(URL, "").title == blocks.block(0).text, hex(ord(character))


def test_linked_data_is_read_as_lines() -> None:
    script = r'{"headline": "\u0000A\n B", "publisher": {"name": "\u200bC"}}'

    metadata = _metadata(f'<script type="application/ld+json">{script}</script>')

    assert (metadata.title, metadata.site_name) == ("A B", "C")


def test_author_that_is_an_address_is_skipped() -> None:
    head = "<meta name=author content=https://a.invalid><meta name=dc.creator content='A. Bee'>"

    assert _metadata(head).author == "A. Bee"


def test_author_that_is_the_number_of_a_profile_is_skipped() -> None:
    head = "<meta property=article:author content=262588213843476>"

    assert _metadata(head).author == ""
    assert _metadata(head + "<meta name=dc.creator content='A. Bee'>").author == "A. Bee"


def test_author_may_be_in_a_twitter_card() -> None:
    card = '<meta name="twitter:label1" content="{}"><meta name="twitter:data1" content="Ann">'
    assert _metadata(card.format("Written by")).author == "Ann"
    assert _metadata(card.format("Price")).author == ""
    assert _metadata(card.format("Written by") + "<meta name=author content=Bob>").author == "Bob"


def test_author_of_mailings_is_read() -> None:
    assert _metadata('<meta name="sailthru.author" content="Ann">').author == "Ann"


def test_date_site_and_language_come_from_what_the_page_declares() -> None:
    head = (
        "<meta name=date content=soon><meta property=og:site_name content=Hive>"
        "<meta property=og:locale content=pl_PL>"
    )

    metadata = _metadata(head, "<article><time datetime=2024-03-05>then</time></article>")

    assert metadata.published_at == "2024-03-05"
    assert (metadata.site_name, metadata.lang) == ("Hive", "pl_PL")


@pytest.mark.parametrize(
    ("markup", "lang"),
    [
        ("<html xml:lang=gl>", "gl"),
        ("<html xml:lang=gl lang=pt>", "pt"),
        ("<meta http-equiv=Content-Language content=gl>", "gl"),
        ("<html xml:lang=gl><meta http-equiv=content-language content=pt>", "gl"),
        ("<meta http-equiv=refresh content=gl><meta http-equiv=language content=pt>", ""),
    ],
)
def test_language_is_read_as_older_pages_declare_it(markup: str, lang: str) -> None:
    page = Page(URL, f"{markup}<p>x".encode(), "text/html")

    assert blocks_of(page).declared_language == lang


_PARTS_OF_DATES = (
    "Mon,", "1", "Jan", "2020", "00:00:00", "+0000", "-9999", "GMT", "-", "/", ":", ".", "T", "Z",
    "9" * 24, "2020-01-01", "T10:00", "+23:59:59.999", "W01", " ", "٢٠٢٠", "²", "\0",
)  # fmt: skip
_DATE = r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d))?"


@given(
    st.text()
    | st.text(alphabet="0123456789-/:.,+TZ JanMue", max_size=40)
    | st.lists(st.sampled_from(_PARTS_OF_DATES), max_size=9).map("".join)
    | st.from_regex(r"[0-9]{1,2} Jan [0-9]{4,20} [0-9]{2}:00:00 [+-][0-9]{4,20}", fullmatch=True)
    | st.from_regex(r"[0-9]{4}-0[1-9]-11T10:00:00[+-]0[0-9](:[0-9]{2}){1,2}", fullmatch=True)
)
def test_any_text_declared_as_a_date_gives_one_or_nothing(text: str) -> None:
    date = _metadata(f'<meta name=date content="{escape(text)}">').published_at

    assert date == "" or re.fullmatch(_DATE, date, re.ASCII)
    assert _metadata(f"<meta name=date content={date}>").published_at == date


@pytest.mark.parametrize("repeated", ["<time datetime=x></time>", "<meta itemprop=name content=x>"])
def test_linked_data_is_found_after_too_many_repeats(repeated: str) -> None:
    script = '<script type="application/ld+json">{"headline": "A"}</script>'

    assert _metadata("", f"<p>x{repeated * 300}{script}").title == "A"


def test_a_date_of_year_one_does_not_hide_a_good_one() -> None:
    head = (
        "<meta name=date content=0001-01-01T00:00:00>"
        '<script type="application/ld+json">{"datePublished": "2024-03-05"}</script>'
    )

    assert _metadata(head).published_at == "2024-03-05"


@pytest.mark.parametrize(
    ("head", "tags"),
    [
        ("<meta name=keywords content='bees &amp;amp; wasps, hives'>", ("bees & wasps", "hives")),
        (
            "<meta name=citation_keywords content=a><meta name=citation_keywords content=b>",
            ("a", "b"),
        ),
        ("<meta name=dc.subject content=a><meta name=dc.subject content='b; c'>", ("a", "b", "c")),
        ("<meta property=article:tag content='a, b'>", ("a", "b")),
        (
            "<meta property=article:tag content='Bath, UK'><meta property=article:tag content=b>",
            ("Bath, UK", "b"),
        ),
        ("<meta name=keywords content='undefined, bees, null'>", ("bees",)),
        (
            '<script type=application/ld+json>{"keywords":[{"name":"a"},{"name":"b"}]}</script>',
            ("a", "b"),
        ),
    ],
)
def test_all_keywords_of_a_page_are_its_tags(head: str, tags: tuple[str, ...]) -> None:
    assert _metadata(head).tags == tags


def test_a_missing_address_is_not_an_address() -> None:
    head = "<link rel=canonical href=undefined><meta property=og:image content=null>"

    assert (_metadata(head).canonical_url, _metadata(head).image) == ("", "")


def test_the_name_of_an_app_is_the_last_name_of_a_site() -> None:
    app = "<meta name=apple-mobile-web-app-title content=Hive>"

    assert _metadata(app).site_name == "Hive"
    assert _metadata(app.replace("Hive", "'Six bees of the Hive'")).site_name == ""
    assert (
        _metadata(app + "<meta property=og:site_name content='The Hive'>").site_name == "The Hive"
    )
