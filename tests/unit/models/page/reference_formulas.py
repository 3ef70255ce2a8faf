"""Formulas to TeX again, slow and plain: part of the oracle of the tests."""

import re
from typing import Final
from urllib.parse import unquote_to_bytes

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.unit.models.page.reference_near import around, is_element, short_text, within
from tests.unit.models.page.reference_near import children as _children
from tests.unit.models.page.reference_presentation import row_tex

_TEX: Final = frozenset(("application/x-tex", "tex", "latex"))
_WRAPPED: Final = re.compile(r"\{\\(?:displaystyle|textstyle)((?![A-Za-z]).*)\}", re.DOTALL)
_SOURCES: Final = tuple(
    f"data-{name}" for name in ("math", "latex", "tex", "katex", "formula", "equation", "expr")
)
_FORMULA: Final = re.compile("katex|[mM]ath|latex|formula|equation")
_OF_IMAGES: Final = frozenset(
    "latex tex math texrender ql-img-inline-formula ql-img-displayed-formula"
    " ql-img-displayed-equation mwe-math-fallback-image-inline mwe-math-fallback-image-display"
    " mwe-math-fallback-png-inline mwe-math-fallback-png-display".split()
)
_SPOKEN: Final = frozenset(("aria-label", "data-semantic-speech-none", "data-semantic-speech"))
_DRAWERS: Final = re.compile(
    r"latex\.php\?latex=|latex\.codecogs\.com|equation\?tex=|render/math\?math="
    r"|mimetex\.cgi|mathtex\.cgi|/tex\.php"
)
_DRAWN: Final = re.compile("katex|MathJax|MJX")


def math_tex(math: LexborNode) -> str:
    """Return the TeX of a `math` element."""
    sources = [value for key, value in math.attributes.items() if key in _SOURCES]
    if sources and (sources[-1] or "").strip(" \t\n\x0c\r"):
        return (sources[-1] or "").strip(" \t\n\x0c\r")
    for semantics in _named(math, "semantics")[:1]:
        for annotation in _named(semantics, "annotation"):
            if _TEX.intersection((value or "").lower() for value in annotation.attributes.values()):
                tex = _unwrapped(_first_text(annotation))
                if tex:
                    return tex
                break
    return row_tex(math)


def script_media(node: LexborNode) -> str:
    """Return the kind of formula that MathJax takes from a script, empty for other elements."""
    values = [(value or "").strip(" \t\n\x0c\r").lower() for value in node.attributes.values()]
    found = (re.match("math/(tex|mml$|asciimath$)", value) for value in values)
    return next((each[1] for each in found if each), "") if node.tag == "script" else ""


def script_formula(node: LexborNode) -> str:
    """Return the formula that MathJax takes from a script, empty for other elements."""
    media, text = script_media(node), _first_text(node)
    if media == "mml":
        tree = LexborHTMLParser(text).root
        math = next((each for each in within(tree) if each.tag == "math"), None) if tree else None
        return math_tex(math) if math is not None else ""
    if media == "tex":
        hidden = re.fullmatch(r"\s*(?:% )?<!\[CDATA\[(.*?)%?\]\]>\s*", text, re.DOTALL | re.ASCII)
        return hidden[1].strip(" \t\n\x0c\r") if hidden else text
    return text.strip(" \t\n\x0c\r") if media else ""


def drawn_tex(node: LexborNode) -> str:
    """Return the TeX of what is drawn without MathML, as an attribute or an annotation says it."""
    if node.tag == "math" or around(node, lambda each: each.tag in {"math", "svg"}):
        return ""
    name = node.attributes.get("class") or ""
    if node.tag == "img":
        return _image_tex(node, name)
    sources = [value for key, value in node.attributes.items() if key in _SOURCES]
    if sources and sources[-1]:
        is_drawn = _FORMULA.search(name) or _holds_drawing(node) or short_text(node, 0) == ""
        return (sources[-1] or "").strip(" \t\n\x0c\r") if is_drawn else ""
    if node.tag == "mjx-container":
        return _container_tex(node)
    if "katex" in name.split():
        return _annotation(node)
    return _editor_tex(node) if _FORMULA.search(name) else ""


def _container_tex(node: LexborNode) -> str:
    """Return the formula of MathJax without MathML: its TeX, or its words."""
    if _named(node, "mjx-assistive-mml"):
        return ""
    near = [each for each, _ in zip(within(node), range(6), strict=False) if is_element(each)]
    for names in (_SOURCES, _SPOKEN):
        for each in near:
            said = [value or "" for key, value in each.attributes.items() if key in names]
            if found := next((value.strip() for value in said if value.strip()), ""):
                return found
    return ""


def _editor_tex(node: LexborNode) -> str:
    values = [
        value or ""
        for key, value in node.attributes.items()
        if key in {"data-value", "data-content"}
    ]
    tex = values[0] if values else ""
    is_bare = re.search(r"[\\_^{=]", tex) and short_text(node, 0) == ""
    return tex.strip(" \t\n\x0c\r") if is_bare or _holds_drawing(node) else ""


def _image_tex(image: LexborNode, name: str) -> str:
    address = image.attributes.get("src") or ""
    if not _OF_IMAGES.intersection(name.split()) and not _DRAWERS.search(address):
        return ""
    tex = _unwrapped(image.attributes.get("alt") or "")
    asked = _asked_of(address) if _DRAWERS.search(address) else ""
    if not re.search(r"[\\_^{=]", tex) and _is_tex(asked):
        tex = asked
    return tex if _is_tex(tex) else ""


def _is_tex(text: str) -> bool:
    return bool(re.search(r"[\\_^{=]", text) or re.fullmatch("[^ ]{1,8}", text))


def _asked_of(address: str) -> str:
    first = address.partition("?")[2].partition("&")[0]
    try:
        return (
            unquote_to_bytes(re.sub("^(?:latex|tex|math)=", "", first))
            .decode()
            .strip(" \t\n\x0c\r")
        )
    except UnicodeDecodeError:
        return ""


def _holds_drawing(node: LexborNode) -> bool:
    inside = [each for each, _ in zip(within(node), range(6), strict=False)]
    return any(
        _DRAWN.match(value or "")
        for each in inside
        if is_element(each)
        for value in each.attributes.values()
    )


def _annotation(node: LexborNode) -> str:
    for number, each in enumerate(within(node)):
        if each.tag == "math" or number > 256:
            break
        is_tex = _TEX.intersection((value or "") for value in each.attributes.values())
        if each.tag == "annotation" and is_tex:
            return _first_text(each).strip(" \t\n\x0c\r")
    return ""


def _unwrapped(tex: str) -> str:
    tex = tex.strip()
    wrapped = _WRAPPED.fullmatch(tex)
    return wrapped[1].strip() if wrapped else tex


def _named(node: LexborNode, name: str) -> list[LexborNode]:
    return [child for child in _children(node) if child.tag == name]


def _first_text(node: LexborNode) -> str:
    first = node.first_child
    return (first.text_content or "") if first is not None and first.tag == "-text" else ""
