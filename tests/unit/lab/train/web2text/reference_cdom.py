"""Collapse the DOM: nodes without text vanish, a node with one child merges with it.

Vogels, Ganea, Eickhoff, "Web2Text: Deep Structured Boilerplate Removal", ECIR 2018, section 3.1.
The leaves of the collapsed DOM, in document order, are the blocks that the engine labels.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tests.unit.lab.train.web2text.reference_dom import TEXT, Dom

# subtrees without visible text; the authors' list, including names that are not elements
# fmt: off
SKIPPED: Final = frozenset(
    (
        "br", "checkbox", "head", "hr", "iframe", "img", "input", "meta", "noscript", "radio",
        "script", "select", "style", "textarea", "title", "video",
    )
)
BLOCK_ELEMENTS: Final = frozenset(
    (
        "address", "article", "aside", "blockquote", "body", "br", "canvas", "center",
        "checkbox", "dd", "div", "dl", "fieldset", "figcaption", "figure", "footer", "form",
        "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "iframe",
        "input", "li", "main", "nav", "noscript", "ol", "output", "p", "pre", "radio",
        "section", "select", "table", "tbody", "td", "textarea", "tfoot", "thead", "tr", "ul",
        "video",
    )
)
# fmt: on
_WHITE: Final = re.compile(r"[ \t\n\f\r]+")
# ASCII white space and the Unicode separators (categories Zs, Zl, Zp)
_BLANK: Final = re.compile(r"[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*")


@dataclass(slots=True)
class CdomNode:
    """A node of the collapsed DOM; a leaf holds text, an inner node two children or more.

    Attributes:
        tags: own element name, followed by the names of the nodes merged into it.
        classes: words of the class attributes, in the same order.
        ids: id attributes, in the same order.
        in_link: every character below is inside an `a` that is merged into this node.
        text: white space normalised but not trimmed; empty for an inner node.
        breaks_before, breaks_after: a block element ends or begins there.
        has_form: an `input` is somewhere below (inner nodes only).
    """

    tags: tuple[str, ...]
    classes: tuple[str, ...]
    ids: tuple[str, ...]
    text: str
    breaks_before: bool
    breaks_after: bool
    has_form: bool = False
    in_link: bool = False
    children: list["CdomNode"] = field(default_factory=list)


def collapse(dom: Dom) -> CdomNode | None:
    """Return the root of the collapsed DOM, or None for a page without text."""
    neighbours = _sibling_breaks(dom)
    with_input = _rows_above_inputs(dom)
    children: list[list[CdomNode]] = [[] for _ in dom.tags]
    root: CdomNode | None = None
    hidden = _hidden(dom)
    for row in range(len(dom.tags) - 1, -1, -1):
        if hidden[row]:
            continue
        breaks = neighbours[row]
        if dom.tags[row] == TEXT:
            node = _leaf(dom.texts[row], breaks)
        else:
            node = _element(dom, row, children[row][::-1], breaks, with_input)
        if node is not None and row:
            children[dom.parents[row]].append(node)
        root = node
    return root


def leaves(root: CdomNode | None) -> Iterator[CdomNode]:
    """Yield the blocks in document order."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        if not node.children:
            yield node
        stack.extend(reversed(node.children))


def _hidden(dom: Dom) -> list[bool]:
    hidden: list[bool] = []
    for tag, parent in zip(dom.tags, dom.parents, strict=True):
        is_hidden = tag in SKIPPED or tag == "#comment"
        hidden.append(is_hidden or (parent >= 0 and hidden[parent]))
    return hidden


def _sibling_breaks(dom: Dom) -> list[tuple[bool, bool]]:
    """Say for each row whether the sibling before and the sibling after is a block element."""
    before = [False] * len(dom.tags)
    after = [False] * len(dom.tags)
    last_child: dict[int, int] = {}
    for row, parent in enumerate(dom.parents):
        sibling = last_child.get(parent)
        if sibling is not None:
            before[row] = dom.tags[sibling] in BLOCK_ELEMENTS
            after[sibling] = dom.tags[row] in BLOCK_ELEMENTS
        last_child[parent] = row
    return list(zip(before, after, strict=True))


def _rows_above_inputs(dom: Dom) -> set[int]:
    above: set[int] = set()
    for row, tag in enumerate(dom.tags):
        parent = dom.parents[row]
        while tag == "input" and parent >= 0 and parent not in above:
            above.add(parent)
            parent = dom.parents[parent]
    return above


def _leaf(text: str, breaks: tuple[bool, bool]) -> CdomNode | None:
    if _BLANK.fullmatch(text):
        return None
    return CdomNode((TEXT,), (), (), _WHITE.sub(" ", text), *breaks)


def _element(
    dom: Dom, row: int, children: list[CdomNode], breaks: tuple[bool, bool], with_input: set[int]
) -> CdomNode | None:
    if not children:
        return None
    tag = dom.tags[row]
    is_block = tag in BLOCK_ELEMENTS
    before, after = is_block or breaks[0], is_block or breaks[1]
    if before:
        _pass_down_before(children[0])
    if after:
        _pass_down_after(children[-1])
    classes, ids = tuple(dom.classes[row].split()), tuple(dom.ids[row].split())
    if len(children) > 1:
        has_form = row in with_input
        return CdomNode((tag,), classes, ids, "", before, after, has_form, tag == "a", children)
    child = children[0]
    return CdomNode(
        (tag, *child.tags),
        classes + child.classes,
        ids + child.ids,
        child.text,
        before,
        after,
        child.has_form,
        child.in_link or tag == "a",
        child.children,
    )


def _pass_down_before(node: CdomNode) -> None:
    """Let the first blocks below inherit the break, down to one that has it already."""
    while not node.breaks_before:
        node.breaks_before = True
        if not node.children:
            return
        node = node.children[0]


def _pass_down_after(node: CdomNode) -> None:
    while not node.breaks_after:
        node.breaks_after = True
        if not node.children:
            return
        node = node.children[-1]
