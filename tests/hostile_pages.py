"""A megabyte of markup each, made to hold a worker up: for tests and benchmarks."""

from collections.abc import Callable
from typing import Final

MEGABYTE: Final = 1_000_000


def _repeated(piece: str) -> bytes:
    return (piece * (MEGABYTE // len(piece) + 1)).encode()[:MEGABYTE]


def _numbered(piece: Callable[[int], str]) -> bytes:
    count = MEGABYTE // len(piece(0))
    return "".join(map(piece, range(count))).encode()[:MEGABYTE]


HOSTILE: Final = {
    "div": _repeated("<div>"),
    "inline": _repeated('<a href="x"><b class="y"><i id="z">'),
    "unknown elements": _repeated("<x-y>"),
    "new elements": _numbered(lambda i: f"<a{i}></a{i}>"),
    "entities": _repeated("&amp;&notit;&#x41;&CounterClockwiseContourIntegral;"),
    "attributes": b"<p " + _numbered(lambda i: f"a{i} ") + b">",
    "attributes without end": b"<p " + _numbered(lambda i: f"a{i} "),
    "new attributes": _numbered(lambda i: f"<p a{i}>"),
    "attributes of body": _numbered(lambda i: f"<body a{i}>"),
    "attributes of html": _numbered(lambda i: f"<html a{i}>"),
    "endless tag": b"<p a='" + _repeated("x"),
    "endless name": b"<" + _repeated("p"),
    "nul": b"\0" * MEGABYTE,
    "nul in text": b"<p>" + _repeated("some text\0"),
    "tables": _repeated("<table><tr><td>"),
    "tables side by side": _repeated("<table>"),
    "text in tables": b"<table>" + _repeated("a<tr>"),
    "formatting in tables": b"<table>" + _repeated("x<b>"),
    "unclosed comment": b"<!--" + _repeated("- "),
    "comments": _repeated("<!--"),
    "dashes": b"<!--" + _repeated("-"),
    "closed paragraphs": _repeated("</p>"),
    "closed unknown": _repeated("a</x>"),
    "select": _repeated("<select><option>"),
    "options": b"<select>" + _repeated("<option>"),
    "selectedcontent": b"<select><button><selectedcontent></button>"
    + _repeated("<option selected>text"),
    "svg": _repeated("<svg>"),
    "svg style": b"<svg><style>" + _repeated("<g>"),
    "svg title": _repeated("<svg><title>"),
    "math": _repeated("<math><mi>"),
    "template": _repeated("<template>"),
    "frameset": _repeated("<frameset>"),
    "hidden frameset": b"<frameset><style>" + _repeated("<frameset>"),
    "formatting": b"".join(b"<b id=%d>" % i for i in range(300)) + _repeated("<p>x"),
    "formatting in paragraphs": _numbered(lambda i: f"<p><b id={i}>"),
    "formatting before tables": b"".join(b"<b id=%d>" % i for i in range(400))
    + _repeated("<table><td>x</table>"),
    "adoption": b"<div>" * 400 + _repeated("<b><p></b>"),
    "deep paragraphs": b"<span>" * 400 + _repeated("<p>"),
    "deep items": b"<span>" * 400 + _repeated("<li>"),
    "deep end tags": b"<span>" * 400 + _repeated("</i>"),
    "links": _repeated("<a>"),
    "links and blocks": _repeated("<a><div>"),
    "nested script": b"<script><!--" + _repeated("<script>"),
    "leaking frames": _repeated("<noscript><iframe></noscript>"),
    "scripts in noscript": _repeated("<noscript><script></noscript>"),
    "less than": _repeated("<"),
    "ampersands": _repeated("&"),
    "headings": _repeated("<h1>"),
    "line breaks": _repeated("<br>"),
    "styles": _repeated("<p style='a:b;display:x'>"),
    "preformatted": b"<pre>" + _repeated("\n x"),
    "spaces": b"<p>" + _repeated(" "),
    "text between tags that are ignored": b"<p>" + _repeated("</x k=value>some text "),
    "text between comments in tables": b"<table>" + _repeated("<!--c-->some text "),
    "text and comments after the body": b"<p>x" + _repeated("</body><!--c-->some text "),
    "lines in deep blocks": b"<div>" * 200 + _repeated("x<hr>"),
    "letters": _repeated("<p>a"),
    "letters between line breaks": _repeated("a<br>"),
    "letters in links": _repeated("<a>a</a>"),
    "deep letters": b"<div>" * 100 + _repeated("<p>a"),
    "deep words": b"<div>" * 500 + _repeated("<p>ab cd "),
    "numbers in tables": b"<table>" + _repeated("<tr><td>12<td>7<td>3"),
    "numbers in tables of one column": _numbered(lambda i: f"<table><td>{i}</table>"),
    "entries of lists": b"<ul>" + _repeated("<li><a href=x>ab</a>"),
}
