"""What can go wrong in the streams, and what happens then.

WinnowError (winnow.models.errors)
├── KafkaUnavailable       the brokers do not answer, or refuse: the command stops
│   └── HiddenConfigs      only the configuration of topics is hidden: a worker starts and warns
├── NotConnectedError      no broker within the time of a start: the process stops
├── NoSuchTopic            the topic does not exist: the command stops
├── UnfitTopics            a topic is missing, or cannot hold the records: no worker starts
├── DeliveryError          the brokers refuse a record for good: the process stops, nothing is acked
├── CommitTimeout          a commit is not accepted in time: the process stops, pages are repeated
├── TooManyDeadLetters     the fault is probably ours: the process stops before all pages are dead
├── CoordinationLostError  no longer a member of the group (winnow.streams.kafka.fetching)
├── NotTakenError          released record is not in flight (winnow.streams.kafka.consumer)
├── ReplayFailed           a dead letter was not published again (winnow.streams.operator.replay)
├── MalformedRecord        bytes that are not a valid record: dead letter for the batch
├── UnpackError            bytes that cannot be decompressed: dead letter for the batch
├── DamagedValue           a cached value is damaged or foreign: counted, the page is cleaned again
└── ForeignResult          a cached result of another page or version: the page is cleaned again
"""

from winnow.models.errors import WinnowError


class KafkaUnavailable(WinnowError):  # noqa: N818 - named after the problem
    """The brokers do not answer, or refuse the request; the text holds no secret."""


class HiddenConfigs(KafkaUnavailable):
    """The brokers hide the configuration of topics from this user; the rest may be fine."""


class NotConnectedError(WinnowError):
    """No broker answered fast enough for a worker to start."""


class NoSuchTopic(WinnowError):  # noqa: N818 - named after the problem
    """The brokers have no topic of that name."""


class UnfitTopics(WinnowError):  # noqa: N818 - named after the problem
    """A worker must not start on these topics; the text says which and why, in one line."""


class DeliveryError(WinnowError):
    """The brokers refuse a record for a reason that a retry will not change."""


class CommitTimeout(WinnowError):  # noqa: N818 - named after the problem
    """The brokers neither accepted a commit in time nor refused it for good."""


class TooManyDeadLetters(WinnowError):  # noqa: N818 - named after the event, like InvalidPage
    """Many pages fail, so the fault is probably ours: the process stops."""


class MalformedRecord(WinnowError):  # noqa: N818 - named after the finding
    """The bytes are not a valid record."""


class UnpackError(WinnowError):
    """The bytes cannot be decompressed, or only beyond the limits."""


class DamagedValue(WinnowError):  # noqa: N818 - named after the finding
    """Not a value written by this cache version, or altered since."""


class ForeignResult(WinnowError):  # noqa: N818 - named after the finding
    """Not a result that this version writes for this page."""
