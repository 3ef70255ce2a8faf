"""Looking pages up with the inspector: archives, and what was not enabled."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

import jsonschema
import orjson
import pytest

from tests.archives import PROSE, a_record, gzipped
from winnow.models.checksum import content_digest
from winnow.models.ngram import LanguageModels
from winnow.models.options import CleanerOptions
from winnow.streams.operator.topic_reader import Span, Stored
from winnow.streams.records import Incoming
from winnow.worker.inspector import lookups as lookups_module
from winnow.worker.inspector.lookups import (
    LookupAsked,
    Lookups,
    NotFound,
    SourceUnavailable,
    open_lookups,
)
from winnow.worker.inspector.work import Inspector
from winnow.worker.settings import Settings
from winnow.worker.web.frames import BadRequest

OPENAPI = Path(__file__).resolve().parents[4] / "worker/inspector/openapi.json"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "crawl.warc.gz"
    records = [a_record(0, b"", kind="request"), a_record(1), a_record(2, status="404 Not Found")]
    path.write_bytes(gzipped([*records, a_record(3, b"<p>Three")]))
    return path


@pytest.fixture
def lookups(archive: Path) -> Lookups:
    return open_lookups(None, "", frozenset(), (archive,))


def asked(offset: int = 0, passed: int = 0) -> LookupAsked:
    return LookupAsked("archive", archive="crawl.warc.gz", offset=offset, passed=passed)


def test_pages_of_an_archive_follow_each_other(lookups: Lookups) -> None:
    first = lookups.find(asked())
    assert first.then is not None
    second = lookups.find(asked(offset=first.then.offset, passed=first.then.passed))
    assert second.then is not None

    assert first.page is not None
    assert second.page is not None
    assert (first.page.url, first.page.body) == (
        "https://a.invalid/1",
        f"<p>{PROSE}</p>".encode(),
    )
    assert second.page.body == b"<p>Three"
    with pytest.raises(NotFound, match="no page in the next"):
        lookups.find(asked(offset=second.then.offset, passed=second.then.passed))


def test_a_page_is_found_from_the_byte_at_which_its_record_begins(
    lookups: Lookups, archive: Path
) -> None:
    packed = archive.read_bytes()
    starts = [at for at in range(len(packed)) if packed.startswith(gzip.compress(b"")[:3], at)]

    found = lookups.find(asked(offset=starts[-1]))

    assert found.place == f"crawl.warc.gz: {starts[-1]}"
    assert found.page is not None
    assert found.page.url == "https://a.invalid/3"


def test_the_answer_is_as_the_openapi_document_says(lookups: Lookups) -> None:
    schemas = json.loads(OPENAPI.read_bytes())

    for schema, reply in (
        ("Found", lookups.find(asked()).fields()),
        ("Sources", lookups.sources()),
    ):
        jsonschema.validate(reply, {"$ref": f"#/components/schemas/{schema}", **schemas})


@pytest.mark.parametrize("name", ["/etc/passwd", "../crawl.warc.gz", "", "other.warc.gz"])
def test_a_file_that_was_not_named_at_the_start_is_not_read(lookups: Lookups, name: str) -> None:
    with pytest.raises(BadRequest, match="not enabled"):
        lookups.find(LookupAsked("archive", archive=name))


def test_an_archive_that_is_gone_is_unavailable(lookups: Lookups, archive: Path) -> None:
    archive.unlink()

    with pytest.raises(SourceUnavailable):
        lookups.find(asked())


@pytest.mark.parametrize("source", ["cache", "pages", "documents", "dead", "archive"])
def test_nothing_is_looked_up_unless_it_was_switched_on(source: str) -> None:
    inspector = Inspector(CleanerOptions(), LanguageModels.shipped())

    assert orjson.loads(inspector.sources()) == {"sources": [], "archives": []}
    with pytest.raises(BadRequest, match="not enabled"):
        inspector.lookup(orjson.dumps({"source": source}))


@pytest.mark.parametrize(
    "fields",
    [
        {"source": "files"},
        {"source": "dead", "topic": "another"},
        {"source": "dead", "partition": -1},
        {"source": "dead", "offset": 1 << 63},
        {"source": "archive", "path": "/etc/passwd"},
    ],
)
def test_a_request_names_only_a_place(fields: dict[str, Any]) -> None:
    inspector = Inspector(CleanerOptions(), LanguageModels.shipped())

    with pytest.raises(BadRequest, match="invalid JSON for this request"):
        inspector.lookup(orjson.dumps(fields))


class Reader:
    """Holds one record a topic, at partition 0 and offset 0."""

    held: ClassVar[dict[str, Incoming]] = {}

    def __init__(self, *given: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        pass

    def spans(self, topic: str) -> dict[int, Span]:
        return {0: Span(0, 1)} if topic in self.held else {}

    def read(self, topic: str, _spans: Mapping[int, Span]) -> Iterator[Stored]:
        yield Stored(self.held[topic], 0)


@pytest.mark.parametrize(
    ("topic", "digest", "why"),
    [
        ("winnow.pages", content_digest(b"<p>A"), ""),
        (
            "winnow.pages",
            content_digest(b"<p>B"),
            "the topic of pages has another page at its place",
        ),
        (
            "winnow.others",
            content_digest(b"<p>A"),
            "the document does not say where its page is",
        ),
    ],
    ids=["its page", "bytes of another digest", "another topic"],
)
def test_a_document_leads_only_to_its_own_page(
    monkeypatch: pytest.MonkeyPatch, topic: str, digest: str, why: str
) -> None:
    page = Incoming("winnow.pages", 0, 0, b"http://a.example/", b"<p>A")
    document = orjson.dumps({"text": "A", "content_digest": digest})
    source = (("source", f"{topic}/0/0".encode()),)
    stored = Incoming("winnow.documents", 0, 0, b"http://a.example/", document, source)
    held = {"winnow.pages": page, "winnow.documents": stored, "winnow.others": page}
    monkeypatch.setattr(Reader, "held", held)
    monkeypatch.setattr(lookups_module, "TopicReader", Reader)
    settings = Settings(kafka_bootstrap=("127.0.0.1:9",))

    found = open_lookups(settings, "", frozenset({"topics"}), ()).find(LookupAsked("documents"))

    assert (found.page.body if found.page else b"", found.why) == (b"" if why else b"<p>A", why)
