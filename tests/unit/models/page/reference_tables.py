"""Tables by the `role` or the style of their elements, footers: part of the tests' oracle."""

import re
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_near import children, is_element, same, text_of, within
from tests.unit.models.page.reference_rules import is_hidden, said_in_style

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
_SAYING: Final = frozenset(
    (
        "yes,ja,oui,sí,si,sì,sim,da,"
        "да,так,ano,tak,áno,igen,ναι,evet,"
        "כן,نعم,はい,是,예,kyllä,jah,taip,"
        "có,check,checked,checkmark,check mark,tick,included,available,"
        "supported,enabled,full,full support,no,nein,non,não,"
        "nao,нет,ні,не,ne,nie,nem,nu,"
        "όχι,hayır,לא,لا,いいえ,否,아니요,ei,"
        "tidak,không,nee,nej,nei,cross,not included,not available,"
        "not supported,unsupported,unavailable,disabled,unchecked,no support,partial,"
        "partial support"
    ).split(",")
)
_TICKS: Final = frozenset(("check", "checkmark", "checked", "tick", "ok", "yes", "true"))
_CROSSES: Final = frozenset(("times", "cross", "xmark", "remove", "no", "x", "false"))
_LEVELS: Final = 5
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


def sign_of(cell: LexborNode) -> tuple[str, LexborNode] | None:
    """Return what the picture that is all of a cell says, and the picture."""
    chain: list[LexborNode] = []
    at = _only_element(cell)
    while at is not None and len(chain) < _LEVELS and at.tag not in {"a", "button", "label"}:
        chain.append(at)
        if at.tag in {"img", "svg"} or at.first_child is None:
            said = _said_by(chain)
            return (said, at) if said else None
        at = _only_element(at)
    return None


def _said_by(chain: list[LexborNode]) -> str:
    is_image = chain[-1].tag == "img"
    alt, title = (_trimmed(chain[-1], name) if is_image else "" for name in ("alt", "title"))
    if any(is_hidden(node, node.tag or "") for node in chain) or (alt and not _says(alt)):
        return ""
    names = [alt, title] if is_image else [_name_of(node) for node in chain]
    named = next((name for name in names if _says(name)), "")
    by_class = [said for node in chain for said in _said_by_class(node)]
    return named or (by_class[0] if len(set(by_class)) == 1 else "")


def _says(name: str) -> bool:
    return name.lower() in _SAYING


def _trimmed(node: LexborNode, name: str) -> str:
    return (node.attributes.get(name) or "").strip(" \t\n\x0c\r")


def _only_element(node: LexborNode) -> LexborNode | None:
    kept = [
        child
        for child in children(node)
        if is_element(child) or text_of(child).strip(" \t\n\x0c\r")
    ]
    return kept[0] if len(kept) == 1 and is_element(kept[0]) else None


def _said_by_class(node: LexborNode) -> list[str]:
    parts = set(re.split("[^A-Za-z0-9]", node.attributes.get("class") or ""))
    said = [bool(parts & _TICKS), bool(parts & _CROSSES)]
    return {(True, False): ["\u2713"], (False, True): ["\u2717"]}.get((said[0], said[1]), [])


def _name_of(node: LexborNode) -> str:
    wanted = {"alt", "aria-label", "title"}
    names = [value for name, value in node.attributes.items() if name in wanted]
    if node.tag == "svg":
        titles = [child for child in children(node) if child.tag == "title"]
        first = titles[0].first_child if titles else None
        names.append(text_of(first) if first is not None else "")
    stripped = [(name or "").strip(" \t\n\x0c\r") for name in names]
    return next((each for each in stripped if each.lower() in _SAYING), "")


def _early_footer(table: LexborNode | None) -> LexborNode | None:
    if table is None or table.tag != "table":
        return None
    below = list(children(table))
    for number, child in enumerate(below, 1):
        rows = below[number : number + _MAX_SIBLINGS]
        if child.tag == "tfoot" and any(row.tag in {"tbody", "tr"} for row in rows):
            return child
    return None
