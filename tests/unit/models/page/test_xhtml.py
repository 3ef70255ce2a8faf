"""Pages written as XML, where a tag may close itself: it must not swallow the rest of the page."""

import pytest

from tests.trees.rows import kernel_rows, lexbor_rows
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import Limits, blocks_of

PROLOGUE = '<?xml version="1.0" encoding="utf-8"?>\n'
TEXT = "The council met on Monday."


@pytest.mark.parametrize(
    "element",
    """
    script style title iframe textarea object video select button canvas template
    """.split(),
)
@pytest.mark.parametrize(
    ("prologue", "content_type"),
    [(PROLOGUE, ""), (PROLOGUE, "text/html"), ("", "application/xhtml+xml; charset=utf-8")],
)
def test_text_is_found_after_a_self_closing_element(
    element: str, prologue: str, content_type: str
) -> None:
    head = "<html><head><title>Bees</title></head>"
    body = f"{prologue}{head}<body><{element} id='a' /><p>{TEXT}</p>"
    assert blocks_of(Page("", body.encode(), content_type), wanted="shown").text.strip() == TEXT


@pytest.mark.parametrize("element", "script style iframe textarea xmp".split())
def test_raw_text_without_an_end_does_not_swallow_a_page_of_html(element: str) -> None:
    body = f"<p>Bees</p><{element} id='a'/><p>{TEXT}</p><{element}/><p>{TEXT}</p>"

    text = blocks_of(Page("", body.encode()), wanted="shown").text

    assert text.splitlines() == ["Bees", TEXT, TEXT]


def test_an_element_that_closes_itself_holds_nothing() -> None:
    page = f"{PROLOGUE}<html><script src='a'/><p><IFRAME/>a<noscript><iframe/>b</noscript>"

    assert kernel_rows(page) == lexbor_rows(
        f"{PROLOGUE}<html><script src='a'/></script><p><IFRAME/></iframe>a"
        "<noscript><iframe/></iframe>b</noscript>"
    )


@pytest.mark.parametrize(
    "page",
    [
        "<html><script src='a'/><p>x</script>y",
        f"{PROLOGUE}<html><p/><div/><a id='a'/><br/><input/><meta/><link/>x",
        f"{PROLOGUE}<html><svg/><svg><title/><style/></svg>x",
        f"{PROLOGUE}<html><script>'<iframe/>'</script><iframe src=a/></iframe>x",
    ],
)
def test_the_tree_of_xhtml_equals_the_tree_of_html_when_both_standards_agree(page: str) -> None:
    assert kernel_rows(page) == lexbor_rows(page)


def test_elements_after_a_self_closing_one_are_counted() -> None:
    page = f"{PROLOGUE}<html><script/>" + "<div>" * 100

    with pytest.raises(InvalidPage, match="more than 99 elements open"):
        blocks_of(Page("", page.encode()), Limits(depth=99))


@pytest.mark.parametrize("element", ["iframe", "script", "textarea", "title", "object"])
def test_xhtml_served_as_html_closes_invisible_elements(element: str) -> None:
    page = f'<html xmlns="http://www.w3.org/1999/xhtml"><body><{element} id="a"/><p>{TEXT}</p>'

    blocks = blocks_of(Page("", page.encode(), "text/html"), wanted="shown")

    assert blocks.text.strip() == TEXT


@pytest.mark.parametrize(
    ("content_type", "paths"),
    [
        ("application/xhtml+xml", ["body/p", "body/p"]),
        ("text/html", ["body/div/p", "body/div/p"]),
    ],
)
def test_any_element_closes_itself_in_xml(content_type: str, paths: list[str]) -> None:
    page = f"<html><body><div/><p>{TEXT}</p><p>{TEXT}</p></body></html>"

    blocks = blocks_of(Page("", page.encode(), content_type))

    assert [blocks.block(order).tag_path for order in range(2)] == paths


@pytest.mark.parametrize(
    ("content_type", "text"),
    [
        ("application/xhtml+xml", f"a < b {TEXT}"),
        ("text/xml; charset=utf-8", f"a < b {TEXT}"),
        ("application/xml", f"a < b {TEXT}"),
        ("text/html", TEXT),
    ],
)
def test_a_cdata_section_is_text_in_xml(content_type: str, text: str) -> None:
    page = f"<html><body><p><![CDATA[a < b]]> {TEXT}</p></body></html>"

    assert blocks_of(Page("", page.encode(), content_type)).text.strip() == text


@pytest.mark.parametrize("content_type", ["", "text/html"])
@pytest.mark.parametrize(
    "start", [f"{PROLOGUE}<html>", '<html xmlns="http://www.w3.org/1999/xhtml">']
)
def test_a_cdata_section_is_text_where_a_page_declares_xhtml(start: str, content_type: str) -> None:
    page = f"{start}<body><p><![CDATA[a < b]]> {TEXT}</p><script>//<![CDATA[\n//]]></script></body>"

    assert blocks_of(Page("", page.encode(), content_type)).text.strip() == f"a < b {TEXT}"
