"""Marks of quotations: part of the oracle of the tests."""

from typing import Final

from selectolax.lexbor import LexborNode

from tests.unit.models.page.reference_near import text_of

_MARKS: Final = {
    **dict.fromkeys("de cs sk sl hr is bg sq".split(), "„“‚‘"),
    **dict.fromkeys(("pl", "ro"), "„”«»"),
    "hu": "„”»«",
    "et": "„“«»",
    "lt": "„“„“",
    "fr": "«»«»",
    "fa": "«»‹›",
    **dict.fromkeys(("sr", "bs"), "„”’’"),
    **dict.fromkeys("es it ca el".split(), "«»“”"),
    **dict.fromkeys("no nb nn".split(), "«»‘’"),
    **dict.fromkeys("ru uk be".split(), "«»„“"),
    **dict.fromkeys("sv fi he".split(), "””’’"),
    **dict.fromkeys("ja zh-tw zh-hk zh-hant".split(), "「」『』"),
    "nl": "‘’“”",
    "ar": "”“’‘",
}
_OWN: Final = tuple('"“”„«»‘‚‹›「『‟')


def starts_with_mark(node: LexborNode) -> bool:
    """Whether an author wrote a mark at the start of a quotation."""
    inside = node.first_child
    for _ in range(4):
        if inside is None:
            return False
        if text_of(inside).strip(" \t\n\x0c\r"):
            return text_of(inside).encode()[:8].decode(errors="ignore").lstrip().startswith(_OWN)
        inside = inside.first_child
    return False


def is_mark(character: str) -> bool:
    """Whether a character is a mark that authors write around a quotation."""
    return character in _OWN


def marks_of(node: LexborNode, of_page: str) -> str:
    """Return the outer and the inner marks of the language that a quotation is in."""
    language, at = None, node
    for _ in range(8):
        language = language if language is not None else _language(at)
        if at.parent is None:
            break
        at = at.parent
    language = of_page if language is None else language
    for name in (language[:7], language[:5], language.partition("-")[0]):
        if name in _MARKS:
            return _MARKS[name]
    return "“”‘’"


def _language(node: LexborNode) -> str | None:
    attributes = node.attributes
    stated = attributes.get("lang", attributes.get("xml:lang"))
    has_one = "lang" in attributes or "xml:lang" in attributes
    return (stated or "").strip().lower() if has_one else None


def language_of_page(root: LexborNode) -> str:
    """Return the language of the root element."""
    return _language(root) or ""
