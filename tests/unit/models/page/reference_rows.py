"""Labels in front of their texts in rows that are alike: part of the tests' oracle."""

import re
from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_near import (
    first_of,
    following,
    is_element,
    neighbour,
    previous,
    same,
    short_text,
)

_TIME: Final = re.compile(r"[\[(]?[0-9]{1,2}(?::[0-9]{2})+(?:[.,]\S*)?[\])]?")


def row_seam(left: LexborNode, line: str) -> str:
    """Name what an element that was left counts as, if it is a time or the label of a row."""
    own = short_text(left, 48) or ""
    if not line.endswith(own):
        return ""
    last = re.split(r"\s", line)[-1]
    if len(last) <= 14 and _TIME.fullmatch(last):
        return "apart" if own == last else ""
    rest = line.removesuffix(own)
    if not own or not _begins_row(left):
        return ""
    if re.fullmatch("[0-9]{1,3}", own) and rest[-1:] in {"", " "}:
        return "apart"
    if rest or len(own) < 3 or not own[0].isupper() or ":" in own or own[-1] in "0123456789":
        return ""
    return "apart" if " " in own and left.tag == "span" and _class(left) else "named"


def _begins_row(left: LexborNode) -> bool:
    row = left.parent
    if row is None or row.tag not in {"p", "div", "span", "li"}:
        return False
    if row.tag == "li" and left.tag == "sup":
        return False
    first = first_of(row)
    if first is None or not same(first, left):
        return False
    return any(_begins_alike(neighbour(row, step), left) for step in (following, previous))


def _begins_alike(row: LexborNode | None, left: LexborNode) -> bool:
    assert left.parent is not None
    if row is None or not _is_like(row, left.parent):
        return False
    first = first_of(row)
    return first is not None and _is_like(first, left)


def _is_like(left: LexborNode, right: LexborNode) -> bool:
    is_same = left.tag == right.tag
    return is_same and is_element(left) and _class(left) == _class(right)


def _class(node: LexborNode) -> str:
    return node.attributes.get("class") or ""
