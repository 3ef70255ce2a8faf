"""A JSON Schema and an example -> a table in Markdown, a row for each member."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import orjson

from tests.messages.schemas import Json

MAX_EXAMPLE_CHARS: Final = 48
_HEAD: Final = "| name | type | what it is | example |\n|---|---|---|---|\n"


@dataclass(frozen=True, slots=True)
class Row:
    """One member; members of list items are named `list[].member`."""

    name: str
    schema: Json
    is_required: bool
    example: Any


def table(schema: Json, example: Json) -> str:
    """Return the table of an object's members; bold names are always there."""
    return _HEAD + "".join(map(_line, rows(schema, example)))


def rows(schema: Json, example: Json, prefix: str = "") -> Iterator[Row]:
    """Yield the members of an object and, below a list of objects, theirs."""
    required = schema.get("required", ())
    for name, member in schema["properties"].items():
        value = example.get(name)
        yield Row(prefix + name, _resolved(member, schema), name in required, value)
        items = member.get("items", {})
        if "properties" in items:
            yield from rows(items, value[0] if value else {}, f"{prefix}{name}[].")


def type_and_bounds(schema: Json) -> str:
    """Return what values there may be, in words."""
    if "const" in schema:
        return f"always `{schema['const']}`"
    if "enum" in schema:
        return "one of " + ", ".join(f"`{value}`" if value else "empty" for value in schema["enum"])
    kind = schema["type"]
    if isinstance(kind, list):
        kind = " or ".join(kind)
    return _of(kind, schema) + _bounds(schema)


def _of(kind: str, schema: Json) -> str:
    if "items" in schema:
        return f"array of {schema['items']['type']}s"
    members = schema.get("additionalProperties")
    if isinstance(members, dict):
        names = schema.get("propertyNames", {}).get("enum", ())
        by = ", by " + ", ".join(f"`{name}`" for name in names) if names else ""
        return f"object of {members['type']}s" + _bounds(members) + by
    return kind


def _bounds(schema: Json) -> str:
    if "pattern" in schema:
        pattern = schema["pattern"].replace("|", "\\|")
        return f", `{pattern}`"
    low, high, unit = schema.get("minLength"), schema.get("maxLength"), " characters"
    if low is None and high is None:
        low, high, unit = schema.get("minimum"), schema.get("maximum"), ""
    if high is None:
        return "" if low is None else f", at least {low}{unit}"
    return f", at most {high}{unit}" if low is None else f", {low} to {high}{unit}"


def _resolved(member: Json, schema: Json) -> Json:
    reference = member.get("$ref", "").removeprefix("#/$defs/")
    return schema["$defs"][reference] | member if reference else member


def _line(row: Row) -> str:
    name = f"**`{row.name}`**" if row.is_required else f"`{row.name}`"
    what = row.schema.get("description", "")
    return f"| {name} | {type_and_bounds(row.schema)} | {what} | {_example(row.example)} |\n"


def _example(value: Any) -> str:  # noqa: ANN401 - decoded JSON
    if value is None:
        return ""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "see below"
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    if not text:
        return "empty"
    one_line = " ".join(text.split()).replace("|", "\\|")
    cut = one_line if len(one_line) <= MAX_EXAMPLE_CHARS else one_line[:MAX_EXAMPLE_CHARS] + "…"
    return f"`{cut}`"
