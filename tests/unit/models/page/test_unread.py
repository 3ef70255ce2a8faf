"""Attributes and texts of scripts that nobody reads are not parsed; the walk says the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from winnow.models._kernel import data_text, walk, walk_with_elements
from winnow.models.document import Page
from winnow.models.page import prepare

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
    "<p data-x=1 class=y onclick='a > b' id=z>",
    '<p hidden data-x="1"=foo>',
    "<p class data-x =y>",
    "</p>",
    "</p data-x>",
    "<b>",
    "<b data-x>",
    "</b>",
    "<font color=red>",
    "<a data-x href=/y/z/>",
    '<a href="/y"data-x>',
    "</a>",
    "<td width=1 colspan=2>",
    "<input type=hidden data-x value=1>",
    "<img src=a alt=b width=1/>",
    "<path d='M 0 0'/>",
    "<math display=block xmlns=x>",
    "<time data-x datetime=2020-01-02/>",
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
    ("body", "parsed"),
    [
        ("<p data-x=1 class=y>a", "<p  class=y>a"),
        ("<p CLASS=y onclick='a>b' width=3 id=z>a", "<p CLASS=y  id=z>a"),
        ('<p class="y"data-x="1"id=z>a', '<p class="y"id=z>a'),
        ('<p class data-x="1"=foo>a', "<p class >a"),
        ("<p class=y data-x =1 / onclick>a", "<p class=y >a"),
        ("<img data-x=1/>a", "<img >a"),
        ("<svg width=1><path d='M 0 0' /></svg>a", "<svg ><path  /></svg>a"),
        ("<a data-x href=y>a</a>", "<a href=y>a</a>"),
        ("<td width=1 colspan=2 data-nosnippet>a", "<td  colspan=2 data-nosnippet>a"),
        ("<p data-x><script async>x()</script>a", "<p ><script async></script>a"),
    ],
)
def test_an_attribute_that_nobody_reads_is_not_parsed(body: str, parsed: str) -> None:
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
        "<textarea><p data-x></textarea><p>a",
        "<!-- <p data-x> --><p>a",
        "<p>a</p data-x>",
        "<b data-x><font size=1><i class=y data-x>a",
        "<math data-x><mi data-x>a</mi></math>b",
        "<noscript><p data-x>a</noscript>b",
        "<template><p data-x>a</template>b",
        "<p data-x>a<frameset><frame></frameset>",
        "<p>a<p data-x",
    ],
)
def test_what_is_read_or_not_surely_unread_stays(body: str) -> None:
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
