"""Presentation MathML to TeX again, slow and plain: part of the oracle of the tests."""

import re
from collections.abc import Sequence
from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_near import children, is_element, text_of

_INVISIBLE: Final = dict.fromkeys(range(0x2061, 0x2065))
_SILENT: Final = frozenset(
    ("annotation", "annotation-xml", "script", "style", "svg", "mphantom", "none", "mprescripts")
)
_SIGNS: Final = {
    "∑": "sum", "∏": "prod", "∐": "coprod", "⋃": "bigcup", "⋂": "bigcap", "⋁": "bigvee",
    "⋀": "bigwedge", "⨁": "bigoplus", "⨂": "bigotimes", "∫": "int", "∬": "iint", "∭": "iiint",
    "∮": "oint",
}  # fmt: skip
_FUNCTIONS: Final = frozenset(
    """
    lim max min sup inf det gcd limsup liminf sin cos tan cot sec arcsin arccos arctan sinh cosh
    tanh
    log ln exp arg dim
""".split()
)
_OVER: Final = (
    ("→⃗", "vec", "overrightarrow"), ("←⃖", "overleftarrow", "overleftarrow"),
    ("↔", "overleftrightarrow", "overleftrightarrow"), ("¯‾―_\u0304\u0305", "bar", "overline"),
    ("^ˆ\u0302", "hat", "widehat"), ("~˜∼\u0303", "tilde", "widetilde"), ("˙.\u0307", "dot", "dot"),
    ("¨\u0308", "ddot", "ddot"), ("⃛", "dddot", "dddot"), ("ˇ\u030c", "check", "check"),
    ("˘\u0306", "breve", "breve"), ("´\u0301", "acute", "acute"), ("`\u0300", "grave", "grave"),
    ("⏞︷", "overbrace", "overbrace"),
)  # fmt: skip
_UNDER: Final = (
    ("_¯‾―\u0331\u0332", "underline"), ("⏟︸", "underbrace"), ("→", "underrightarrow"),
)  # fmt: skip
_ARROWS: Final = (
    ("→⟶", "xrightarrow"), ("←⟵", "xleftarrow"), ("⇒⟹", "xRightarrow"), ("↔⟷", "xleftrightarrow"),
)  # fmt: skip
_PRIMES: Final = {"'": 1, "′": 1, "″": 2, "‴": 3, "⁗": 4}
_VARIANTS: Final = {
    "bold": "mathbf", "bold-italic": "boldsymbol", "double-struck": "mathbb", "script": "mathcal",
    "fraktur": "mathfrak", "sans-serif": "mathsf", "monospace": "mathtt", "normal": "mathrm",
    "bold-script": "mathcal",
}  # fmt: skip
_ESCAPED: Final = {
    **{sign: "\\" + sign for sign in "{}%&#$_"},
    "\\": "\\backslash",
    "−": "-",
    "∗": "*",
    "′": "'",
    "\xa0": " ",
}
_COMMAND: Final = re.compile(r"\\[A-Za-z]{1,24}\Z")
_ENVIRONMENTS: Final = {
    ("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("{", "}"): "Bmatrix", ("|", "|"): "vmatrix",
    ("‖", "‖"): "Vmatrix",
}  # fmt: skip
_CLOSING: Final = frozenset(("", *")]}|‖"))
_RELATIONS: Final = frozenset("=<>≤≥≈≡≠→∼⇒⇔")
_ENCLOSED: Final = {
    "box": "boxed", "roundedbox": "boxed", "updiagonalstrike": "cancel",
    "downdiagonalstrike": "cancel", "radical": "sqrt", "top": "overline", "bottom": "underline",
}  # fmt: skip
_STACKS: Final = {"mover": "^", "munder": "_", "munderover": "_^"}
_SCRIPTS: Final = {"msup": "^", "msub": "_", "msubsup": "_^"}
_SCRIPTED: Final = frozenset(("msup", "msub", "msubsup", "mmultiscripts", "munderover"))


def _elements(node: LexborNode) -> list[LexborNode]:
    return [child for child in children(node) if is_element(child)]


def _token(node: LexborNode) -> str:
    for _ in range(4):
        inside = _elements(node)
        if len(inside) > 1:
            return ""
        if not inside:
            break
        node = inside[0]
    else:
        pass
    first = node.first_child
    return text_of(first).encode()[:17].decode(errors="replace").strip() if first else ""


def _add(out: str, more: str) -> str:
    """Append TeX, apart from the name of a command before it."""
    return (
        out
        + (" " if more[:1].isascii() and more[:1].isalpha() and _COMMAND.search(out) else "")
        + more
    )


def _escaped(text: str) -> str:
    out = ""
    for sign in text.translate(_INVISIBLE):
        out = out + _ESCAPED[sign] if sign in _ESCAPED else _add(out, sign)
    return out


def _words(text: str) -> str:
    words = " ".join(text.split())
    if not words:
        return " "
    left, right = (" " if text[at].isspace() else "" for at in (0, -1))
    return rf"\text{{{left}{_escaped(words)}{right}}}"


def row_tex(node: LexborNode) -> str:
    """Return the TeX of a row."""
    out = ""
    waiting = list(children(node))
    while waiting:
        child = waiting.pop(0)
        rest = [each for each in waiting if is_element(each)]
        said, used = _fenced(child, rest) or _binomial(child, rest) or ("", 0)
        if used:
            last = rest[used - 1]
            waiting = waiting[[each.mem_id for each in waiting].index(last.mem_id) + 1 :]
        out = _add(out, said or _tex(child))
    return out


def _binomial(node: LexborNode, rest: Sequence[LexborNode]) -> tuple[str, int] | None:
    if node.tag != "mo" or _token(node) != "(" or len(rest) < 2 or not _is_thin(rest[0]):
        return None
    is_closed = rest[1].tag == "mo" and _token(rest[1]) == ")"
    return (_two("binom", rest[0]), 2) if is_closed else None


def _fenced(node: LexborNode, rest: Sequence[LexborNode]) -> tuple[str, int] | None:
    opening = _token(node)
    if node.tag != "mo" or opening not in {*"([{|‖"} or not rest or rest[0].tag != "mtable":
        return None
    closing = _token(rest[1]) if len(rest) > 1 and rest[1].tag == "mo" else None
    environment = _environment(opening, closing or "")
    if not environment:
        return None
    return _cells(rest[0], environment), 2 if closing is not None and closing in _CLOSING else 1


def _environment(opening: str, closing: str) -> str:
    if opening == "{" and (not closing or closing not in _CLOSING):
        return "cases"
    return _ENVIRONMENTS.get((opening, closing), "")


def _is_thin(node: LexborNode) -> bool:
    inner = _alone(node)
    line = (inner.attributes.get("linethickness") or "").strip() if inner is not None else ""
    is_fraction = inner is not None and inner.tag == "mfrac"
    return is_fraction and line.startswith("0") and not line.startswith("0.")


def _alone(node: LexborNode) -> LexborNode | None:
    if node.tag not in {"mrow", "mstyle"}:
        return node
    inside = _elements(node)
    return inside[0] if len(inside) == 1 else None


def _two(command: str, node: LexborNode) -> str:
    inner = node if node.tag == "mfrac" else _elements(node)[0]
    return f"\\{command}" + "".join(_braced(part) for part in _elements(inner)[:2])


def _tex(node: LexborNode) -> str:
    name = node.tag or ""
    if name == "-text":
        return _escaped(text_of(node))
    if not is_element(node) or name in _SILENT:
        return ""
    if name in _WHOLE:
        return _WHOLE[name](node)
    return _parts(node, name, _elements(node)[:64])


def _first(node: LexborNode) -> str:
    inside = _elements(node)
    return _tex(inside[0]) if inside else ""


def _text(node: LexborNode) -> str:
    return _words("".join(map(text_of, children(node))))


def _root(node: LexborNode) -> str:
    return rf"\sqrt{{{row_tex(node)}}}"


def _space(_node: LexborNode) -> str:
    return " "


def _parts(node: LexborNode, name: str, parts: Sequence[LexborNode]) -> str:
    if name in _STACKS and len(parts) == len(_STACKS[name]) + 1:
        scripts = dict(zip(_STACKS[name], parts[1:], strict=True))
        return _stacked(parts[0], scripts.get("_"), scripts.get("^"))
    if name in _SCRIPTS and len(parts) == len(_SCRIPTS[name]) + 1:
        written = _scripted(parts[0])
        for sign, script in zip(_SCRIPTS[name], parts[1:], strict=True):
            written += _exponent(script) if sign == "^" else _shifted(sign, script)
        return written
    match name, list(parts):
        case "mfrac", [above, below]:
            return _fraction(node, above, below)
        case "mroot", [base, index]:
            return rf"\sqrt[{_tex(index)}]" + _braced(base)
        case "mmultiscripts", [base, *others]:
            return _multiscripts(base, others)
        case _:
            return row_tex(node)


def _sign(node: LexborNode) -> str:
    text = "".join(map(text_of, children(node))).strip()
    if text in _SIGNS:
        return "\\" + _SIGNS[text]
    if text in _FUNCTIONS:
        return "\\" + text
    letters = sum(sign.isalpha() for sign in text)
    variant = _VARIANTS.get((node.attributes.get("mathvariant") or "").strip(), "")
    if variant == "mathrm" and not (letters and text.isascii()):
        variant = ""
    if not variant and node.tag == "mi" and 1 < letters == len(text):
        variant = "mathrm"
    if variant:
        return rf"\{variant}{{{_escaped(text)}}}"
    return _escaped(text) or "".join(map(_tex, children(node)))


def _fraction(node: LexborNode, above: LexborNode, below: LexborNode) -> str:
    if _is_thin(node):
        return rf"{{{_tex(above)} \atop " + _tex(below) + "}"
    if (node.attributes.get("bevelled") or "").strip() == "true":
        return _braced(above) + "/" + _braced(below)
    return _two("frac", node)


def _scripted(base: LexborNode) -> str:
    inside = _elements(base)
    is_row = base.tag in {"mrow", "mstyle", "mpadded"} and len(inside) > 1
    last = inside[-1] if inside else None
    is_closed = last is not None and last.tag == "mo" and _token(last) in {*")]}|⟩"}
    return _braced(base) if base.tag in _SCRIPTED or (is_row and not is_closed) else _tex(base)


def _exponent(upper: LexborNode) -> str:
    signs = _token(upper)
    number = sum(_PRIMES.get(sign, 99) for sign in signs)
    return "'" * number if 1 <= number <= 8 else _shifted("^", upper)


def _find(known: Sequence[tuple[str, ...]], sign: str, at: int = 1) -> str:
    return next((each[at] for each in known if len(sign) == 1 and sign in each[0]), "")


def _stacked(base: LexborNode, lower: LexborNode | None, upper: LexborNode | None) -> str:
    own = _token(base)
    over = _find(_OVER, _token(upper), 1 if len(own) == 1 else 2) if upper else ""
    under = _find(_UNDER, _token(lower)) if lower else ""
    arrow = _find(_ARROWS, own) if base.tag == "mo" else ""
    below, above = _tex(lower) if lower else "", _tex(upper) if upper else ""
    if own in _SIGNS or own in _FUNCTIONS or _has_brace(base):
        out = _tex(base) + (_shifted("_", lower) if lower else "")
        return out + (_shifted("^", upper) if upper else "")
    if arrow:
        return f"\\{arrow}" + (f"[{below}]" if lower else "") + f"{{{above}}}"
    if over and not lower:
        return f"\\{over}" + _braced(base)
    if under and not upper:
        return f"\\{under}" + _braced(base)
    out = rf"\overset{{{above}}}" + _braced(base) if upper else _tex(base)
    return rf"\underset{{{below}}}{{{out}}}" if lower else out


def _has_brace(node: LexborNode) -> bool:
    base = _alone(node)
    if base is None or base.tag not in {"mover", "munder"}:
        return False
    inside = _elements(base)
    return len(inside) > 1 and _token(inside[1]) in {*"⏞︷⏟︸"}


def _multiscripts(base: LexborNode, scripts: Sequence[LexborNode]) -> str:
    halves: list[list[LexborNode]] = [[]]
    for script in scripts:
        if script.tag == "mprescripts":
            halves.append([])
        else:
            halves[-1].append(script)
    after, before = (_pairs(half) for half in ([*halves, []])[:2])
    has_before = len(halves) > 1 and bool(halves[1])
    return ("{}" + before if has_before else "") + _scripted(base) + after


def _pairs(scripts: Sequence[LexborNode]) -> str:
    out = ""
    for number, script in enumerate(scripts):
        if (script.tag not in {"none", "mrow"}) or _elements(script):
            out += _shifted("_^"[number % 2], script)
    return out


def _enclosed(node: LexborNode) -> str:
    words = (node.attributes.get("notation") or "").split()
    command = next((_ENCLOSED[word] for word in words if word in _ENCLOSED), "")
    return rf"\{command}{{{row_tex(node)}}}" if command else row_tex(node)


def _table(table: LexborNode) -> str:
    rows = _elements(table)
    first = next((row for row in rows if row.tag != "mlabeledtr"), None)
    cells = _elements(first) if first is not None else []
    alignment = (table.attributes.get("columnalign") or "").strip()
    is_aligned = alignment.startswith("right left") or any(
        _first_sign(cell) in _RELATIONS for cell in cells[1:5]
    )
    return _cells(table, "aligned" if is_aligned else "gathered" if len(cells) < 2 else "matrix")


def _first_sign(cell: LexborNode) -> str:
    for part in _elements(cell):
        inside = _elements(part)
        sign = _token(part) or _token(inside[0] if inside else part)
        if sign and part.tag != "mspace":
            return sign
    return ""


def _cells(table: LexborNode, environment: str) -> str:
    rows = []
    for line in _elements(table):
        cells = _elements(line)
        label = cells.pop(0) if line.tag == "mlabeledtr" and cells else None
        row = " & ".join(map(row_tex, cells))
        rows.append(row + (rf" \quad {row_tex(label)}" if label is not None else ""))
    return rf"\begin{{{environment}}}" + r" \\ ".join(rows) + rf"\end{{{environment}}}"


def _fences(node: LexborNode) -> str:
    said = {name: (value or "").strip() for name, value in node.attributes.items()}
    opening, closing = said.get("open", "("), said.get("close", ")")
    parts = _elements(node)
    if len(parts) == 1:
        environment = _environment(opening, closing)
        if parts[0].tag == "mtable" and environment:
            return _cells(parts[0], environment)
        if _is_thin(parts[0]) and (opening, closing) == ("(", ")"):
            return _two("binom", parts[0])
    separators = "".join(said.get("separators", ",").split())
    out = _escaped(opening)
    for number, part in enumerate(parts):
        if number and separators:
            out += separators[min(number, len(separators)) - 1]
        out = _add(out, _tex(part))
    return out + _escaped(closing)


def _shifted(sign: str, node: LexborNode) -> str:
    text = _tex(node).strip()
    return sign + (text if len(text) == 1 else f"{{{text}}}")


def _braced(node: LexborNode) -> str:
    return f"{{{_tex(node)}}}"


_WHOLE: Final = {
    "mi": _sign,
    "mo": _sign,
    "mn": _sign,
    "mtext": _text,
    "ms": _text,
    "mspace": _space,
    "semantics": _first,
    "maction": _first,
    "msqrt": _root,
    "menclose": _enclosed,
    "mtable": _table,
    "mfenced": _fences,
}
