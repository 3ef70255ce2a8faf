"""Lines of code and of text in the walk of the tests: `reference_walk`."""

import re
from collections.abc import Callable
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_near import (
    around,
    children,
    first_of,
    following,
    is_element,
    neighbour,
    previous,
    text_of,
    within,
)
from tests.unit.models.page.reference_rules import said_in_style

BORDERS: Final = frozenset(
    """
    address article aside body center details dialog div fieldset figure footer form
    frameset head header hgroup hr html main multicol nav search section summary tbody tfoot
    thead colgroup col h1 h2 h3 h4 h5 h6 p blockquote pre listing xmp plaintext caption
    figcaption legend ol ul menu dir dl li dt dd table tr td th
""".split()
)
_OF_CODE_ALONE: Final = frozenset(
    """
    h1 h2 h3 h4 h5 h6 pre listing xmp plaintext caption figcaption legend td th dt summary a
""".split()
)
_LINE: Final = re.compile(
    "line|.*(?:(?:code|highlight|token|view|cm|CodeMirror)-line|ace_line(?:_group)?)", re.DOTALL
)


def is_border(node: LexborNode) -> bool:
    return node.tag in BORDERS


def is_line(node: LexborNode) -> bool:
    words = (node.attributes.get("class") or "").split()
    shown = said_in_style(node.attributes.get("style") or "").get("display", "")
    is_drawn = shown.startswith(("block", "flex", "grid")) or not {"block", "d-block"}.isdisjoint(
        words
    )
    return any(_LINE.fullmatch(word) for word in words) or (node.tag == "span" and is_drawn)


def is_block(code: LexborNode) -> bool:
    """Whether `code` is a block of lines."""
    own = list(islice(children(code), 64))
    first = next((each for each in own[:8] if is_element(each)), None)
    inner = first_of(first) if first is not None and first.tag == "div" else None
    is_box = inner is not None and is_element(inner) and is_border(inner)
    is_of_lines = first is not None and (
        (first.tag == "div" and not is_box) or is_line_in_text(first)
    )
    sides = [neighbour(code, step) for step in (previous, following)]
    is_apart = all(side is None or side.tag == "br" or is_border(side) for side in sides)
    has_breaks = any(
        each.tag == "br" and each.prev is not None and neighbour(each, following) is not None
        for each in own
    )
    is_inside = around(code, lambda each: each.tag in _OF_CODE_ALONE) is not None
    return is_apart and not is_inside and (is_of_lines or has_breaks)


def is_in_pre(node: LexborNode) -> bool:
    return around(node, lambda each: each.tag == "pre") is not None


def is_line_in_text(node: LexborNode) -> bool:
    return node.tag == "span" and is_line(node)


def follows_break(node: LexborNode) -> bool:
    return node.prev is not None and node.prev.tag == "br"


def is_between_lines(node: LexborNode) -> bool:
    text = text_of(node)
    if text.strip(" \t\n\x0c\r") or "\n" not in text:
        return False
    sides = [side for side in (node.prev, node.next) if side is not None]
    return bool(sides) and all(is_border(side) for side in sides)


def are_lines(root: LexborNode, is_line: Callable[[LexborNode], bool]) -> bool:
    first = [child for child in islice(children(root), 8) if is_element(child)][:2]
    return bool(first) and all(child.tag in {"div", "pre"} and is_line(child) for child in first)


def ends_in_line(node: LexborNode) -> bool:
    own = [child for child in islice(children(node), 8) if is_element(child)]
    return bool(own) and own[-1].tag == "pre" and is_line(own[-1])


def holds_lines(root: LexborNode) -> bool:
    text = ""
    for node in islice(within(root), 64):
        text += "\n" if node.tag == "br" else text_of(node).encode()[:4096].decode(errors="ignore")
        text = text.lstrip(" \t\n\x0c\r")
        if "\n" in text.rstrip(" \t\n\x0c\r"):
            return True
    return False


def may_be_blank_line(node: LexborNode) -> bool:
    own = list(children(node))[:4]
    is_named = node.tag in {"li", "td"} or is_line(node)
    return is_named or all(child.tag in {"-text", "br"} for child in own)
