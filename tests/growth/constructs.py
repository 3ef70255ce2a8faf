"""Pages of one construct each, of any size, which reveal quadratic loops.

A construct is a piece that some reader of the kernel looks for, in a layout: one long line, lines,
blocks, cells, runs of styles. Pieces and layouts are combined, so that a new loop meets most of
them. `tests.growth.specials` has what takes more than a piece and a layout.
"""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import cycle
from math import ceil
from typing import Final

from tests.growth.specials import SPECIALS

# a page of a size, in bytes
Construct = Callable[[int], bytes]
Piece = Callable[[int], str]
Layout = Callable[[Iterable[str]], str]

PROSE: Final = (
    "<p>The council met at nine on Monday, and the chair, who had come from the valley, read out"
    " what had been done in the year, of which nobody in the market has heard a word since then."
)
# a page that is an article with a headline, so that all readers of metadata are at work
HEAD: Final = (
    "<!doctype html><html lang=en><title>A year of bees - The Hive</title>"
    "<meta name=viewport content='width=device-width'><meta property=og:type content=article>"
    f"<body><article><h1>A year of bees</h1>{PROSE}{PROSE}"
)

_TEXTS: Final = {
    "decade": "200",
    "year": "2001",
    "ISO date": "2001-02-03",
    "date with slashes": "3/4/2001",
    "date with points": "03.04.2001",
    "English date": "May 3, 2001",
    "day before the month": "3rd of May 2001",
    "German date": "3. März 2001",
    "French date": "le 1er août 2001",
    "Russian date": "3 мая 2001",
    "Greek date": "3 Μαΐου 2001",
    "Chinese date": "2001年5月3日",
    "date without its end": "2001-02-",
    "month without a day": "September ",
    "time of day": "10:00:00Z",
    "posted": "osted ",
    "posted by an account": "Posted by x1",
    "posted on": "Posted on 2001-02-03",
    "by a name": "By Ann Bee",
    "by a name of the site": "By Ann Bee, The Hive",
    "by": "By:",
    "written by": "Written by",
    "author": "Author: ",
    "Autor": "Autor: x1",
    "von": "Verfasst von",
    "作者": "作者：",
    "updated": "Last updated: ",
    "published": "Published 2001",
    "veröffentlicht": "Veröffentlicht am",
    "投稿日": "投稿日",
    "credit of a photo": "Photo: A",
    "agency": "/ Reuters ",
    "mail address": "a@b.c",
    "mail address in angles": "&lt;a@b.c",
    "address": "http://a.b/c?d=e#f",
    "scheme": "http://",
    "host": "www.",
    "letter": "a",
    "initial": "A. ",
    "abbreviation": "e.g.",
    "stop": ".",
    "spaced stops": ". ",
    "stop and word": "a.b ",
    "sentence": "Bees fly. ",
    "dashes": "--",
    "marks of questions": "?!",
    "closers": '.")',
    "comma": "a,",
    "wide stop": "蜂。",
    "wide closers": "。」",
    "apostrophes": "a'",
    "soft hyphens": "&shy;a",
    "joiners": "a\u200d",
    "combining marks": "e\u0301",
    "emoji": "👩\u200d🌾",
    "ideographs": "蜂",
    "Thai": "ผึ้ง",
    "Arabic": "نحل ",
    "direction marks": "a\u200f\u202e",
    "Greek": "μέλισσα ",
    "digits": "1234567890",
    "ordinal": "1. ",
    "dollars": "$",
    "back ticks": "`",
    "stars": "*",
    "underscores": "_a",
    "brackets": "[a]",
    "opening brackets": "[",
    "hashes": "#",
    "bars": "|",
    "back slashes": "\\",
    "references": "&amp;amp",
    "references to numbers": "&amp;#1",
    "opening angles": "&lt;",
    "escaped tags": "&lt;b&gt;",
    "escaped scripts": "&lt;script&gt;&lt;!----&gt;",
    "entities": "&nbsp;&#x2028;",
    "policy": "privacy policy ",
    "filler": "lorem ipsum ",
    "curly brackets": "{",
    "ellipses": "...",
    "bullets": "• ",
    "capitals": "BEES ",
    "spaces": " &nbsp;",
}


def _same(text: str, _number: int) -> str:
    return text


PIECES: Final[dict[str, Piece]] = {
    **{name: partial(_same, text) for name, text in _TEXTS.items()},
    "numbered word": lambda i: f"w{i} ",
    "dates of all days": lambda i: f"{i % 28 + 1}/{i % 12 + 1}/20{i % 90 + 10} ",
    "names of all people": lambda i: f"By Ann B{i}",
    "backwards": lambda i: f"{10**9 - i}.",
}
# numbers of the pieces that say how many fill a page: of as many digits as most have
_SAMPLE: Final = range(10_000, 10_200)
# those that every layout is filled with
_USUAL: Final = ("numbered word", "sentence", "by a name", "letter")


def _joined(head: str = "", before: str = "", after: str = "", tail: str = "") -> Layout:
    """Return a layout that sets every piece between the same markup."""

    def layout(pieces: Iterable[str]) -> str:
        return head + before + (after + before).join(pieces) + after + tail

    return layout


def _taking_turns(*markup: tuple[str, str], head: str = "") -> Layout:
    """Return a layout that sets the pieces between markup that takes turns."""

    def layout(pieces: Iterable[str]) -> str:
        turns = zip(pieces, cycle(markup), strict=False)
        return head + "".join(before + piece + after for piece, (before, after) in turns)

    return layout


# where most readers look: one word, a line, short lines, blocks, cells
EVERYWHERE: Final[dict[str, Layout]] = {
    "in one word": _joined("<p>"),
    "in one line": _joined("<p>", after=" "),
    "line by line": _joined("<p>", after="<br>"),
    "block by block": _joined(before="<p>"),
    "in styles": _taking_turns(("<b>", "</b> "), ("<i>", "</i> "), ("", ""), head="<p>"),
}
LAYOUTS: Final[dict[str, Layout]] = {
    "in one cell": _joined("<table><tr><th>a<th>b<tr><td>1<td>", after=" "),
    "cell by cell": _taking_turns(("<tr><td>", ""), ("<td>", ""), head="<table><tr><th>a<th>b"),
    "in one row": _joined("<table><tr><th>a<th>b<tr>", before="<td>"),
    "in one item": _joined("<ul><li>", after=" "),
    "item by item": _joined("<ol>", before="<li>"),
    "terms": _taking_turns(("<dt>", ""), ("<dd>", ""), head="<dl>"),
    "headings": _joined(before="<h2>", after="</h2>"),
    "in one heading": _joined("<h2>"),
    "headings and blocks": _taking_turns(("<h2>", "</h2>"), ("<p>", "")),
    "in a quote": _joined("<blockquote>", before="<p>"),
    "quotes": _joined(before="<blockquote>", after="</blockquote>"),
    "captions": _joined(before="<figure><img src=a><figcaption>", after="</figcaption></figure>"),
    "preformatted": _joined("<pre>", after="\n"),
    "pieces of code": _joined(before="<pre>", after="</pre>"),
    "words of code": _joined("<p>", before="<code>", after="</code> "),
    "links": _joined("<p>", before="<a href=/x>", after="</a> "),
    "links without space": _joined("<p>", before="<a href=x>", after="</a>"),
    "links of many kinds": _taking_turns(
        ("<a href='?a=b'>", "</a>"),
        ("<a href='../c'>", "</a>"),
        ("<a href='#d'>", "</a>"),
        head="<p>",
    ),
    "links to nowhere": _joined("<p>", before="<a href=javascript:a>", after="</a> "),
    "in one link": _joined("<p><a href=/x>", before="<b>", after="</b> "),
    "raised": _joined("<p>", before="a<sup>", after="</sup> "),
    "lowered": _joined("<p>", before="a<sub>", after="</sub> "),
    "styles in styles": _joined("<p><s><b>", before="<i>", after="</i>"),
    "styles without space": _taking_turns(("<b>", "</b>"), ("<i>", "</i>"), head="<p>"),
    "styles that cross": _taking_turns(("<b>", "<i>"), ("", "</b>"), ("<s>", "</i>"), ("", "</s>")),
    "spans": _joined("<p>", before="<span>", after="</span>"),
    "labels": _joined("<p>", before="<label>", after="</label>"),
    "names of images": _joined("<p>", before="<img src=a alt='", after="'>"),
    "in one name of an image": _joined('<p>x<img src=a alt="', tail='">'),
    "in one address": _joined('<p><a href="http://a.b/', tail='">x</a>'),
    "addresses": _joined("<p>", before='<a href="http://a.b/', after='">x</a>'),
    "in one class": _joined('<div class="', after=" ", tail='"><p>x'),
    "classes": _joined(before='<p class="', after='">x'),
    "buttons": _joined("<p>a ", before="<button>", after="</button> "),
    "buttons in a heading": _joined("<h2>", before="<button>", after="</button>"),
    "buttons deep in a line": _joined("<p>a " + "<i>" * 200, before="<button>", after="</button>"),
    "numbers of lines": _joined("<pre>", before="<i class=lineno>7</i>", after="\n"),
    "numbers in numbers": _joined("<pre>" + "<i class=lineno>" * 200, before="<b class=ln>1</b>"),
    "lines of code": _joined("<pre>", before="<div class=line>", after="</div>"),
    "tables of code": _joined(before="<table><tr><td class=lineno>1<td>", after="</table>"),
    "rows of code": _joined("<table>", before="<tr><td class=lineno>1<td>"),
    "labels of copies": _joined("<p>", before="<i class=copy>copy</i>"),
    "anchors": _joined("<h2>", before="<a class=anchor href=#>", after="</a>"),
    "copies for ears": _joined(
        "<p>", before="<i class=sr-only>a</i><i aria-hidden=true>", after="</i>"
    ),
    "quotations": _joined("<p>", before="<q>", after="</q>"),
    "quotations in quotations": _joined("<p>", before="<q>"),
    "rows of empty cells": _joined("<table><tr><th>a<th>b", before="<tr><td><td><td>"),
    "lists in cells": _joined("<table><tr><th>a<th>b", before="<tr><td>a<td><ul><li>"),
    "lists after lists": _joined(before="<ol><li>", after="</ol>"),
    "tasks": _joined("<ul>", before="<li><input type=checkbox checked>"),
    "images with copies": _joined(
        before="<img src=data:x><noscript><img src=a></noscript>", after=" "
    ),
    "sources of images": _joined('<p><img srcset="', before="a 1x, ", tail='">'),
    "fractions": _joined("<math>", before="<mfrac><mi>a</mi><mi>", after="</mi></mfrac>"),
    "powers": _joined("<math>", before="<msup><mi>a</mi>"),
    "rows of matrices": _joined("<math><mo>(</mo><mtable>", before="<mtr><mtd>"),
    "matrices": _joined("<math>", before="<mo>(</mo><mtable><mtr><mtd>1</mtable><mo>)</mo>"),
    "drawings": _joined("<p>", before="<b class=katex data-tex=a>", after="</b>"),
    "formulas": _joined("<script src=mathjax></script><p>", before="$", after="$ "),
    "half formulas": _joined("<script src=mathjax></script><p>", before="$a"),
    "half displays": _joined("<script src=mathjax></script><p>", before="\\[a $$ \\("),
    "ids": _joined(before='<div id="', after='">x</div>'),
    "times": _joined("<p>", before='<time datetime="', after='">x</time>'),
    "authors": _joined("<p>", before="<a rel=author>", after="</a> "),
    "names of authors": _joined(before="<div class=author>", after="</div>"),
    "dates by class": _joined(before="<div class=date>", after="</div>"),
    "properties": _joined(before="<div itemprop=author>", after="</div>"),
    "contents": _joined(before='<meta name=author content="', after='">'),
    "comments of the page": _joined("<p>", before="<!--", after="-->a"),
    "hidden": _joined(before="<div hidden>", after="</div>"),
    "without scripts": _joined(before="<noscript>", after="</noscript>"),
    "comments of readers": _joined(before="<div class='comment reply'><p>", after="</div>"),
    "deep": _joined("<div>" * 300, before="<p>"),
    "deep in one line": _joined("<span>" * 300, after=" "),
    "lists in lists": _taking_turns(("<ul><li>", ""), ("<li>", ""), ("<li>", "</ul>")),
    "sections": _joined(before="<section><h2>a</h2><p>", after="</section>"),
}


def _page(layout: Layout, piece: Piece) -> Construct:
    def of(numbers: range) -> bytes:
        return (HEAD + layout(map(piece, numbers))).encode()

    def page(size: int) -> bytes:
        empty, some = len(of(range(0))), len(of(_SAMPLE))
        return of(range(max(1, ceil((size - empty) * len(_SAMPLE) / (some - empty)))))

    return page


def constructs() -> dict[str, Construct]:
    """Return all constructs by their names."""
    grid = [(layout, piece) for piece in PIECES for layout in EVERYWHERE]
    grid += [(layout, piece) for piece in _USUAL for layout in LAYOUTS]
    layouts = EVERYWHERE | LAYOUTS
    found = {f"{piece}, {layout}": _page(layouts[layout], PIECES[piece]) for layout, piece in grid}
    return found | {name: _special(build) for name, build in SPECIALS.items()}


def _special(build: Callable[[int], str]) -> Construct:
    return lambda size: build(size).encode()
