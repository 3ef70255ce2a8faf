"""Tables by the `role` or the style of their elements, footers: part of the tests' oracle."""

from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_near import children, same, within
from tests.unit.models.page.reference_rules import said_in_style

_ROLES: Final = {
    **dict.fromkeys(("table", "grid", "treegrid"), "table"),
    "caption": "caption",
    "row": "tr",
    **dict.fromkeys(("cell", "gridcell"), "td"),
    **dict.fromkeys(("columnheader", "rowheader"), "th"),
}
_DISPLAYS: Final = {
    **dict.fromkeys(("table", "inline-table"), "table"),
    "table-caption": "caption",
    "table-row": "tr",
    "table-cell": "td",
}
_MAX_NODES: Final = 512
_MAX_SIBLINGS: Final = 16


def part_of(node: LexborNode, *, is_inside: bool) -> str:
    """Return the name of the element of tables that another element is like, or nothing."""
    part = _said(node)
    if part == "table":
        return part if _holds_rows(node) else ""
    return part if is_inside else ""


def _said(node: LexborNode) -> str:
    role = (node.attributes.get("role") or "").strip(" \t\n\x0c\r").lower()
    display = said_in_style(node.attributes.get("style") or "").get("display") or ""
    return _ROLES.get(role) or _DISPLAYS.get(display) or ""


def _holds_rows(root: LexborNode) -> bool:
    rows = cells = most = 0
    for node in islice(within(root), 1, _MAX_NODES + 1):
        if node.tag == "table":
            return False
        part = _said(node)
        if part == "tr":
            rows, cells = rows + 1, 0
        elif part in {"td", "th"}:
            cells += 1
            most = max(most, cells)
        if rows > 1 and most > 1:
            return True
    return False


def first_shown(node: LexborNode) -> LexborNode | None:
    """Return the first child of a node, a footer above the rows of its table passed over."""
    first = node.first_child
    return first.next if first is not None and same(first, _early_footer(node)) else first


def next_shown(node: LexborNode) -> LexborNode | None:
    """Return the node after another one; a footer comes after all rows of its table."""
    footer = _early_footer(node.parent)
    if footer is None:
        return node.next
    if same(node, footer):
        return None
    after = footer.next if same(node.next, footer) else node.next
    return footer if after is None else after


def _early_footer(table: LexborNode | None) -> LexborNode | None:
    if table is None or table.tag != "table":
        return None
    below = list(children(table))
    for number, child in enumerate(below, 1):
        rows = below[number : number + _MAX_SIBLINGS]
        if child.tag == "tfoot" and any(row.tag in {"tbody", "tr"} for row in rows):
            return child
    return None
