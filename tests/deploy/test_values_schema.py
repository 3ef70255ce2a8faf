"""The schema of the values: complete, closed, and open only to what umbrella charts pass in."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import yaml
from jsonschema import Draft7Validator, ValidationError

from tests.deploy.chart import FOLDER, VALUE_SETS, Chart, values
from winnow.models.engines.choice import ENGINES
from winnow.models.options import LEAST_CHUNK, OPTION_NAMES, CleanerOptions
from winnow.models.sites.memory import MAX_PAGES

SCHEMA = json.loads((FOLDER / "values.schema.json").read_text())
DEFAULTS = yaml.safe_load((FOLDER / "values.yaml").read_text())
# What a chart that has this one as a part passes in, without a default here.
FROM_A_PARENT = {"global", "enabled"}
OPTIONS = ("worker", "options")
# A wrong value for each key: no key has this type and these words.
NONSENSE = ["nonsense", {"nonsense": ["x"]}]


def keys(schema: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key that the schema names."""
    if path == OPTIONS:  # the worker knows the defaults of these
        return
    for name, part in schema.get("properties", {}).items():
        yield (*path, name)
        yield from keys(part, (*path, name))


def objects(path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of every closed object of the schema."""
    part = SCHEMA
    for name in path:
        part = part["properties"][name]
    if part.get("additionalProperties") is False:
        yield path
    for name in part.get("properties", {}):
        yield from objects((*path, name))


def put(path: tuple[str, ...], value: object) -> dict[str, Any]:
    """Return the defaults with one value set."""
    changed: dict[str, Any] = copy.deepcopy(DEFAULTS)
    part = changed
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    return changed


def has(given: dict[str, Any], path: tuple[str, ...]) -> bool:
    """Tell whether a key is there; its value may be null."""
    for name in path[:-1]:
        given = given[name]
    return path[-1] in given


def problems(given: dict[str, Any]) -> list[ValidationError]:
    return list(Draft7Validator(SCHEMA).iter_errors(given))


def test_schema_is_a_schema_and_takes_the_defaults() -> None:
    Draft7Validator.check_schema(SCHEMA)

    assert problems(DEFAULTS) == []


def test_schema_and_defaults_have_the_same_keys() -> None:
    named = {path for path in keys(SCHEMA) if path[0] not in FROM_A_PARENT}

    assert {path for path in named if not has(DEFAULTS, path)} == set()
    assert set(DEFAULTS) == {path[0] for path in named}


@pytest.mark.parametrize("path", [*objects()], ids=lambda path: ".".join(path) or "(root)")
def test_schema_refuses_an_unknown_key(path: tuple[str, ...]) -> None:
    (problem,) = problems(put((*path, "unknownKey"), 1))

    assert "unknownKey" in problem.message


@pytest.mark.parametrize("path", sorted(keys(SCHEMA)), ids=".".join)
def test_schema_refuses_a_value_of_another_type(path: tuple[str, ...]) -> None:
    assert any(problems(put(path, nonsense)) for nonsense in [*NONSENSE, 3.5, None])


@pytest.mark.parametrize(
    "path",
    [
        ("kafka", "sasl", "usernameKey"),
        ("kafka", "sasl", "passwordKey"),
        ("redis", "passwordKey"),
        ("redis", "cacheKey", "key"),
    ],
    ids=".".join,
)
def test_schema_refuses_a_secret_whose_key_has_no_name(path: tuple[str, ...]) -> None:
    assert problems(put(path, ""))


@pytest.mark.parametrize("given", VALUE_SETS, ids=lambda path: path.name)
def test_schema_takes_every_value_set(given: Path) -> None:
    assert problems(yaml.safe_load(given.read_text())) == []


@pytest.mark.parametrize("value", [5, True, None])
def test_schema_refuses_a_variable_that_is_not_text(value: object) -> None:
    assert problems(put(("extraEnv",), [{"name": "A", "value": value}]))
    assert not problems(put(("extraEnv",), [{"name": "A", "value": str(value)}]))


def test_helm_refuses_an_unknown_key_by_the_schema(chart: Chart) -> None:
    refusal = chart.refusal(values(wroker={"replicas": 1}))

    assert "wroker" in refusal


def test_chart_takes_what_a_parent_chart_passes_in(chart: Chart) -> None:
    assert chart.render(values(enabled=True) | {"global": {"imageRegistry": "x"}})


def schema_of(name: str) -> dict[str, object]:
    """Return what JSON may hold for an option of a cleaner."""
    kind = get_type_hints(CleanerOptions)[name]
    by_name: dict[str, dict[str, object]] = {
        "engine": {"enum": sorted(ENGINES)},
        "threshold": {"type": ["number", "null"]},
        "max_perplexity": {
            "oneOf": [
                {"type": "number", "minimum": 1},
                {"type": "string", "pattern": r"^q(0?\.[0-9]+|[01])$"},
                {"type": "null"},
            ]
        },
        "seen": {"type": "integer", "minimum": 0, "maximum": MAX_PAGES},
        "chunks": {"anyOf": [{"const": 0}, {"type": "integer", "minimum": LEAST_CHUNK}]},
        "chunk_overlap": {"type": "integer", "minimum": 0},
    }
    if name in by_name:
        return by_name[name]
    if kind is bool:
        return {"type": "boolean"}
    truths = [True, False] if {"keep", "drop"} <= set(kind) else []
    return {"enum": [*kind, *truths]}


def test_options_of_the_chart_equal_the_options_of_a_cleaner() -> None:
    taken = SCHEMA["properties"]["worker"]["properties"]["options"]

    assert taken["properties"] == {name: schema_of(name) for name in OPTION_NAMES}
    assert taken["additionalProperties"] is False


@pytest.mark.parametrize(
    "options", [{"linkz": "keep"}, {"links": "never"}, {"seen": "2"}, {"engine": "none"}]
)
def test_options_that_end_a_worker_are_refused_by_the_chart(
    chart: Chart, options: dict[str, object]
) -> None:
    refused = chart.refusal(values(worker={"options": options}))

    assert "worker" in refused
    assert "options" in refused
