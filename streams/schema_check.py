"""A JSON Schema of ours -> a check of decoded JSON: strict, and fast enough for every page.

It knows the keywords that the schemas use, no others. An object may hold only the members that
its schema names, whatever `additionalProperties` allows readers to find in later versions.
"""

import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, Final, TypeAlias

import orjson

Check: TypeAlias = Callable[[Any], bool]
_Schema: TypeAlias = Mapping[str, Any]
_Definitions: TypeAlias = Mapping[str, _Schema]

_SAYS_NOTHING: Final = frozenset({"$schema", "$id", "$defs", "title", "description"})
_KEYWORDS: Final = {
    "object": frozenset({"required", "properties", "additionalProperties", "propertyNames"}),
    "array": frozenset({"items"}),
    "string": frozenset({"minLength", "maxLength", "pattern"}),
    "integer": frozenset({"minimum", "maximum"}),
    "number": frozenset({"minimum", "maximum"}),
    "boolean": frozenset[str](),
}


def check_of(name: str) -> Check:
    """Return the check of `schemas/NAME.json`.

    Raises:
        ValueError: the schema uses a keyword that is not known here.
    """
    schema = orjson.loads((files("streams") / "schemas" / f"{name}.json").read_bytes())
    return compiled(schema, schema.get("$defs", {}))


def compiled(schema: _Schema, definitions: _Definitions) -> Check:
    """Return the check of a schema whose references name `definitions`.

    Raises:
        ValueError: the schema uses a keyword that is not known here.
    """
    said = schema.keys() - _SAYS_NOTHING
    if said == {"$ref"}:
        return compiled(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    if said in ({"const"}, {"enum"}):
        return _one_of(schema.get("enum") or [schema["const"]])
    kind = schema.get("type", "")
    unknown = said - _KEYWORDS.get(kind, frozenset()) - {"type"}
    if kind not in _KEYWORDS or unknown:
        raise ValueError(f"schema of type {kind!r} with unknown keywords: {sorted(unknown)}")
    return _MAKERS[kind](schema, definitions)


def _one_of(values: list[str | int]) -> Check:
    """Compare types too: for Python `True` is 1."""
    allowed = {(type(value), value) for value in values}
    return lambda value: isinstance(value, str | int) and (type(value), value) in allowed


def _boolean(_: _Schema, __: _Definitions) -> Check:
    return lambda value: value is True or value is False


def _string(schema: _Schema, _: _Definitions) -> Check:
    if schema.keys() <= _SAYS_NOTHING | {"type"}:
        return lambda value: type(value) is str
    low, high = schema.get("minLength", 0), schema.get("maxLength", 1 << 62)
    pattern = re.compile(schema.get("pattern", "(?s).*"))

    def check(value: object) -> bool:
        return type(value) is str and low <= len(value) <= high and bool(pattern.fullmatch(value))

    return check


def _integer(schema: _Schema, _: _Definitions) -> Check:
    low, high = _range(schema)
    return lambda value: type(value) is int and low <= value <= high


def _number(schema: _Schema, _: _Definitions) -> Check:
    low, high = _range(schema)
    return lambda value: type(value) in {int, float} and low <= value <= high


def _range(schema: _Schema) -> tuple[float, float]:
    return schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))


def _array(schema: _Schema, definitions: _Definitions) -> Check:
    is_member = compiled(schema["items"], definitions)
    return lambda value: type(value) is list and all(map(is_member, value))


def _object(schema: _Schema, definitions: _Definitions) -> Check:
    if "properties" not in schema and schema["additionalProperties"] is True:
        return lambda value: type(value) is dict
    if "properties" not in schema:
        names = schema.get("propertyNames")
        is_name = compiled(names, definitions) if names else lambda _: True
        return _mapping(is_name, compiled(schema["additionalProperties"], definitions))
    checks = {name: compiled(each, definitions) for name, each in schema["properties"].items()}
    required = frozenset(schema.get("required", ()))

    def check(value: Any) -> bool:  # noqa: ANN401 - decoded JSON
        if type(value) is not dict or not required <= value.keys() <= checks.keys():
            return False
        return all(checks[name](member) for name, member in value.items())

    return check


def _mapping(is_name: Check, is_member: Check) -> Check:
    return lambda value: (
        type(value) is dict and all(map(is_name, value)) and all(map(is_member, value.values()))
    )


_MAKERS: Final = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
}
