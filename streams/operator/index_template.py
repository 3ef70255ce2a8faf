"""The index template of documents for Elasticsearch and OpenSearch, built from their schema."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from importlib.resources import files
from typing import Any, Final

import orjson

INDEX: Final = "winnow-documents"
# a term of an index has at most 32,766 bytes, and a character up to four
_TERM_CHARS: Final = 8191
# deepest nesting of objects in `meta`
_DEPTH: Final = 32
# above the engines' built-in templates, none of which matches our index today
_PRIORITY: Final = 200
_SUBFIELD_CHARS: Final = 256
_LANGUAGE_FIELDS: Final = ("title", "description", "text")
_NAMES: Final = ("title", "author", "site_name", "section", "tags")
_TEXTS: Final = (*_NAMES, "description", "text")
# dates that the schema leaves in the crawler's format
_DATES: Final = ("fetched_at", "date")
_DAY: Final = r"^\d{4}-"
# primary subtag of BCP 47 -> the analyzer of both engines that needs no plugin
ANALYZERS: Final[Mapping[str, str]] = {
    "ar": "arabic", "bg": "bulgarian", "bn": "bengali", "ca": "catalan", "cs": "czech",
    "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french",
    "ga": "irish", "gl": "galician", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "ja": "cjk", "ko": "cjk", "lt": "lithuanian",
    "lv": "latvian", "nb": "norwegian", "nl": "dutch", "nn": "norwegian", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "th": "thai",
    "tr": "turkish", "zh": "cjk",
}  # fmt: skip


class IndexEngine(StrEnum):
    """The engine whose types the template uses."""

    ELASTICSEARCH = "elasticsearch"
    OPENSEARCH = "opensearch"


class FieldKind(StrEnum):
    """How an engine stores a member of a document."""

    KEYWORD = "keyword"
    TEXT = "text"
    DATE = "date"
    INTEGER = "integer"
    NUMBER = "float"
    BOOLEAN = "boolean"
    OPEN = "open"  # an object with arbitrary members
    STORED = "stored"  # returned, but not searchable


_MAPPINGS: Final[Mapping[FieldKind, Mapping[str, Any]]] = {
    FieldKind.KEYWORD: {"type": "keyword", "ignore_above": _TERM_CHARS},
    # crawlers and pages may write invalid dates
    FieldKind.DATE: {"type": "date", "ignore_malformed": True},
    FieldKind.STORED: {"type": "object", "enabled": False},
}
_OPEN: Final[Mapping[IndexEngine, Mapping[str, Any]]] = {
    IndexEngine.OPENSEARCH: {"type": "flat_object"},
    IndexEngine.ELASTICSEARCH: {
        "type": "flattened", "depth_limit": _DEPTH, "ignore_above": _TERM_CHARS,
    },
}  # fmt: skip


def document_schema() -> dict[str, Any]:
    """Return the JSON Schema of documents."""
    schema: dict[str, Any] = orjson.loads(
        (files("winnow.streams") / "schemas" / "document.json").read_bytes()
    )
    return schema


def fields(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, FieldKind]]:
    """Yield the path and the kind of every member; an object yields its members instead.

    Raises:
        ValueError: the schema has a member without a suitable type.
    """
    for name, member in schema["properties"].items():
        if "properties" in member:
            yield from fields(member, f"{path}{name}.")
        else:
            yield f"{path}{name}", _kind(name, member)


def index_template(engine: IndexEngine, languages: Iterable[str]) -> dict[str, Any]:
    """Return the body of `PUT _index_template/winnow-documents`.

    Members of later versions are stored, but not searchable until the template has them.

    Args:
        engine: the engine whose types are used.
        languages: title, description and text get a sub-field for each, with its analyzer.

    Raises:
        KeyError: a language has no analyzer.
    """
    analyzers = {language: ANALYZERS[language] for language in languages}
    mappings: dict[str, Any] = {"dynamic": False, "properties": {}}
    schema = document_schema()
    for path, kind in fields(schema):
        *parents, name = path.split(".")
        properties = mappings["properties"]
        for parent in parents:
            properties = properties.setdefault(parent, {"properties": {}})["properties"]
        properties[name] = _mapping(name, kind, engine, analyzers)
    return {
        "index_patterns": [f"{INDEX}-*"],
        "priority": _PRIORITY,
        "template": {"mappings": mappings},
        "_meta": {"schema": schema["$id"]},
    }


def _kind(name: str, member: Mapping[str, Any]) -> FieldKind:
    """Return the kind of a member without known members of its own."""
    kinds = {
        "integer": FieldKind.INTEGER, "number": FieldKind.NUMBER, "boolean": FieldKind.BOOLEAN,
        "object": FieldKind.OPEN,
    }  # fmt: skip
    match member:
        case {"const": int()}:
            return FieldKind.INTEGER
        case {"type": "array", "items": {"type": "object"}}:
            return FieldKind.STORED
        case {"type": "array", "items": items}:
            return _kind(name, items)
        case {"type": "string"}:
            is_date = name in _DATES or member.get("pattern", "").startswith(_DAY)
            text = FieldKind.TEXT if name in _TEXTS else FieldKind.KEYWORD
            return FieldKind.DATE if is_date else text
        case {"type": kind} if kind in kinds:
            return kinds[kind]
    raise ValueError(f"no field type for the member {name!r} of the schema")


def _mapping(
    name: str, kind: FieldKind, engine: IndexEngine, analyzers: Mapping[str, str]
) -> dict[str, Any]:
    if kind is FieldKind.TEXT:
        return {"type": "text"} | _subfields(name, analyzers)
    if kind is FieldKind.OPEN:
        return dict(_OPEN[engine])
    return dict(_MAPPINGS.get(kind, {"type": kind.value}))


def _subfields(name: str, analyzers: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if name in _NAMES:
        found["keyword"] = {"type": "keyword", "ignore_above": _SUBFIELD_CHARS}
    if name in _LANGUAGE_FIELDS:
        found |= {
            language: {"type": "text", "analyzer": analyzer}
            for language, analyzer in analyzers.items()
        }
    return {"fields": found} if found else {}
