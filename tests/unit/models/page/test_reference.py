"""The walk of the kernel against the slow walk on selectolax's public interface."""

import random
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.trees.rows import kernel_rows, lexbor_rows
from tests.unit.models.page.reference_rules import CutBlock
from tests.unit.models.page.reference_walk import cut
from winnow.lab.sets.labelled import labelled_pages
from winnow.models._kernel import Blocks
from winnow.models.document import Page
from winnow.models.page import blocks_of, decode


def _native(blocks: Blocks) -> list[CutBlock]:
    cuts = []
    for order in range(len(blocks)):
        block, details = blocks.block(order), dict(blocks.details(order))
        cuts.append(
            CutBlock(
                text=block.text,
                kind=block.kind,
                level=block.level,
                tag_path=block.tag_path,
                link_chars=block.link_chars,
                group=details["group"],
                ordinal=details["ordinal"],
                lists=details["lists"],
                quotes=details["quotes"],
                table=details["table"],
                row=details["row"],
                column=details["column"],
                cell=details["cell"],
                header=bool(details["header"]),
            )
        )
    return cuts


def _differs(html: bytes) -> bool:
    page = Page("", html, "text/html")
    source = decode(page)
    markup = source.markup.decode()
    # of a damaged page that is repaired, lexbor's tree is another one
    if source.form == "text" or kernel_rows(markup, is_xml=source.is_xml) != lexbor_rows(markup):
        return False
    return _native(blocks_of(page, wanted="shown")) != cut(LexborHTMLParser(source.markup))


@pytest.mark.quality
@pytest.mark.parametrize(("name", "number"), [("cleaneval", 150), ("wcxb", 60)])
def test_walk_equals_the_reference_on_real_pages(shared: Path, name: str, number: int) -> None:
    pages = list(labelled_pages(shared / "pages" / f"{name}.tar.zst"))
    sample = random.Random(20).sample(pages, number)

    different = [page.page_id for page in sample if _differs(page.html)]

    assert different == []


@pytest.mark.parametrize(
    "markup",
    [
        "<ruby>漢<rt>かん</rt>字<rp>(</rp><rt>じ</rt><rp>)</rp><rt></rt></ruby>",
        "<i class=katex-mathml>a</i> <i class=katex-html>b<p>c</i><i class=katex-html>d",
        "<ol><li>a<pre><ol start=3><li>b<li> c<ul><li>d<ol><li>e</ul></ol></pre><li>f",
        "<ol><li value=7>a<li>b<ul><li value=3>c</ul><li value=-1>d<li value=0>e<li>f",
        "a<i hidden><math><mi>b</math></i><p hidden><math>c</math>d</p><p hidden>e<math>f</math>",
        "<pre><a href=x><ruby>a<!-- --><rt>b",
        "<math><mi>x<rt>y</rt></mi><rt>z</rt></math>",
        "<a>a</a>\u200b<a>b</a><a> </a><a>c</a><!-- --><a>d<p></a><a>e</a><br><a>f</a><hr><a>g</a>",
        "<span>É</span><span>T</span><span>É</span><label>x</label><span>y</span><pre><a>a</a><a>b",
        "<b>Wide:</b>6<p><b>Open</b><i>Mon</i>day <b>A\u200bb:</b>7<p>a<br><b> Ab: </b><b>Cd:</b>8",
        "<p>a<i class=num>b<a class=Side-num>c</a></i>d <i class=units>1</i>2<pre><b>Abc:</b>1",
        "<table><td><img alt=' Yes'><td><b><i class='fa-times x'></i></b><td><i class='ok no'></i>",
        "<table><td><svg><title>No</title><path></svg><td><a><i class=ok></i></a><td><i class=ok>a",
        "<table><td> <b class=tick><svg/></b> <td><img alt=A class=ok><td><i hidden class=ok></i>",
        "<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d<p>e<td>f<tr><td>g</table>h<tr><td>i",
        "<table><tr><th>a<th>b<tr><td>c<td><table><tr><td><table><td>d<tr><td>e</table></table>",
        "<table><tr><th>a<th>b<tr><td>c<td><table><caption>k<tr><td>d<td>e<tr><td>f</table>",
        "<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>d<td>e<tr><td>f</table>",
        "<table><tr><th>a<th>b<tr><td>c<td><pre>d\ne\n</pre><td><pre>1\n2\n3\n4\n5\n6",
        "<p>in 1987<a href=#footnote-1>1</a>, word<a href=#fn2><b>2</b></a> a<a href=#fn3>3</a>",
        "<p>in 1987<a href=#part-1>1</a> page<a href=/b#fn1>1</a> word<a href=#cite>1234</a>",
        "<a>a</a><math><mi>b</mi></math><a>c</a><a><ruby>d<rt>e</ruby></a><a>f</a><i>g</i><a>h</a>",
        "<h2>a<a href=x#y>\n¶ </a>b<a href=#>#</a><a href=#>##</a><a href=#>#<!-- --></a></h2>",
        (
            "<ul role=grid><li role=row><b role=cell>a</b><i role=cell>b</i><li role=row>"
            "<a role=cell>c</a><p role=gridcell aria-colspan=2>d</ul>e"
        ),
        (
            "<div role=table><a role=row href=x><div role=rowheader>a</div>"
            "<div role=cell>b</div></a>"
            "<a role=row><x-y role=cell>c<h2>d</h2></x-y><div role=cell></div></a></div><p>e"
        ),
        (
            "<div style='display:table'><p style='display: table-row'>"
            "<i style='display:table-cell'>a</i><i style='display:table-cell'>b</i></p>"
            "<p style='display:table-row'>c</div>"
        ),
        (
            "<div role=table><p role=row><i role=cell>a</i><i role=cell>b<table>"
            "<tr><td>c<td>d<tr><td>e</table></i></p>"
            "<p role=row><i role=cell>f</i></div><i role=cell>g</i>"
        ),
        "<h2>Use [<a>edit</a> | <a href=?action=edit>s</a> ] (<a>x</a>) [ <a>edit</a>]]</h2>[",
        "<h2>(<a>edit</a>)[<i>x</i><small>[<a>編集</a>]</small>] y <a>a</a> | <a>Edit</a>/",
        "<h2>a (b)</h2><dl><dt>c [<a>edit</a>]<dd>d [<a>edit</a>]</dl><h3>e<div>f [<a>edit</a>]",
        "<p>a<script type=math/mml><math><mfrac><mi>x</mi><mn>2</mn></mfrac></math></script>b",
        "<i class=MathJax>a</i><script type=Math/AsciiMath> x^2 </script><i class=MathJax>b</i>",
        "<i class=MathJax>a</i><script type='math/tex; x'>% <![CDATA[ y %]]></script>c",
        "<p style='white-space:pre-line'>a\nb<i>\n\n</i>c<b style='white-space:normal'>\nd</b>\n",
        "<ul class=pre-wrap><li>a\n b<pre>c\n d</pre>\n<li><table><td>e\n\nf</table>",
        "<div class=fragment><div class=line>a<div class=line> b</div></div>c<br>d<div>e</div>",
        "<p>a<div class=code><div class=cm-line>b</div></div><li class=Code><div class=ace_line>c",
        "<pre><div>a</div><br><br>b<br><div><br>c</div>\n<br></pre>",
        "<div style='white-space:pre'><div>a</div><div>b<p class=fragment>c",
        "<div style='white-space:pre'>\n<p>a<br> b</p> <i>c</i>\n</div><i class=pre-wrap>d\ne",
        "<p class='x whitespace-pre'>a <i>b</i>\n<!-- -->  c<p class=whitespace-pre>\na\n</p>",
        "<table><tfoot><tr><td>a<tbody><tr><td>b<table><tfoot><tr><td>c</tfoot><tr><td>d</table>",
        "<table><tr><td>a<tfoot><tr><td>b<tfoot><tr><td>c<tbody></tbody></table><table><tfoot>",
        "<table><caption>a<tfoot> <tr><td>b<table><tfoot><tr><td>c<tbody></table><tbody>d</table>e",
        "<h3><b aria-hidden=true>+<i>-</i></b> a<i aria-hidden=true>+</i>b<u aria-hidden=true>×",
        "<button><h4>a<p aria-hidden=true>▲</p></h4></button><p><span> \ue601</span>b<i>\uff01</i>",
        "<a href=#a>^</a>a<a href=#>↑</a><b class=mw-cite-backlink>^ <a href=#b>c</a></b>",
        "<math><a href=#a>#</a></math><h3>a<b href=#a>#</b><a href=#a>&nbsp;#</a><a href=x>#</a>",
    ],
)
def test_walk_equals_the_reference_on_rare_markup(markup: str) -> None:
    assert not _differs(markup.encode())
