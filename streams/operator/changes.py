"""What has changed between documents of before and after, counted by field, of a sample of pages.

A sample by URL, the same before and after: its memory is bounded by the share, not by the topic.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

import orjson

from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.topic_reader import Span, TopicReader

# no group of this name commits anything
_GROUP: Final = "winnow.changes"
_KEYS: Final = 1 << 32

# of each field of a document, by its name; None for a tombstone
Digests = Mapping[str, int] | None


@dataclass(slots=True)
class Changes:
    """What was counted.

    Attributes:
        compared: documents of the sample that were published again.
        same: those of them with the same value in each field.
        fields: how many have another value, by field; one that came or went counts too.
        added: documents where there was none.
        gone: tombstones where there was a document.
    """

    compared: int = 0
    same: int = 0
    fields: Counter[str] = field(default_factory=Counter)
    added: int = 0
    gone: int = 0

    def count(self, before: Digests, after: Digests) -> None:
        """Count the page that has these two."""
        if before is None or after is None:
            self.added += before is None and after is not None
            self.gone += before is not None and after is None
            return
        names = before.keys() | after.keys()
        changed = [name for name in names if before.get(name) != after.get(name)]
        self.compared += 1
        self.same += not changed
        self.fields.update(changed)


class DocumentChanges:
    """Remembers a sample of the documents of a topic, and compares it with what came after."""

    def __init__(self, connection: Connection, before: str, after: str, share: float) -> None:
        """Connect to nothing yet.

        Args:
            connection: to the brokers.
            before: topic of the documents to compare with.
            after: topic that the new ones go to, perhaps the same.
            share: of the pages, chosen by their URL.
        """
        self._connection = connection
        self._before: Final = before
        self._after: Final = after
        self._below: Final = share * _KEYS
        self._known: dict[bytes, Digests] = {}
        self._starts: dict[int, int] = {}

    def remember(self) -> None:
        """Read the documents of before, and note where new ones begin.

        Raises:
            KafkaUnavailable: the brokers do not answer.
            NoSuchTopic: there is no such topic.
        """
        with TopicReader(self._connection, _GROUP) as reader:
            self._starts = {n: span.end for n, span in reader.spans(self._after).items()}
            self._known = self._sample(reader, self._before, reader.spans(self._before))

    def compare(self) -> Changes:
        """Count what those that came since `remember` have changed; raises as it does."""
        with TopicReader(self._connection, _GROUP) as reader:
            spans = {
                number: Span(max(span.start, self._starts.get(number, 0)), span.end)
                for number, span in reader.spans(self._after).items()
            }
            changes = Changes()
            for key, after in self._sample(reader, self._after, spans).items():
                changes.count(self._known.get(key), after)
        return changes

    def _sample(
        self, reader: TopicReader, topic: str, spans: Mapping[int, Span]
    ) -> dict[bytes, Digests]:
        last: dict[bytes, Digests] = {}
        for record in (each.record for each in reader.read(topic, spans)):
            if record.key is not None and crc32(record.key) < self._below:
                value = record.value
                last[record.key] = digests_of(value) if isinstance(value, bytes) else None
        return last


def digests_of(value: bytes) -> Digests:
    """Return a digest of each field of a document."""
    fields = orjson.loads(value)
    sort = orjson.OPT_SORT_KEYS
    return {name: hash(orjson.dumps(each, option=sort)) for name, each in fields.items()}
