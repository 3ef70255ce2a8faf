"""What can go wrong in the streams, and what happens then.

WinnowError (winnow.models.errors)
├── KafkaUnavailable       the brokers do not answer, or refuse: the command stops
│   └── HiddenConfigs      only the configuration of topics is hidden: a worker starts and warns
├── NotConnectedError      no broker within the time of a start: the process stops
├── NoSuchTopic            the brokers know no such topic: the command stops
├── UnfitTopics            a topic is missing, or cannot hold what is published: no worker starts
├── DeliveryError          the brokers refuse a record for good: the process stops, nothing is acked
├── CommitTimeout          the brokers take no commit: the process stops, its pages are repeated
├── TooManyDeadLetters     the fault is probably ours: the process stops before the topic is dead
├── CoordinationLostError  no longer a member of the group (winnow.streams.kafka.fetching)
├── NotTakenError          let go of what is not in flight (winnow.streams.kafka.consumer)
├── ReplayFailed           a dead letter was not published again (winnow.streams.operator.replay)
├── MalformedRecord        bytes that are no record: dead letter for the batch
├── UnpackError            bytes that cannot be unpacked: dead letter for the batch
├── DamagedValue           a value of the cache that is not ours: counted, the page is cleaned again
└── ForeignResult          a stored result of another page or version: the page is cleaned again
"""

from winnow.models.errors import WinnowError


class KafkaUnavailable(WinnowError):  # noqa: N818 - says what is the matter
    """The brokers do not answer, or refuse what was asked; the text holds no secret."""


class HiddenConfigs(KafkaUnavailable):
    """The brokers do not tell this user how topics are configured; all else may be well."""


class NotConnectedError(WinnowError):
    """The brokers answer too slowly, or not at all, for a worker to start."""


class NoSuchTopic(WinnowError):  # noqa: N818 - says what is the matter
    """The brokers know no topic of that name."""


class UnfitTopics(WinnowError):  # noqa: N818 - says what is the matter
    """A worker must not start on these topics; the text says which and why, in one line."""


class DeliveryError(WinnowError):
    """The brokers refuse a record for a reason that trying again will not change."""


class CommitTimeout(WinnowError):  # noqa: N818 - says what is the matter
    """The brokers have not taken a commit in time, nor refused it for good."""


class TooManyDeadLetters(WinnowError):  # noqa: N818 - names the event, as InvalidPage does
    """So many pages fail that the fault is rather ours: stop before the whole topic is dead."""


class MalformedRecord(WinnowError):  # noqa: N818 - names what was found
    """Bytes that are no record."""


class UnpackError(WinnowError):
    """The bytes cannot be unpacked, or not within bounds."""


class DamagedValue(WinnowError):  # noqa: N818 - names what was found
    """The bytes are none that a cache of this version has stored, or were changed since."""


class ForeignResult(WinnowError):  # noqa: N818 - names what was found
    """A stored result that no worker of this version has written for the page."""
