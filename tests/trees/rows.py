"""Trees of markup as rows of depth, name and text: the kernel's, and selectolax's to compare with.

Rows start at the root element. What a `template` holds is left out, as readers leave it.
"""

from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from winnow.models._kernel import Tree
from winnow.models.page import DEFAULT_LIMITS

Row = tuple[int, str, str]

# lexbor makes nodes of their own of what the standard calls bogus comments: `<?` and what follows
_INSTRUCTION: Final = "?"


def kernel_rows(markup: str, *, is_xml: bool = False, is_repaired: bool = True) -> list[Row]:
    """Return the rows of the tree that the kernel builds."""
    rows = Tree(markup, DEFAULT_LIMITS, is_xml=is_xml, is_repaired=is_repaired).rows()
    first = next(at for at, (_, name, _) in enumerate(rows) if not name.startswith("-"))
    below = (at for at, (depth, _, _) in enumerate(rows) if depth == 0 and at > first)
    return list(map(_comparable, rows[first : next(below, len(rows))]))


def lexbor_rows(markup: str) -> list[Row]:
    """Return the rows of the tree that lexbor builds.

    Texts that follow each other are one, as the standard says: before tables lexbor leaves them.
    """
    rows: list[Row] = []
    for row in _rows(LexborHTMLParser(markup.encode(errors="replace")).root):
        if row[1] == "-text" and rows and rows[-1][:2] == row[:2]:
            rows[-1] = (*row[:2], rows[-1][2] + row[2])
        else:
            rows.append(row)
    return rows


def _rows(root: LexborNode | None) -> Iterator[Row]:
    node, depth = root, 0
    while node is not None:
        name = node.tag or "-comment"
        if name in {"-text", "-comment"}:
            yield _comparable((depth, name, _text(node)))
        elif not name.startswith(("!", "-")):
            yield depth, name.lower(), ""
        if node.child is not None:
            node, depth = node.child, depth + 1
            continue
        while node is not None and node.next is None and depth:
            node, depth = node.parent, depth - 1
        node = node.next if node is not None and depth else None


def _comparable(row: Row) -> Row:
    depth, name, text = row
    is_instruction = name == "-comment" and text.startswith(_INSTRUCTION)
    return (depth, name, _INSTRUCTION) if is_instruction else row


def _text(node: LexborNode) -> str:
    if node.tag == "-text":
        return node.text_content or ""
    # the content that selectolax gives is trimmed
    return (node.html or "")[4:-3] if node.tag else _INSTRUCTION
