"""docs/messages.md and docs/asyncapi.json say what the schemas say."""

from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from tests.messages import examples, pages
from tests.messages.schemas import NAMES, schema
from tests.messages.tables import rows, type_and_bounds
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.deadletters import Stage, stub
from winnow.streams.pages import Fetched, arrival_from
from winnow.streams.records import Incoming
from winnow.streams.repeats import RepeatFilter

OUTDATED = "run `make messages`"
# the example has the other form of a body and no archive
NOT_IN_EXAMPLES = {"body_base64", "warc"}


def test_the_page_is_as_the_schemas_say() -> None:
    text = pages.PAGE.read_text(encoding="utf-8")

    assert pages.page(text, pages.recorded_examples()) == text, OUTDATED


def test_the_asyncapi_document_is_as_the_schemas_say() -> None:
    text = pages.ASYNCAPI.read_text(encoding="utf-8")

    assert pages.asyncapi_text(pages.recorded_examples()) == text, OUTDATED


def test_every_schema_is_in_the_page() -> None:
    text = pages.PAGE.read_text(encoding="utf-8")

    assert [name for name in NAMES if f"<!-- made: table {name} -->" not in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_member_has_a_meaning_and_an_example(name: str) -> None:
    members = list(rows(schema(name), pages.example_of(name, pages.recorded_examples())))

    assert [row.name for row in members if not row.schema.get("description")] == []
    missing = [row.name for row in members if row.example is None]
    assert set(missing) <= NOT_IN_EXAMPLES, OUTDATED


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_are_as_their_schemas_say(name: str) -> None:
    Draft202012Validator(schema(name)).validate(pages.example_of(name, pages.recorded_examples()))


@pytest.mark.parametrize("name", ["rawPage", "jsonPage"])
def test_the_pages_among_the_examples_are_taken(name: str) -> None:
    example = examples.IN[name]
    value = example["payload"]
    headers = tuple((key, each.encode()) for key, each in example["headers"].items())
    body = value.encode() if isinstance(value, str) else orjson.dumps(value)

    arrival = arrival_from(Incoming("winnow.pages", 0, 0, None, body, headers))

    assert isinstance(arrival, Fetched)
    page = arrival.page
    assert (page.url, page.body.decode()) == (examples.URL, examples.HTML)
    assert page.fetched_at == "2026-11-24T09:30:00Z"


def test_examples_of_messages_in_equal_the_document() -> None:
    recorded = pages.recorded_examples()

    assert {name: recorded[name] for name in examples.IN} == examples.IN, OUTDATED


def test_a_stub_is_as_its_schema_says() -> None:
    record = Incoming("winnow.pages", 0, 7, b"key", b"value")
    error = InvalidPage(Reason.TOO_LARGE, "5 bytes, limit 4")

    letter = stub(record, error, Stage.DECODE, "winnow.dead")

    value = orjson.loads(letter.value or b"")
    Draft202012Validator(schema("stub")).validate(value)
    assert set(value) == set(schema("stub")["properties"])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"const": 1}, "always `1`"),
        ({"enum": ["", "a"]}, "one of empty, `a`"),
        ({"type": "string", "minLength": 4, "maxLength": 9}, "string, 4 to 9 characters"),
        ({"type": ["string", "null"], "maxLength": 9}, "string or null, at most 9 characters"),
        ({"type": "string", "pattern": "a|b"}, "string, `a\\|b`"),
        ({"type": "number", "minimum": 0, "maximum": 1}, "number, 0 to 1"),
        ({"type": "integer", "minimum": 0}, "integer, at least 0"),
        ({"type": "array", "items": {"type": "string"}}, "array of strings"),
        (
            {
                "type": "object",
                "propertyNames": {"enum": ["a", "b"]},
                "additionalProperties": {"type": "integer", "minimum": 0},
            },
            "object of integers, at least 0, by `a`, `b`",
        ),
        ({"type": "boolean"}, "boolean"),
    ],
)
def test_a_type_is_described_with_its_bounds(given: dict[str, Any], words: str) -> None:
    assert type_and_bounds(given) == words


class Record:
    def __init__(self, source: bytes) -> None:
        self._source = source

    def headers(self) -> list[tuple[str, bytes]]:
        return [("content-type", b"application/json"), ("source", self._source)]


def test_the_recipe_against_repeats_drops_what_the_filter_of_tail_drops() -> None:
    names: dict[str, Any] = {}
    exec(pages.programs(pages.PAGE.read_text(encoding="utf-8"))["repeats.py"], names)
    recipe, filtered = names["Repeats"](window=2), RepeatFilter(window=2)
    sources = [b"p/0/1", b"p/0/2", b"p/0/1", b"p/0/3", b"p/0/2", b"p/0/3", b"p/0/1"]

    found = [recipe.has(Record(source)) for source in sources]

    assert found == [False, False, True, False, False, True, False]
    assert found == [filtered.is_repeat("documents", source) for source in sources]
