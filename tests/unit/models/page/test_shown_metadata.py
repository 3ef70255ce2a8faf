"""Title, author and dates that pages show, in addition to those they declare."""

import re
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models._kernel import Metadata
from winnow.models.document import Page
from winnow.models.page import blocks_of

URL = "https://sample.invalid/news/bees"


def _metadata(
    body: str, head: str = "<title>Bees</title>", page_type: str = "", url: str = URL
) -> Metadata:
    markup = f"<html><head>{head}</head><body>{body}".encode(errors="replace")
    return blocks_of(Page(url, markup, "text/html")).metadata(url, page_type)


@pytest.mark.parametrize(
    ("title", "heading", "expected"),
    [
        ("Bees in the city | The Hive", "Bees in the city", "Bees in the city"),
        ("The Hive: Bees - News", "Bees", "Bees"),
        ("7 bees of the city (with pictures)", "Seven bees of the city", "Seven bees of the city"),
        ("Bees in the city - The Hive", "Sample", "Bees in the city"),
        ("Sample - Bees in the city", "Menu", "Bees in the city"),
        ("Early / late bees", "", "Early / late bees"),
        ("Bees / Sting", "", "Bees"),
        ("Bees in the city | News | Honey", "", "Bees in the city"),
        ("Bees in the city | News | The Hive", "", "Bees in the city"),
        ("Bees in the city | Views | The Hive", "", "Bees in the city | Views"),
        ("Bees - a love story | Sample", "", "Bees - a love story"),
        ("Bees&amp;nbsp;&amp;amp; wasps", "", "Bees & wasps"),
    ],
)
def test_title_is_the_headline_without_the_site(title: str, heading: str, expected: str) -> None:
    head = f"<title>{title}</title><meta property=og:site_name content='The Hive'>"

    assert _metadata(f"<h1>{heading}</h1><p>x", head).title == expected


@pytest.mark.parametrize(
    ("byline", "author"),
    [
        ("<p>By Ann Bee | 3 May 2025</p>", "Ann Bee"),
        ("<p>Written by Ann van der Bee, Senior Editor</p>", "Ann van der Bee"),
        ("<p>Von Ännchen Biene</p>", "Ännchen Biene"),
        ("<p>Monday August 27, 2018 10:05 am PDT by Ann Bee</p>", "Ann Bee"),
        ("<p>By</p><p>Ann Bee</p>", "Ann Bee"),
        ("<p>著者：蜂花子</p>", "蜂花子"),
        ("<a rel=author href=/ann>Ann Bee</a>", "Ann Bee"),
        ("<span itemprop=author><a href=/ann><b itemprop=name>Ann Bee</b></a></span>", "Ann Bee"),
        ("<div class=post-author><img>by Ann Bee</div>", "Ann Bee"),
        ("<div itemprop=author><b itemprop=name>Ann Bee</b> Town</div>", "Ann Bee"),
        ("<i class=author>Bob Wasp</i><p>Thread starter</p><p>Ann Bee</p>", "Ann Bee"),
        ("<p class=comment-author>Bob Wasp</p>", ""),
        ("<p>By participating you agree to our terms of use and more</p>", ""),
        ("<p>By admin</p>", ""),
    ],
)
def test_author_is_read_next_to_the_headline(byline: str, author: str) -> None:
    assert _metadata(f"<h1>Bees</h1>{byline}<p>The bees fly.").author == author


def test_author_of_a_suggested_article_is_not_the_author_of_the_page() -> None:
    far = "<p>The bees fly.</p>" * 30 + "<h3>Wasps</h3><p>By Bob Wasp</p>"

    assert _metadata(f"<h1>Bees</h1>{far}").author == ""


def test_a_name_is_preferred_to_an_account() -> None:
    head = "<title>Bees</title><meta name=author content=ann-bee7>"

    assert _metadata("<h1>Bees</h1><p>By Ann Bee</p>", head).author == "Ann Bee"
    assert _metadata("<h1>Bees</h1><p>x", head).author == "ann-bee7"


def test_the_name_of_the_site_signs_a_page_that_names_nobody_else() -> None:
    head = "<meta property=og:site_name content='The Hive'><meta name=author content='The Hive'>"

    assert _metadata("<h1>Bees</h1><p>x", head).author == "The Hive"
    assert _metadata("<h1>Bees</h1><p>By Ann Bee, The Hive</p>", head).author == "Ann Bee"


def test_an_organisation_is_not_an_author() -> None:
    script = '{"author": {"@type": "Organization", "name": "Hives & Co"}}'
    head = f"<title>Bees</title><script type=application/ld+json>{script}</script>"

    assert _metadata("<h1>Bees</h1><p>x", head).author == ""
    assert _metadata("<h1>Bees</h1><p>By Ann Bee</p>", head).author == "Ann Bee"


def test_all_authors_of_a_paper_are_given() -> None:
    names = ("Bee, Ann", "Wasp, Bob")
    head = "".join(f"<meta name=citation_author content='{name}'>" for name in names)

    assert _metadata("<h1>Bees</h1>", head).author == "Ann Bee, Bob Wasp"


def test_the_second_card_of_a_page_may_name_its_author() -> None:
    head = (
        "<meta name=twitter:label2 content='Written by'><meta name=twitter:data2 content='Ann B'>"
    )

    assert _metadata("<h1>Bees</h1>", head).author == "Ann B"


def test_members_of_forums_bear_names_of_accounts() -> None:
    head = "<title>Bees</title><meta name=author content=annbee7>"
    body = "<h1>Bees</h1><p>By Bob Wasp</p>"

    assert _metadata(body, head, page_type="forum").author == "annbee7"
    assert _metadata(body, head, page_type="article").author == "Bob Wasp"


def test_product_facts_are_not_author_or_date() -> None:
    body = "<h1>Bees</h1><p>By Ann Bee</p><p>3 May 2025</p>"

    shop = _metadata(body, page_type="product")

    assert (shop.author, shop.published_at) == ("", "")
    assert _metadata(body, page_type="article").published_at == "2025-05-03"


@pytest.mark.parametrize(
    ("shown", "published", "modified", "source"),
    [
        ("<p>Published: 3 May 2025</p>", "2025-05-03", "", "shown"),
        ("<p>3 May 2025</p><p>Updated 9 May 2025</p>", "2025-05-03", "2025-05-09", "shown"),
        ("<p>Updated on</p><p>9 May 2025</p>", "2025-05-09", "2025-05-09", "shown:changed"),
        ("<time datetime=2025-05-03>May</time>", "2025-05-03", "", "time"),
        ("<i itemprop=datePublished content=2025-05-03></i>", "2025-05-03", "",
         "itemprop:datepublished"),
    ],
)  # fmt: skip
def test_dates_are_read_next_to_the_headline(
    shown: str, published: str, modified: str, source: str
) -> None:
    metadata = _metadata(f"<h1>Bees</h1>{shown}<p>x")

    assert (metadata.published_at, metadata.modified_at) == (published, modified)
    assert metadata.sources["published_at"] == source


def test_a_date_in_the_text_or_on_a_front_page_is_not_the_date_of_the_page() -> None:
    far = "<p>The bees fly.</p>" * 30 + "<p>The wasps came to us on 3 May 2025.</p>"

    assert _metadata(f"<h1>Bees</h1>{far}").published_at == ""
    front = _metadata("<h1>Bees</h1><p>3 May 2025</p>", url="https://sample.invalid/")
    assert front.published_at == ""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("<p>Saturday, 3 May 2025</p>", "2025-05-03"),
        ("<p>3 May 2025</p><p>The bees fly.</p><p>2025-05-03</p>", "2025-05-03"),
        ("<p>3 May 2025</p><p>4 May 2025</p>", ""),
    ],
)
def test_a_day_alone_on_its_line_dates_a_page_without_other_dates(
    lines: str, expected: str
) -> None:
    far = "<p>The bees fly.</p>" * 30

    assert _metadata(f"<h1>Bees</h1>{far}{lines}").published_at == expected


def test_a_front_page_or_list_has_no_author() -> None:
    page = "<meta name=author content='Ann Bee'><h1>Bees</h1><p>x"

    assert _metadata(page).author == "Ann Bee"
    assert _metadata(page, url="https://sample.invalid/").author == ""
    assert _metadata(page, page_type="listing").author == ""


def test_the_path_of_the_address_may_date_a_page() -> None:
    dated = _metadata("<p>x", url="https://sample.invalid/2025/05/03/bees")

    assert (dated.published_at, dated.sources["published_at"]) == ("2025-05-03", "url")
    assert _metadata("<p>x", url="https://sample.invalid/2025/13/03/bees").published_at == ""


def test_other_facts_come_from_declarations_and_linked_data() -> None:
    head = (
        "<meta name=description content=D><meta property=og:image content=/i.png>"
        "<meta property=article:tag content=A><meta property=article:tag content=B>"
        '<script type="application/ld+json">{"@type": "Article", "articleSection": "S",'
        ' "dateModified": "2025-05-09", "license": "https://l.invalid/x"}</script>'
    )

    metadata = _metadata("<p>x", head)

    assert (metadata.description, metadata.section, metadata.tags) == ("D", "S", ("A", "B"))
    assert metadata.image == "https://sample.invalid/i.png"
    assert (metadata.licence, metadata.modified_at) == ("https://l.invalid/x", "2025-05-09")


@pytest.mark.parametrize(
    ("body", "licence"),
    [
        ("<a rel=license href=/terms>x</a>", "https://sample.invalid/terms"),
        (
            "<a href=https://creativecommons.org/licenses/by/4.0/>x</a>",
            "https://creativecommons.org/licenses/by/4.0/",
        ),
        (
            "<a href=//creativecommons.org/licenses/by/4.0/>x</a>"  # noqa: ISC004 - one page
            "<a href=//creativecommons.org/licenses/by-nd/4.0/>y</a>",
            "",
        ),
        ("<a rel=license href=javascript:x>x</a>", ""),
    ],
)
def test_licence_is_read_from_a_single_link(body: str, licence: str) -> None:
    assert _metadata(body).licence == licence


_HOSTILE = st.text(max_size=60) | st.sampled_from(
    ["<script>alert(1)</script>", "javascript:alert(1)", "9" * 40, "0000-00-00", "\u202e", "By "]
)


@given(
    st.lists(st.tuples(st.sampled_from(["author", "date", "description", "keywords"]), _HOSTILE))
)
def test_any_declaration_gives_bounded_lines(pairs: list[tuple[str, str]]) -> None:
    head = "".join(
        f'<meta name={name} content="{value.replace(chr(34), "")}">' for name, value in pairs
    )

    found = _metadata("<h1>Bees</h1><p>" + "x" * 2000, head)

    assert re.fullmatch(r"(\d{4}-\d\d-\d\d(T.*)?)?", found.published_at)
    texts = (found.title, found.author, found.description, found.section, *found.tags)
    assert all("\n" not in text and len(text) <= 2048 for text in texts)


@given(st.text(max_size=120), st.sampled_from(["en", "de", "", "x"]))
def test_any_text_next_to_the_headline_gives_a_valid_date_or_none(text: str, lang: str) -> None:
    shown = f"<html lang={lang}><h1>Bees</h1><p>{escape(text)}</p>"

    assert re.fullmatch(r"(\d{4}-\d\d-\d\d)?", _metadata(shown).published_at)


@given(st.text(max_size=200))
def test_any_byline_gives_one_short_name_or_none(text: str) -> None:
    declared = f'<title>Bees</title><meta name=author content="{escape(text)}">'

    for found in (_metadata("<p>x", declared), _metadata(f"<h1>Bees</h1><p>By {escape(text)}")):
        assert "\n" not in found.author
        assert len(found.author) <= 100


def test_metadata_of_megabytes_are_read_in_bounded_time() -> None:
    long = "By " + "Ann, " * 200_000
    head = "".join(
        f"<meta property='{name}' content='{long}'>" for name in ("og:title", "author", "date")
    )
    body = "<h1>Bees</h1>" + f"<p class=author>{long}</p>" + "<h1>1 May | </h1>" * 500

    found = _metadata(body, head + "<title>" + "a | " * 900 + "</title>")

    assert found.title == "Bees"
    assert found.author == ""


@pytest.mark.parametrize(
    ("canonical", "other", "expected"),
    [
        ("https://sample.invalid/", "https://sample.invalid/bees", "https://sample.invalid/bees"),
        ("https://sample.invalid/", "", "https://sample.invalid/"),
        (
            "http://localhost:3000/bees",
            "https://sample.invalid/bees",
            "https://sample.invalid/bees",
        ),
        ("http://127.0.0.1/bees", "", ""),
        ("https://sample.invalid/a", "https://sample.invalid/bees", "https://sample.invalid/a"),
    ],
)
def test_the_address_of_a_page_is_not_of_the_front_page_or_of_the_computer_that_made_it(
    canonical: str, other: str, expected: str
) -> None:
    head = f"<link rel=canonical href={canonical}><meta property=og:url content='{other}'>"

    assert _metadata("<h1>Bees</h1>", head).canonical_url == expected
