"""Kept blocks to Markdown."""

import re

import pytest

from tests.unit.models.page.test_markdown_round_trip import markdown
from winnow.models._kernel import render
from winnow.models.document import Page
from winnow.models.page import blocks_of


def _markdown(markup: str) -> str:
    blocks = blocks_of(Page("", markup.encode(), "text/html; charset=utf-8"))
    return render(blocks, None, bytes(len(blocks)), "markdown", False).text


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h1>a</h1><h6>b<br>c</h6><p>d<p>e", "# a\n\n###### b c\n\nd\n\ne"),
        ("<h2>C #</h2>", "## C \\#"),
        ("<p>a <img alt='\U0001f41d' src=b.png> b", "a \U0001f41d b"),
        ("<p>a <img alt='\U0001f41d bee' src=b.png> b", "a b"),
        ("<p>a<br>b", "a\\\nb"),
        ("x<ul><li>a<li>b</ul>y", "x\n\n- a\n- b\n\ny"),
        ("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "- a\n  - b\n  - c\n- d"),
        ("<ol start=9><li>a<li>b<ol><li>c</ol></ol>", "9. a\n10. b\n    1. c"),
        ("<ol><li value=5>a<li value=x>b<li value=9>c<li>d</ol>", "5. a\n6. b\n9. c\n10. d"),
        ("<ol start=0><li>a<ol start=0><li>b<li>c</ol></ol>", "0. a\n\n   0. b\n   1. c"),
        ("<ul><li value=5>a</ul>", "- a"),
        ("<ul><li><p>a<p>b</ul>", "- a\n\n  b"),
        ("<ul><li><h3>a</h3>b<li><h3>c</h3>d</ul>", "### a\n\n- b\n\n### c\n\n- d"),
        ("<ul><li>a<pre>b\n\nc</pre></ul>", "- a\n\n  ```\n  b\n\n  c\n  ```"),
        ("<dl><dt>a<dd>b<dt>c</dl>", "- a\n  - b\n- c"),
        ("<ol><li>a<li>b</ol><ol><li>c<li>d</ol>", "1. a\n2. b\n\n1) c\n2) d"),
        ("<ul><li>a</ul><ul><li>b</ul><ul><li>c</ul>", "- a\n\n* b\n\n- c"),
        ("<ul><li>a</ul><ol start=5><li>b</ol>", "- a\n\n5. b"),
        ("<ol><li>a</ol><ul><li>b</ul><ol><li>c</ol>", "1. a\n\n- b\n\n1. c"),
        ("<ul><li>a<ol><li>x</ol><ol><li>y</ol><li>b</ul>", "- a\n  1. x\n\n  1) y\n- b"),
        ("<ul><li>a</ul><p>x<ul><li>b</ul>", "- a\n\nx\n\n- b"),
        ("<ul><li>a</ul><div><ul><li>b</ul></div>", "- a\n\n* b"),
        ("<ul><li>a</ul><pre>  c</pre>", "- a\n\n```\n  c\n```"),
        ("<dl><dt>a<dd>b</dl><dl><dt>c</dl>", "- a\n  - b\n\n* c"),
        ("<ul style='list-style-type: decimal'><li>a<li>b</ul>", "1. a\n2. b"),
        (
            "<ul><li style='list-style-type:decimal;'>a<li style='list-style-type:decimal'>b",
            "1. a\n2. b",
        ),
        ("<ul style='list-style: inside DECIMAL'><li>a<li>b</ul>", "1. a\n2. b"),
        ("<ol style='list-style: disc'><li>a<li>b</ol>", "- a\n- b"),
        ("<ol style='list-style-type: square !important'><li>a<li>b</ol>", "- a\n- b"),
        ("<ol style='list-style: none'><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol style='color: red'><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ul style='list-style: none'><li>a<li>b</ul>", "- a\n- b"),
        ("<ul><li><b>1</b><p>a</p><li><b>2</b><p>b</p></ul>", "1. a\n2. b"),
        ("<ul><li><div>1.</div><div>a</div><li><div>2.</div><div>b</div></ul>", "1. a\n2. b"),
        ("<ul><li><p>1)<p>a<p>b<li><p>2)<p>c</ul>", "1. a\n\n   b\n\n2. c"),
        (
            "<ul><li><b>112</b><p>fire</p><li><b>110</b><p>police</p></ul>",
            "- 112\n\n  fire\n\n- 110\n\n  police",
        ),
        ("<ul><li>1<li>2</ul>", "- 1\n- 2"),
        # numbers of paragraphs
        (
            "<p>1. Open it<p>2. Turn it<p>a<p>7. <b>Stop</b>",
            "1. Open it\n\n2. Turn it\n\na\n\n7. Stop",
        ),
        ("<div>1) a<br>2) b</div>", "1) a\\\n2\\) b"),
        ("<p>1. a<p>1. b<p>3. c", "1. a\n\n1\\. b\n\n3. c"),
        ("<p>1. a<p>2) b", "1. a\n\n2\\) b"),
        ("<p>01. a<p>02. b<p>007. c", "01\\. a\n\n02\\. b\n\n007\\. c"),
        ("<ol><li>a</ol><p>2. b", "1. a\n\n2\\. b"),
        ("<p>1. a<ol><li>b<li>c</ol>", "1. a\n\n1) b\n2) c"),
        ("<p>1) a<ol><li>b<li>c</ol>", "1) a\n\n1. b\n2. c"),
        (
            "<p>1986. a<p>1. - b<p>1. 2. c<p>1.<p>1. # d",
            "1986\\. a\n\n1\\. - b\n\n1\\. 2. c\n\n1\\.\n\n1\\. # d",
        ),
        ("<h2>1. a</h2><blockquote>1. b</blockquote>", "## 1. a\n\n> 1\\. b"),
        # numbers of their own
        ("<ol style='list-style:none'><li>1. a<li>2. b</ol>", "1. a\n2. b"),
        ("<ol style='list-style-type: none'><li>1) a<li>2) b</ol>", "1. a\n2. b"),
        ("<ol class='m-0 list-none'><li><b>1.</b> a<li><b>2.</b> b</ol>", "1. a\n2. b"),
        ("<ol class=list-unstyled><li><p>1<p>a<li><p>2<p>b</ol>", "1. a\n2. b"),
        ("<ol start=5><li>5. a. B<li>6: c</ol>", "5. a. B\n6. c"),
        ("<ol><li>1、蛋<li>2、糖</ol>", "1. 蛋\n2. 糖"),
        ("<ol><li>1. a<ol><li>x<li>y</ol><li>2. b</ol>", "1. a\n   1. x\n   2. y\n2. b"),
        ("<ol style='list-style:none'><li>(a) x<li>(b) y</ol>", "- (a) x\n- (b) y"),
        ("<ol style='list-style:NONE'><li>Step 1: x<li>Step 2: y</ol>", "- Step 1: x\n- Step 2: y"),
        ("<ol class=unstyled><li><i>1</i> x<li><i>2</i> y</ol>", "- 1 x\n- 2 y"),
        ("<ol><li>Step 1: x<li>Step 2: y</ol>", "1. Step 1: x\n2. Step 2: y"),
        ("<ol class=list-none><li>2 eggs<li>3 cups</ol>", "1. 2 eggs\n2. 3 cups"),
        ("<ol><li>1 cup<li>2 eggs</ol>", "1. 1 cup\n2. 2 eggs"),
        ("<ol><li>1.5 l<li>2.5 l</ol>", "1. 1.5 l\n2. 2.5 l"),
        ("<ol><li>1. a<li>b</ol>", "1. 1\\. a\n2. b"),
        ("<ol><li>1. a</ol>", "1. 1\\. a"),
        ("<ul><li>1. a<li>2. b</ul>", "- 1\\. a\n- 2\\. b"),
        (
            "<ul><li><p>1<p>a<ul><li>x</ul>b<li><p>2<p>c</ul>",
            "1. a\n   - x\n\n   b\n\n2. c",
        ),
        ("<ul><li><b>1</b><p>egg<li><b>3</b><p>figs</ul>", "- 1\n\n  egg\n\n- 3\n\n  figs"),
        ("<ul><li><b>1</b><p>egg</ul>", "- 1\n\n  egg"),
        ("<ul><li><p>a<p>1<li><p>b<p>2</ul>", "- a\n\n  1\n\n- b\n\n  2"),
        ("<pre>a ``` b\n  # c</pre>", "````\na ``` b\n  # c\n````"),
        ("<ol><li>a<pre><ol><li>b:<li>    c</ol></pre>", "1. a\n\n   ```\n   b:\n       c\n   ```"),
        ("<pre><code><ol><li><div>  a</div><li>b<ul><li>c", "```\n  a\nb\n```\n\n- c"),
        ("<pre><ul><li>    a\n\n\n  # b</ul></pre>", "- a\\\n  \\# b"),
        ("<pre><blockquote>    a\n \n# b</blockquote></pre>", "> a\\\n> \\# b"),
        ("<pre><figcaption>  a *b*\n\n# c</figcaption></pre>", "*a \\*b\\*\\\n\\# c*"),
        ("<figure><figcaption>a * b</figcaption></figure>", "*a * b*"),
    ],
)
def test_markdown_keeps_the_form_of_blocks(markup: str, expected: str) -> None:
    assert _markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<blockquote><p>a<br>b<p>c</blockquote>d", "> a\\\n> b\n>\n> c\n\nd"),
        ("<blockquote>a</blockquote><blockquote>b</blockquote>", "> a\n\n> b"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
        ("<blockquote><blockquote>a</blockquote>b</blockquote>", "> > a\n>\n> b"),
        (
            "<blockquote><ul><li>a<blockquote>b</blockquote><blockquote>c</blockquote>",
            "> - a\n>\n>   > b\n>\n>   > c",
        ),
        ("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"),
        ("<ul><li>a<blockquote>b</blockquote></ul>", "- a\n\n  > b"),
        ("<ul><li>a</ul><blockquote><ul><li>b</ul></blockquote>", "- a\n\n> - b"),
    ],
)
def test_markdown_quotes_every_line_of_a_quote(markup: str, expected: str) -> None:
    assert _markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            "<table><caption>t</caption><tr><th>a<th>b<tr><td>c|d<td>e<br>f</table>",
            "*t*\n\n| a | b |\n| --- | --- |\n| c\\|d | e f |",
        ),
        (
            "<table><tr><th>a<td>b<tr><th>c<td><p>d<p>e</table>",
            "|  |  |\n| --- | --- |\n| a | b |\n| c | d e |",
        ),
        (
            "<table><tr><th colspan=2>a<th>b<tr><td>c<td><td>d</table>",
            "| a |  | b |\n| --- | --- | --- |\n| c |  | d |",
        ),
        (
            "<table><tr><th rowspan=2>a<th>b<tr><th>c<tr><td colspan=2>d<td>e</table>",
            "| a | b |  |\n| --- | --- | --- |\n|  | c |  |\n| d |  | e |",
        ),
        (
            "<table><tr><td>a<td rowspan=3 colspan=2>b<tr><td>c<td>d<tr><td>e</table>",
            (
                "|  |  |  |  |\n| --- | --- | --- | --- |\n"
                "| a | b |  |  |\n| c |  |  | d |\n| e |  |  |  |"
            ),
        ),
        (
            "<table><tr><th><h4>a</h4><th><h5>b</h5>c<tr><td>d<td><p>e<p>f<p>g<p>h</table>",
            "| a | b c |\n| --- | --- |\n| d | e f g h |",
        ),
        (
            "<table><tr><th>a<th>b<th>c<tr><td>d<td>e<td><tr><td><td><td>f</table>",
            "| a | b | c |\n| --- | --- | --- |\n| d | e |  |\n|  |  | f |",
        ),
    ],
)
def test_markdown_writes_tables_of_data(markup: str, expected: str) -> None:
    assert _markdown(markup) == expected


_ROW = "<div role=row><div role=cell>{}</div><div role=cell>{}</div></div>"
_ROWS = _ROW.format("a", "b") + _ROW.format("c", "d")
_AS_TABLE = "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"


@pytest.mark.parametrize(
    ("table", "row", "cells"),
    [
        ("div role=table", "div role=row", ("div role=columnheader", "div role=cell")),
        ("div role=grid", "div role=row", ("div role=columnheader", "div role=gridcell")),
        ("div role=TreeGrid", "p role=row", ("span role=columnheader", "span role=gridcell")),
        ("ul role=table", "li role=row", ("u role=columnheader", "span role=cell")),
        ("div role=table", "ul role=row", ("li role=columnheader", "li role=cell")),
        ("x-t role=table", "x-r role=row", ("x-h role=columnheader", "x-c role=cell")),
        ("div role=table", "a role=row", ("div role=columnheader", "div role=cell")),
    ],
)
def test_markdown_writes_tables_by_roles(table: str, row: str, cells: tuple[str, str]) -> None:
    def element(start: str, *inside: str) -> str:
        return f"<{start}>{''.join(inside)}</{start.partition(' ')[0]}>"

    header, cell = cells
    rows = [
        element(row, element(header, "a"), element(header, "b"), element(header, "c")),
        element(row, element(cell, "d"), element(cell), element(cell, "e|")),
    ]

    for markup in (element(table, *rows), element(table, element("div role=rowgroup", *rows))):
        text = _markdown(f"<p>x</p>{markup}<p>y")
        assert text == "x\n\n| a | b | c |\n| --- | --- | --- |\n| d |  | e\\| |\n\ny"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            (
                "<div style='display: table'><p style='display:table-row'>"
                "<b style='display:table-cell'>a</b><b style='display:table-cell'></b></p>"
                "<p style='display:table-row'>"
                "<i style='display:table-cell'>b</i><i style='display:table-cell'>c</i></p></div>"
            ),
            "|  |  |\n| --- | --- |\n| a |  |\n| b | c |",
        ),
        (f"<div role=table><p role=caption>t</p>{_ROWS}</div>", f"*t*\n\n{_AS_TABLE}"),
        (
            (
                f"<div role=table>{_ROW.format('a', 'b')}"
                "<div role=row><div role=cell aria-colspan=2>c</div></div></div>"
            ),
            "|  |  |\n| --- | --- |\n| a | b |\n| c |  |",
        ),
        (
            f"<table><tr><td>x<td><div role=grid>{_ROWS}</div><tr><td>y<td>z</table>",
            f"x\n\n{_AS_TABLE}\n\ny\n\nz",
        ),
        # without rows and columns
        ("<ul role=grid><li role=row><p role=gridcell>a<li role=row><p>b</ul>", "- a\n- b"),
        ("<div role=table><p role=row>a<p role=row>b</div>", "a\n\nb"),
        (_ROWS, "a\n\nb\n\nc\n\nd"),
        (f"<div role=grid>{_ROW.format('a', 'b')}</div>", "a\n\nb"),
        (
            f"<div role=table>{_ROW.format('a', 'b')}{_ROW.format('c', 'long ' * 100)}</div>",
            f"a\n\nb\n\nc\n\n{'long ' * 99}long",
        ),
        # roles in a table element
        (
            (
                "<table role=grid><tr role=row><td role=columnheader>a<td role=gridcell>b"
                "<tr><td>c<td>d</table>"
            ),
            _AS_TABLE,
        ),
        (
            (
                "<div role=grid><table><tr role=row><td role=gridcell>a<td role=gridcell>b"
                "<tr><td>c<td>d</table></div>"
            ),
            _AS_TABLE,
        ),
    ],
)
def test_markdown_takes_for_a_table_only_what_has_rows_and_columns(
    markup: str, expected: str
) -> None:
    assert _markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<table><tr><td>a<td><img><tr><td>- b<br>c<td></table>", "a\n\n\\- b\\\nc"),
        (
            "<ul><li>x<table><tr><th>a<th><tr><td><p>b<p>c<td></table></ul>",
            "- x\n\n  a\n\n  b\n\n  c",
        ),
    ],
)
def test_markdown_makes_no_table_of_one_column(markup: str, expected: str) -> None:
    assert _markdown(markup) == expected


def test_markdown_pads_no_table_by_more_than_a_few_columns() -> None:
    text = _markdown("<table><tr><td colspan=1000>a<td>b<tr><td>c<td>d</table>")

    assert len(text) < 100


def test_markdown_fills_no_rows_of_a_table_that_would_be_mostly_filling() -> None:
    markup = f"<table><tr>{'<td>a' * 60}{'<tr><td>b' * 1000}</table>"

    assert len(_markdown(markup)) < len(markup)


@pytest.mark.parametrize(
    "text",
    [
        "# no heading", "- no item", "1987. no item", "> no quote", "a * b _c_ [d](e) `f` ~g~",
        "<b>no tag</b> &amp;amp; R&D", "--- | ---", "C:\\dir", "+ 1", "== 2",
    ],
)  # fmt: skip
def test_markdown_without_its_escapes_is_the_text_of_the_page(text: str) -> None:
    markup = text.replace("&", "&amp;").replace("<", "&lt;")

    written = _markdown(f"<p>{markup}")

    assert written != text
    assert _unescaped(written) == text


def _unescaped(written: str) -> str:
    return re.sub(r"\\(.)", r"\1", written)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            "<table><tr><td><b>a</b><td><b>b</b><tr><td>c<td>d</table>",
            "| **a** | **b** |\n| --- | --- |\n| c | d |",
        ),
        (
            "<table><tr><td><b>a</b><td>b<tr><td>c<td>d</table>",
            "|  |  |\n| --- | --- |\n| **a** | b |\n| c | d |",
        ),
        (
            "<table><tr><td><b>a</b><td><b>b</b><tr><td><b>c</b><td><b>d</b></table>",
            "|  |  |\n| --- | --- |\n| **a** | **b** |\n| **c** | **d** |",
        ),
    ],
)
def test_a_first_row_that_alone_is_strong_is_the_header(markup: str, expected: str) -> None:
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>a “<em>b</em>”, «<b>c</b>»", "a “_b_”, «**c**»"),
        ("<p>（<em>a</em>）b", "（_a_）b"),
        ("<b style='font-weight:normal'><p>a <b>b</b></p></b>", "a **b**"),
        ("<p><strong style='color:red; font-weight: 400 !important'>a</strong> b", "a b"),
        ("<p><i style='FONT-STYLE: normal'>a</i> <em style='font-weight:normal'>b</em>", "a _b_"),
        ("<p><b style='font-weight:bold'>a</b> <b style='font-weight:'>b</b>", "**a b**"),
        (
            "<table><tr><th>a<th>b<tr><td>c<td><pre>d `e|</pre></table>",
            "| a | b |\n| --- | --- |\n| c | ``d `e\\|`` |",
        ),
    ],
)
def test_styles_are_kept_where_readers_see_them(markup: str, expected: str) -> None:
    assert markdown(markup) == expected
