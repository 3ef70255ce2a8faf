"""An embedded broker, worker processes on it, and an account of what went in and came out."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from aiokafka import AIOKafkaProducer
from confluent_kafka import Consumer, KafkaError, Message, Producer, TopicPartition

from tests.services.processes import free_port
from winnow.streams.topics import TopicNames
from winnow.worker.demo.embedded import EmbeddedBroker

PROGRAM = Path(__file__).with_name("worker_program.py")
ROOT = Path(__file__).resolve().parents[3]
NAMES = TopicNames()
PARTITIONS = 2
GROUP = "winnow"
# what is waited for comes sooner or not at all; a machine that does other things as well is slow
PATIENCE_S = 120.0


@dataclass(frozen=True)
class Account:
    """What came out, by URL.

    Attributes:
        documents, stats: with a value.
        deleted: tombstones of the documents topic; `deleted_stats`: of the stats topic.
        skipped: pages that ask for nothing, once they are committed.
    """

    documents: Counter[str]
    stats: Counter[str]
    deleted: Counter[str]
    deleted_stats: Counter[str]
    dead: Counter[str]
    reasons: Counter[str]
    skipped: frozenset[str]

    @property
    def answered(self) -> set[str]:
        """Pages with documents or tombstones on both topics or a dead letter, and skipped pages."""
        cleaned = set(self.documents) & set(self.stats)
        deleted = set(self.deleted) & set(self.deleted_stats)
        return cleaned | deleted | set(self.dead) | self.skipped

    @property
    def repeats(self) -> int:
        """Answers beyond the first of each page."""
        answers = self.documents.total() + self.deleted.total() + self.dead.total()
        return answers + len(self.skipped) - len(self.answered)


@dataclass
class Worker:
    """One worker process and what it wrote."""

    process: subprocess.Popen[bytes]
    log_path: Path
    port: int

    @property
    def log(self) -> str:
        return self.log_path.read_text()

    def wait(self) -> int:
        return self.process.wait(PATIENCE_S)

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert self.process.poll() is None, f"the worker has ended:\n{self.log[-3000:]}"
            assert time.monotonic() < deadline, f"in vain:\n{self.log[-3000:]}"
            time.sleep(0.02)

    def until_logged(self, text: str, times: int = 1) -> None:
        self.until(lambda: self.log.count(text) >= times)

    def probe(self, path: str) -> tuple[int, str]:
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            request = f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            connection.sendall(request.encode())
            answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
        head, _, body = answer.partition("\r\n\r\n")
        return int(head.split()[1]), body


@dataclass
class Bench:
    """A broker with our topics, and all workers started on it."""

    broker: EmbeddedBroker
    folder: Path
    sent: set[str] = field(default_factory=set)
    skipped: set[str] = field(default_factory=set)
    workers: list[Worker] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in (NAMES.pages, NAMES.documents, NAMES.stats, NAMES.dead):
            self.broker.create_topic(name, PARTITIONS)
        self._producer = Producer(
            {"bootstrap.servers": self.bootstrap, "message.max.bytes": 9 << 20}
        )

    @property
    def bootstrap(self) -> str:
        return ",".join(self.broker.bootstrap)

    def publish(self, bodies: Iterable[bytes | None]) -> None:
        """Publish pages under new URLs, in turn on all partitions."""
        for body in bodies:
            url = f"https://example.org/{len(self.sent)}"
            self._producer.produce(
                NAMES.pages, body, key=url.encode(), partition=len(self.sent) % PARTITIONS
            )
            self.sent.add(url)
        assert self._producer.flush(PATIENCE_S) == 0

    def publish_with_status(self, status: int, bodies: Iterable[bytes]) -> None:
        """Publish pages under new URLs as answers of that status."""
        for body in bodies:
            url = f"https://example.org/{len(self.sent)}"
            self._producer.produce(
                NAMES.pages,
                body,
                key=url.encode(),
                partition=len(self.sent) % PARTITIONS,
                headers=[("status", b"%d" % status)],
            )
            self.sent.add(url)
            self.skipped |= {url} if status not in {200, 404, 410} else set()
        assert self._producer.flush(PATIENCE_S) == 0

    def publish_without_keys(self, bodies: Iterable[bytes | None]) -> None:
        """Publish records without URLs, identified by their place."""

        def stored(error: KafkaError | None, message: Message) -> None:
            assert error is None
            self.sent.add(f"{message.topic()}/{message.partition()}/{message.offset()}")

        for body in bodies:
            self._producer.produce(NAMES.pages, body, on_delivery=stored)
        assert self._producer.flush(PATIENCE_S) == 0

    async def publish_with_header(self, name: str, bodies: Iterable[bytes]) -> None:
        """Publish pages under new URLs with a header of that name, by aiokafka."""
        async with AIOKafkaProducer(bootstrap_servers=self.bootstrap) as producer:
            for body in bodies:
                url = f"https://example.org/{len(self.sent)}"
                await producer.send_and_wait(
                    NAMES.pages, body, key=url.encode(), headers=[(name, b"value")]
                )
                self.sent.add(url)

    def start(
        self,
        page_s: float = 0.0,
        start_s: float = 0.0,
        within: Sequence[str] = (),
        **settings: str,
    ) -> Worker:
        """Start a worker process with `WINNOW_` settings in lower case.

        `within` is a command that starts the one that follows it, like `prlimit`.
        """
        port = free_port()
        environ = os.environ | {
            "WINNOW_KAFKA_BOOTSTRAP": self.bootstrap,
            "WINNOW_WEB_PORT": str(port),
            "WINNOW_LOG_FORMAT": "json",
            "WINNOW_SESSION_SECONDS": "3",  # the mock cluster does not let a member leave earlier
            "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(self.folder),
        }
        environ |= {f"WINNOW_{name.upper()}": value for name, value in settings.items()}
        log_path = self.folder / f"worker-{len(self.workers)}.log"
        with log_path.open("wb") as log:
            process = subprocess.Popen(
                [*within, sys.executable, PROGRAM, str(page_s), str(start_s)],
                env=environ,
                stdout=log,
                stderr=log,
            )
        worker = Worker(process, log_path, port)
        self.workers.append(worker)
        return worker

    def close(self) -> None:
        for worker in self.workers:
            if worker.process.poll() is None:
                worker.process.kill()
            worker.process.wait(10)
        self.broker.close()

    def committed(self) -> int:
        """Records of the pages topic below the committed offsets of the group."""
        consumer = Consumer({"bootstrap.servers": self.bootstrap, "group.id": GROUP})
        partitions = [TopicPartition(NAMES.pages, number) for number in range(PARTITIONS)]
        offsets = [each.offset for each in consumer.committed(partitions, timeout=60)]
        consumer.close()
        return sum(max(0, offset) for offset in offsets)

    def account(self) -> Account:
        """Read everything that came out."""
        kept, deleted = (
            defaultdict[str, Counter[str]](Counter),
            defaultdict[str, Counter[str]](Counter),
        )
        reasons: Counter[str] = Counter()
        is_done = bool(self.skipped) and self.committed() == len(self.sent)
        for topic, key, headers, is_tombstone in self._outputs():
            counts = deleted if is_tombstone and topic != NAMES.dead else kept
            counts[topic][key] += 1
            if topic == NAMES.dead:
                reasons[headers["reason"]] += 1
        return Account(
            kept[NAMES.documents],
            kept[NAMES.stats],
            deleted[NAMES.documents],
            deleted[NAMES.stats],
            kept[NAMES.dead],
            reasons,
            frozenset(self.skipped if is_done else ()),
        )

    def until_answered(self) -> Account:
        """Wait until every page has an answer, or fail with what is missing."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            account = self.account()
            missing = self.sent - account.answered
            if not missing:
                return account
            logs = "\n".join(worker.log[-2000:] for worker in self.workers)
            assert time.monotonic() < deadline, f"{len(missing)} unanswered {missing}:\n{logs}"
            time.sleep(0.2)

    def _outputs(self) -> Iterable[tuple[str, str, dict[str, str], bool]]:
        consumer = Consumer(
            {
                "bootstrap.servers": self.bootstrap,
                "group.id": "reader",
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "auto.offset.reset": "earliest",
            }
        )
        partitions = [
            TopicPartition(name, number, 0)
            for name in (NAMES.documents, NAMES.stats, NAMES.dead)
            for number in range(PARTITIONS)
        ]
        consumer.assign(partitions)
        ended = 0
        try:
            while ended < len(partitions):
                message = consumer.poll(10)
                assert message is not None, "the embedded broker does not answer"
                if message.error():
                    ended += 1
                    continue
                key, topic, headers = message.key(), message.topic(), _headers(message)
                assert isinstance(key, bytes | None)
                assert topic is not None
                name = headers["source"] if key is None else key.decode()
                yield topic, name, headers, message.value() is None
        finally:
            consumer.close()


def _headers(message: Message) -> dict[str, str]:
    pairs = message.headers() or []
    assert isinstance(pairs, list)
    return {name: value.decode() for name, value in pairs if isinstance(value, bytes)}
