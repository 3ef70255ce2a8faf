"""Raised and lowered numbers that touch a digit: part of the tests' oracle."""

import re
from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_near import text_of

_PLAIN: Final = "0123456789+-−=()"
_RAISED: Final = (f"{_PLAIN}abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
_LOWERED: Final = (f"{_PLAIN}aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_NUMBER: Final = re.compile("[-+−]?[0-9]")
_WORD: Final = re.compile(r"""(?:[^\W\d_]{4}|[.,;:!?)\]"'”’»…®™。，）])\Z""")
_SHORT: Final = re.compile(r"(?<![^\W\d_])([a-z]{3})\Z")
_OF_FORMULAS: Final = frozenset(
    "bar cos cot deg exp gal hrs log lux mil min mol rad sec sin tan".split()
)
_SLASHES: Final = ("/", "⁄", "∕")


def shifted(node: LexborNode, text: str, before: str) -> str:
    """Return what is written for a text node; `before` is the text that it touches."""
    element = next((each for each in _around(node) if each.tag in {"sup", "sub"}), None)
    if element is None:
        element = next((each for each in _around(node) if _is_note_mark(each, text)), None)
    if element is None or not _NUMBER.match(text):
        return text
    is_raised = element.tag != "sub"
    short = _SHORT.search(before) if text[0] not in "-+−" else None
    is_word = _WORD.search(before) or (short is not None and short[1] not in _OF_FORMULAS)
    is_after_word = is_raised and is_word
    if not is_after_word and not before[-1:].isnumeric():
        return text
    after = element.next
    follows = text_of(after).lstrip() if after is not None else ""
    plain, signs = _RAISED if is_raised else _LOWERED
    if follows.startswith(_SLASHES) or not {*plain, *signs}.issuperset(text.rstrip()):
        return f" {text}"
    return text.translate(str.maketrans(plain, signs))


def _is_note_mark(link: LexborNode, text: str) -> bool:
    if link.tag != "a" or not re.fullmatch(r"\s*[0-9]{1,3}\s*", text, re.ASCII):
        return False
    place = (link.attributes.get("href") or "").encode()[:65].decode(errors="replace")
    return re.match("#.*(?:note|fn|ftn|cite)", place, re.DOTALL) is not None


def _around(node: LexborNode) -> list[LexborNode]:
    parent = node.parent
    above = parent.parent if parent is not None else None
    return [element for element in (parent, above) if element is not None]
