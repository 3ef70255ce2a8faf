"""A crawler that goes on publishing while faults last, with versions of one URL in between."""

import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Self

from confluent_kafka import KafkaError, Message, Producer

from winnow.streams.kafka.connection import Connection
from winnow.streams.records import Headers

VERSIONED_URLS: Final = 40
VERSION_SHARE: Final = 0.4
REPEATED_SHARE: Final = 0.1  # of the versions: the page has not changed since the crawl before
DELETED_SHARE: Final = 0.08  # of all pages, half of them by their status
SKIPPED_SHARE: Final = 0.08
POISON_EVERY: Final = 40
LARGE_EVERY: Final = 150
LARGE_BYTES: Final = 300_000
DELIVERY_TIMEOUT_MS: Final = 300_000
WORDS: Final = (
    "the committee met on Monday and heard that bees find more flowers in the city than outside "
    "because gardens bloom from March to October while fields are bare after the harvest"
).split()


@dataclass(frozen=True, slots=True)
class CrawledPage:
    """One page as it is published.

    Attributes:
        body: None for a tombstone.
        partition: -1 leaves it to the key. All versions of a URL go to one partition, also after
            partitions are added: otherwise the last version would be unknown.
    """

    url: bytes
    body: bytes | None
    partition: int
    headers: Headers = ()


def crawled_pages(seed: int, partitions: int) -> Iterator[CrawledPage]:
    """Yield pages for ever: mostly HTML, some invalid, some large, some deleted."""
    chooser = random.Random(seed)
    latest: dict[int, bytes] = {}
    number = 0
    while True:
        number += 1
        if chooser.random() >= VERSION_SHARE:
            url = b"https://example.org/%d" % number
            yield _answered(chooser, CrawledPage(url, _body(chooser, number), -1))
            continue
        which = chooser.randrange(VERSIONED_URLS)
        if which not in latest or chooser.random() >= REPEATED_SHARE:
            latest[which] = _body(chooser, number)
        url = b"https://example.org/versions/%d" % which
        yield _answered(chooser, CrawledPage(url, latest[which], which % partitions))


def _answered(chooser: random.Random, page: CrawledPage) -> CrawledPage:
    """Return the page unchanged, deleted, or with a status that is not a page's."""
    share = chooser.random()
    if share < DELETED_SHARE / 2:
        return replace(page, body=None)
    if share < DELETED_SHARE:
        return replace(page, headers=(("status", b"410"),))
    if share < DELETED_SHARE + SKIPPED_SHARE:
        return replace(page, headers=(("status", b"503"),))
    return page


def _body(chooser: random.Random, number: int) -> bytes:
    if number % POISON_EVERY == 0:
        return b"\x00\xff" + chooser.randbytes(500)
    size = LARGE_BYTES if number % LARGE_EVERY == 0 else chooser.randrange(500, 6000)
    paragraphs: list[str] = []
    while size > 0:
        sentence = " ".join(chooser.choices(WORDS, k=40))
        paragraphs.append(f"<p>{sentence.capitalize()}, as page {number} says.")
        size -= len(paragraphs[-1])
    return f"<title>Page {number}</title>{''.join(paragraphs)}".encode()


class Crawler:
    """Publishes pages from a thread of its own, at a steady rate; a context manager.

    Attributes:
        problems: what the brokers refused; a test that goes on with any is worth nothing.
    """

    def __init__(
        self, connection: Connection, topic: str, pages: Iterator[CrawledPage], per_second: float
    ) -> None:
        """Publish nothing yet."""
        self.problems: Final[list[str]] = []
        self.delivered = 0
        self._topic = topic
        self._pages = pages
        self._per_second = per_second
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._producer = Producer(
            {
                "bootstrap.servers": ",".join(connection.bootstrap),
                "log_level": 0,
                "acks": "all",
                "enable.idempotence": True,
                "compression.type": "zstd",
                "delivery.timeout.ms": DELIVERY_TIMEOUT_MS,
                "topic.metadata.refresh.interval.ms": 1000,  # new partitions get pages soon
                "partitioner": "murmur2_random",
            }
        )

    def __enter__(self) -> Self:
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop, unless `stop` was called."""
        self._ends.set()
        self._thread.join()

    def stop(self) -> int:
        """Publish no more pages; return how many the brokers have stored, all that were sent."""
        self._ends.set()
        self._thread.join()
        self._producer.flush()
        return self.delivered

    def _run(self) -> None:
        begun = time.monotonic()
        sent = 0
        while not self._ends.is_set():
            if sent < (time.monotonic() - begun) * self._per_second:
                self._send(next(self._pages))
                sent += 1
            else:
                self._producer.poll(0.02)

    def _send(self, page: CrawledPage) -> None:
        self._producer.produce(
            self._topic,
            page.body,
            page.url,
            page.partition,
            on_delivery=self._on_delivery,
            headers=list(page.headers),
        )
        self._producer.poll(0)

    def _on_delivery(self, error: KafkaError | None, _: Message) -> None:
        if error is None:
            self.delivered += 1
        else:
            self.problems.append(error.str())
