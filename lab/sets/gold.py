"""Labelled files -> gold text; each set marks its content in its own way."""

import html
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode


class GoldSet(StrEnum):
    """How a set marks the content of a page."""

    CLEANEVAL = "cleaneval"  # URL line, then text with <p>, <h>, <l> marks
    DRAGNET = "dragnet"  # text up to the line that begins the readers' comments
    DRAGNET_COMMENTS = "dragnet+c"  # the same files, comments counted as content
    PAGE_SIGNAL = "page-signal"  # the page itself, content in elements of certain classes
    DANIEL = "daniel"  # text in <p>
    PLAIN = "plain"  # unmarked text (WCXB, and users' own sets)


@dataclass(frozen=True, slots=True)
class GoldPage:
    """The gold of one page.

    Attributes:
        page_id: unique among the pages of an evaluation.
        group: the set, with the folder inside it if there is one (`daniel/polish`).
        language: BCP 47 primary subtag; empty if unknown.
        page_type: article, forum, ...; empty if unknown.
        text: the content; empty if the page has none.
    """

    page_id: str
    group: str
    text: str
    language: str = ""
    page_type: str = ""
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


_URL_LINE: Final = re.compile(r"\A\s*URL:[^\n]*\n?")
# complete marks, and marks that annotators left open before a word or a dot
_CLEANEVAL_MARK: Final = re.compile(r"(?m)</?[phlP](?:\s*>|\s*$|<(?=\w)|(?=[.A-Z]))")
# a list mark with the bullet or number that annotators copied from the page
_BULLET: Final = re.compile(r"^\s*<l>\s*(?:»|\*|[0-9]{1,2}\.\s)", re.MULTILINE | re.IGNORECASE)
_MARK: Final = re.compile(r"<[hpl]>\s*", re.IGNORECASE)
_RULE: Final = re.compile(r"^\s*(?:_{10,}|-{10,})\s*$", re.MULTILINE)
_INDENT: Final = re.compile(r"^\s+", re.MULTILINE)
_DANIEL_MARK: Final = re.compile(r"</?p>")
_COMMENTS_LINE: Final = re.compile(r"^[!@#$%^&*() \t]{4,}COMMENTS[ \t\r]*$", re.MULTILINE)
_WRAPPER_START: Final = re.compile(rb"\A\s*<text\b[^\n]*>\s*?\n", re.IGNORECASE)
_WRAPPER_END: Final = re.compile(rb"</text>\s*\Z", re.IGNORECASE)

# headline, body, supplement; 0 is boilerplate, 4 related links, 5 readers' comments
_CONTENT_CLASSES: Final = frozenset({"x-nc-sel1", "x-nc-sel2", "x-nc-sel3"})
_MARK_PREFIX: Final = "x-nc-sel"
_INLINE: Final = frozenset(
    {
        *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "dfn", "em", "font"),
        *("i", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span"),
        *("strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
    }
)
_NO_TEXT: Final = frozenset({"script", "style", "noscript", "template", "head", "title"})


def gold_text(gold_set: GoldSet, file_text: str) -> str:
    """Return the content of a labelled file; may be empty."""
    match gold_set:
        case GoldSet.CLEANEVAL:
            unmarked = _CLEANEVAL_MARK.sub(" ", _URL_LINE.sub("", file_text))
            return html.unescape(unmarked).strip()
        case GoldSet.DRAGNET:
            return _COMMENTS_LINE.split(file_text, maxsplit=1)[0].strip()
        case GoldSet.DRAGNET_COMMENTS:
            return _COMMENTS_LINE.sub("", file_text, count=1).strip()
        case GoldSet.DANIEL:
            return html.unescape(_DANIEL_MARK.sub("", file_text)).strip()
        case GoldSet.PAGE_SIGNAL:
            return annotated_text(file_text, _CONTENT_CLASSES)
        case GoldSet.PLAIN:
            return file_text.strip()


def web2text_text(file_text: str) -> str:
    """Return the text of a CleanEval file in the form that Web2Text's authors used for labels.

    Copied bullets and rules are removed, entities stay: their alignment was tuned to this text.
    """
    text = _URL_LINE.sub("", file_text.replace("\r\n", "\n").replace("\r", "\n"))
    for pattern in (_BULLET, _MARK, _RULE, _INDENT):
        text = pattern.sub("", text)
    return text.strip()


def comment_text(gold_set: GoldSet, file_text: str) -> str:
    """Return the readers' comments of a labelled file; may be empty."""
    if gold_set in {GoldSet.DRAGNET, GoldSet.DRAGNET_COMMENTS}:
        parts = _COMMENTS_LINE.split(file_text, maxsplit=1)
        return parts[1].strip() if len(parts) > 1 else ""
    if gold_set is GoldSet.PAGE_SIGNAL:
        return annotated_text(file_text, frozenset({"x-nc-sel5"}))
    return ""


def page_bytes(gold_set: GoldSet, raw: bytes) -> bytes:
    """Return the page as the server sent it, without CleanEval's wrapper `<text ...>`."""
    if gold_set is not GoldSet.CLEANEVAL:
        return raw
    return _WRAPPER_END.sub(b"", _WRAPPER_START.sub(b"", raw))


def annotated_text(markup: str, classes: frozenset[str]) -> str:
    """Return the text whose nearest annotated ancestor has one of the classes `x-nc-selN`.

    Block elements break lines; white space between annotated elements is kept.
    """
    body = LexborHTMLParser(markup).body
    if body is None:
        return ""
    parts: list[str] = []
    # (node, whether the text under it is content); None closes a block
    stack: list[tuple[LexborNode, bool] | None] = [(body, False)]
    while stack:
        entry = stack.pop()
        if entry is None:
            parts.append("\n")
            continue
        node, wanted = entry
        if node.is_text_node:
            text = node.text_content or ""
            parts.append(text if wanted else " " if text.isspace() else "")
        elif node.is_element_node and node.tag not in _NO_TEXT:
            wanted = _is_wanted(node, classes, inherited=wanted)
            if node.tag not in _INLINE:
                parts.append("\n")
                stack.append(None)
            stack.extend((child, wanted) for child in reversed(_children(node)))
    lines = (" ".join(line.split()) for line in "".join(parts).splitlines())
    return "\n".join(line for line in lines if line)


def _is_wanted(node: LexborNode, classes: frozenset[str], *, inherited: bool) -> bool:
    names = (node.attributes.get("class") or "").split()
    marks = {name for name in names if name.startswith(_MARK_PREFIX)}
    return bool(marks & classes) if marks else inherited


def _children(node: LexborNode) -> list[LexborNode]:
    return list(node.iter(include_text=True))
