"""Pages written as XML, where a tag may close itself: it must not swallow the page behind it."""

import pytest

from winnow.models._kernel import prepare as prepare_body
from winnow.models.document import Page
from winnow.models.page import DEFAULT_LIMITS, cut, parse, prepare

PROLOGUE = '<?xml version="1.0" encoding="utf-8"?>\n'
TEXT = "The council met on Monday."


def _markup(body: str, content_type: str = "") -> str:
    return prepare_body(body.encode(), content_type, "", DEFAULT_LIMITS).markup.decode()


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
def test_text_is_found_behind_an_element_that_closes_itself(
    element: str, prologue: str, content_type: str
) -> None:
    head = "<html><head><title>Bees</title></head>"
    body = f"{prologue}{head}<body><{element} id='a' /><p>{TEXT}</p>"
    prepared = prepare(Page("", body.encode(), content_type))

    assert cut(parse(prepared)).text.strip() == TEXT


def test_an_element_that_closes_itself_gets_its_end_tag() -> None:
    page = f"{PROLOGUE}<html><script src='a'/><p><IFRAME/>a<noscript><iframe/>b</noscript>"

    assert _markup(page) == (
        f"{PROLOGUE}<html><script src='a'/></script><p><IFRAME/></iframe>a"
        "<noscript><iframe/></iframe>b</noscript>"
    )


@pytest.mark.parametrize(
    "page",
    [
        "<html><script src='a'/><p>x",
        f"{PROLOGUE}<html><p/><div/><a id='a'/><br/><input/><meta/><link/>x",
        f"{PROLOGUE}<html><svg/><svg><title/><style/></svg>x",
        f"{PROLOGUE}<html><script>'<iframe/>'</script><iframe src=a/></iframe>x",
    ],
)
def test_page_stays_as_it_is_where_html_says_the_same(page: str) -> None:
    assert _markup(page) == page


def test_elements_behind_one_that_closes_itself_are_counted() -> None:
    page = f"{PROLOGUE}<html><script/>" + "<div>" * 100

    assert dict(prepare(Page("", page.encode())).census)["depth"] >= 100
