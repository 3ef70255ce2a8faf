"""What goes out is what the schemas say, and the same for the same page."""

import tracemalloc
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from winnow.models.checksum import content_digest
from winnow.models.cleaner import Cleaner
from winnow.models.document import (
    Block,
    BlockKind,
    Document,
    Page,
    PageStats,
    Sentence,
    Verdict,
)
from winnow.models.engines.choice import ENGINES
from winnow.models.options import CleanerOptions, TextFormat
from winnow.streams.arrow import MessageTable
from winnow.streams.cache.stored_messages import repeated
from winnow.streams.errors import ForeignResult
from winnow.streams.messages import document_value, encode, records_of, stats_value, tombstones_of
from winnow.streams.pass_through import NOTHING, Passed
from winnow.streams.records import Incoming
from winnow.streams.topics import TopicNames

DocumentBuilder = Callable[..., Document]
RecordBuilder = Callable[..., Incoming]


SAMPLES = sorted((Path(__file__).parents[3] / "worker" / "samples").glob("*.html"))
PAGE = Page("https://example.org/page", b"<p>Hello there.")
DIGEST = content_digest(PAGE.body)


@cache  # to check a schema takes longer than to check a message
def schema(name: str) -> Draft202012Validator:
    definition = orjson.loads((files("winnow.streams") / "schemas" / f"{name}.json").read_bytes())
    Draft202012Validator.check_schema(definition)
    return Draft202012Validator(definition)


@pytest.mark.parametrize("name", ["document", "stats", "page", "dead"])
def test_every_schema_describes_each_field_it_requires(name: str) -> None:
    definition: dict[str, Any] = orjson.loads(
        (files("winnow.streams") / "schemas" / f"{name}.json").read_bytes()
    )

    assert set(definition.get("required", [])) <= set(definition["properties"])


def test_document_value_is_as_its_schema_says(document: DocumentBuilder) -> None:
    spans = replace(
        document(),
        blocks=(Block("Hello", BlockKind.PARAGRAPH, 0, "body/p", 0, 0),),
        sentences=(Sentence("Hello", 0, 3, 8, 1, 0, 12.5, Verdict.KEPT),),
    )

    plain, whole = (orjson.loads(document_value(each)) for each in (document(), spans))
    for value in (plain, whole):
        schema("document").validate(value)
    assert whole == plain | {
        "blocks": [
            {
                "order": 0,
                "kind": "paragraph",
                "level": 0,
                "tag_path": "body/p",
                "link_chars": 0,
                "text": "Hello",
            }
        ],
        "sentences": [
            {
                "block": 0,
                "start": 3,
                "end": 8,
                "text": "Hello",
                "tokens": 1,
                "oov": 0,
                "perplexity": 12.5,
                "verdict": "kept",
            }
        ],
    }


def test_document_value_has_only_fields_of_the_schema(
    document: DocumentBuilder,
) -> None:
    described = orjson.loads((files("winnow.streams") / "schemas" / "document.json").read_bytes())

    assert set(orjson.loads(document_value(document()))) <= set(described["properties"])


@pytest.mark.parametrize(("name", "made"), [("document", Document), ("stats", PageStats)])
def test_every_attribute_is_in_the_schema_of_its_message(
    name: str, made: type[Document] | type[PageStats]
) -> None:
    described = orjson.loads((files("winnow.streams") / "schemas" / f"{name}.json").read_bytes())

    # statistics have a message of their own, and `chunks`, cut by the outline, is a method
    attributes = {each.name for each in fields(made)} - {"stats", "outline", "chunked"}
    assert attributes - described["properties"].keys() == set()


@pytest.mark.parametrize("engine", ENGINES)
def test_kernel_schema_document_and_table_say_the_same(engine: str) -> None:
    """The kernel writes messages; the schema, `Document` and the Arrow table read them."""
    plain = CleanerOptions(engine=engine)
    whole = replace(
        plain, spans=True, sources=True, quality=True, chunks=50, format=TextFormat.MARKDOWN
    )
    pages = [Page(f"https://example.org/{path.name}", path.read_bytes()) for path in SAMPLES]
    for options in (plain, whole):
        documents = Cleaner(options, timed=True).clean_batch(pages)
        for cleaned in (each for each in documents if isinstance(each, Document)):
            written = encode(cleaned)
            made = replace(cleaned, title=cleaned.title)

            assert cleaned.messages is not None
            assert made.messages is None
            assert made == cleaned
            assert (document_value(made), stats_value(made)) == (written.document, written.stats)
            for name, value in (("document", written.document), ("stats", written.stats)):
                members = orjson.loads(value)
                schema(name).validate(members)
                table = MessageTable(name)
                assert table.batch([value]).num_rows == 1
                assert members.keys() <= set(table.schema.names)


def test_stats_value_is_as_its_schema_says(document: DocumentBuilder) -> None:
    value = orjson.loads(stats_value(document()))

    schema("stats").validate(value)
    assert value["dropped_sentences"] == {"perplexity": 1}
    assert value["dropped_tokens"] == {"perplexity": 10}
    assert value["dropped_bytes"] == {"perplexity": 21}
    assert value["text_bytes_kept"] == 80
    assert value["cache_hit"] is False


@pytest.mark.parametrize("name", ["dropped_sentences", "dropped_tokens", "dropped_bytes"])
def test_schema_of_stats_refuses_an_unknown_reason(name: str, document: DocumentBuilder) -> None:
    value = orjson.loads(stats_value(document())) | {name: {"mood": 1}}

    assert not schema("stats").is_valid(value)


def test_stats_value_has_only_fields_of_the_schema(
    document: DocumentBuilder,
) -> None:
    described = orjson.loads((files("winnow.streams") / "schemas" / "stats.json").read_bytes())

    assert set(orjson.loads(stats_value(document()))) <= set(described["properties"])


def test_schema_of_documents_refuses_a_document_without_text(document: DocumentBuilder) -> None:
    value = orjson.loads(document_value(document()))
    del value["text"]

    assert not schema("document").is_valid(value)


def test_document_value_is_the_same_bytes_when_only_timings_differ(
    document: DocumentBuilder,
) -> None:
    first = document()
    second = replace(first, stats=replace(first.stats, cpu_ms={"parse": 99.0}))

    assert document_value(first) == document_value(second)


def test_records_of_are_keyed_by_url_and_say_where_they_come_from(
    document: DocumentBuilder, record: RecordBuilder
) -> None:
    published = encode(document())

    records = records_of("https://example.org/ż", published, record(), TopicNames(), NOTHING)

    assert [each.topic for each in records] == ["winnow.documents", "winnow.stats"]
    assert {each.key for each in records} == {"https://example.org/ż".encode()}
    assert dict(records[0].headers) == {
        "content-type": b"application/json",
        "schema-version": b"1",
        "source": b"winnow.pages/3/7",
    }


def test_records_of_a_page_with_a_trace_are_in_the_same_trace(
    document: DocumentBuilder, record: RecordBuilder
) -> None:
    parent = b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    headers = (("traceparent", parent), ("tracestate", b"s" * 600), ("cookie", b"secret"))

    records = records_of("u", encode(document()), record(headers=headers), TopicNames(), NOTHING)

    assert [each.headers[3:] for each in records] == [(("traceparent", parent),)] * 2


def test_repeated_gives_the_stored_document_untouched_when_the_fetch_is_the_same(
    document: DocumentBuilder,
) -> None:
    stored = encode(document())

    again = repeated(stored, PAGE, DIGEST)

    assert again.document is stored.document
    assert orjson.loads(again.stats)["cache_hit"] is True
    schema("stats").validate(orjson.loads(again.stats))


@pytest.mark.parametrize("engine", ENGINES)
def test_any_result_of_a_cleaner_is_repeated_unchanged(engine: str) -> None:
    pages = [Page(f"https://{each.stem}.invalid/", each.read_bytes()) for each in SAMPLES]
    options = CleanerOptions(engine=engine, spans=True, sources=True, quality=True)
    cleaned = Cleaner(options).clean_batch(pages)
    documents = [
        (page, each)
        for page, each in zip(pages, cleaned, strict=True)
        if isinstance(each, Document)
    ]

    assert len(documents) > 5
    for page, each in documents:
        published = encode(each)
        assert repeated(published, page, each.content_digest).document == published.document


def test_repeated_has_the_facts_of_a_new_fetch(document: DocumentBuilder) -> None:
    stored = encode(document())

    again = repeated(stored, replace(PAGE, fetched_at="2026-02-02"), DIGEST)

    fetched = {"fetched_at": "2026-02-02"}
    assert orjson.loads(again.document) == orjson.loads(stored.document) | fetched
    assert orjson.loads(again.stats)["fetched_at"] == "2026-02-02"


def test_repeated_spells_large_numbers_as_new_pages_do(document: DocumentBuilder) -> None:
    quantiles = (1e16,) * 5
    large = replace(document(), perplexity=1e17)
    large = replace(large, stats=replace(large.stats, perplexity_quantiles=quantiles))
    page = replace(PAGE, fetched_at="2026-02-02")

    again = repeated(encode(large), page, DIGEST)

    assert again.document == encode(replace(large, fetched_at=page.fetched_at)).document
    assert b'"perplexity_quantiles":[1e+16,' in again.stats


@pytest.mark.parametrize(
    ("page", "digest"),
    [(Page("https://example.org/other", b""), DIGEST), (PAGE, content_digest(b"another"))],
    ids=["another URL", "another content"],
)
def test_repeated_refuses_the_result_of_another_page(
    document: DocumentBuilder, page: Page, digest: str
) -> None:
    stored = encode(document())

    with pytest.raises(ForeignResult, match="another page"):
        repeated(stored, page, digest)


def test_repeated_gives_spans_as_they_were(document: DocumentBuilder) -> None:
    blocks = (Block("A heading", BlockKind.HEADING, 1, "h1", 0, 0),)
    sentences = (Sentence("It is so.", 0, 0, 9, 4, 0, 12.5, Verdict.KEPT),)
    stored = encode(replace(document(), blocks=blocks, sentences=sentences))

    again = repeated(stored, replace(PAGE, fetched_at="2026-02-02"), DIGEST)

    assert orjson.loads(again.document)["blocks"] == orjson.loads(stored.document)["blocks"]
    assert orjson.loads(again.document)["sentences"] == orjson.loads(stored.document)["sentences"]


def test_a_value_takes_as_much_memory_as_it_has_bytes(document: DocumentBuilder) -> None:
    large = replace(document(), text="The bees find more flowers in the city. " * 5000)
    stored = encode(large)
    encode(large)  # warm up before counting

    tracemalloc.start()
    try:
        held = [*map(encode, [large] * 20), *(repeated(stored, PAGE, DIGEST) for _ in range(20))]
        held_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    # half a kilobyte for the objects around two values
    assert held_bytes < sum(len(each.document) + len(each.stats) + 512 for each in held)


PARENT = b"00-" + b"1" * 32 + b"-" + b"2" * 16 + b"-01"
META = b'{"a" : [1, "\xc3\xa9"]}'


def test_records_of_carry_headers_and_meta_with_our_own(
    document: DocumentBuilder, record: RecordBuilder
) -> None:
    passed = Passed((("crawl-id", b"7"), ("null", None)), META)

    both = records_of("u", encode(document()), record(), TopicNames(), passed)

    for each, name in zip(both, ("document", "stats"), strict=True):
        value = orjson.loads(each.value or b"")
        schema(name).validate(value)
        assert value["meta"] == {"a": [1, "é"]}
        assert META in (each.value or b"")
        assert each.headers[:2] == passed.headers
        assert [header for header, _ in each.headers[2:]] == [
            "content-type",
            "schema-version",
            "source",
        ]
    assert orjson.loads(both[0].value or b"") == orjson.loads(document_value(document())) | {
        "meta": {"a": [1, "é"]}
    }


def test_tombstones_have_no_value_and_carry_headers_meta_and_trace(
    record: RecordBuilder,
) -> None:
    traced = record(None, headers=(("traceparent", PARENT),))

    both = tombstones_of("https://ż/", traced, TopicNames(), Passed((("crawl-id", b"7"),), META))

    assert [each.topic for each in both] == ["winnow.documents", "winnow.stats"]
    for each in both:
        assert (each.key, each.value) == ("https://ż/".encode(), None)
        assert each.headers == (
            ("crawl-id", b"7"),
            ("meta", META),
            ("source", b"winnow.pages/3/7"),
            ("traceparent", PARENT),
        )


def test_a_stored_result_with_meta_is_refused_as_foreign(document: DocumentBuilder) -> None:
    published = encode(document())
    forged = orjson.dumps(
        orjson.loads(published.document) | {"meta": {}}, option=orjson.OPT_SORT_KEYS
    )

    with pytest.raises(ForeignResult, match="meta"):
        repeated(replace(published, document=forged), PAGE, DIGEST)


def page_with(**members: object) -> dict[str, object]:
    return {"url": "https://a.example/"} | members


@pytest.mark.parametrize("page", [{"html": "x"}, {"status": 200, "html": "x"}, {"status": 404}])
def test_schema_of_pages_takes_what_the_worker_takes(page: dict[str, object]) -> None:
    schema("page").validate(page_with(**page, meta={"a": 1}))


@pytest.mark.parametrize(
    "page",
    [{}, {"status": 200}, {"status": None}, {"status": 99}, {"status": "404"}],
)
def test_schema_of_pages_refuses_what_the_worker_refuses(page: dict[str, object]) -> None:
    assert not schema("page").is_valid(page_with(**page))


@pytest.mark.parametrize("day", [None, "2025-05-03", "2025-05-03T10:00:00+02:00"])
def test_dates_are_absent_from_a_message_when_the_page_has_none(
    document: Callable[..., Document], day: str | None
) -> None:
    dated = replace(document(), published_at=day, modified_at=day)

    fields_of = orjson.loads(document_value(dated))

    members = {
        name: fields_of[name] for name in ("published_at", "modified_at") if name in fields_of
    }
    assert members == ({} if day is None else {"published_at": day, "modified_at": day})
    (row,) = MessageTable("document").batch([document_value(dated)]).to_pylist()
    assert (row["published_at"], row["modified_at"]) == (day, day)


@pytest.mark.parametrize("day", ["", "2025", "3 May 2025", "2025-05-03 10:00", "2025-05-03T10:00"])
def test_a_message_with_a_date_that_is_not_iso_8601_is_refused(
    document: Callable[..., Document], day: str
) -> None:
    value = orjson.loads(document_value(replace(document(), published_at=day)))
    schema = orjson.loads((files("winnow.streams") / "schemas" / "document.json").read_bytes())

    errors = list(Draft202012Validator(schema).iter_errors(value))

    assert [list(error.path) for error in errors] == [["published_at"]]
