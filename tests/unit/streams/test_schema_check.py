"""The decoders of messages refuse everything that their JSON Schemas refuse."""

from importlib.resources import files
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from winnow.streams.schema_check import decoder_of, type_of

Json = dict[str, Any]


def schema(name: str) -> Json:
    definition: Json = orjson.loads(
        (files("winnow.streams") / "schemas" / f"{name}.json").read_bytes()
    )
    return definition


def members(definition: Json) -> st.SearchStrategy[Any]:
    """Return values near the edges of what a schema takes."""
    odd: st.SearchStrategy[Any] = st.sampled_from(
        [None, True, False, -1, 0, 1, 0.5, 1e300, "", "text", "a" * 64, "a" * 64 + "\n", [], {}]
    )
    if "properties" in definition:
        some = {name: members(each) for name, each in definition["properties"].items()}
        required = definition.get("required", [])
        right = st.fixed_dictionaries(
            {name: some[name] for name in required},
            optional={name: each for name, each in some.items() if name not in required},
        )
        return st.one_of(right, odd)
    if "items" in definition:
        return st.one_of(st.lists(members(definition["items"]), max_size=2), odd)
    values = [definition["const"]] if "const" in definition else definition.get("enum", [])
    return st.one_of(st.sampled_from(values), odd) if values else odd


@pytest.mark.parametrize("name", ["document", "stats"])
@given(st.data())
def test_the_schema_accepts_everything_the_decoder_accepts(name: str, data: st.DataObject) -> None:
    definition = schema(name)
    parts = definition["properties"]
    part = data.draw(st.sampled_from(sorted(parts)))
    value = data.draw(members(parts[part]))
    whole = definition | {"required": [part], "properties": {part: parts[part]}}

    decoder = msgspec.json.Decoder(type_of(whole, definition.get("$defs", {})))
    try:
        decoder.decode(orjson.dumps({part: value}))
    except msgspec.ValidationError:
        return

    Draft202012Validator(whole).validate({part: value})


@pytest.mark.parametrize("name", ["document", "stats"])
def test_an_object_is_refused_without_any_of_its_required_members(name: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="missing required"):
        decoder_of(name).decode(b'{"schema_version":1}')


@pytest.mark.parametrize(
    "definition",
    [
        {"type": "string", "format": "uri"},
        {"type": "null"},
        {"oneOf": []},
        {"type": "array", "items": {"type": "integer", "multipleOf": 2}},
    ],
)
def test_a_keyword_that_is_not_known_is_an_error(definition: Json) -> None:
    with pytest.raises(ValueError, match="unknown keywords"):
        type_of(definition, {})
