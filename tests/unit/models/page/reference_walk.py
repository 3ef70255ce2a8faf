"""The walk of the kernel again, slow and plain, on selectolax's public interface.

It is the oracle of the tests: `tests/unit/models/page/test_reference.py` holds both equal. The
kernel (`models/kernel/src/page`) says why each rule exists; this module says what it does.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.unit.models.page.reference_buttons import is_text
from tests.unit.models.page.reference_controls import (
    is_left_out,
    is_listing,
    is_unseen,
    without_edit_brackets,
)
from tests.unit.models.page.reference_formulas import drawn_tex, math_tex, script_formula
from tests.unit.models.page.reference_initials import initial_of
from tests.unit.models.page.reference_lines import (
    BORDERS,
    are_lines,
    ends_in_line,
    follows_break,
    holds_lines,
    is_between_lines,
    is_block,
    is_border,
    is_in_pre,
    is_line,
    is_line_in_text,
    may_be_blank_line,
)
from tests.unit.models.page.reference_near import (
    around,
    short_text,
    text_of,
)
from tests.unit.models.page.reference_quotations import (
    is_mark,
    language_of_page,
    marks_of,
    starts_with_mark,
)
from tests.unit.models.page.reference_rows import row_seam
from tests.unit.models.page.reference_rules import (
    BREAK,
    DROPPED,
    SEAM_ORDER,
    SEAMS,
    SPACES,
    CutBlock,
    Table,
    is_formula_again,
    is_hidden,
    is_parted,
    is_set_apart,
    is_unit,
    number,
    placed,
    preformatted,
    previous_element,
    seam,
    settled,
    uniform,
    white_space_of,
    within_lines,
)
from tests.unit.models.page.reference_shifted import shifted
from tests.unit.models.page.reference_tables import first_shown, next_shown, part_of, sign_of
from winnow.models.document import BlockKind

_MAX_LABEL: Final = 48


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SKIPPED: Final = _words("""
    style template noscript select option optgroup datalist textarea button input iframe
    object canvas audio video svg noembed noframes applet title meta link base script
""")
_DECIDING: Final = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), BlockKind.HEADING),
    **dict.fromkeys(("li", "dt", "dd"), BlockKind.LIST_ITEM),
    **dict.fromkeys(("td", "th"), BlockKind.TABLE_CELL),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), BlockKind.CODE),
    **dict.fromkeys(("caption", "figcaption", "legend"), BlockKind.CAPTION),
    "blockquote": BlockKind.QUOTE,
}
_PLAIN: Final = _words("""
    address article aside body center details dialog div fieldset figure footer form frameset
    head header hgroup hr html main multicol nav search section summary tbody tfoot thead
    colgroup col p
""")
_LISTS: Final = frozenset(("ol", "ul", "menu", "dir", "dl"))
_OF_OTHERS: Final = _words("""
    h1 h2 h3 h4 h5 h6 blockquote pre listing xmp plaintext caption figcaption legend table tr td th
    a time
""")


_TOGGLES: Final = frozenset(("aria-expanded", "data-toggle", "data-bs-toggle"))


@dataclass(slots=True)
class _List:
    is_ordered: bool
    following: int


_End = Callable[["_Frame"], None]


@dataclass(frozen=True, slots=True)
class _Frame:
    """What the open elements mean for the text at one place."""

    block: CutBlock = field(default_factory=CutBlock)
    is_preformatted: bool = False
    list: _List | None = None
    numbers_lines: bool = False
    is_listing: bool = False
    is_by_role: bool = False
    keeps_lines: bool = False
    # the last element that was entered, or the one that it is by its role
    entered: str = ""
    in_link: bool = False

    def continues(self, around: "_Frame") -> bool:
        """Whether text here goes on with the code of another frame."""
        return (
            self.is_preformatted
            and around.is_preformatted
            and self.block.kind is around.block.kind is BlockKind.CODE
            and self.block.group == around.block.group
        )


def cut(tree: LexborHTMLParser) -> list[CutBlock]:
    """Cut a parsed page into blocks."""
    return _Walk().blocks_of(tree)


class _Walk:
    def __init__(self) -> None:
        self._blocks: list[CutBlock] = []
        self._pieces: list[tuple[str, bool]] = []
        self._tables: list[Table] = []
        self._groups = 0
        # the last closed element while nothing follows it, what it meets, and whether it is a label
        self._left: LexborNode | None = None
        self._seam = ""
        self._is_label = False
        # nothing was written since the border of a line of code, and whether that was its start
        self._is_line_start = self._is_line_entered = False
        # the first letter of a text that follows
        self._initial: tuple[str, int] | None = None
        self._marks: list[str] = []
        self._mark_end = -1
        self._language = ""

    def blocks_of(self, tree: LexborHTMLParser) -> list[CutBlock]:
        if tree.root is not None:
            self._language = language_of_page(tree.root)
            self._children(tree.root, _Frame())
            self._end(_Frame())
        return list(settled(self._blocks, self._tables))

    def _children(self, node: LexborNode, frame: _Frame) -> None:
        # a stack of what is still to be done: recursion would end at Python's limit
        waiting: list[tuple[LexborNode | None, _Frame, _End | None]]
        waiting = [(first_shown(node), frame, None)]
        while waiting:
            child, around, end = waiting.pop()
            if end is not None:
                end(around)
            elif child is not None:
                waiting.append((next_shown(child), around, None))
                inside = self._enter(child, around)
                if inside is not None:
                    ending = self._open(child, inside, around)
                    if ending is not None:
                        waiting.append((None, inside, ending))
                    waiting.append((first_shown(child), inside, None))

    def _open(self, node: LexborNode, frame: _Frame, around: _Frame) -> _End | None:
        """Return what is done when an element that was entered is left again."""
        if frame.entered in BORDERS:
            is_line = frame.continues(around)
            return partial(self._leave_line, node) if is_line else self._end
        if node.tag == "q":
            return self._quoted(node, frame)
        if _is_bare_reading(node):
            self._write("(", frame)
            return self._end_reading
        if node.tag not in SEAMS:
            return None
        self._meet(node, frame)
        return partial(self._leave, node) if node.first_child is not None else None

    def _enter(self, node: LexborNode, frame: _Frame) -> _Frame | None:
        """Take a node in; return the frame for its children, `None` to pass over them."""
        name = node.tag or ""
        self._enter_text(node, frame)
        if name.startswith(("-", "!", "#", "?")):
            return None
        if name == "br":
            self._line_break(frame)
        if self._is_passed_over(node, name, frame):
            self._formula(script_formula(node), frame)
            return None
        tex = math_tex(node) if name == "math" else drawn_tex(node)
        initial = self._initial_of(node, frame)
        if name == "math" or tex or initial:
            self._formula(tex, frame)
            self._initial = (None if name == "math" or tex else initial) or self._initial
            return None
        name, keeps_lines = _spaced(node, self._named(node, name, frame), frame)
        frame = replace(frame, keeps_lines=keeps_lines)
        if name in BORDERS:
            inside = replace(self._framed(node, name, frame), entered=name)
            if inside.continues(frame):
                self._line_border()
                self._is_line_entered = True
            else:
                self._end(frame)
            if name in {"td", "th"} and not inside.is_preformatted:
                self._say(node, inside)
            return inside
        self._enter_line(node, frame)
        address = node.attributes.get("href") if name == "a" else None
        is_toggle = bool(_TOGGLES.intersection(node.attributes))
        is_in_heading = frame.block.kind is BlockKind.HEADING
        opens_part = is_toggle and is_in_heading and (address or "").startswith("#")
        is_link = name == "a" and "href" in node.attributes and not opens_part
        inside = replace(frame, in_link=frame.in_link or is_link, entered=name)
        is_row = name == "a" and part_of(node, is_inside=frame.is_by_role) == "tr"
        row = self._row(frame.block.table) if is_row else frame.block.row
        return replace(inside, block=replace(frame.block, row=row))

    def _initial_of(self, node: LexborNode, frame: _Frame) -> tuple[str, int] | None:
        is_open = any(piece not in {*SPACES, *DROPPED} for piece, _ in self._pieces)
        is_heading = frame.block.kind is BlockKind.HEADING
        if is_open or frame.in_link or is_heading or frame.is_preformatted:
            return None
        return None if _is_in_math(node) else initial_of(node, BORDERS)

    def _say(self, cell: LexborNode, frame: _Frame) -> None:
        said = sign_of(cell)
        if said:
            self._write(said[0], frame)

    def _named(self, node: LexborNode, name: str, frame: _Frame) -> str:
        """Return the name of an element, or of the one that it is by its role."""
        if name == "code" and not _is_in_math(node) and is_block(node):
            return "pre"
        if name in _OF_OTHERS or _is_in_math(node):
            return name
        return part_of(node, is_inside=frame.is_by_role) or name

    def _enter_text(self, node: LexborNode, frame: _Frame) -> None:
        if node.tag == "-text" and not (frame.is_preformatted and is_between_lines(node)):
            if self._left is not None and (
                text_of(node)[:1].isalnum()
                or text_of(node)[:1] == "$"
                or text_of(node)[:1] > "\x7f"
            ):
                self._sew(self._left_as(frame), "", frame)
            pieces = [piece for piece, _ in self._pieces[-32:] if piece not in DROPPED]
            before = "".join("\n" if piece == BREAK else piece for piece in pieces)
            if self._initial is not None and self._initial[1] == node.mem_id:
                self._write(self._initial[0], frame)
                self._write(text_of(node).lstrip(" \t\n\x0c\r"), frame)
                return
            if frame.is_preformatted and not is_in_pre(node) and follows_break(node):
                self._write(re.sub("^\r?\n", "", text_of(node)), frame)
                return
            self._write(shifted(node, without_edit_brackets(node), before), frame)

    def _enter_line(self, node: LexborNode, frame: _Frame) -> None:
        before = node.prev
        is_line = frame.is_preformatted and is_line_in_text(node)
        if is_line and before is not None and is_line_in_text(before):
            is_after_blank = before.first_child is None
            if self._pieces and (is_after_blank or self._pieces[-1][0] != "\n"):
                self._pieces.append(("\n", False))

    def _is_passed_over(self, node: LexborNode, name: str, frame: _Frame) -> bool:
        is_skipped = name in _SKIPPED and not (name == "button" and is_text(node))
        is_left_out = name == "br" or is_skipped or self._is_left_out(node, frame)
        # what is drawn is written whether it is hidden or not
        return is_left_out or (is_hidden(node, name) and not drawn_tex(node))

    def _is_left_out(self, node: LexborNode, frame: _Frame) -> bool:
        if is_formula_again(node):
            return True
        if node.tag == "math" or _is_in_math(node):
            return False
        is_inline = not is_border(node) and node.tag not in {"a", "br", "time"}
        is_silent = "data-nosnippet" in node.attributes and _is_in_button(node)
        return is_silent or is_left_out(node, in_code=frame.is_preformatted, is_inline=is_inline)

    def _formula(self, tex: str, frame: _Frame) -> None:
        if tex:
            self._write(tex, frame)

    def _write(self, text: str, frame: _Frame) -> None:
        if frame.is_preformatted:
            self._write_code(text, frame)
            return
        first, *others = text.split("\n") if frame.keeps_lines else [text]
        self._write_line(first, frame)
        for line in others:
            self._line_break(frame)
            self._write_line(line, frame)

    def _write_line(self, text: str, frame: _Frame) -> None:
        before = [piece for piece, _ in self._pieces if piece not in DROPPED]
        if self._seam and is_parted(self._seam, before, text, is_label=self._is_label):
            self._pieces.append((" ", False))
        self._seam, self._is_label = "", False
        if any(character not in DROPPED for character in text):
            self._left = None
        self._pieces.extend((character, frame.in_link) for character in within_lines(text))

    def _write_code(self, text: str, frame: _Frame) -> None:
        self._seam, self._is_label = "", False
        for character in text:
            is_first = not self._pieces or self._is_line_start
            if character in DROPPED or character == "\r" or (character == "\n" and is_first):
                continue
            self._pieces.append((" " if character == "\xa0" else character, frame.in_link))
            self._left = None
            self._is_line_start = self._is_line_entered = False

    def _line_border(self) -> None:
        if self._pieces and self._pieces[-1][0] != "\n":
            self._pieces.append(("\n", False))
        self._is_line_start = True

    def _leave_line(self, node: LexborNode, _frame: _Frame) -> None:
        if self._is_line_entered and self._pieces and may_be_blank_line(node):
            self._pieces.append(("\n", False))
        self._line_border()
        self._is_line_entered = False

    def _quoted(self, node: LexborNode, frame: _Frame) -> _End:
        kept = [piece for piece, _ in self._pieces if piece not in DROPPED]
        is_after_own = len(kept) != self._mark_end or not self._marks
        touched = kept[-1] if kept else ""
        is_touched = touched and (frame.is_preformatted or touched not in {*SPACES, BREAK})
        is_marked = is_touched and is_after_own and is_mark(touched)
        if is_marked or starts_with_mark(node):
            self._marks.append("")
        else:
            depth = sum(1 for mark in self._marks if mark)
            marks = marks_of(node, self._language)
            first = 2 * (depth % 2)
            self._write(marks[first], frame)
            self._marks.append(marks[first + 1])
        self._mark_end = sum(1 for piece, _ in self._pieces if piece not in DROPPED)
        return self._end_quotation

    def _end_quotation(self, frame: _Frame) -> None:
        self._write(self._marks.pop(), frame)

    def _meet(self, node: LexborNode, frame: _Frame) -> None:
        is_apart = self._line() and (is_set_apart(node) or is_unseen(node))
        is_open = self._left is not None and self._line() and node.first_child is not None
        if is_open and is_unit(node):
            self._sew("", "", frame)
            self._left = None
            return
        self._sew(self._left_as(frame), "apart" if is_apart else node.tag or "", frame)
        self._left = None

    def _sew(self, left: str, entered: str, frame: _Frame) -> None:
        is_label = left not in {"", "apart", "named"} and self._is_left_label(frame)
        met = seam(left, entered), is_label
        self._seam, self._is_label = max(
            (self._seam, self._is_label), met, key=lambda each: (SEAM_ORDER.index(each[0]), each[1])
        )

    def _left_as(self, frame: _Frame) -> str:
        """Return what the last closed element counts as, nothing if there is none."""
        if self._left is None:
            return ""
        is_open = self._line() and not frame.is_preformatted
        is_apart = is_set_apart(self._left) or is_unit(self._left)
        is_apart = is_apart or (is_unseen(self._left) and short_text(self._left, 2) is None)
        if is_open and is_apart:
            return "apart"
        return (row_seam(self._left, self._line()) if is_open else "") or self._left.tag or ""

    def _is_left_label(self, frame: _Frame) -> bool:
        line = "" if frame.is_preformatted else self._line()
        if self._left is None or not (len(line) >= 3 and len(line.encode()) <= _MAX_LABEL):
            return False
        is_strong = self._left.tag in {"b", "strong"}
        may_be_label = is_strong or (self._left.tag == "span" and line.endswith(":"))
        is_same = short_text(self._left, _MAX_LABEL) == line
        return may_be_label and line[0].isupper() and is_same

    def _line(self) -> str:
        """Return the last line so far, nothing after white space."""
        kept = [piece for piece, _ in self._pieces if piece not in DROPPED]
        if not kept or kept[-1] in {*SPACES, BREAK}:
            return ""
        text = "".join(character for character, _ in uniform(self._pieces))
        return text.rpartition("\n")[2]

    def _leave(self, node: LexborNode, _frame: _Frame) -> None:
        self._left = node

    def _line_break(self, frame: _Frame) -> None:
        if frame.is_preformatted:
            if self._is_line_start and not self._is_line_entered and self._pieces:
                self._pieces.append(("\n", False))
            else:
                self._write_code("\n", frame)
            return
        for piece, _ in reversed(self._pieces):
            if piece == BREAK:
                self._end(frame)
                return
            if piece not in SPACES and piece not in DROPPED:
                break
        self._left = None
        self._pieces.append((BREAK, frame.in_link))

    def _end(self, frame: _Frame) -> None:
        text = preformatted(self._pieces) if frame.is_preformatted else uniform(self._pieces)
        self._pieces.clear()
        self._left, self._seam, self._is_label = None, "", False
        self._is_line_start = self._is_line_entered = False
        if text:
            block = replace(
                frame.block,
                text="".join(character for character, _ in text),
                link_chars=sum(in_link for _, in_link in text),
            )
            self._blocks.append(block)

    def _end_reading(self, frame: _Frame) -> None:
        self._write(")", frame)

    def _framed(self, node: LexborNode, name: str, frame: _Frame) -> _Frame:
        block = frame.block
        if node.tag != "html":
            own = "div" if "-" in (node.tag or "") else node.tag
            block = replace(block, tag_path=f"{block.tag_path}/{own}".lstrip("/"))
        frame = replace(frame, block=block)
        if is_listing(node, in_code=frame.is_preformatted):
            return self._listing(name, frame)
        if frame.is_listing and name in {"table", "tr", "td", "th"}:
            return frame
        if name in _LISTS:
            return _listed(node, name, frame)
        if name == "table":
            block = replace(block, table=self._open_table(node, block))
            return replace(frame, block=block, is_by_role=node.tag != "table")
        if name == "tr" and block.table:
            return replace(frame, block=replace(block, row=self._row(block.table)))
        return self._inside(node, name, frame)

    def _inside(self, node: LexborNode, name: str, frame: _Frame) -> _Frame:
        block = frame.block
        if name == "p" and block.kind is BlockKind.OTHER:
            block = replace(block, kind=BlockKind.PARAGRAPH)
        if node.tag == "pre" and frame.is_preformatted and block.kind is BlockKind.CODE:
            return frame
        if name in _DECIDING and not (name == "li" and frame.numbers_lines):
            block = self._decided(node, name, frame)
        is_code = _DECIDING.get(name) is BlockKind.CODE
        if is_code:
            frame = replace(frame, is_listing=False, numbers_lines=False)
        return replace(frame, block=block, is_preformatted=frame.is_preformatted or is_code)

    def _listing(self, name: str, frame: _Frame) -> _Frame:
        self._groups += 1
        block = replace(
            frame.block, kind=BlockKind.CODE, group=self._groups, level=0, ordinal=0, header=False
        )
        inside = replace(frame, block=block, is_preformatted=True, is_listing=True)
        return replace(inside, numbers_lines=name == "ol")

    def _decided(self, node: LexborNode, name: str, frame: _Frame) -> CutBlock:
        self._groups += 1
        block = replace(
            frame.block, kind=_DECIDING[name], group=self._groups, level=0, ordinal=0, header=False
        )
        if block.kind is BlockKind.HEADING:
            return replace(block, level=int(name[1]), header=frame.block.header)
        if block.kind is BlockKind.QUOTE:
            return replace(block, quotes=min(block.quotes + 1, 255))
        if block.kind is BlockKind.TABLE_CELL:
            if block.table:
                self._tables[block.table - 1].has_header_cell |= name == "th"
            column = self._cell(block.table, node) if block.table else 0
            block = replace(block, cell_lists=block.lists)
            return replace(block, header=name == "th", column=column, cell=block.group)
        return _item(block, node, frame.list) if block.kind is BlockKind.LIST_ITEM else block

    def _open_table(self, node: LexborNode, around: CutBlock) -> int:
        role = (node.attributes.get("role") or "").strip(" \t\n\x0c\r").lower()
        is_layout = role in {"presentation", "none"}
        if around.table:
            outer = self._tables[around.table - 1]
            outer.is_layout |= is_layout or not around.cell or outer.outer.table > 0
            outer.is_layout |= not outer.has_header_cell
            if outer.outer.table:
                self._tables[outer.outer.table - 1].is_layout = True
            around = CutBlock() if outer.is_layout else around
        self._tables.append(Table(is_layout, around))
        return len(self._tables)

    def _row(self, number: int) -> int:
        table = self._tables[number - 1]
        table.next_column = 0
        table.claimed = 0
        table.rows += 1
        return table.rows - 1

    def _cell(self, table: int, node: LexborNode) -> int:
        prefix = "" if node.tag in {"td", "th"} else "aria-"
        columns, rows = number(node, f"{prefix}colspan", 1), number(node, f"{prefix}rowspan", 1)
        return placed(self._tables[table - 1], columns, rows)


def _is_bare_reading(node: LexborNode) -> bool:
    before = previous_element(node)
    is_reading = node.tag == "rt" and node.first_child is not None
    return is_reading and (before is None or before.tag != "rp")


def _is_in_button(node: LexborNode) -> bool:
    return around(node, lambda each: each.tag == "button") is not None


def _is_in_math(node: LexborNode) -> bool:
    at = node.parent
    while at is not None:
        if at.tag in {"math", "svg"}:
            return True
        at = at.parent
    return False


def _spaced(node: LexborNode, name: str, frame: _Frame) -> tuple[str, bool]:
    """Return the name of an element by its white space, and whether its line feeds end lines."""
    white_space = white_space_of(node)
    is_plain = frame.block.kind in {BlockKind.OTHER, BlockKind.PARAGRAPH}
    if white_space == "pre" and is_plain:
        is_code = holds_lines(node) or are_lines(node, lambda line: not line.attributes)
    else:
        may_be_code = white_space == "of-lines" and not frame.is_preformatted
        is_code = may_be_code and (are_lines(node, is_line) or are_lines(node, ends_in_line))
    if is_code and name in _PLAIN:
        return "pre", frame.keeps_lines
    if white_space in {"", "of-lines"}:
        return name, frame.keeps_lines
    return name, white_space != "normal"


def _listed(node: LexborNode, name: str, frame: _Frame) -> _Frame:
    if frame.block.tag_path.endswith("pre/ol"):
        return replace(frame, numbers_lines=True)
    block = replace(frame.block, lists=min(frame.block.lists + 1, 255))
    made = _List(name == "ol", number(node, "start", 1))
    return replace(frame, block=block, list=made, numbers_lines=False)


def _item(block: CutBlock, node: LexborNode, around: _List | None) -> CutBlock:
    lists = max(block.lists, 1) + (node.tag == "dd")
    if node.tag != "li" or around is None or not around.is_ordered:
        return replace(block, lists=lists, level=lists)
    ordinal = number(node, "value", around.following)
    around.following = ordinal + 1
    return replace(block, lists=lists, level=lists, ordinal=ordinal)
