"""Compare documents before and after a change, by field, on a sample of the pages.

The sample is chosen by URL and is the same before and after. Its memory depends on the share, not
on the topic.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from zlib import crc32

import orjson

from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.topic_reader import Span, TopicReader

# no group of this name commits offsets
_GROUP: Final = "winnow.changes"
_KEYS: Final = 1 << 32

# digest of each field of a document, by name; None for a tombstone
Digests = Mapping[str, int] | None


@dataclass(slots=True)
class Changes:
    """The counts of a comparison.

    Attributes:
        compared: documents of the sample that were published again.
        same: compared documents with equal values in every field.
        fields: documents with a different value, by field; added and removed fields count too.
        added: new documents.
        gone: documents replaced by a tombstone.
    """

    compared: int = 0
    same: int = 0
    fields: Counter[str] = field(default_factory=Counter)
    added: int = 0
    gone: int = 0

    def count(self, before: Digests, after: Digests) -> None:
        """Count a page from its fields before and after."""
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
    """Remembers a sample of a topic's documents, and compares it with later ones."""

    def __init__(self, connection: Connection, before: str, after: str, share: float) -> None:
        """Create the comparison without connecting.

        Args:
            connection: to the brokers.
            before: topic of the old documents.
            after: topic of the new documents, perhaps the same.
            share: share of the pages to sample, chosen by URL.
        """
        self._connection = connection
        self._before: Final = before
        self._after: Final = after
        self._below: Final = share * _KEYS
        self._known: dict[bytes, Digests] = {}
        self._starts: dict[int, int] = {}

    def remember(self) -> None:
        """Read the old documents, and note where new ones begin.

        Raises:
            KafkaUnavailable: the brokers do not answer.
            NoSuchTopic: the topic does not exist.
        """
        with TopicReader(self._connection, _GROUP) as reader:
            self._starts = {n: span.end for n, span in reader.spans(self._after).items()}
            self._known = self._sample(reader, self._before, reader.spans(self._before))

    def compare(self) -> Changes:
        """Count the changes in documents since `remember`; raises the same errors."""
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
