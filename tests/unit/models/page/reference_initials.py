"""Large first letters of paragraphs, in elements of their own: part of the tests' oracle."""

import re
from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_near import (
    following,
    is_element,
    neighbour,
    same,
    short_text,
    text_of,
)

_NAME: Final = re.compile(
    "dropcap|firstletter|firstcharacter|bigletter|lettrine|letrina|initial|initcap|capitular"
)
_INITIAL: Final = re.compile("[\"'“„«‘‚¿¡(]?(.)", re.DOTALL)
_WORDS: Final = frozenset("AEIOUYÀÁÈÉÒÓÔЄІАВИКОСУЯΗΟ")
_SPACES: Final = " \t\n\x0c\r"
_NOT_INLINE: Final = frozenset(
    "a br time style template noscript select option optgroup datalist textarea button input iframe"
    " object canvas audio video svg noembed noframes applet title meta link base script".split()
)


def initial_of(node: LexborNode, borders: frozenset[str]) -> tuple[str, int] | None:
    """Return the first letter in an element that is separate from its word, and the text after."""
    tag = node.tag or ""
    is_picture = tag == "img"
    is_named = _is_named(node)
    first = node.first_child
    if first is not None and first.tag == "-text":
        is_more = first.next is not None or len(text_of(first).encode()) > 8
        is_named = is_named and not is_more
    if re.fullmatch("h[1-6]|li|a", tag) or not (is_named or is_picture):
        return None
    text = (node.attributes.get("alt") or "") if is_picture else short_text(node, 8) or ""
    letter = _INITIAL.fullmatch(text)
    after = _text_after(node, borders)
    if letter is None or not letter[1].isupper() or after is None:
        return None
    found, is_touched = after
    rest = text_of(found).strip(_SPACES)
    is_separate = is_picture or tag in borders or not is_touched
    is_unnamed_apart = is_picture and not is_named and not is_touched
    if not is_separate or is_unnamed_apart or not _continues(letter[1], rest):
        return None
    is_word = not is_touched and letter[1] in _WORDS
    return text + " " * is_word, found.mem_id


def _is_named(node: LexborNode) -> bool:
    name = (node.attributes.get("class") or "").encode()[:256].decode(errors="replace")
    bare = re.sub("[-_]", "", name).lower()
    return "float" in (node.attributes.get("style") or "") or _NAME.search(bare) is not None


def _text_after(node: LexborNode, borders: frozenset[str]) -> tuple[LexborNode, bool] | None:
    at = _alone(node)
    found = None if at is None else neighbour(at, following)
    is_touched = at is not None and same(at.next, found)
    for _ in range(3):
        if found is None:
            return None
        if not is_element(found):
            return found, is_touched and text_of(found)[:1] not in {"", *_SPACES}
        if found.tag == "p":
            is_touched = False
        elif found.tag in borders or found.tag in _NOT_INLINE:
            return None
        found = found.first_child
    return None


def _alone(node: LexborNode) -> LexborNode | None:
    """Return the outermost of a few elements that hold nothing else."""
    at = node
    for _ in range(3):
        if at.next is not None:
            break
        parent = at.parent
        if parent is None or parent.tag == "li" or not same(parent.first_child, at):
            return None
        at = parent
    return at


def _continues(letter: str, rest: str) -> bool:
    first, second = rest[:1], rest[1:2]
    begins = first.islower() or (first.isupper() and not second.islower())
    is_long = len(rest.encode()) >= 20
    return is_long and (begins or first in {"’", "'"}) and first.upper() != letter.upper()
