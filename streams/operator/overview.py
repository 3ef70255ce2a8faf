"""A deployment seen from its brokers: rates of pages, lag, and reasons of dead letters."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.topic_reader import Span, TopicReader
from winnow.streams.topics import TopicNames

# records read per partition of stats and dead letters between two looks; the rest are only counted
MAX_READ: Final = 200


@dataclass(frozen=True, slots=True)
class Look:
    """The state at one moment.

    Attributes:
        at_s: seconds of the caller's clock.
        ends: sum of the end offsets of all partitions, by topic.
        committed: sum of the group's committed offsets.
        lag: records that wait for the group, per partition of the pages topic.
        reasons: counts of new dead letters since the previous look, by reason.
        deleted: pages deleted since then; an estimate if there were more records than are read.
        skipped: pages done since then that published nothing, because of their status; marks of
            transactions count too. An estimate: pages in flight are published and not yet done.
    """

    at_s: float
    ends: Mapping[str, int]
    committed: int
    lag: Mapping[int, int]
    reasons: Mapping[str, int] = field(default_factory=dict)
    deleted: int = 0
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Rates:
    """Records per second between two looks.

    Attributes:
        published: by topic.
        done: pages whose offsets the group has committed.
    """

    published: Mapping[str, float]
    done: float


def rates(before: Look, now: Look) -> Rates:
    """Return the rates between two looks; zero when no time has passed."""
    seconds = now.at_s - before.at_s
    if seconds <= 0:
        return Rates(dict.fromkeys(now.ends, 0.0), 0.0)
    published = {
        topic: (end - before.ends.get(topic, end)) / seconds for topic, end in now.ends.items()
    }
    return Rates(published, (now.committed - before.committed) / seconds)


def waiting(span: Span, committed: int) -> int:
    """Return how many records wait for the group; the commit may be newer than the span."""
    return max(0, span.end - max(span.start, committed))


class Overview:
    """Looks at the topics and the group; raises `KafkaUnavailable` and `NoSuchTopic`."""

    def __init__(
        self, connection: Connection, names: TopicNames, group: str, clock: Callable[[], float]
    ) -> None:
        """Create it without connecting; `clock` gives seconds that never run backwards."""
        self._connection = connection
        self._names = names
        self._group = group
        self._clock = clock
        self._seen: dict[str, dict[int, int]] = {}
        self._without_output: int | None = None  # at the first look
        self._skipped = 0

    def look(self) -> Look:
        """Return the current state."""
        names = self._names
        with TopicReader(self._connection, self._group) as reader:
            spans = {topic: reader.spans(topic) for topic in (names.pages, names.documents)}
            done = reader.committed(names.pages, list(spans[names.pages]))
            # read after the offsets, so that every page counted as done is among the published
            # records
            spans |= {topic: reader.spans(topic) for topic in (names.stats, names.dead)}
            reasons = self._reasons(reader, spans[names.dead])
            deleted = self._deleted(reader, spans[names.stats])
        ends = {topic: sum(span.end for span in each.values()) for topic, each in spans.items()}
        return Look(
            self._clock(),
            ends,
            sum(done.values()),
            {
                number: waiting(span, done.get(number, 0))
                for number, span in spans[names.pages].items()
            },
            reasons,
            deleted,
            self._newly_skipped(sum(done.values()) - ends[names.stats] - ends[names.dead]),
        )

    def _newly_skipped(self, without_output: int) -> int:
        """Return how many more pages were skipped; each other page has stats or a dead letter."""
        if self._without_output is None:
            self._without_output = without_output
        before = self._skipped
        self._skipped = max(before, without_output - self._without_output)
        return self._skipped - before

    def _deleted(self, reader: TopicReader, spans: Mapping[int, Span]) -> int:
        fresh, came = self._fresh(self._names.stats, spans)
        deleted = [each.record.value is None for each in reader.read(self._names.stats, fresh)]
        return round(came * sum(deleted) / len(deleted)) if deleted else 0

    def _fresh(self, topic: str, spans: Mapping[int, Span]) -> tuple[dict[int, Span], int]:
        """Return the spans to read since the previous look, and how many new records there are."""
        seen = self._seen.get(topic, {})
        self._seen[topic] = {number: span.end for number, span in spans.items()}
        fresh = {
            number: Span(max(span.start, seen.get(number, span.end)), span.end)
            for number, span in spans.items()
        }
        read = {
            number: Span(max(span.start, span.end - MAX_READ), span.end)
            for number, span in fresh.items()
        }
        return read, sum(span.end - span.start for span in fresh.values())

    def _reasons(self, reader: TopicReader, spans: Mapping[int, Span]) -> Counter[str]:
        fresh, _ = self._fresh(self._names.dead, spans)
        letters = reader.read(self._names.dead, fresh)
        return Counter(
            (each.record.header("reason") or b"?").decode("ascii", "replace") for each in letters
        )
