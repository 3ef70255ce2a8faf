"""docs/asyncapi.json is an AsyncAPI 3.0 document, as the makers of the specification check it."""

import tarfile
from typing import Any

import orjson
import pytest
from jsonschema import Draft7Validator

from tests.messages.pages import ASYNCAPI
from tests.services.programs import asyncapi_schemas

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def specification() -> Draft7Validator:
    with tarfile.open(asyncapi_schemas()) as archive:
        member = archive.extractfile("package/schemas/3.0.0-without-$id.json")
        assert member is not None
        return Draft7Validator(orjson.loads(member.read()))


@pytest.fixture
def document() -> dict[str, Any]:
    read: dict[str, Any] = orjson.loads(ASYNCAPI.read_bytes())
    return read


def test_the_document_is_valid(specification: Draft7Validator, document: dict[str, Any]) -> None:
    assert [error.message for error in specification.iter_errors(document)] == []


@pytest.mark.parametrize("part", ["channels", "operations"])
def test_the_specification_would_refuse_another_member(
    part: str, specification: Draft7Validator, document: dict[str, Any]
) -> None:
    next(iter(document[part].values()))["unknown"] = 1

    assert not specification.is_valid(document)


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    for reference in references(document):
        assert reference.startswith("#/"), reference
        target: Any = document
        for name in reference.removeprefix("#/").split("/"):
            target = target[name]


def references(part: object) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        return own + [each for value in part.values() for each in references(value)]
    if isinstance(part, list):
        return [each for value in part for each in references(value)]
    return []
