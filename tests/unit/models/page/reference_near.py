"""The text in and around an element: part of the tests' oracle."""

from collections.abc import Callable, Iterator
from typing import Final

from selectolax.lexbor import LexborNode

MAX_NODES: Final = 64
_SILENT: Final = frozenset(("script", "style", "template"))
_BLANK: Final = " \t\n\x0c\r\xa0\u200b\u2060\ufeff"
Step = Callable[[LexborNode], LexborNode | None]


def is_element(node: LexborNode) -> bool:
    """Whether a node is an element."""
    return not (node.tag or "-").startswith(("-", "!", "#", "?"))


def text_of(node: LexborNode) -> str:
    """Return the text of a text node, nothing for others."""
    return (node.text_content or "") if node.tag == "-text" else ""


def children(node: LexborNode) -> Iterator[LexborNode]:
    """Walk over the children of a node."""
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def within(root: LexborNode, *, silent: bool = False) -> Iterator[LexborNode]:
    """Walk over a node and all under it, in document order, not into what `silent` leaves out."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if silent or node.tag not in _SILENT:
            waiting.extend(reversed(list(children(node))))


def short_text(root: LexborNode, most: int) -> str | None:
    """Return the text of a node, trimmed; `None` if it is long or of many nodes."""
    text = ""
    for number, node in enumerate(within(root)):
        if number == MAX_NODES:
            return None
        text += text_of(node)
        if len(text.encode()) > most:
            return None
    return text.strip(_BLANK)


def has_words(text: str) -> bool:
    """Whether a text has a letter or a digit."""
    return any(character.isalnum() for character in text)


def around(node: LexborNode, is_wanted: Callable[[LexborNode], bool]) -> LexborNode | None:
    """Return the nearest of five elements around a node that is wanted."""
    at = node.parent
    for _ in range(5):
        if at is None:
            return None
        if is_wanted(at):
            return at
        at = at.parent
    return None


def same(left: LexborNode | None, right: LexborNode | None) -> bool:
    """Whether two nodes are one."""
    return left is not None and right is not None and left.mem_id == right.mem_id


def neighbour(node: LexborNode, step: Step) -> LexborNode | None:
    """Return the node next to another one, white space passed over."""
    found = step(node)
    if found is not None and not is_element(found) and not text_of(found).strip(" \t\n\x0c\r"):
        return step(found)
    return found


def previous(node: LexborNode) -> LexborNode | None:
    """Return the node before another one."""
    return node.prev


def following(node: LexborNode) -> LexborNode | None:
    """Return the node after another one."""
    return node.next


def first_of(node: LexborNode) -> LexborNode | None:
    """Return the first child of an element, white space passed over."""
    first = node.first_child
    if first is not None and first.tag == "-text" and not text_of(first).strip(" \t\n\x0c\r"):
        return first.next
    return first
