"""Dead letters -> back to the pages topic; none is lost, and none is replayed for ever."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

import orjson

from winnow.models.errors import WinnowError
from winnow.streams.deadletters import RESERVED_HEADERS, attempts_of, is_stub
from winnow.streams.errors import NoSuchTopic
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.publisher import Publisher
from winnow.streams.operator.topic_reader import Span, Stored, TopicReader
from winnow.streams.records import Incoming, Outgoing

# progress is committed after this many letters, each time when all of them are confirmed
COMMIT_EVERY: Final = 500


class ReplayOutcome(StrEnum):
    """What happened to one dead letter."""

    REPLAYED = "replayed"
    OTHER = "other"  # not selected
    TOO_OFTEN = "too_often"  # the limit of attempts is reached
    GONE = "gone"  # a stub whose original is no longer in its topic
    UNREAD = "unread"  # a stub of a record that no worker could read: too large, or damaged


class ReplayFailed(WinnowError):  # noqa: N818 - named after the problem
    """The brokers refused a letter; all letters before it are done, the others are not."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which dead letters to replay.

    Attributes:
        reasons: only these reasons; empty for all.
        stages: only these stages; empty for all.
        url_part: only letters whose key or `url` header contains this text; non-UTF-8 bytes are
            escaped as in command arguments; empty for all.
    """

    reasons: frozenset[str] = frozenset()
    stages: frozenset[str] = frozenset()
    url_part: str = ""

    def matches(self, record: Incoming) -> bool:
        """Return whether a dead letter is selected."""
        url = record.header("url") or record.key or b""
        return (
            (not self.reasons or _text(record.header("reason")) in self.reasons)
            and (not self.stages or _text(record.header("stage")) in self.stages)
            and self._url_bytes in url
        )

    @property
    def label(self) -> str:
        """A short name, equal for equal selections: part of a group's name."""
        parts = [*sorted(self.reasons), *sorted(self.stages)]
        if self.url_part:
            parts.append(sha256(self._url_bytes).hexdigest()[:8])
        return ".".join(parts) or "all"

    @property
    def _url_bytes(self) -> bytes:
        return self.url_part.encode(errors="surrogateescape")


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """The range to replay.

    Attributes:
        group: the worker's consumer group; each selection keeps its progress in its own group.
        max_attempts: letters with this many attempts are not replayed.
        from_beginning: include the letters that an earlier replay of the same selection passed.
    """

    dead_topic: str
    pages_topic: str
    group: str
    selection: Selection = field(default_factory=Selection)
    max_attempts: int = 3
    from_beginning: bool = False

    @property
    def replay_group(self) -> str:
        """The group that commits the progress of this selection."""
        return f"{self.group}.replay.{self.selection.label}"


class Replay:
    """One run over the dead letters that exist when it starts.

    Letters that fail again come after its end, so a page is never replayed in a loop. Later runs
    stop at `max_attempts`.
    """

    def __init__(self, connection: Connection, options: ReplayOptions) -> None:
        """Create the run without connecting."""
        self._connection = connection
        self._options = options

    def preview(self) -> Iterator[tuple[Stored, ReplayOutcome]]:
        """Yield each letter with the outcome of a replay; publishes and commits nothing."""
        with TopicReader(self._connection, self._options.replay_group) as reader:
            for stored in reader.read(self._options.dead_topic, self._spans(reader)):
                outcome, _ = self._plan(stored.record)
                yield stored, outcome

    def run(self, on_outcome: Callable[[Stored, ReplayOutcome], None]) -> Counter[ReplayOutcome]:
        """Replay the letters, and return the number of letters per outcome.

        Offsets are committed only for letters that are done: published and confirmed by all
        replicas in sync, or skipped. After an early end the next run continues from there.

        Raises:
            ReplayFailed: a letter was not stored.
            KafkaUnavailable: the brokers do not answer.
        """
        outcomes: Counter[ReplayOutcome] = Counter()
        publisher = Publisher(self._connection)
        topic = self._options.dead_topic
        with TopicReader(self._connection, self._options.replay_group) as reader:
            progress: dict[int, int] = {}
            failures: list[str] = []
            for stored in reader.read(topic, self._spans(reader)):
                outcome, page = self._plan(stored.record)
                if page is not None:
                    publisher.send(page, failures.append)
                outcomes[outcome] += 1
                on_outcome(stored, outcome)
                progress[stored.record.partition] = stored.record.offset + 1
                if outcomes.total() % COMMIT_EVERY == 0:
                    self._commit(reader, publisher, progress, failures)
            self._commit(reader, publisher, progress, failures)
        return outcomes

    def _commit(
        self,
        reader: TopicReader,
        publisher: Publisher,
        progress: dict[int, int],
        failures: list[str],
    ) -> None:
        publisher.confirm()
        if failures:
            which = f"{len(failures)} dead letters were not replayed"
            raise ReplayFailed(f"{which}, run the command again: {failures[0]}")
        if progress:
            reader.commit(self._options.dead_topic, progress)
            progress.clear()

    def _spans(self, reader: TopicReader) -> dict[int, Span]:
        spans = reader.spans(self._options.dead_topic)
        if self._options.from_beginning:
            return spans
        done = reader.committed(self._options.dead_topic, list(spans))
        return {
            number: Span(max(span.start, done.get(number, 0)), span.end)
            for number, span in spans.items()
        }

    def _plan(self, letter: Incoming) -> tuple[ReplayOutcome, Outgoing | None]:
        """Return the outcome of a letter, with the record to publish if it is replayed."""
        if not self._options.selection.matches(letter):
            return ReplayOutcome.OTHER, None
        if attempts_of(letter) >= self._options.max_attempts:
            return ReplayOutcome.TOO_OFTEN, None
        original = self._original(letter)
        if isinstance(original, ReplayOutcome):
            return original, None
        kept = tuple(each for each in original.headers if each[0] not in RESERVED_HEADERS)
        tried = ("attempts", str(attempts_of(letter)).encode())
        page = Outgoing(self._options.pages_topic, original.key, original.value, (*kept, tried))
        return ReplayOutcome.REPLAYED, page

    def _original(self, letter: Incoming) -> Incoming | ReplayOutcome:
        """Return the original record of a letter: the letter itself, or the target of its stub."""
        return fetch(self._connection, letter) if is_stub(letter.headers) else letter


def fetch(connection: Connection, stub: Incoming) -> Incoming | ReplayOutcome:
    """Return the record that a stub points to, or why there is none.

    A record with other content at that place (the topic was recreated) is not the original.
    """
    try:
        topic, partition, offset = _text(stub.header("source")).split("/")
        number, at = int(partition), int(offset)
        digest = orjson.loads(stub.value or b"").get("value_sha256")
    except (ValueError, AttributeError):
        return ReplayOutcome.GONE  # not one of our stubs
    if digest is None:
        return ReplayOutcome.UNREAD
    with TopicReader(connection, group="winnow.fetch") as reader:
        try:
            span = reader.spans(topic).get(number)
        except NoSuchTopic:
            return ReplayOutcome.GONE
        if span is None or not span.start <= at < span.end:
            return ReplayOutcome.GONE
        found = [each.record for each in reader.read(topic, {number: Span(at, at + 1)})]
    matching = [each for each in found if sha256(each.value or b"").hexdigest() == digest]
    return matching[0] if matching else ReplayOutcome.GONE


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", errors="replace")
