"""With any content of Redis, a page gives the same document as cleaning it, in bounded memory."""

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import orjson
import pytest

from tests.clocks import ManualClock
from tests.unit.streams.cache.fake_redis import FakeRedis
from winnow.models.checksum import content_digest
from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage
from winnow.streams.cache.redis_cache import CacheEvent, RedisCache, RedisCacheLimits
from winnow.streams.cache.results import CachedResult, cache_key, page_digest
from winnow.streams.cleaning import BatchCleaner, Options
from winnow.streams.messages import encode
from winnow.streams.outcomes import CleanedPage, Outcome
from winnow.streams.records import Incoming
from winnow.streams.topics import TopicNames

RecordBuilder = Callable[..., Incoming]
DocumentBuilder = Callable[..., Document]

URL = "https://example.org/0"
BODY = b"same"
DIGEST = page_digest(content_digest(BODY), "")
# spare memory of a worker in the chart, without its pages
MOST_BYTES = 80 << 20


class EchoCleaner:
    """Cleans by echo."""

    fingerprint = "fake"

    def __init__(self, document: DocumentBuilder) -> None:
        self._document = document

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        return [self._document(page.url, page.body, page.body.decode()) for page in pages]


class Bench:
    """A worker's batches, and another writer to its Redis."""

    def __init__(self, document: DocumentBuilder, executor: ThreadPoolExecutor) -> None:
        self.redis = FakeRedis()
        self.events: list[CacheEvent] = []
        self.batches = BatchCleaner(
            EchoCleaner(document),
            self._cache(RedisCacheLimits()),
            executor,
            Options(TopicNames()),
            lambda source, error: None,
        )
        self._writer = self._cache(RedisCacheLimits(value_bytes=64 << 20))

    def _cache(self, limits: RedisCacheLimits) -> RedisCache:
        return RedisCache(self.redis.client(), limits, ManualClock(), self.events.append)

    async def write(self, result: CachedResult, url: str = URL) -> None:
        await self._writer.put_many({cache_key("fake", url): result})


@pytest.fixture
def bench(document: DocumentBuilder) -> Iterator[Bench]:
    with ThreadPoolExecutor(1) as executor:
        yield Bench(document, executor)


def cached(document: Document) -> CachedResult:
    published = encode(document)
    return CachedResult(DIGEST, published.document, published.stats)


@pytest.mark.parametrize(
    "digest", ["00" * 32, DIGEST], ids=["of another content", "of the content"]
)
@pytest.mark.parametrize("mebibytes", [1, 8])
@pytest.mark.parametrize("bomb", [(b"\0", 128), (b'{"a":{}},', 1)], ids=["zeros", "objects"])
async def test_values_that_unfold_take_no_memory(
    bench: Bench, record: RecordBuilder, digest: str, mebibytes: int, bomb: tuple[bytes, int]
) -> None:
    content, pages = bomb
    urls = [f"https://example.org/{number}" for number in range(pages)]
    for url in urls[1:]:
        await bench.write(CachedResult(digest, b"", b""), url)
    document = b"[" + content * ((mebibytes << 20) // len(content) - 3) + b"0]"
    await bench.write(CachedResult(digest, document, b""), urls[0])
    values = bench.redis.values
    values |= dict.fromkeys(values, max(values.values(), key=len))
    assert len(values) == pages
    assert max(map(len, values.values())) < 2000
    records = [record(BODY, url.encode(), offset=number) for number, url in enumerate(urls)]

    tracemalloc.start()
    try:
        batch = await bench.batches.clean(records)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert {result.outcome for result in batch.results} == {Outcome.DOCUMENT}
    assert peak_bytes < MOST_BYTES


def _changed(value: bytes, **members: object) -> bytes:
    return orjson.dumps(orjson.loads(value) | members, option=orjson.OPT_SORT_KEYS)


def _without(value: bytes, member: str) -> bytes:
    fields = orjson.loads(value)
    del fields[member]
    return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)


BLOCK = {"order": 0, "kind": "other", "level": 0, "tag_path": "p", "link_chars": 0, "text": "a"}
DAMAGE: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "four members": (
        "document",
        lambda _: orjson.dumps(
            {"fetched_at": "", "schema_version": 1, "url": URL, "url_hash": "no hash"}
        ),
    ),
    "a number for a text": ("document", lambda value: _changed(value, text=7)),
    "a list for a text": ("document", lambda value: _changed(value, title=["a title"])),
    "a text for a number": ("document", lambda value: _changed(value, threshold="high")),
    "true for a number": ("document", lambda value: _changed(value, threshold=True)),
    "null for a text": ("document", lambda value: _changed(value, language=None)),
    "an unknown member": ("document", lambda value: _changed(value, more="text")),
    "a member twice": ("document", lambda value: value[:-1] + b',"text":"another"}'),
    "white space": ("document", lambda value: value.replace(b'":', b'": ', 1)),
    "no text": ("document", lambda value: _without(value, "text")),
    "another page": ("document", lambda value: _changed(value, url="https://example.org/1")),
    "another content": (
        "document",
        lambda value: _changed(value, content_digest=content_digest(b"another")),
    ),
    "a digest with a line break": (
        "document",
        lambda value: _changed(value, content_digest=content_digest(BODY) + "\n"),
    ),
    "invalid blocks": ("document", lambda value: _changed(value, blocks=[{}])),
    "an unknown kind of block": (
        "document",
        lambda value: _changed(value, blocks=[BLOCK | {"kind": "x"}]),
    ),
    "a block with an unknown member": (
        "document",
        lambda value: _changed(value, blocks=[BLOCK | {"more": 1}]),
    ),
    "not UTF-8": ("document", lambda value: value.replace(b'"A title"', b'"A \xff title"')),
    "nested deep": (
        "document",
        lambda value: value.replace(b'"A title"', b"[" * 400 + b"]" * 400),
    ),
    "stats without blocks": ("stats", lambda value: _without(value, "blocks")),
    "stats with half a block": ("stats", lambda value: _changed(value, blocks=0.5)),
    "stats with fewer than no tokens": ("stats", lambda value: _changed(value, tokens=-1)),
    "stats of a number too large": (
        "stats",
        lambda value: value.replace(b'"tokens":30', b'"tokens":' + b"9" * 400),
    ),
    "stats of an unknown reason": (
        "stats",
        lambda value: _changed(value, dropped_sentences={"taste": 1}),
    ),
    "stats of another page": ("stats", lambda value: _changed(value, url="https://example.org/1")),
    "stats with a member twice": ("stats", lambda value: value[:-1] + b',"tokens":1}'),
    "stats that are a list": ("stats", lambda _: b"[]"),
}


@pytest.mark.parametrize("name", DAMAGE)
async def test_a_page_is_cleaned_again_when_no_worker_has_written_its_result(
    bench: Bench, record: RecordBuilder, document: DocumentBuilder, name: str
) -> None:
    member, change = DAMAGE[name]
    page = document(URL, BODY, "poison")
    right = cached(page)
    damaged: dict[str, Any] = {member: change(getattr(right, member))}
    assert damaged[member] != getattr(right, member)
    await bench.write(replace(right, **damaged))

    (result,) = (await bench.batches.clean([record(BODY, URL.encode())])).results

    assert isinstance(result, CleanedPage)
    assert orjson.loads(result.outgoing[0].value or b"")["text"] == BODY.decode()
    assert bench.events == [CacheEvent.DAMAGED]


async def test_a_page_is_not_cleaned_again_when_a_worker_has_written_its_result(
    bench: Bench, record: RecordBuilder, document: DocumentBuilder
) -> None:
    right = cached(document(URL, BODY, "same"))
    await bench.write(right)

    (result,) = (await bench.batches.clean([record(BODY, URL.encode())])).results

    assert result.outcome is Outcome.CACHED
    assert result.outgoing[0].value == right.document
    assert bench.events == []
