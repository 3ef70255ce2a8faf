"""A deployment of the image on a real Kafka: topics of its own, and what came out of them."""

import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, Self

from confluent_kafka import Consumer, Producer, TopicPartition

from tests.deploy.containers import Container
from winnow.streams.topics import TopicNames

PARTITIONS: Final = 4
READY_WITHIN_S: Final = 90.0


def wait_for(condition: Callable[[], bool], container: Container, timeout_s: float) -> None:
    """Wait until a condition holds; fail with the container's log if it ends or time runs out."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        ended = container.process.poll()
        assert ended is None, f"ended with {ended}:\n{container.log.read_text()[-3000:]}"
        assert time.monotonic() < deadline, f"in vain:\n{container.log.read_text()[-3000:]}"
        time.sleep(0.1)


def wait_until_ready(container: Container) -> None:
    """Wait until every process of a container says so to the image's own probe."""
    wait_for(
        lambda: container.execute("/app/probe", "readyz").returncode == 0,
        container,
        READY_WITHIN_S,
    )


@dataclass
class Deployment:
    """Topics of one test, the pages sent to it, and the settings of its workers."""

    bootstrap: str
    names: TopicNames
    group: str
    sent: set[str] = field(default_factory=set)

    @classmethod
    def planned(cls, bootstrap: str) -> Self:
        """Return a deployment under new names, whose topics are not there yet."""
        name = f"deploy-{uuid.uuid4().hex[:12]}"
        kinds = ("pages", "documents", "stats", "dead")
        return cls(bootstrap, TopicNames(*(f"{name}-{kind}" for kind in kinds)), name)

    def settings(self, port: int, **more: str) -> dict[str, str]:
        """Return the environment of a worker or of a round trip."""
        return {
            "WINNOW_KAFKA_BOOTSTRAP": self.bootstrap,
            "WINNOW_GROUP": self.group,
            "WINNOW_TOPIC_PAGES": self.names.pages,
            "WINNOW_TOPIC_DOCUMENTS": self.names.documents,
            "WINNOW_TOPIC_STATS": self.names.stats,
            "WINNOW_TOPIC_DEAD": self.names.dead,
            "WINNOW_WEB_PORT": str(port),
            **more,
        }

    def publish(self, bodies: Iterable[bytes]) -> None:
        """Publish pages under new URLs, in turn on all partitions."""
        producer = Producer({"bootstrap.servers": self.bootstrap})
        for body in bodies:
            url = f"https://example.org/{len(self.sent)}"
            producer.produce(
                self.names.pages, body, key=url.encode(), partition=len(self.sent) % PARTITIONS
            )
            self.sent.add(url)
        assert producer.flush(60) == 0

    def count(self, topic: str) -> int:
        """Return how many records a topic has taken."""
        consumer = Consumer({"bootstrap.servers": self.bootstrap, "group.id": "counts"})
        ends = (
            consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=10)
            for partition in range(PARTITIONS)
        )
        total = sum(end for _, end in ends)
        consumer.close()
        return total

    def urls(self, topic: str) -> Counter[str]:
        """Return how often each URL is in a topic."""
        consumer = Consumer(
            {
                "bootstrap.servers": self.bootstrap,
                "group.id": "urls",
                "auto.offset.reset": "earliest",
            }
        )
        consumer.assign([TopicPartition(topic, partition, 0) for partition in range(PARTITIONS)])
        expected = self.count(topic)
        found: Counter[str] = Counter()
        deadline = time.monotonic() + 60
        while found.total() < expected and time.monotonic() < deadline:
            for message in consumer.consume(1000, timeout=1.0):
                assert message.error() is None, message.error()
                found[(message.key() or b"").decode()] += 1
        consumer.close()
        return found
