"""Read a parsed page into flat columns, one row a node below and with `body`."""

from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

TEXT: Final = "#text"
_TAGS_OF_LEXBOR: Final = {"-text": TEXT, "-comment": "#comment"}


@dataclass(frozen=True, slots=True)
class Dom:
    """The nodes of a page in document order; row 0 is `body`. Empty for a page without one.

    Attributes:
        tags: element name, `#text` or `#comment`.
        parents: row of the parent, -1 for `body`.
        texts: the characters of a text node, else empty.
        classes: the `class` attribute, words separated by white space; empty if there is none.
        ids: the `id` attribute, empty if there is none.
    """

    tags: tuple[str, ...]
    parents: tuple[int, ...]
    texts: tuple[str, ...]
    classes: tuple[str, ...]
    ids: tuple[str, ...]


def dom_of(page: LexborHTMLParser) -> Dom:
    """Walk the page without recursion, so that no nesting is too deep."""
    tags: list[str] = []
    parents: list[int] = []
    texts: list[str] = []
    classes: list[str] = []
    ids: list[str] = []
    stack: list[tuple[LexborNode, int]] = [(page.body, -1)] if page.body is not None else []
    while stack:
        node, parent = stack.pop()
        row = len(tags)
        name = node.tag or ""
        tags.append(_TAGS_OF_LEXBOR.get(name, name))
        parents.append(parent)
        texts.append((node.text_content or "") if name == "-text" else "")
        attributes = {} if name.startswith("-") else node.attributes
        classes.append(attributes.get("class") or "")
        ids.append(attributes.get("id") or "")
        # the next sibling waits below the children: rows come out in document order
        if parent >= 0 and node.next is not None:
            stack.append((node.next, parent))
        if node.first_child is not None:
            stack.append((node.first_child, row))
    return Dom(tuple(tags), tuple(parents), tuple(texts), tuple(classes), tuple(ids))
