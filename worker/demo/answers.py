"""Records read back from the output topics -> one answer a page."""

from dataclasses import dataclass, replace
from typing import Any

import orjson
from aiokafka import ConsumerRecord

from winnow.models.errors import Reason
from winnow.streams.deadletters import is_stub
from winnow.streams.records import clean_headers
from winnow.streams.topics import TopicNames


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one page: a document with its stats, tombstones, nothing, a dead letter.

    Attributes:
        page_bytes: size of the page.
        document, stats: the JSON of both messages.
        dead: headers of the dead letter as text, with `url` and `bytes`.
        tombstones: topics that have forgotten the page.
        is_skipped: whether its status gave nothing to publish.
    """

    url: str
    page_bytes: int
    document: dict[str, Any] | None = None
    stats: dict[str, Any] | None = None
    dead: dict[str, Any] | None = None
    tombstones: frozenset[str] = frozenset()
    is_skipped: bool = False

    @property
    def is_deleted(self) -> bool:
        """Whether documents and stats have forgotten the page."""
        return len(self.tombstones) == 2  # noqa: PLR2004 - topics

    @property
    def is_complete(self) -> bool:
        """Whether nothing more is to come."""
        is_cleaned = self.document is not None and self.stats is not None
        return self.dead is not None or is_cleaned or self.is_deleted or self.is_skipped

    def with_record(self, record: ConsumerRecord, topics: TopicNames) -> "Answer":
        """Return the answer with one more record of an output topic."""
        if record.topic == topics.dead:
            return Answer(self.url, self.page_bytes, dead=_dead(self, record))
        if record.value is None:
            return replace(self, tombstones=self.tombstones | {record.topic})
        value = orjson.loads(record.value)
        if record.topic == topics.documents:
            return Answer(self.url, self.page_bytes, value, self.stats)
        return Answer(self.url, self.page_bytes, self.document, value)

    def with_size_refused(self, limit: int) -> "Answer":
        """Return the answer with the size of the page, if the worker saw only its beginning."""
        is_cut = self.page_bytes > limit
        if self.dead is None or not is_cut or self.dead["reason"] != Reason.TOO_LARGE:
            return self
        return replace(self, dead=self.dead | {"detail": f"{self.page_bytes} bytes, limit {limit}"})


def _dead(answer: Answer, record: ConsumerRecord) -> dict[str, Any]:
    headers = clean_headers(record.headers)
    given = dict(headers)
    dead: dict[str, Any] = {
        name: value.decode("utf-8", errors="replace")
        for name in ("reason", "stage", "source", "attempts", "version", "detail")
        if (value := given.get(name)) is not None
    }
    return dead | {
        "url": answer.url,
        "bytes": answer.page_bytes,
        "stub": is_stub(headers),
    }
