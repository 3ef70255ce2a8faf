"""One of our JSON Schemas -> a decoder that enforces it, fast enough for every page.

It supports only the keywords that our schemas use. An object may hold only the members that its
schema names, even where `additionalProperties` lets readers accept members of later versions.
"""

from collections.abc import Mapping
from importlib.resources import files
from types import GenericAlias
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
import orjson
from msgspec import UNSET, Meta, UnsetType

_Schema: TypeAlias = Mapping[str, Any]
_Definitions: TypeAlias = Mapping[str, _Schema]

_SAYS_NOTHING: Final = frozenset({"$schema", "$id", "$defs", "title", "description", "type"})
_RANGE: Final = {"minimum": "ge", "maximum": "le"}
_LENGTH: Final = {"minLength": "min_length", "maxLength": "max_length", "pattern": "pattern"}
_SCALARS: Final[Mapping[str, tuple[type, Mapping[str, str]]]] = {
    "string": (str, _LENGTH),
    "integer": (int, _RANGE),
    "number": (float, _RANGE),
    "boolean": (bool, {}),
}
_MOST: Final = (1 << 63) - 1  # limit for written values; a larger number is not one of ours
_OBJECT: Final = frozenset({"required", "properties", "additionalProperties", "propertyNames"})


def decoder_of(name: str) -> msgspec.json.Decoder[Any]:
    """Return a decoder for `schemas/NAME.json`; a missing member is UNSET.

    Raises:
        ValueError: the schema uses an unsupported keyword.
    """
    schema = orjson.loads((files("winnow.streams") / "schemas" / f"{name}.json").read_bytes())
    return msgspec.json.Decoder(type_of(schema, schema.get("$defs", {})))


def type_of(schema: _Schema, definitions: _Definitions) -> Any:  # noqa: ANN401 - a type
    """Return the type of the values that a schema allows; `definitions` resolves references.

    Raises:
        ValueError: the schema uses an unsupported keyword.
    """
    kind, said = schema.get("type", ""), schema.keys() - _SAYS_NOTHING
    if said == {"$ref"}:
        return type_of(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    if said in ({"const"}, {"enum"}):
        return Literal[tuple(schema.get("enum") or [schema["const"]])]
    if kind == "object" and said <= _OBJECT:
        return _object(schema, definitions)
    if kind == "array" and said == {"items"}:
        return GenericAlias(list, type_of(schema["items"], definitions))
    scalar, bounds = _SCALARS.get(kind, (None, {}))
    if scalar is None or said - bounds.keys():
        raise ValueError(f"schema of type {kind!r} with unknown keywords: {sorted(said)}")
    limits = {bounds[name]: _bound(name, schema[name]) for name in said}
    return Annotated[scalar, Meta(**({"le": _MOST} | limits if scalar is int else limits))]


def _bound(name: str, value: Any) -> Any:  # noqa: ANN401 - decoded JSON
    # `$` alone would accept a trailing line end
    return rf"{value}\Z" if name == "pattern" else value


def _object(schema: _Schema, definitions: _Definitions) -> Any:  # noqa: ANN401 - a type
    members = schema.get("properties")
    if members is not None:
        # in the order of written messages: the decoder looks for the next field first
        fields = [_field(name, members[name], schema, definitions) for name in sorted(members)]
        return msgspec.defstruct("Object", fields, kw_only=True, forbid_unknown_fields=True)
    names = type_of(schema.get("propertyNames", {"type": "string"}), definitions)
    given = schema["additionalProperties"]
    member = msgspec.Raw if given is True else type_of(given, definitions)
    return GenericAlias(dict, (names, member))


def _field(name: str, member: _Schema, schema: _Schema, definitions: _Definitions) -> Any:  # noqa: ANN401
    wanted = type_of(member, definitions)
    return (
        (name, wanted) if name in schema.get("required", ()) else (name, wanted | UnsetType, UNSET)
    )
