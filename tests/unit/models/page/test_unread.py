"""Texts of scripts and styles that nobody reads are not parsed; the walk says the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from models._kernel import data_text, walk, walk_with_elements
from models.document import Page
from models.page import prepare

URL = "https://example.invalid/"
PIECES = [
    "<script>",
    "<SCRIPT type=text/javascript>",
    "<script type=application/ld+json>",
    "<script type='application/ld&#43;json'>",
    "<script type=math/tex>",
    "<script/>",
    "</script>",
    "</script >",
    "</scripts>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mi>",
    "<foreignObject>",
    "<noscript>",
    "</noscript>",
    "<template>",
    "<col>",
    "</template>",
    "<textarea>",
    "</textarea>",
    "<title>",
    "</title>",
    "<style>",
    "</style>",
    "<select>",
    "<option>",
    "</select>",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<frameset>",
    "<frame>",
    "</frameset>",
    "<noframes>",
    "<plaintext>",
    "<head>",
    "</head>",
    "<body>",
    "</body>",
    "<p>",
    "</p>",
    "<b>",
    "a word or two. ",
    "{}",
    "window.__NUXT__={}",
]


def prepared_of(body: str) -> tuple[bytes, bytes]:
    prepared = prepare(Page(URL, body.encode(), "text/html"))
    return prepared.markup, prepared.parsed


@pytest.mark.parametrize(
    ("body", "parsed"),
    [
        ("<p>a<script>x()</script>b", "<p>a<script></script>b"),
        ("<p>a<SCRIPT src=x>x<b></SCRIPT\n>b", "<p>a<SCRIPT src=x></SCRIPT\n>b"),
        ("<script>1</script><script>2</script><p>a", "<script></script><script></script><p>a"),
        ("<script><!--<script></script>--></script><p>a", "<script></script><p>a"),
        ("<style>p > b { margin: 0 }</style><p>a", "<style></style><p>a"),
        ("<table><style>/* </script> */</style><td>a", "<table><style></style><td>a"),
    ],
)
def test_the_text_of_a_script_or_style_is_not_parsed(body: str, parsed: str) -> None:
    assert prepared_of(body) == (body.encode(), parsed.encode())


@pytest.mark.parametrize(
    "body",
    [
        "<p>a</p>",
        "<script></script><p>a",
        '<script type="application/ld+json">{"a": 1}</script><p>a',
        '<script type="application/ld&#43;json">{"a": 1}</script><p>a',
        '<script type="APPLICATION/JSON" id="__NEXT_DATA__">{"a": 1}</script><p>a',
        '<script type="math/tex; mode=display">x^2</script><p>a',
        "<script>\n window.__NUXT__ = {}</script><p>a",
        "<p>a<script>x()",
        "<noscript><script>x()</script></noscript><p>a",
        "<template><col><script>x()</script></template><p>a",
        "<script>x()</script><frameset><frame></frameset>",
        "<select><style>p {}</style></select><p>a",
        "<p>a<style>p {}",
        "<noscript><style>p {}</style></noscript><p>a",
        "<svg><script>x()</script><style>p {}</style></svg><p>a",
        "<textarea><script>x()</script></textarea><p>a",
    ],
)
def test_what_is_read_or_not_surely_a_script_stays(body: str) -> None:
    markup, parsed = prepared_of(body)

    assert parsed is markup


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_the_walk_says_the_same_of_what_is_parsed_as_of_the_whole(body: str) -> None:
    if not body.strip():
        return
    whole, parsed = map(LexborHTMLParser, prepared_of(f"<html>{body}"))

    for walked in (walk, walk_with_elements):
        every, read = walked(whole), walked(parsed)
        assert read.text == every.text
        assert read.declared == every.declared
    assert data_text(parsed, 0) == data_text(whole, 0)
