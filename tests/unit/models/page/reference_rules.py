"""Rules of the reference walk: text, hidden elements, tables."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_formulas import script_media
from winnow.models.document import BlockKind

SPACES: Final = frozenset(
    "\t\n\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
    + "".join(map(chr, range(0x2000, 0x200B)))
)
_CONTROLS: Final = frozenset(map(chr, (*range(0x20), 0x7F))) - SPACES
DROPPED: Final = (
    _CONTROLS
    | frozenset("\xad\u200b\ufeff\ufff9\ufffa\ufffb")
    | frozenset(
        map(chr, (*range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xE0000, 0xE0080)))
    )
    | (frozenset(map(chr, range(0x80, 0xA0))) - SPACES)
)
BREAK: Final = "br"
SEAMS: Final = frozenset(
    "span b strong i em small ins del cite code a label time button img sup".split()
)
_CURRENCIES: Final = frozenset("$€£¥")
SEAM_ORDER: Final = ("", "edge", "part", "a", "named", "apart")
_APART: Final = frozenset(
    "amount badge count counter counts label marginnote notes num number nr qty quantity sidenote"
    " sidenotes".split()
)
# what React sends late: a script moves it to its place
_STREAMED: Final = re.compile(r"S:[0-9a-fA-F]+")

_WIDE: Final = re.compile(
    "[\u2e80-\u2fdf\u3001-\u312f\u3190-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    "\uff01-\uff9f\uffe0-\uffe6\U00020000-\U0003ffff]"
)
_EITHER: Final = frozenset("\u2014\u2018\u2019\u201c\u201d\u2026\xb7")
# without header cells, and with them
_MAX_CELL_BYTES: Final = (400, 1600)
_MAX_CELL_BLOCKS: Final = (3, 12)
_MAX_CODE_BYTES: Final = 400
_MAX_CODE_LINES: Final = 5
_MAX_INNER_BYTES: Final = 120
_MAX_COVERED: Final = 64
_ONLY_WITH_HEADER: Final = {BlockKind.HEADING, BlockKind.QUOTE, BlockKind.CODE}


@dataclass(frozen=True, slots=True)
class CutBlock:
    """A block with all its facts in the kernel's table."""

    text: str = ""
    kind: BlockKind = BlockKind.OTHER
    level: int = 0
    tag_path: str = ""
    link_chars: int = 0
    group: int = 0
    ordinal: int = 0
    lists: int = 0
    quotes: int = 0
    table: int = 0
    row: int = 0
    column: int = 0
    cell: int = 0
    header: bool = False
    cell_lists: int = field(default=0, compare=False)


@dataclass(slots=True)
class Table:
    """What a table shows of itself while it is walked."""

    is_layout: bool
    outer: CutBlock = field(default_factory=CutBlock)
    has_header_cell: bool = False
    rows: int = 0
    next_column: int = 0
    claimed: int = 0
    columns: int = 0
    covered: dict[int, int] = field(default_factory=dict)


def is_hidden(node: LexborNode, name: str) -> bool:
    """Whether attributes hide an element from readers."""
    attributes = node.attributes
    if name == "dialog" and "open" not in attributes:
        return True
    first = node.first_child
    if name == "body" or _STREAMED.fullmatch(attributes.get("id") or ""):
        return False
    if first is not None and first.tag == "math":
        return False
    return "hidden" in attributes or _hides(attributes.get("style") or "")


def is_formula_again(node: LexborNode) -> bool:
    """Whether an element draws a formula that is also given as text."""
    name = node.attributes.get("class") or ""
    if "true" in (node.attributes.get("aria-hidden") or "").split() and _is_said_in_mathml(node):
        return True
    if name.startswith("MathJax"):
        return any(script_media(each) for each in _next_elements(node, 2))
    before = previous_element(node)
    if name.startswith("mwe-math-fallback"):
        first = before.first_child if before is not None else None
        return first is not None and first.tag == "math"
    if name != "katex-html":
        return False
    return before is not None and before.attributes.get("class") == "katex-mathml"


def _is_said_in_mathml(node: LexborNode) -> bool:
    after = node.next
    if after is not None and (after.tag or "-").startswith(("-", "!")):
        after = after.next
    if after is None or (after.tag or "-").startswith(("-", "!")):
        return False
    said = [value or "" for value in after.attributes.values()]
    return after.tag == "mjx-assistive-mml" or any(
        value.startswith("MJX_Assistive_MathML") for value in said
    )


def _next_elements(node: LexborNode, most: int) -> list[LexborNode]:
    found: list[LexborNode] = []
    following = node.next
    while following is not None and len(found) < most:
        if not (following.tag or "").startswith(("-", "!")):
            found.append(following)
        following = following.next
    return found


def is_set_apart(node: LexborNode) -> bool:
    """Whether the class of an element says that it is not part of the text around it."""
    return not _APART.isdisjoint(_class_parts(node))


def is_unit(node: LexborNode) -> bool:
    """Whether the class of an element says that it is a unit."""
    return not {"unit", "units"}.isdisjoint(_class_parts(node))


def _class_parts(node: LexborNode) -> list[str]:
    read = (node.attributes.get("class") or "").encode()[:256].decode(errors="replace")
    parts = re.split("[^A-Za-z]", read)
    return [part.lower() for part in parts]


def seam(left: str, entered: str) -> str:
    """Name the relation of two adjacent elements, of which one may be text."""
    both = {"" if each == "sup" else each for each in (left, entered)}
    if "apart" in both:
        return "apart"
    if both & {"label", "time", "button", "img", "named"}:
        return "named" if all(both) else "part"
    if not all(both):
        return "edge"
    return "a" if both == {"a"} else "part"


def is_parted(kind: str, before: list[str], after: str, *, is_label: bool) -> bool:
    """Whether a space belongs between the characters of a block so far and the next text."""
    if not before or not after:
        return False
    last, first = before[-1], after[0]
    if last == ":":
        is_label = is_label or kind == "apart"
        is_value = first.isupper() or (is_label and _is_of_word(first))
        end = before[-2] if len(before) > 1 else ""
        return (end.islower() or (is_label and end.isupper())) and is_value
    is_price = _is_of_word(last) and first in _CURRENCIES
    is_price = is_price or (last in _CURRENCIES and first.isalpha())
    is_amount = last in "0123456789" and re.match("[$€£¥][0-9]", after) is not None
    is_amount = is_amount and kind not in {"", "edge"}
    if is_amount or (kind == "apart" and (is_price or not _is_of_word(last))):
        is_decimal = last == "." and first.isnumeric()
        is_end = last in '.!?)]"”»…¼½¾⅓⅔⅛' and _is_of_word(first) and not is_decimal
        return is_amount or is_price or is_end
    if not (_is_of_word(last) and _is_of_word(first)):
        return False
    is_alone = len(after) == 1
    if is_label and last.islower() and not first.islower() and not is_alone:
        return True
    is_only = sum(character not in SPACES for character in before) == 1
    is_capital = last.islower() and first.isupper()
    is_word = not is_only and (is_capital or not (is_alone or first.islower()))
    return kind not in {"", "edge", "part"} or (kind == "part" and is_word)


def _is_of_word(character: str) -> bool:
    return character.islower() or character.isupper() or character in "0123456789"


def previous_element(node: LexborNode) -> LexborNode | None:
    """Return the element before another, comments and text passed over."""
    before = node.prev
    while before is not None and (before.tag or "").startswith(("-", "!")):
        before = before.prev
    return before


def said_in_style(style: str) -> dict[str, str]:
    """Return the values of a style by name, of several the last."""
    said: dict[str, str] = {}
    for declaration in style.split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            said[_trimmed(name).lower()] = _trimmed(value.partition("!")[0]).lower()
    return said


_WHITE_SPACE: Final = {
    "pre": "pre",
    **dict.fromkeys(
        ("pre-wrap", "pre-line", "break-spaces", "preserve", "preserve-breaks"), "lines"
    ),
    **dict.fromkeys(("normal", "nowrap", "collapse"), "normal"),
}
_HOLDS_LINES: Final = re.compile("fragment|[cC]ode|view-lines|cm-content|text-layer")
_OF_CLASS: Final = re.compile("(?:.*-)?(?:pre-wrap|pre-line|prewrap|break-spaces)", re.DOTALL)


def white_space_of(node: LexborNode) -> str:
    """Return what the style, or else the class, of an element makes of white space."""
    said = ""
    for declaration in (node.attributes.get("style") or "").split(";"):
        name, _, value = declaration.partition(":")
        if _trimmed(name).lower() in {"white-space", "white-space-collapse"}:
            said = _WHITE_SPACE.get(_trimmed(value.partition("!")[0]).lower(), said)
    for word in (node.attributes.get("class") or "").split():
        if said:
            break
        if word in {"whitespace-pre", "white-space-pre"}:
            said = "pre"
        elif _OF_CLASS.fullmatch(word):
            said = "lines"
    if not said and _HOLDS_LINES.search(node.attributes.get("class") or ""):
        return "of-lines"
    return said


def _hides(style: str) -> bool:
    said = said_in_style(style)
    return said.get("display") == "none" or said.get("visibility") == "hidden"


def _trimmed(text: str) -> str:
    return text.strip(" \t\n\x0c\r")


def number(node: LexborNode, name: str, otherwise: int) -> int:
    """Return the number in an attribute, `otherwise` if there is none."""
    digits = _trimmed(node.attributes.get(name) or "")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= 9
    return int(digits) if is_number else otherwise


def within_lines(text: str) -> str:
    """Replace line breaks at the ends of a text by spaces: they do not break it."""
    inner = text.strip("".join(SPACES | DROPPED))
    before, _, after = text.partition(inner) if inner else (text, "", "")
    to_spaces = str.maketrans("\r\n", "  ")
    return before.translate(to_spaces) + inner + after.translate(to_spaces)


def uniform(pieces: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Make white space uniform; each character says whether it is in a link."""
    text: list[tuple[str, bool]] = []
    gap: list[tuple[str, bool]] = []
    for character, in_link in pieces:
        if character in DROPPED:
            continue
        if character == BREAK or character in SPACES:
            gap.append((character, in_link))
            continue
        if gap and text and not _is_joined(text[-1][0], gap, character):
            is_break = any(each == BREAK for each, _ in gap)
            text.append(("\n" if is_break else " ", gap[0][1]))
        gap = []
        text.append((character, in_link))
    return text


def _is_joined(before: str, gap: list[tuple[str, bool]], after: str) -> bool:
    """Whether a gap is a line break of the source between wide letters."""
    spaces = {character for character, _ in gap}
    if not spaces <= set(" \t\n\x0c\r") or not spaces & {"\n", "\r"}:
        return False
    is_wide = [_WIDE.match(each) is not None for each in (before, after)]
    is_either = [each in _EITHER for each in (before, after)]
    return any(is_wide) and all(map(max, is_wide, is_either))


def preformatted(pieces: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Cut white space off the end of code."""
    text = list(pieces)
    while text and text[-1][0] in " \t\n\x0c":
        text.pop()
    return text


def placed(table: Table, columns: int, rows: int) -> int:
    """Put a cell into its row; return its first column."""
    columns = max(1, min(columns, 1000))
    table.claimed = min(table.claimed + columns, 65535)
    table.columns = max(table.columns, table.claimed)
    column = table.next_column
    while table.covered.get(column, -1) >= table.rows:
        column += 1
    table.next_column = min(column + columns, 65535)
    if rows > 1:
        for covered in range(column, min(table.next_column, _MAX_COVERED)):
            table.covered[covered] = table.rows + rows - 1
    return column


def settled(blocks: list[CutBlock], tables: list[Table]) -> Iterator[CutBlock]:
    """Take the tables of layout out of the blocks."""
    held = _held(blocks, tables)
    data = {number for number, own in held.items() if _is_data(tables[number - 1], own)}
    for block in blocks:
        outer = tables[block.table - 1].outer if block.table else CutBlock()
        if outer.table in data:
            yield _put_in(block, outer)
        elif block.table and block.table not in data:
            yield _released(block)
        elif block.table and block.kind not in {BlockKind.TABLE_CELL, BlockKind.CAPTION}:
            yield replace(
                block,
                quotes=block.quotes - (block.kind is BlockKind.QUOTE),
                kind=BlockKind.TABLE_CELL,
                level=0,
                group=block.cell,
                ordinal=0,
                lists=block.cell_lists,
            )
        else:
            yield block


def _held(blocks: list[CutBlock], tables: list[Table]) -> dict[int, list[CutBlock]]:
    held: dict[int, list[CutBlock]] = {number: [] for number in range(1, len(tables) + 1)}
    for block in blocks:
        if not block.table:
            continue
        if block.kind is not BlockKind.CAPTION:
            held[block.table].append(block)
        outer = tables[block.table - 1].outer
        if outer.table:
            is_plain = block.kind is BlockKind.TABLE_CELL and not block.header
            is_small = is_plain and len(block.text.encode()) <= _MAX_INNER_BYTES
            tables[outer.table - 1].is_layout |= not is_small
            held[outer.table].append(_put_in(block, outer))
    return held


def _is_data(table: Table, blocks: list[CutBlock]) -> bool:
    kinds = {block.kind for block in blocks if block.cell}
    has_header = any(block.header for block in blocks)
    sizes = Counter(block.cell for block in blocks)
    allowed = {BlockKind.TABLE_CELL, BlockKind.LIST_ITEM}
    allowed |= _ONLY_WITH_HEADER if has_header else set()
    is_long_code = any(block.kind is BlockKind.CODE and _is_long(block.text) for block in blocks)
    has_linked_list = any(
        block.kind is BlockKind.LIST_ITEM and block.link_chars for block in blocks
    )
    return (
        not (table.is_layout or is_long_code)
        and table.rows > 1
        and table.columns > 1
        and all(block.cell for block in blocks)
        and kinds <= allowed
        and (has_header or not has_linked_list)
        and all(len(block.text.encode()) <= _MAX_CELL_BYTES[has_header] for block in blocks)
        and max(sizes.values(), default=0) <= _MAX_CELL_BLOCKS[has_header]
    )


def _is_long(code: str) -> bool:
    lines = code.count("\n") + 1
    return lines > 1 and (lines > _MAX_CODE_LINES or len(code.encode()) > _MAX_CODE_BYTES)


def _put_in(block: CutBlock, cell: CutBlock) -> CutBlock:
    """Return a block of a table in a cell as a block of that cell."""
    return replace(
        cell,
        text=block.text,
        link_chars=block.link_chars,
        tag_path=block.tag_path,
        kind=BlockKind.TABLE_CELL,
        group=cell.cell,
        level=0,
        ordinal=0,
        lists=cell.cell_lists,
    )


def _released(block: CutBlock) -> CutBlock:
    kind = block.kind
    if kind is BlockKind.TABLE_CELL:
        is_paragraph = block.tag_path.endswith("/p")
        kind = BlockKind.PARAGRAPH if is_paragraph else BlockKind.OTHER
    return replace(block, kind=kind, table=0, row=0, column=0, header=False)
