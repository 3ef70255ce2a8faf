"""Constructs of pages that take more than a piece and a layout; each makes a page of a size."""

import json
from collections.abc import Callable
from typing import Final

Special = Callable[[int], str]

_HEAD: Final = (
    "<!doctype html><html lang=en><title>A year of bees - The Hive</title>"
    "<body><h1>A year of bees</h1>"
)
_SENTENCE: Final = "Bees find more flowers in the city than they do on the fields around it. "
_LEAD: Final = (
    "Bees of the old town fly over the river and the gardens on its banks from May to the end of "
    "September each year. "
)
_OTHER: Final = "Nobody knows how many of them live on the roofs above the market in winter."
# what is asked of one value of a page: addresses, and texts of attributes
_LONG: Final = "x" * 4000


def _many(piece: str, head: str = "", tail: str = "") -> Special:
    """Return a page of one repeated piece."""
    return lambda size: _HEAD + head + piece * ((size - len(head)) // len(piece.encode())) + tail


def _numbered(piece: Callable[[int], str], head: str = "", tail: str = "") -> Special:
    """Return a page of pieces that differ by their number."""

    def page(size: int) -> str:
        pieces = (size - len(head)) // len(piece(1000))
        return _HEAD + head + "".join(map(piece, range(pieces))) + tail

    return page


def _halves(first: str, between: str, second: str) -> Special:
    """Return a page with one long thing, and after it many things that may look at that."""

    def page(size: int) -> str:
        half = size // 2
        return _HEAD + first * (half // len(first)) + between + second * (half // len(second))

    return page


def _words(half: int) -> str:
    return " ".join(f"w{number}" for number in range(half // 7))


def _long_class(opening: str, piece: str) -> Special:
    def page(size: int) -> str:
        head = f'<div class="{_words(size // 2)}"{opening}>'
        return _HEAD + head + piece * (size // 2 // len(piece))

    return page


def _long_tag(size: int) -> str:
    half = size // 2
    note = "bees <i><i class=sr-only>tab</i></i>"
    return _HEAD + f"<a href=x {_words(half)}>" + note * (half // len(note))


def _script(kind: str, value: Callable[[int], object]) -> Special:
    def page(size: int) -> str:
        text = json.dumps(value(size), ensure_ascii=False)
        return f"<!doctype html><title>Bees</title><script {kind}>{text}</script><body><p>Bees"

    return page


_LINKED: Final = "type=application/ld+json"
_NEXT: Final = "id=__NEXT_DATA__ type=application/json"
_NUXT: Final = "id=__NUXT_DATA__ type=application/json"


def _linked(value: Callable[[int], object]) -> Special:
    return _script(_LINKED, value)


def _broken(piece: str, size: int) -> str:
    return f"{_HEAD}<script {_LINKED}>{piece * (size // len(piece))}</script><p>Bees"


def _bodies(size: int) -> object:
    return {"@type": "Article", "articleBody": [f"b{number:07}" for number in range(size // 13)]}


def _alike(size: int) -> object:
    long = _SENTENCE * (size // 2 // len(_SENTENCE))
    short = [f"{_SENTENCE}{number}" for number in range(size // 2 // (len(_SENTENCE) + 10))]
    return {"props": {"text": [long, *short]}}


def _alike_with_tags(size: int) -> object:
    long = f"<p>{_SENTENCE}</p>" * (size // 2 // (len(_SENTENCE) + 7))
    short = [f"{_SENTENCE}{number}" for number in range(size // 2 // (len(_SENTENCE) + 10))]
    return {"props": {"text": [long, *short]}}


def _nuxt(size: int) -> object:
    texts = [f"{_SENTENCE}{number}" for number in range(size // (len(_SENTENCE) + 14))]
    return [list(range(1, len(texts) + 1)), *texts]


def _nested_lists(size: int) -> object:
    value: object = _SENTENCE
    for _ in range(100):
        value = [value]
    return [value for _ in range(size // 300)]


def _pushed(size: int) -> str:
    rows = "".join(
        f'{number:x}:["$","p",null,{{"children":"{_SENTENCE}{number}"}}]\n'
        for number in range(1, size // (len(_SENTENCE) + 60))
    )
    top = '0:["$","div",null,{"children":["$1","$2"]}]\n'
    text = json.dumps(top + rows)
    return f"<!doctype html><body><p>Bees<script>self.__next_f.push([1,{text}])</script>"


def _pushes(size: int) -> str:
    push = 'self.__next_f.push([1,"a"]);self.__next_f.push('
    return f"<!doctype html><body><p>Bees<script>{push * (size // len(push))}</script>"


def _notes(size: int) -> str:
    notes = size // 90
    signs = "".join(f"a<sup><a href=#n{number}>{number}</a></sup> " for number in range(notes))
    items = "".join(f"<li id=n{number}>Bees {number}" for number in range(notes))
    return f"{_HEAD}<p>{signs}<ol>{items}</ol>"


def _variants(size: int) -> str:
    long = _LEAD + _SENTENCE * (size // 2 // len(_SENTENCE))
    part = f"<section><p>{_LEAD}<p>{_OTHER}</section>"
    return f"{_HEAD}<section><p>{long}<p>{_OTHER}</section>{part * (size // 2 // len(part))}"


def _nested_math(size: int) -> str:
    text = "x" * (size - 400 * 40)
    opening = "<msup><mi>a</mi>" * 400
    return f"{_HEAD}<p><math>{opening}<mi>{text}</mi>{'</msup>' * 400}</math>"


def _branch(number: int) -> str:
    """Return elements that all differ from each other."""
    tags = ["section" if number >> bit & 1 else "div" for bit in range(14)]
    opening = "".join(f"<{tag}>" for tag in tags)
    return f"{opening}a{''.join(f'</{tag}>' for tag in reversed(tags))}"


SPECIALS: Final[dict[str, Special]] = {
    "text in nested authors": lambda size: _HEAD + "<b class=author>" * 300 + "x" * size,
    "words in nested authors": lambda size: _HEAD + "<i rel=author>" * 300 + "x y " * (size // 4),
    "authors of many nodes": _many("<div itemprop=author><i></i><i></i><i></i></div>"),
    "authors without text": _many("<b class=author></b>", head="<p>"),
    "a long class around code": _long_class("", "<pre>x</pre>"),
    "a long class around paragraphs": _long_class("", "<p>x"),
    "a long class around words": _long_class("", "<b>x</b> "),
    "a long tag around notes": _long_tag,
    "a long blank before labels": lambda size: (
        _HEAD + "<p>" + " " * (size // 2) + "<i>Bee</i>a" * (size // 22)
    ),
    "labels of rows": _many("<p><i>Ann Bee</i>We left", head="<div>"),
    "first letters": _many("<p><i class=dropcap>B</i> ees find more flowers"),
    "numbers in rows of code": _numbered(
        lambda n: f"<tr><td>{n}<td><code>a</code>", head="<table>"
    ),
    "raw text closed as XML": _many("<textarea/><iframe/><p>a"),
    "links to the rest": _many("<p>Bees find… <a href=x class=read-more>Read more</a>"),
    "a long style around cells": lambda size: (
        _HEAD + f'<table style="{"a:b;" * (size // 8)}">' + "<tr><td>1<td>2" * (size // 28)
    ),
    "long classes": _many(f'<p class="{_LONG}">x'),
    "long styles of cells": _many(f'<td style="{"a:b;" * 100}">x', head="<table><tr>"),
    "a long base": _many("<a href=x>a</a> ", head=f"<base href='http://a.b/{_LONG}/'><p>"),
    "a base of folders": _many(
        "<a href=x>a</a> ", head=f"<base href='http://a.b/{'a/' * 2000}'><p>"
    ),
    "a base left by dots": _many(
        f"<a href={'../' * 20}>a</a> ", head=f"<base href='http://a.b/{'a/' * 2000}'><p>"
    ),
    "a base of images": _many("<img src=x>", head=f"<base href='http://a.b/{_LONG}/'><p>a"),
    "a long link around paragraphs": _many("<p>a", head=f"<a href='http://a.b/{_LONG}'>"),
    "a long link around runs": _many("<b>a</b>b", head=f"<p><a href='http://a.b/{_LONG}'>"),
    "a long link to nowhere": _many("<b>a</b>b", head=f"<p><a href='javascript:{_LONG}'>"),
    "a long link around raised signs": _many(
        "<sup>a</sup>b", head=f"<li id={_LONG}>a<p><a href='#{_LONG}'>"
    ),
    "long addresses": _many(f"<a href='http://a.b/{_LONG}'>a</a>", head="<p>"),
    "addresses of folders": _many(f"<a href='{'a/' * 1000}'>a</a>", head="<p>"),
    "images": _many("<img src=x alt=a>", head="<p>a"),
    "images in one place": _many("<img src=x>", head="<p>"),
    "images between blocks": _many("<img src=x><p>a</p>"),
    "images between words": _many("<img src=x>a ", head="<p>"),
    "images of data": _many("<img src=data:image/gif;base64,xx>a ", head="<p>"),
    "late images": _many("<img src=x data-src=y srcset='a 1x, b 2x'>a ", head="<p>"),
    "images in cells": _many("<tr><td><img src=x>a<td>b", head="<table>"),
    "images in items": _many("<li><img src=x>a", head="<ul>"),
    "images in links": _many("<a href=x><img src=x>a</a>", head="<p>"),
    "sources of pictures": _many("<picture><source srcset='a 1x'><img src=x></picture>"),
    "formulas": _many("<math><mi>x</mi></math> "),
    "formulas on lines": _many("<math display=block><mfrac><mi>x</mi><mi>y</mi></mfrac></math>"),
    "formulas in TeX": _many(
        "<math><semantics><mi>x</mi><annotation encoding=application/x-tex>x^2</annotation>"
        "</semantics></math> "
    ),
    "one formula": _many("<mi>x</mi>", head="<p><math>"),
    "one formula of powers": _many("<msup><mi>x</mi><mn>2</mn></msup>", head="<p><math>"),
    "a formula of nested powers": _nested_math,
    "scripts of formulas": _many("<script type=math/tex>x^2</script>a ", head="<p>"),
    "formulas drawn again": _many("<span class=katex-html>a</span><!--c-->", head="<p>"),
    "formulas drawn before": _many("<span class=MathJax>a</span><!--c-->", head="<p>"),
    "comments before formulas": _many(
        "<!--c-->", head="<p>", tail="<span class=katex-html>a</span>"
    ),
    "readings": _many("<ruby>a<rt>b</rt></ruby>", head="<p>"),
    "bare readings": _many("<rt>b</rt><!--c-->", head="<p><ruby>a"),
    "dollars around formulas": _many("$<math><mi>x</mi></math>$5 ", head="<p>"),
    "bodies of articles": _linked(_bodies),
    "one long body": _linked(lambda size: {"articleBody": _SENTENCE * (size // len(_SENTENCE))}),
    "objects of linked data": _linked(
        lambda size: [{"@type": "Person", "@id": f"#{n}", "name": "a"} for n in range(size // 50)]
    ),
    "authors of linked data": _linked(
        lambda size: {
            "@type": "Article",
            "author": [{"name": f"Ann B{n}"} for n in range(size // 22)],
        }
    ),
    "keywords of linked data": _linked(lambda size: {"keywords": "bees, " * (size // 6)}),
    "types of linked data": _linked(lambda size: {"@type": ["Article"] * (size // 11)}),
    "lists in linked data": _linked(_nested_lists),
    "scripts of linked data": _many(f"<script {_LINKED}>" + '{"headline": "Bees"}</script>'),
    "broken linked data": lambda size: (
        f"{_HEAD}<script {_LINKED}>" + '{"a": "' + "\\ud800\n" * (size // 7) + "</script><p>Bees"
    ),
    "linked data with comments": lambda size: _broken('{"a": 1, // b\n', size),
    "linked data with comments that never end": lambda size: _broken("/* // <!-- ", size),
    "linked data with quotes in strings": lambda size: _broken('{"a": "' + 'b" ' * 50, size),
    "linked data with spaces after quotes": lambda size: _broken('"' + " " * 500, size),
    "linked data in a row": lambda size: _broken('{"headline": "Bees"};', size),
    "linked data with commas": lambda size: _broken("[,,{,},", size),
    "linked data with escaped quotes": lambda size: _broken("{&quot;a&quot;:", size),
    "texts that begin alike": _script(_NEXT, _alike),
    "texts that begin alike, with tags": _script(_NEXT, _alike_with_tags),
    "a state of short texts": _script(
        _NEXT, lambda size: {f"k{n}": f"{_SENTENCE}{n}" for n in range(size // 100)}
    ),
    "a state of lists": _script(_NEXT, _nested_lists),
    "a state of Nuxt": _script(_NUXT, _nuxt),
    "rows of Next.js": _pushed,
    "pushes of Next.js": _pushes,
    "declared authors": _many("<meta name=citation_author content='Bee, Ann'>"),
    "declared dates": _numbered(lambda n: f"<meta name=a{n}:published_time content=soon>"),
    "dates next to the text": _many("<aside><p>3 May 2001</aside>"),
    "announcements": _many("<p>Read next<p>3 May 2001"),
    "authors in parts": _many("<div class=author><b>Ann</b> <i>Bee</i><b>and</b></div>"),
    "dates in titles": _many("<abbr class=published title=2001-02-03>a</abbr> ", head="<p>"),
    "dates in a sentence": _many(
        "On <time datetime=2001-02-03>3 May 2001</time> bees fly. ", head="<p>"
    ),
    "dates with labels": _many("<p>Updated<p><time datetime=2001-02-03>3 May 2001</time>"),
    "headings of two levels": _numbered(lambda n: f"<h1>Bees {n}</h1><h2>A year of bees</h2>"),
    "titles with borders": lambda size: (
        f"<title>{'a: b - c | ' * 300}</title><h1>a</h1>" + "<h1>c | a: b</h1>" * (size // 17)
    ),
    "declarations": _numbered(lambda n: f"<meta name=n{n} content=a>"),
    "one long declaration": lambda size: (
        f"<meta name=description content='{'a ' * (size // 2)}'><p>a"
    ),
    "declared scripts": _many(f"<meta name=description content='{'&lt;script>&lt;!---->' * 180}'>"),
    "links of the head": _many("<link rel=canonical href=http://a.b/c>"),
    "directives": _many("<meta name=robots content='noindex, nofollow'>"),
    "licences": _many("<a href=https://creativecommons.org/licenses/by/4.0/>a</a> ", head="<p>"),
    "titles": _many("<title>a</title>"),
    "first headings": _many("<h1>A year of bees</h1>"),
    "first headings that differ": _numbered(lambda n: f"<h1>Bees {n}</h1>"),
    "long first headings": _many(f"<h1>{'a | ' * 1000}</h1>"),
    "footnotes": _notes,
    "rows that span": _many("<tr><td rowspan=9>a<td>b", head="<table><th>a"),
    "columns that span": _many("<tr><td colspan=1000>a<td>b", head="<table><th>a"),
    "cells far to the right": _many("<tr><td colspan=60><td>a", head="<table><th>a<th>b"),
    "tables": _many("<table><tr><th>a<th>b<tr><td>c<td>d</table>"),
    "tables in cells": _many("<table><tr><td>a<td>b</table>", head="<table><tr><td>"),
    "cells with code": _many("<tr><td><code>a|b</code><td><pre>c</pre>", head="<table><th>a<th>b"),
    "alignments": _many(
        "<tr><td align=right>1<td style='text-align: center'>2", head="<table><th>a"
    ),
    "lists": _many("<ol start=5><li>a<li value=9>b</ol>"),
    "deep lists": lambda size: _HEAD + "<ul><li>a" * 200 + "<li>b" * (size // 5),
    "deep quotes": lambda size: _HEAD + "<blockquote>" * 200 + "<p>b" * (size // 4),
    "deep items of deep quotes": lambda size: (
        _HEAD + "<blockquote><ul><li>" * 100 + "a<li>b" * (size // 6)
    ),
    "deep paths": lambda size: _HEAD + "<blockquote>" * 450 + "<p>a<div>b</div>" * (size // 16),
    "deep paths that differ": _numbered(_branch, head="<div>" * 300),
    "fences in code": _many("```\n", head="<pre>"),
    "fences of growing length": lambda size: (
        _HEAD + "".join(f"<code>{'`' * (n % 300)}a</code>" for n in range(size // 160))
    ),
    "lines of code": _many("<li>a", head="<pre><ol>"),
    "languages of code": _many("<pre class=language-rust>a</pre>"),
    "code in code": _many("<pre><code class='brush: rust'>a</code></pre>"),
    "streamed parts": _numbered(lambda n: f"<div hidden id=S:{n:x}>a</div>"),
    "streamed parts with places": _numbered(
        lambda n: f"<!--$?--><template id=B:{n:x}></template>a<div hidden id=S:{n:x}>b</div>"
    ),
    "closed dialogs": _many("<dialog><p>a</dialog>b"),
    "options": _many("<option>a", head="<select>"),
    "drawings": _many("<svg><text>a</text></svg>b"),
    "templates": _many("<template><p>a</template>b"),
    "nested labels": lambda size: (
        _HEAD + "<div class='post content'>" * 300 + "<p>ab " * (size // 6)
    ),
    "labels that differ": _numbered(lambda n: f"<div class='c{n} d{n}'>ab cd ef</div>"),
    "menus": _many("<nav><ul><li><a href=x>a</a><li><a href=y>b</a></ul></nav>"),
    "prose and letters": _many(f"<p>{_SENTENCE}{_SENTENCE}<p>a"),
    "prose far apart": _many(f"<p>{_SENTENCE}{_SENTENCE}" + "<p>a" * 40),
    "cards": _numbered(lambda n: f"<div class=card><h3>Bees {n}</h3><p>{_SENTENCE}</div>"),
    "posts of a forum": _numbered(
        lambda n: (
            f"<div class=post><a rel=author>ann{n}</a><time datetime=2001-02-03>3 May 2001</time>"
            f"<p>{_SENTENCE}</div>"
        )
    ),
    "excerpts of a long text": _halves(_SENTENCE, "<a href=/a>More</a>", f"<div>{_SENTENCE}</div>"),
    "variants below a long one": _variants,
    "a long line and short ones": _halves("2001 osted ", "<p>", "Posted by x1<br>"),
    "long words": _many("a" * 5000 + " ", head="<p>"),
    "long words that are repeated": _numbered(lambda n: f"{'a' * 3000}{n % 7} ", head="<p>"),
    "white space": _many(" \n\t", head="<p>a"),
    "white space in code": _many(" \n\t", head="<pre>a", tail="</pre>"),
    "line breaks": _many("a<br><br>"),
    "text beyond ASCII": _many("蜂a β.", head="<p>"),
}
