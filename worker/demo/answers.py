"""Records read back from the output topics -> one answer per page."""

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
    """The answer to one page: a document with its stats, tombstones, nothing or a dead letter.

    Attributes:
        page_bytes: size of the page.
        document, stats: JSON of the two messages.
        dead: headers of the dead letter as text, with `url` and `bytes`.
        tombstones: topics in which the page was deleted.
        is_skipped: whether its HTTP status means that nothing is published.
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
        """Whether the page was deleted from documents and stats."""
        return len(self.tombstones) == 2  # noqa: PLR2004 - topics

    @property
    def is_complete(self) -> bool:
        """Whether all records of the page have arrived."""
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
        """Return the answer with the full size of a page that was cut for the worker."""
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
