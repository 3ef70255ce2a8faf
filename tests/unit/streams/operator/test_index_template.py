"""The index template follows the schema of documents."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from winnow.streams.operator.index_template import (
    ANALYZERS,
    FieldKind,
    IndexEngine,
    document_schema,
    fields,
    index_template,
)
from winnow.worker.cli import main


def mapped(properties: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for name, mapping in properties.items():
        if "properties" in mapping:
            yield from mapped(mapping["properties"], f"{path}{name}.")
        else:
            yield f"{path}{name}", mapping


@pytest.fixture(params=list(IndexEngine))
def types(request: pytest.FixtureRequest) -> dict[str, dict[str, Any]]:
    template = index_template(request.param, ["de"])
    return dict(mapped(template["template"]["mappings"]["properties"]))


def test_every_member_of_the_schema_has_a_field(types: dict[str, dict[str, Any]]) -> None:
    assert list(types) == [path for path, _ in fields(document_schema())]
    assert {path.split(".")[0] for path in types} == set(document_schema()["properties"])


def test_members_with_known_suffixes_have_fields_of_their_kind(
    types: dict[str, dict[str, Any]],
) -> None:
    dates = {path for path, mapping in types.items() if mapping["type"] == "date"}
    assert dates == {"published_at", "modified_at", "fetched_at", "warc.date"}
    texts = {path for path, mapping in types.items() if mapping["type"] == "text"}
    assert texts == {"title", "author", "site_name", "text", "description", "section", "tags"}
    stored = {path for path, mapping in types.items() if mapping.get("enabled") is False}
    assert stored == {"blocks", "sentences", "chunks"}
    open_objects = {path for path, each in types.items() if each["type"].startswith("flat")}
    assert open_objects == {"wishes.agents", "sources", "meta"}
    assert types["url_hash"]["type"] == types["tags"]["fields"]["keyword"]["type"] == "keyword"
    assert types["text"]["fields"]["de"]["analyzer"] == "german"
    assert types["words"]["type"] == "integer"
    assert types["quality.gopher_words"]["type"] == types["confidence"]["type"] == "float"


def test_a_member_without_a_field_type_is_an_error() -> None:
    with pytest.raises(ValueError, match="odd"):
        list(fields({"properties": {"odd": {"type": "null"}}}))
    kinds = dict(fields({"properties": {"new": {"type": "array", "items": {"type": "string"}}}}))
    assert kinds == {"new": FieldKind.KEYWORD}


def test_the_command_prints_what_the_engine_takes() -> None:
    options = ["--engine", "elasticsearch", "--language", "de", "--language", "zh"]

    done = CliRunner().invoke(main, ["index-template", *options])

    template = orjson.loads(done.stdout)
    properties = template["template"]["mappings"]["properties"]
    assert template["index_patterns"] == ["winnow-documents-*"]
    assert properties["meta"]["type"] == "flattened"
    assert properties["title"]["fields"].keys() == {"keyword", "de", "zh"}


def test_a_language_without_an_analyzer_is_refused() -> None:
    done = CliRunner().invoke(
        main, ["index-template", "--engine", "opensearch", "--language", "pl"]
    )

    assert done.exit_code == 2
    assert "pl" in done.stderr
    assert "pl" not in ANALYZERS
