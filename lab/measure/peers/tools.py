# ruff: noqa: PLC0415 - a process imports only the tool that it runs
"""Other tools with one line protocol; runs in the environment of lab/measure/peers/peers.txt.

    python -m winnow.lab.measure.peers.tools TOOL

reads `{"html": TEXT, "language": TAG}` lines and answers each with `{"text": TEXT, "cpu_ms": MS}`,
and an `error` if the tool raised. Every tool runs with its defaults.
"""

import json
import os
import re
import socket
import sys
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Final, NoReturn

Extract = Callable[[str, str], str]

_BLOCKS: Final = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "br", "center", "dd", "details"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1"),
        *("h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main"),
        *("nav", "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot"),
        *("th", "thead", "tr", "ul"),
    }
)
_STOP_LISTS: Final = {"en": "English", "pl": "Polish", "ru": "Russian", "el": "Greek"}


def readability_lxml() -> Extract:
    """readability-lxml returns HTML; its text is extracted with line breaks at block elements.

    It returns a fragment: wrapped into a whole page, some pages would lose their text.
    """
    from lxml import html as lxml_html
    from readability import Document

    def text_of(markup: str) -> str:
        parts: list[str] = []
        for event, node in lxml_html.etree.iterwalk(
            lxml_html.fromstring(markup), events=("start", "end")
        ):
            if node.tag in _BLOCKS:
                parts.append("\n")
            if event == "start" and isinstance(node.tag, str):
                parts.append(node.text or "")
            elif event == "end":
                parts.append(node.tail or "")
        return re.sub(r"[ \t\r\f\v]*\n\s*", "\n", "".join(parts)).strip()

    return lambda html, _: text_of(Document(html).summary(html_partial=True))


def trafilatura() -> Extract:
    """Readers' comments are content by default."""
    from trafilatura import extract

    return lambda html, _: extract(html) or ""


def trafilatura_no_comments() -> Extract:
    """Without readers' comments."""
    from trafilatura import extract

    return lambda html, _: extract(html, include_comments=False) or ""


def justext() -> Extract:
    """The stop list of the page's language, English if unknown; Chinese has no list."""
    import justext as package

    def run(html: str, language: str) -> str:
        if language == "zh":
            found = package.justext(html, frozenset(), stopwords_low=0, stopwords_high=0)
        else:
            found = package.justext(
                html, package.get_stoplist(_STOP_LISTS.get(language, "English"))
            )
        return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)

    return run


def justext_english() -> Extract:
    """The English stop list for pages in any language."""
    run = justext()
    return lambda html, _: run(html, "en")


def justext_all() -> Extract:
    """The stop lists of all languages at once."""
    import justext as package

    words = frozenset().union(*map(package.get_stoplist, package.get_stoplists()))
    return lambda html, _: "\n".join(
        paragraph.text for paragraph in package.justext(html, words) if not paragraph.is_boilerplate
    )


def resiliparse() -> Extract:
    """Main content."""
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html, _: extract_plain_text(html, main_content=True)


def boilerpy3(extractor: str = "ArticleExtractor") -> Extract:
    """The article extractor by default."""
    from boilerpy3 import extractors

    made = getattr(extractors, extractor)()
    return lambda html, _: made.get_content(html)


def inscriptis() -> Extract:
    """A converter: keeps everything."""
    from inscriptis import get_text

    return lambda html, _: get_text(html)


def html2text() -> Extract:
    """A converter: keeps everything, as Markdown."""
    from html2text import html2text as convert

    return lambda html, _: convert(html)


def html_to_markdown() -> Extract:
    """A converter, asked for plain text; its defaults leave out `nav` elements and forms."""
    from html_to_markdown import ConversionOptions, convert

    options = ConversionOptions(output_format="plain")
    return lambda html, _: convert(html, options).content or ""


def turbohtml() -> Extract:
    """Text of the main content."""
    from turbohtml import parse

    return lambda html, _: parse(html).main_text()


def goose3() -> Extract:
    """Gets no page language, except from the page itself."""
    from goose3 import Goose

    goose = Goose()
    return lambda html, _: goose.extract(raw_html=html).cleaned_text


def newspaper4k() -> Extract:
    """Gets the page language if known; without images, which it would fetch."""
    from newspaper import Article

    def run(html: str, language: str) -> str:
        article = Article("http://page.invalid/", language=language or "en", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        text: str = article.text
        return text

    return run


TOOLS: Final[dict[str, Callable[[], Extract]]] = {
    "readability-lxml": readability_lxml,
    "trafilatura": trafilatura,
    "trafilatura-no-comments": trafilatura_no_comments,
    "justext": justext,
    "resiliparse": resiliparse,
    "boilerpy3": boilerpy3,
    "inscriptis": inscriptis,
    "html2text": html2text,
    "html-to-markdown": html_to_markdown,
    "turbohtml": turbohtml,
    "goose3": goose3,
    "newspaper4k": newspaper4k,
}
# more configurations, from Barbaresi and Lejeune (2020); they run only on request
CONFIGURATIONS: Final[dict[str, Callable[[], Extract]]] = {
    "justext-english": justext_english,
    "justext-all": justext_all,
    "boilerpy3-default": partial(boilerpy3, "DefaultExtractor"),
    "boilerpy3-largest": partial(boilerpy3, "LargestContentExtractor"),
    "boilerpy3-everything": partial(boilerpy3, "KeepEverythingExtractor"),
}


def refuse_network() -> None:
    """Make every connection fail, so that a tool has only the page."""

    def refuse(*_: object) -> NoReturn:
        raise OSError("no network while cleaning")

    socket.socket.connect = refuse  # type: ignore[method-assign]
    socket.getaddrinfo = refuse  # type: ignore[assignment]


def serve(extract: Extract) -> None:
    """Answer line by line until the input ends."""
    # output of a tool goes to standard error, not into the protocol
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        page = json.loads(line)
        reply: dict[str, object] = {"text": ""}
        started = process_time()
        try:
            reply["text"] = extract(page["html"], page["language"])
        except Exception as error:  # noqa: BLE001 - a failure of the tool is a result: no text
            reply["error"] = f"{type(error).__name__}: {error}"[:200]
        reply["cpu_ms"] = (process_time() - started) * 1000
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


if __name__ == "__main__":
    refuse_network()
    serve({**TOOLS, **CONFIGURATIONS}[sys.argv[1]]())
