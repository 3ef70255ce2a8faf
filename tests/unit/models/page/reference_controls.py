"""Controls of a page, which are not part of its text: part of the tests' oracle."""

import re
from itertools import islice, pairwise
from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_buttons import is_copy_label, is_headline
from tests.unit.models.page.reference_near import (
    MAX_NODES,
    Step,
    around,
    children,
    first_of,
    following,
    has_words,
    is_element,
    neighbour,
    previous,
    same,
    short_text,
    text_of,
    within,
)

_NUMBERS: Final = re.compile(
    "line[nN]o|LineNo|line-no|line_no|line[nN]um|LineNum|line-num|line_num|lines-num|linenr|line-nr"
    "|ln-num|blob-num|crayon-num|hljs-ln-n|highlighter-num|[gG]utter"
)
_ANCHOR: Final = re.compile(
    "[aA]nchor|header-?link|header_link|heading[-_]?link|headingLink|headline-link|hash-?link|hashLink"
    "|[pP]ermalink|section-link|direct-link"
)
_TOOLTIP: Final = re.compile(
    "tooltip[tT]ext|tooltip-text|tooltip__text|tooltip_text|tooltip-content|tooltip__content"
    "|tooltip-inner|tooltip-body|tooltip-box|popuptext"
    "|margin-toggle|glossary-tooltip|popover-content|popover__content|popover-body|Tooltip-popper"
)
_UNSEEN: Final = re.compile(
    "sr-only|sr_only|visually-hidden|visually[hH]idden|VisuallyHidden|hidden-visually|screen-?reader"
    "|offscreen|assistive-text"
)
_LISTING: Final = re.compile("EnlighterJS|linenums|dp-")
_UNSELECTABLE: Final = re.compile(r"user-select[^:]*:\s*none")
_NUMBER: Final = re.compile(r"[.:|│»·]*([0-9]{1,7})[.:|│»·]*")
_PERMALINKS: Final = frozenset(
    ("↩\ufe0e", "\U0001f517\ufe0f", "⚓\ufe0e", "⚓\ufe0f", *"^◆⤴¶§#\U0001f517\uf0c1↩⚓☍∞")
)
# some of what the kernel knows
_EDITS: Final = frozenset(("edit", "edit source", "bearbeiten", "modifier", "編集"))
_STATES: Final = frozenset("+-−–×✕✖▲▼△▽▴▾▵▿▸▹▶▷►◀◂◄‹›↑↓→←↕⇅⇵⌃⌄˄˅∧∨❯❮")
_BLANK: Final = " \t\n\x0c\r\xa0\u200b\u2060\ufeff"
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "dt", "summary"))
_DECLARING: Final = frozenset(("title", "meta", "link", "base", "script"))
_BARS: Final = frozenset(("address", "div", "figure", "header", "p", "section", "ul", "li"))
INLINE_NOT: Final = frozenset(("a", "br", "time"))


def class_of(node: LexborNode) -> str:
    """Return the class of an element."""
    return node.attributes.get("class") or ""


def is_left_out(node: LexborNode, *, in_code: bool, is_inline: bool) -> bool:
    """Whether an element is not text of the page."""
    name, attributes = class_of(node), node.attributes
    says_number = in_code and _may_number(node) and _are_unnamed(node)
    is_seen_alone = (attributes.get("aria-hidden") or "").split() == ["true"]
    return (
        re.search(
            "editsection|viewcode-link|cite-backlink|mw-jump-link|mw-redirectedfrom|add_to_cart_button",
            name,
        )
        is not None
        or _is_edit(node)
        or "tooltip" in (attributes.get("role") or "").lower().split()
        or (_TOOLTIP.search(name) is not None and not _has_tooltip(node))
        or (re.search("[cC]opy|copied|[cC]lipboard", name) is not None and is_copy_label(node))
        or (_names_numbers(name) and _are_named(node, in_code=in_code))
        or says_number
        or _is_permalink(node)
        or (_ANCHOR.search(name) is not None and _is_anchor(node))
        or ("lang" in name and not in_code and _names_code(node))
        or (node.tag in {"i", "span"} and _is_icon(node, name))
        or (is_seen_alone and is_inline and _is_said_by_a_neighbour(node))
        or (is_seen_alone and _shows_state(node))
        or (
            _UNSEEN.search(name) is not None
            and (
                _repeats_neighbour(node)
                or (is_inline and _describes(node))
                or short_text(node, 8) in {"▢", "☐", "□", "◻"}
            )
        )
        or (in_code and node.tag != "code" and _labels_code(node))
        or (in_code and node.tag == "td" and _numbers_row(node))
        or (in_code and node.tag in {"div", "span"} and _is_bare(node))
    )


def is_unseen(node: LexborNode) -> bool:
    """Whether the class of an element says that it is for screen readers only."""
    return _UNSEEN.search(class_of(node)) is not None


def _shows_state(node: LexborNode) -> bool:
    whole = around(node, lambda each: each.tag == "button" or is_headline(each))
    if whole is None or not _STATES.issuperset(short_text(node, 12) or "."):
        return False
    said = {False: False, True: False}
    is_after = False
    waiting = list(reversed(list(children(whole))))
    for _ in range(MAX_NODES):
        if not waiting:
            break
        each = waiting.pop()
        is_after = is_after or same(each, node)
        if not same(each, node):
            said[is_after] = said[is_after] or has_words(text_of(each))
            if each.tag not in {"script", "style", "template"}:
                waiting.extend(reversed(list(children(each))))
    return said[False] != said[True]


def _is_icon(node: LexborNode, name: str) -> bool:
    first = text_of(node.first_child) if node.first_child is not None else ""
    if "\ue000" <= first.strip(" \t\n\x0c\r")[:1] <= "\uffff":
        return re.fullmatch("[\ue000-\uf8ff]+", short_text(node, 12) or "") is not None
    is_in_cell = node.parent is not None and node.parent.tag in {"td", "th"}
    is_drawn = re.search("material-(?:icons|symbols)", name) and not is_in_cell
    text = short_text(node, 40) if is_drawn else None
    return text is not None and re.fullmatch("[a-z0-9_]*", text) is not None


def _names_numbers(name: str) -> bool:
    return _NUMBERS.search(name) is not None or name in {"ln", "lnt", "lnr", "lno"}


def is_listing(node: LexborNode, *, in_code: bool) -> bool:
    """Whether a table or list holds the lines of code without `pre`."""
    if node.tag == "ol":
        return not in_code and any(_LISTING.search(each or "") for each in node.attributes.values())
    if node.tag != "table":
        return False
    first = _first_cell(node)
    if first is None:
        return False
    if not _has_number_name(first):
        is_in_pre = around(node, lambda each: each.tag == "pre") is not None
        return (_is_before_code(first) or is_in_pre) and _numbers_row(first)
    numbers = _numbers(first)
    if numbers is None or not _in_order(numbers):
        return False
    names = [value or "" for value in first.attributes.values()]
    row = first.parent
    assert row is not None
    cells = list(islice(children(row), 8))
    return (
        (bool(numbers) or any("num" in name for name in names))
        and _next_element(first) is not None
        and not any(each.tag == "pre" for cell in cells for each in islice(within(cell), MAX_NODES))
    )


def _has_number_name(node: LexborNode) -> bool:
    return any(_names_numbers(value or "") for value in node.attributes.values())


def _next_element(node: LexborNode) -> LexborNode | None:
    after = node.next
    while after is not None and not is_element(after):
        after = after.next
    return after


def _numbers(root: LexborNode) -> list[int] | None:
    numbers: list[int] = []
    for node in within(root, silent=True):
        if node.tag in _DECLARING or (node.tag in _HEADINGS and node.tag not in {"dt", "summary"}):
            return None
        for word in re.split(r"\s+", text_of(node).strip()):
            found = _NUMBER.fullmatch(word)
            if word and found is None:
                return None
            if found is not None:
                numbers.append(int(found[1]))
    return numbers


def _in_order(numbers: list[int]) -> bool:
    return all(right == left + 1 for left, right in pairwise(numbers))


def _are_named(node: LexborNode, *, in_code: bool) -> bool:
    numbers = _numbers(node)
    if numbers is None:
        return False
    if not numbers:
        return in_code or node.tag == "td"
    if len(numbers) == 1:
        return in_code or (
            node.tag not in {"pre", "code"}
            and (_stands_at_code(node) or _counts_lines(node, numbers[0]))
        )
    return _in_order(numbers)


def _counts_lines(node: LexborNode, number: int) -> bool:
    if node.parent is None:
        return False
    after = _first_number(_near(node.parent, following))
    before = _first_number(_near(node.parent, previous))
    return after == number + 1 or (before is not None and before == number - 1)


def _is_bare(node: LexborNode) -> bool:
    number, line = _bare_number(node), node.parent
    if number is None or line is None or neighbour(node, previous) is not None:
        return False

    def number_in(step: Step) -> int | None:
        beside = neighbour(line, step)
        first = first_of(beside) if beside is not None and beside.tag == line.tag else None
        return _bare_number(first) if first is not None and first.tag == node.tag else None

    after, before = number_in(following), number_in(previous)
    return after == number + 1 or (before is not None and before == number - 1)


def _bare_number(node: LexborNode) -> int | None:
    only = node.first_child
    has_line = node.next is not None and is_element(node.next)
    if node.attributes or not has_line or only is None or only.next is not None:
        return None
    text = text_of(only).strip(" \t\n\x0c\r")
    found = _NUMBER.fullmatch(text) if len(text.encode()) <= 16 else None
    return None if found is None else int(found[1])


def _near(node: LexborNode, step: Step) -> LexborNode | None:
    found = step(node)
    for _ in range(3):
        if found is None or is_element(found):
            return found
        found = step(found)
    return None


def _first_number(line: LexborNode | None) -> int | None:
    for each in islice(within(line, silent=True), 1, 5) if line is not None else ():
        if is_element(each) and _has_number_name(each):
            found = _NUMBER.fullmatch(short_text(each, 16) or "")
            return None if found is None else int(found[1])
    return None


def _may_number(node: LexborNode) -> bool:
    attributes = node.attributes
    return (
        "true" in (attributes.get("aria-hidden") or "").split()
        or "data-nosnippet" in attributes
        or "href" in attributes
        or bool(attributes.get("style"))
    )


def _are_unnamed(node: LexborNode) -> bool:
    numbers = _numbers(node)
    if not numbers:
        return False
    attributes = node.attributes
    style = attributes.get("style") or ""
    if (
        "true" in (attributes.get("aria-hidden") or "").split()
        or "data-nosnippet" in attributes
        or _UNSELECTABLE.search(style)
    ):
        return len(numbers) == 1 or _in_order(numbers)
    if "float" in style:
        return len(numbers) > 1 and _in_order(numbers)
    number = short_text(node, 16)
    _, sign, fragment = (attributes.get("href") or "").rpartition("#")
    return bool(number and sign and fragment.endswith(number))


def _stands_at_code(node: LexborNode) -> bool:
    def is_before_code(found: LexborNode | None) -> bool:
        after = None if found is None else found.next
        for _ in range(3):
            if after is not None and is_element(after):
                return any(each.tag in {"pre", "code"} for each in islice(within(after), 8))
            after = None if after is None else after.next
        return False

    return is_before_code(node) or node.tag == "td" or is_before_code(node.parent)


def _is_permalink(node: LexborNode) -> bool:
    is_link = node.tag == "a" and "#" in (node.attributes.get("href") or "")
    return is_link and short_text(node, 16) in _PERMALINKS


def _is_heading(node: LexborNode) -> bool:
    return node.tag in _HEADINGS


def _edits(node: LexborNode | None) -> bool:
    if node is None or node.tag != "a":
        return False
    if re.search("action=edit|Special:EditPage", node.attributes.get("href") or ""):
        return True
    before = node.prev
    text = text_of(before).strip(_BLANK) if before is not None else ""
    follows = text.endswith(("[", "(")) or text in {"|", "/"}
    return follows and (short_text(node, 64) or "").lower() in _EDITS


def without_edit_brackets(node: LexborNode) -> str:
    """Return a text in a heading without the brackets around links to edit."""
    text = text_of(node)
    if node.parent is None or node.parent.tag not in _HEADINGS:
        return text
    is_after = node.prev is not None and _is_edit(node.prev)
    is_before = node.next is not None and _is_edit(node.next)
    if is_after and is_before and not has_words(text):
        return "" if re.search(r"[]\[()|/]", text) else text
    if is_after:
        text = re.sub(r"^\s*[])]", "", text)
    return re.sub(r"[\[(]\s*$", "", text) if is_before else text


def _has_tooltip(node: LexborNode) -> bool:
    is_link = node.tag == "a" and bool(node.attributes.get("href"))
    return is_link or "title" in node.attributes


def _is_edit(node: LexborNode) -> bool:
    """Whether an element in a heading is only links to edit its section."""
    is_one = _edits(node)
    if node.tag in {"small", "span", "sup"}:
        first = next((each for each in islice(children(node), 3) if is_element(each)), None)
        is_one = _edits(first) and (short_text(node, 64) or "").startswith("[")
    heading = around(node, _is_heading) if is_one else None
    return heading is not None and _has_words_outside(heading, node)


def _is_anchor(node: LexborNode) -> bool:
    if node.tag != "a" or "#" not in (node.attributes.get("href") or ""):
        return False
    if not has_words(short_text(node, 256) or ""):
        return False
    heading = around(node, _is_heading)
    if heading is not None:
        return _has_words_outside(heading, node)
    before = node.prev
    for _ in range(2):
        if before is not None and _is_heading(before):
            return True
        before = None if before is None else before.prev
    return False


def _has_words_outside(whole: LexborNode, part: LexborNode) -> bool:
    seen = 0
    waiting = list(reversed(list(children(whole))))
    while waiting and seen < MAX_NODES:
        node = waiting.pop()
        seen += 1
        if not same(node, part):
            if has_words(text_of(node)):
                return True
            if node.tag not in {"script", "style", "template"}:
                waiting.extend(reversed(list(children(node))))
    return False


def _names_code(node: LexborNode) -> bool:
    text = short_text(node, 24)
    is_word = bool(text) and re.search("[ \t\n\x0c\r]", text or "") is None
    places = (node,) if node.parent is None else (node, node.parent)
    return is_word and node.tag not in {"pre", "code"} and any(map(_is_before_pre, places))


def _is_before_pre(node: LexborNode) -> bool:
    after = node.next
    for _ in range(3):
        if after is not None and is_element(after):
            return any(each.tag == "pre" for each in islice(within(after, silent=True), MAX_NODES))
        after = None if after is None else after.next
    return False


def _is_said_by_a_neighbour(node: LexborNode) -> bool:
    def said(side: LexborNode | None) -> str:
        if side is None or not is_element(side):
            return ""
        is_unseen = any(_UNSEEN.search(value or "") for value in side.attributes.values())
        return (short_text(side, 256) or "") if is_unseen else ""

    own = short_text(node, 256)
    before = neighbour(node, previous)
    if not own:
        return False
    if said(before) or said(neighbour(node, following)):
        return True
    inside = list(islice(children(before), 5)) if before is not None and is_element(before) else []
    ending = said(inside[-1]) if 0 < len(inside) < 5 else ""
    return bool(ending) and own.encode()[0] == ending.encode()[0]


def _describes(node: LexborNode) -> bool:
    sides = (neighbour(node, previous), neighbour(node, following))
    if any(
        side is not None and is_element(side) and side.attributes.get("aria-hidden") == "true"
        for side in sides
    ):
        return False
    is_note = (short_text(node, 256) or "").startswith(("(", ","))
    is_last = neighbour(node, following) is None

    def is_described(each: LexborNode) -> bool:
        opens_tab = is_last and each.attributes.get("target") == "_blank"
        return each.tag in {"h1", "sup"} or (each.tag == "a" and (is_note or opens_tab))

    whole = around(node, is_described)
    return whole is not None and _has_words_outside(whole, node)


def _labels_code(node: LexborNode) -> bool:
    pre = around(node, lambda each: each.tag == "pre")
    text = short_text(node, 24)
    if pre is None or around(node, lambda each: each.tag == "code") or not text:
        return False
    after = neighbour(node, following)
    is_before = after is not None and after.tag == "code"
    is_named = node.tag in _BARS or (
        is_before and f"language-{text}" in class_of(pre)[:256].split()
    )
    return is_named and re.search("[ \t\n\x0c\r]", text) is None and _is_before_code_in(node, pre)


def _is_before_code_in(node: LexborNode, pre: LexborNode) -> bool:
    seen = 0
    at: LexborNode | None = node
    while at is not None and not same(at, pre):
        after = at.next
        while after is not None:
            for each in within(after):
                seen += 1
                if seen > MAX_NODES:
                    return False
                if each.tag == "code":
                    return True
            after = after.next
        at = at.parent
    return False


def _counts_rows(cell: LexborNode, number: int) -> bool:
    def number_in(step: Step) -> int | None:
        assert cell.parent is not None
        row = neighbour(cell.parent, step)
        first = _first_cell(row) if row is not None else None
        found = _NUMBER.fullmatch(short_text(first, 16) or "") if first is not None else None
        return None if found is None else int(found[1])

    if neighbour(cell, previous) is not None or cell.parent is None:
        return False
    after, before = number_in(following), number_in(previous)
    return after == number + 1 or (before is not None and before == number - 1)


def _numbers_row(cell: LexborNode) -> bool:
    numbers = _numbers(cell) if neighbour(cell, previous) is None else None
    return numbers is not None and len(numbers) == 1 and _counts_rows(cell, numbers[0])


def _first_cell(root: LexborNode) -> LexborNode | None:
    return next((each for each in islice(within(root), 13) if each.tag in {"td", "th"}), None)


def _is_before_code(cell: LexborNode) -> bool:
    cell_after = neighbour(cell, following)
    code = first_of(cell_after) if cell_after is not None else None
    if cell_after is None or code is None or code.tag != "code":
        return False
    return neighbour(cell_after, following) is None and neighbour(code, following) is None


def _repeats_neighbour(node: LexborNode) -> bool:
    own = short_text(node, 256)
    sides = (neighbour(node, previous), neighbour(node, following))
    return bool(own) and any(
        short_text(side, 256) == own
        for side in sides
        if side is not None
        and not (is_element(side) and side.attributes.get("aria-hidden") == "true")
    )
