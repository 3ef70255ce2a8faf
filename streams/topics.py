"""Names, shapes and limits of the topics: the settings that the brokers must agree with."""

from dataclasses import astuple, dataclass
from enum import StrEnum
from typing import Final

DEFAULT_GROUP: Final = "winnow"

# A page of 5 MB is 6.7 MB in base64; a record also carries key and headers.
MAX_PAGE_BYTES: Final = 7 << 20
MAX_RECORD_BYTES: Final = 10 << 20
# Kafka counts the framing of a one-record batch against max.message.bytes.
RECORD_FRAMING_BYTES: Final = 512

DAY_MS: Final = 24 * 3600 * 1000


class CleanupPolicy(StrEnum):
    """What the brokers do with old records."""

    DELETE = "delete"
    COMPACT = "compact"


@dataclass(frozen=True, slots=True)
class TopicNames:
    """The topics of one deployment.

    Attributes:
        doubtful: copies of documents of low confidence; empty if not wanted.
    """

    pages: str = "winnow.pages"
    documents: str = "winnow.documents"
    stats: str = "winnow.stats"
    dead: str = "winnow.dead"
    doubtful: str = ""

    def given(self) -> tuple[str, ...]:
        """Return the topics that have a name, pages first."""
        return tuple(name for name in astuple(self) if name)


@dataclass(frozen=True, slots=True)
class TopicSpec:
    """Requirements for one topic.

    Attributes:
        retention_ms: how long records are kept; -1 for ever.
        max_message_bytes: the topic must accept at least this much.
    """

    name: str
    cleanup: CleanupPolicy
    retention_ms: int
    max_message_bytes: int = MAX_RECORD_BYTES


def topic_specs(names: TopicNames) -> tuple[TopicSpec, ...]:
    """Return the requirements of each topic, pages first.

    Documents and stats are compacted: records are keyed by URL, and a new record replaces the
    previous one. So readers see each page once, even after repeats.
    """
    doubtful = TopicSpec(names.doubtful, CleanupPolicy.DELETE, retention_ms=30 * DAY_MS)
    return (
        TopicSpec(names.pages, CleanupPolicy.DELETE, retention_ms=7 * DAY_MS),
        TopicSpec(names.documents, CleanupPolicy.COMPACT, retention_ms=-1),
        TopicSpec(names.stats, CleanupPolicy.COMPACT, retention_ms=-1),
        TopicSpec(names.dead, CleanupPolicy.DELETE, retention_ms=30 * DAY_MS),
        *([doubtful] if names.doubtful else []),
    )
