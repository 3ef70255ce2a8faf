"""What a request to `winnow serve` asks for: negotiation, options, pages."""

from typing import Any

import pytest

from winnow.models.engines.hybrid import Convention
from winnow.models.errors import InvalidPage
from winnow.models.options import CleanerOptions, TextFormat
from winnow.worker.serve.asked import OPTIONS, Form, negotiated, options_in, page_in, why_no_page
from winnow.worker.web.frames import BadRequest

DEFAULTS = CleanerOptions()
PAGE = b"<p>Bees."


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (None, Form.JSON),
        ("", Form.JSON),
        ("*/*", Form.JSON),
        ("application/*", Form.JSON),
        ("text/*", Form.MARKDOWN),
        ("text/plain", Form.TEXT),
        ("TEXT/Plain ; charset=utf-8", Form.TEXT),
        ("text/html, text/markdown;q=0.5, text/plain;q=0.4", Form.MARKDOWN),
        ("text/markdown;q=0.4, text/plain;q=0.5", Form.TEXT),
        ("*/*;q=0.1, text/plain", Form.TEXT),
        ("application/json;q=0, */*", Form.MARKDOWN),
        ("image/png", None),
        ("application/json;q=0", None),
        ("text/plain;q=magic", None),
        ("text/plain;q=7", None),
        (",;,", None),
    ],
)
def test_the_answer_is_of_the_type_that_the_client_likes_best(
    accept: str | None, expected: Form | None
) -> None:
    assert negotiated(accept, list(Form)) == expected


def test_options_come_from_the_query() -> None:
    options = options_in([("url", "x"), ("comments", "drop"), ("links", "yes")], DEFAULTS, "")

    assert options.comments is Convention.DROP
    assert options.links == "keep"
    assert "seen" not in OPTIONS


def test_the_type_of_the_answer_decides_how_the_text_is_written() -> None:
    markdown = DEFAULTS.with_values({"format": "markdown"})

    assert options_in([], markdown, Form.TEXT).format is TextFormat.TEXT
    assert options_in([], DEFAULTS, Form.MARKDOWN).format is TextFormat.MARKDOWN
    assert options_in([], markdown, Form.JSON).format is TextFormat.MARKDOWN


@pytest.mark.parametrize(
    ("query", "form", "why"),
    [
        ([("linkz", "keep")], "", "unknown parameter 'linkz'"),
        ([("seen", "2")], "", "unknown parameter 'seen'"),
        ([("links", "keep"), ("links", "drop")], "", "links: given twice"),
        ([("links", "perhaps")], "", "one of keep, drop"),
        ([("threshold", "nan")], "", "threshold must be finite"),
        ([("threshold", "x")], "", "must be a number"),
        ([("format", "markdown")], Form.TEXT, "contradict"),
    ],
)
def test_a_query_without_usable_values_is_refused(
    query: list[tuple[str, str]], form: str, why: str
) -> None:
    with pytest.raises(BadRequest, match=why):
        options_in(query, DEFAULTS, form)


def page(headers: dict[str, str], query: list[tuple[str, str]], **others: Any) -> Any:  # noqa: ANN401
    return page_in(headers, query, others.get("body", PAGE), others.get("form", Form.JSON))


def test_a_page_has_the_values_of_headers_and_query() -> None:
    headers = {
        "Content-Type": "text/html; charset=windows-1251",
        "Fetched-At": "2026-11-26T12:00:00Z",
        "X-Robots-Tag": "noindex",
    }

    read = page(headers, [("url", "https://example.org/a?b=c")])

    assert read.url == "https://example.org/a?b=c"
    assert read.content_type == "text/html; charset=windows-1251"
    assert (read.fetched_at, read.robots_tag) == ("2026-11-26T12:00:00Z", "noindex")
    assert page({"Url": read.url}, [("url", read.url)]).url == read.url


def test_a_text_needs_no_url() -> None:
    assert page({}, [], form=Form.TEXT).url == ""


@pytest.mark.parametrize(
    ("headers", "query", "body", "reason"),
    [({}, [], PAGE, "no_url"), ({"Url": "a://b"}, [], b"", "empty"),
     ({"Url": "a://b"}, [], b" \n", "empty")],
)  # fmt: skip
def test_a_request_without_a_document_has_the_reason_of_a_dead_letter(
    headers: dict[str, str], query: list[tuple[str, str]], body: bytes, reason: str
) -> None:
    with pytest.raises(InvalidPage, match=f"^{reason}: "):
        page(headers, query, body=body)


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({"Url": "example.org"}, []),
        ({}, [("url", "/a")]),
        ({"Url": "https://example.org/\udcff"}, []),
        ({"Url": "https://example.org/a"}, [("url", "https://example.org/b")]),
        ({}, [("url", "https://example.org/a"), ("url", "https://example.org/b")]),
        ({}, [("url", "https://example.org/" + "a" * 9000)]),
    ],
)
def test_an_invalid_or_foreign_address_is_refused(
    headers: dict[str, str], query: list[tuple[str, str]]
) -> None:
    with pytest.raises(BadRequest, match=r"^url: "):
        page(headers, query)


@pytest.mark.parametrize(
    "content_type",
    ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "Application/JSON"],
)
def test_the_default_type_of_curl_is_distinguished_from_a_page(content_type: str) -> None:
    assert why_no_page(content_type)
    assert not why_no_page("text/html; charset=utf-8")
    assert not why_no_page("")
