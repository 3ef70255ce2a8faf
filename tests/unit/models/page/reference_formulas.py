"""Formulas to TeX again, slow and plain: part of the oracle of the tests."""

import re
from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborNode

_TEX: Final = frozenset(("application/x-tex", "tex", "latex"))
_INVISIBLE: Final = dict.fromkeys(range(0x2061, 0x2065))
_WRAPPED: Final = re.compile(r"\{\\(?:displaystyle|textstyle)((?![A-Za-z]).*)\}", re.DOTALL)
_NO_ELEMENT: Final = ("-", "!", "#", "?")
_LEFT_OUT: Final = frozenset(("annotation", "annotation-xml", "script", "style", "svg"))
_BEHIND: Final = {"mtr": " \\\\ ", "mtd": " & "}


def math_tex(math: LexborNode) -> str:
    """Return the TeX of a `math` element."""
    for semantics in _named(math, "semantics")[:1]:
        for annotation in _named(semantics, "annotation"):
            if _TEX.intersection((value or "").lower() for value in annotation.attributes.values()):
                tex = _unwrapped(_first_text(annotation))
                if tex:
                    return tex
                break
    return "".join(_shown(child) for child in _children(math))


def script_tex(node: LexborNode) -> str:
    """Return the TeX that MathJax takes from a script, empty for other elements."""
    values = [value or "" for value in node.attributes.values()]
    if node.tag != "script" or not any(value.startswith("math/tex") for value in values):
        return ""
    return _first_text(node)


def _unwrapped(tex: str) -> str:
    tex = tex.strip()
    wrapped = _WRAPPED.fullmatch(tex)
    return wrapped[1].strip() if wrapped else tex


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.first_child
    while child is not None:
        yield child
        child = child.next


def _named(node: LexborNode, name: str) -> list[LexborNode]:
    return [child for child in _children(node) if child.tag == name]


def _first_text(node: LexborNode) -> str:
    first = node.first_child
    return (first.text_content or "") if first is not None and first.tag == "-text" else ""


def _shown(node: LexborNode) -> str:
    name = node.tag or ""
    if name == "-text":
        return (node.text_content or "").translate(_INVISIBLE)
    if name in _LEFT_OUT or name.startswith(_NO_ELEMENT):
        return ""
    elements = (child for child in _children(node) if not (child.tag or "").startswith(_NO_ELEMENT))
    inside = "".join(_shown(child) for child in _children(node))
    if name == "msqrt":
        return rf"\sqrt{{{inside}}}"
    return _shaped(name, [_shown(child) for child in elements]) or inside + _BEHIND.get(name, "")


def _shaped(name: str, parts: list[str]) -> str:
    match name, parts:
        case "msup" | "mover", [base, upper]:
            return f"{base}^{_braced(upper)}"
        case "msub" | "munder", [base, lower]:
            return f"{base}_{_braced(lower)}"
        case "msubsup" | "munderover", [base, lower, upper]:
            return f"{base}_{_braced(lower)}^{_braced(upper)}"
        case "mfrac", [above, below]:
            return rf"\frac{{{above}}}{{{below}}}"
        case "mroot", [base, index]:
            return rf"\sqrt[{index}]{{{base}}}"
        case _:
            return ""


def _braced(text: str) -> str:
    text = text.strip()
    return text if len(text) == 1 else f"{{{text}}}"
