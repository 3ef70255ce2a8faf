"""Buttons that are text: part of the oracle of the tests."""

import re
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_near import (
    MAX_NODES,
    Step,
    around,
    children,
    following,
    has_words,
    is_element,
    previous,
    same,
    short_text,
    text_of,
    within,
)

_LABELS: Final = frozenset(
    (
        *("copy", "copy!", "copied", "copied!", "copy code", "copy text", "copy link", "copy url"),
        *("copy snippet", "copy command", "copy page", "copy to clipboard", "click to copy"),
        *("copycopied", "copycopied!", "copy copied", "copy copied!", "kopieren", "kopiert"),
        *("kopiert!", "copier", "copié !", "copier le code", "copiar", "copiar código", "copia"),
        *("копировать", "скопировать", "复制", "复制代码", "コピー"),
    )
)
_NAMED: Final = frozenset("h1 h2 h3 h4 h5 h6 summary dt legend th caption".split())
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_AFTER: Final = tuple(".,;:!?)…。，、；！？")
_NOT_INLINE: Final = frozenset(
    """
    address article aside body center details dialog div fieldset figure footer form
    frameset head header hgroup hr html main multicol nav search section summary tbody tfoot
    thead colgroup col h1 h2 h3 h4 h5 h6 p blockquote pre listing xmp plaintext caption
    figcaption legend ol ul menu dir dl li dt dd table tr td th br
    style template noscript select option optgroup datalist textarea button input iframe
    object canvas audio video svg noembed noframes applet title meta link base script
""".split()
)
_BLOCKS: Final = _NOT_INLINE - frozenset(
    """
    br style template noscript select option optgroup datalist textarea button input iframe
    object canvas audio video svg noembed noframes applet title meta link base script
""".split()
)


def is_copy_label(node: LexborNode) -> bool:
    """Whether an element is only a label for copying."""
    text = short_text(node, 40)
    return text is not None and " ".join(text.lower().split()) in _LABELS


def is_text(button: LexborNode) -> bool:
    """Whether a reader takes a button for text."""
    if any(each.tag in _HEADINGS for each in islice(within(button, silent=True), 16)):
        return True
    if not has_words(short_text(button, 512) or "") or is_copy_label(button):
        return False
    whole = around(button, is_headline)
    return (
        (whole is not None and _is_only_text(whole, button))
        or _is_in_sentence(button)
        or _opens_answer(button)
    )


def _opens_answer(button: LexborNode) -> bool:
    text = short_text(button, 512) or ""
    words = max((at for at, sign in enumerate(text) if sign.isalnum()), default=-1)
    is_long = len(text.split()) > 2 or not re.search("[A-Za-z]", text)
    answer = _next_element(button)
    return (
        is_long
        and any(sign in text[words + 1 :] for sign in "?？؟")
        and answer is not None
        and answer.tag in _BLOCKS
        and any(has_words(text_of(each)) for each in islice(within(answer), 16))
    )


def _next_element(button: LexborNode) -> LexborNode | None:
    level: LexborNode | None = button
    for _ in range(3):
        after = level.next if level is not None else None
        for _ in range(16):
            if after is not None and (is_element(after) or has_words(text_of(after))):
                return after if is_element(after) else None
            after = after.next if after is not None else None
        level = level.parent if level is not None else None
    return None


def is_headline(node: LexborNode) -> bool:
    """Whether an element titles what is after it."""
    said = (value or "" for value in node.attributes.values())
    return node.tag in _NAMED or any(value.lower() == "heading" for value in said)


def _is_only_text(whole: LexborNode, button: LexborNode) -> bool:
    waiting = list(reversed(list(children(whole))))
    is_before = True
    for _ in range(MAX_NODES):
        if not waiting:
            return True
        node = waiting.pop()
        is_before = is_before and not same(node, button)
        if node.tag == "button":
            text = short_text(node, 512)
            if is_before and (text is None or has_words(text)):
                return False
        else:
            if has_words(text_of(node)):
                return False
            if node.tag not in {"script", "style", "template"}:
                waiting.extend(reversed(list(children(node))))
    return False


def _is_in_sentence(button: LexborNode) -> bool:
    before, after = _side(button, previous), _side(button, following)
    return (
        before is not None
        and has_words(before)
        and after is not None
        and (after.startswith(_AFTER) or has_words(after))
    )


def _is_inline(node: LexborNode) -> bool:
    return node.tag not in _NOT_INLINE


def _side(node: LexborNode, step: Step) -> str | None:
    at = node
    for _ in range(16):
        found = step(at)
        if found is None:
            if at.parent is None or not _is_inline(at.parent):
                return None
            at = at.parent
            continue
        at = found
        if is_element(at) and (not _is_inline(at) or at.tag == "a"):
            return None
        text = short_text(at, 512)
        if text is None:
            return "x"
        if text:
            return text
    return None
