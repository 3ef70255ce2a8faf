"""A deployment as its brokers see it: how fast pages come and go, what waits, what dies of what."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from streams.connection import Connection
from streams.topic_reader import Span, TopicReader
from streams.topics import TopicNames

# read of each partition of the dead-letter topic between two looks; more are counted, not read
MAX_LETTERS_READ: Final = 200


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen at one moment.

    Attributes:
        at_s: seconds of the caller's clock.
        ends: end offsets of all partitions of a topic, added up, by topic.
        committed: offsets that the group has committed, added up.
        lag: records of each partition of the pages topic that wait for the group.
        reasons: why the letters died that came since the look before.
    """

    at_s: float
    ends: Mapping[str, int]
    committed: int
    lag: Mapping[int, int]
    reasons: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rates:
    """Records a second between two looks.

    Attributes:
        published: of each topic, by its name.
        done: pages that the group has committed.
    """

    published: Mapping[str, float]
    done: float


def rates(before: Look, now: Look) -> Rates:
    """Return what happened a second; nothing when no time has passed."""
    seconds = now.at_s - before.at_s
    if seconds <= 0:
        return Rates(dict.fromkeys(now.ends, 0.0), 0.0)
    published = {
        topic: (end - before.ends.get(topic, end)) / seconds for topic, end in now.ends.items()
    }
    return Rates(published, (now.committed - before.committed) / seconds)


def waiting(span: Span, committed: int) -> int:
    """Return how many records wait for the group; its commit may be younger than the span."""
    return max(0, span.end - max(span.start, committed))


class Overview:
    """Looks at the topics and the group; raises `KafkaUnavailable` and `NoSuchTopic`."""

    def __init__(
        self, connection: Connection, names: TopicNames, group: str, clock: Callable[[], float]
    ) -> None:
        """Connect to nothing yet; `clock` gives seconds that never run backwards."""
        self._connection = connection
        self._names = names
        self._group = group
        self._clock = clock
        self._dead_ends: dict[int, int] | None = None

    def look(self) -> Look:
        """Return what is to be seen now."""
        names = self._names
        with TopicReader(self._connection, self._group) as reader:
            spans = {
                topic: reader.spans(topic)
                for topic in (names.pages, names.documents, names.stats, names.dead)
            }
            done = reader.committed(names.pages, list(spans[names.pages]))
            reasons = self._reasons(reader, spans[names.dead])
        return Look(
            self._clock(),
            {topic: sum(span.end for span in each.values()) for topic, each in spans.items()},
            sum(done.values()),
            {
                number: waiting(span, done.get(number, 0))
                for number, span in spans[names.pages].items()
            },
            reasons,
        )

    def _reasons(self, reader: TopicReader, spans: Mapping[int, Span]) -> Counter[str]:
        seen, self._dead_ends = self._dead_ends, {n: span.end for n, span in spans.items()}
        if seen is None:
            return Counter()
        fresh = {
            number: Span(
                max(span.start, seen.get(number, span.end), span.end - MAX_LETTERS_READ), span.end
            )
            for number, span in spans.items()
        }
        letters = reader.read(self._names.dead, fresh)
        return Counter(
            (each.record.header("reason") or b"?").decode("ascii", "replace") for each in letters
        )
