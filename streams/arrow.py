"""The JSON Schema of a message -> the Arrow schema of a table of such messages: one definition.

Members that the schema does not name, such as a crawler's own, have no column.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

import orjson
import pyarrow as pa

_PLAIN: Final = {
    "string": pa.string(),
    "integer": pa.int64(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
}


class MessageTable:
    """Messages of one kind as rows of a table."""

    def __init__(self, name: str) -> None:
        """Read the schema of one kind of message, such as `document`."""
        self._members = _resolved(_schema(name))["properties"]
        self.schema: Final = pa.schema(_fields(self._members), {"winnow.schema": name})

    def batch(self, messages: list[bytes]) -> pa.RecordBatch:
        """Return one row per message, in order."""
        return pa.RecordBatch.from_pylist([self.row(each) for each in messages], self.schema)

    def row(self, message: bytes) -> dict[str, Any]:
        """Return the columns of a message."""
        return _columns(orjson.loads(message), self._members)


def _schema(name: str) -> dict[str, Any]:
    content = (files("winnow.streams") / "schemas" / f"{name}.json").read_bytes()
    schema: dict[str, Any] = orjson.loads(content)
    return schema


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with each reference replaced by its definition."""
    definitions = schema.get("$defs", {})

    def put_in(part: Any) -> Any:  # noqa: ANN401 - any JSON
        if isinstance(part, list):
            return [put_in(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return put_in(definitions[part["$ref"].removeprefix("#/$defs/")])
        return {name: put_in(each) for name, each in part.items()}

    members: dict[str, Any] = put_in(schema)
    return members


def _fields(members: Mapping[str, Mapping[str, Any]]) -> list[pa.Field]:
    """Return one nullable column per member: messages of other versions may lack some."""
    return [pa.field(name, _type(member)) for name, member in members.items()]


def _type(member: Mapping[str, Any]) -> pa.DataType:
    kind = _kind(member)
    if kind == "array":
        return pa.list_(_type(member["items"]))
    if kind == "object":
        # an object with arbitrary members is a JSON column: an Arrow struct needs fixed fields
        return pa.string() if _is_free(member) else pa.struct(_fields(member["properties"]))
    return _PLAIN[kind]


def _kind(member: Mapping[str, Any]) -> str:
    """Return the JSON type of a member when it is not null."""
    if "const" in member or "enum" in member:
        value = member["const"] if "const" in member else member["enum"][0]
        return "string" if isinstance(value, str) else "integer"
    if "anyOf" in member:
        (kind,) = {_kind(each) for each in member["anyOf"]} - {"null"}
        return kind
    stated = member["type"]
    kinds = {stated} if isinstance(stated, str) else set(stated) - {"null"}
    if kinds == {"integer", "number"}:
        return "number"
    (kind,) = kinds
    return kind


def _is_free(member: Mapping[str, Any]) -> bool:
    return bool(member) and _kind(member) == "object" and "properties" not in member


def _columns(values: Mapping[str, Any], members: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {name: _cell(value, members[name]) for name, value in values.items() if name in members}


def _cell(value: Any, member: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON
    if value is None:
        return None
    if _is_free(member):
        return orjson.dumps(value).decode()
    match _kind(member):
        case "array":
            return [_cell(each, member["items"]) for each in value]
        case "object":
            return _columns(value, member["properties"])
        case _:
            return value
