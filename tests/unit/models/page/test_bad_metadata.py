"""Metadata that are wrong, contradict each other or attack who shows them."""

import json

import pytest

from winnow.models import Cleaner, CleanerOptions, Page
from winnow.models.document import Document
from winnow.streams.messages import document_value

URL = "https://sample.invalid/bees"
TEXT = "<h1>Bees in the city</h1><p>The bees find more flowers in the city than in the fields."
NAMES = ("author", "description", "keywords", "og:site_name", "article:section", "date")
ADDRESSES = ("og:image", "og:url", "twitter:image", "dcterms.license")
ATTACKS = (
    "<script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)'></a>",
    "<!--<script>alert(1)</script>-->",
)


def clean(head: str, charset: str = "utf-8") -> Document:
    markup = f"<html><head>{head}</head><body>{TEXT}</body></html>"
    page = Page(URL, markup.encode(charset), "text/html; charset=utf-8")
    return Cleaner(CleanerOptions(sources=True)).clean(page)


def metas(names: tuple[str, ...], value: str) -> str:
    return "".join(f'<meta name="{name}" content="{value}">' for name in names)


@pytest.mark.parametrize("attack", ATTACKS)
def test_values_hold_no_script(attack: str) -> None:
    linked = dict.fromkeys(("headline", "author", "publisher", "description"), attack)
    script = (
        json.dumps({"@type": "Article", **linked}).replace("</", "<\\/").replace("<!", "\\u003c!")
    )
    head = metas(NAMES, attack) + f"<script type=application/ld+json>{script}</script>"

    document = clean(f"<title>{attack.replace('<', '&lt;')}</title>{head}")

    assert document.title == "Bees in the city"
    assert (document.author, document.description, document.tags) == ("", "", ())
    assert (document.site_name, document.section) == ("", "")
    assert "alert" not in document_value(document).decode()


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,<b>x", "vbscript:x"])
def test_addresses_that_run_are_left_out(address: str) -> None:
    links = f'<link rel=canonical href="{address}"><link rel=license href="{address}">'

    document = clean(metas(ADDRESSES, address) + links)

    assert (document.canonical_url, document.image, document.licence) == ("", "", "")


def test_a_text_about_markup_keeps_its_words() -> None:
    assert clean(metas(("description",), "The <b> element")).description == "The <b> element"


def test_bytes_of_another_charset_give_text() -> None:
    document = clean(metas(("author",), "J\u00fcrgen M\u00fcller"), "iso-8859-1")

    assert document.author == "J\u00fcrgen M\u00fcller"
    assert json.loads(document_value(document))["author"] == document.author


def test_one_of_contradicting_values_is_given_with_its_source() -> None:
    linked = {
        "@type": "NewsArticle",
        "author": {"name": "Cid Other"},
        "datePublished": "2022-02-02",
    }
    document = clean(
        metas(("author",), "Ann Example")
        + metas(("author",), "Bob Sample")
        + metas(("article:published_time",), "2024-05-01")
        + metas(("date",), "2023-01-01")
        + f"<script type=application/ld+json>{json.dumps(linked)}</script>"
    )

    assert (document.author, document.sources["author"]) == ("Cid Other", "json-ld:author")
    assert document.published_at == "2024-05-01"
    assert document.sources["published_at"] == "meta:article:published_time"


@pytest.mark.parametrize("date", ["2024-13-45", "99999-01-01", "2023-02-30", "0000-00-00", "1e9"])
def test_dates_beyond_the_calendar_are_left_out(date: str) -> None:
    linked = json.dumps({"@type": "NewsArticle", "datePublished": date, "dateModified": date})

    document = clean(
        metas(("article:published_time", "date"), date)
        + f"<script type=application/ld+json>{linked}</script>"
    )

    assert (document.published_at, document.modified_at) == (None, None)
    assert not {"published_at", "modified_at"} & document.to_dict().keys()


@pytest.mark.parametrize(
    "value", ["null", "undefined", " [object Object] ", "{{ page.text }}", "%%text%%", "${text}"]
)
def test_a_value_that_software_did_not_fill_is_missing(value: str) -> None:
    names = ("og:title", "description", "og:site_name", "article:section", "keywords", "og:image")
    script = json.dumps({"@type": "WebSite", "name": value, "description": value})

    document = clean(
        "<title>Bees in the city | The Hive</title>"
        f"{metas(names, value)}<script type=application/ld+json>{script}</script>"
    )

    assert document.title == "Bees in the city"
    assert (document.description, document.site_name, document.section) == ("", "", "")
    assert (document.image, document.tags) == ("", ())


def test_a_good_value_follows_one_that_is_missing() -> None:
    head = metas(("description",), "null") + metas(("og:description", "description"), "Of bees")

    assert clean(head).description == "Of bees"
    assert clean(metas(("description",), "Null and void")).description == "Null and void"
