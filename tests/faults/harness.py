"""Pages in, workers at work, faults between, and an account of every page at the end."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from tests.faults.account import Account, account, is_gone, is_skipped
from tests.faults.memory import MemoryLimit, chart_bytes, memory_limit
from tests.services.processes import Lifetime, ServerProcess, free_port
from winnow.streams.errors import KafkaUnavailable
from winnow.streams.kafka.connection import Connection
from winnow.streams.kafka.tuning import Compression
from winnow.streams.operator.admin import TopicAdmin
from winnow.streams.operator.publisher import Publisher
from winnow.streams.operator.topic_check import Size, wanted_topics
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.records import Incoming, Outgoing
from winnow.streams.topics import TopicNames

PARTITIONS: Final = 4
BATCH_PAGES: Final = 32
POISON_EVERY: Final = 50
GONE_EVERY: Final = 10  # in turn by status and by a null value
SKIPPED_EVERY: Final = 10
MAX_RESTARTS: Final = 40
SETTLED_WITHIN_S: Final = 600.0
DRAIN_S: Final = 10.0
SESSION_S: Final = 6.0  # the least that brokers allow by default: a dead member is seen early
PROCESS_BYTES: Final = 384 << 20  # memory.perProcessMiB of the chart
# drain, then flush and leave: worker.child.HARD_EXIT_MARGIN_S beyond the drain deadline
GRACE_S: Final = DRAIN_S + 5.0 + 1.0
EXIT_WITHIN_S: Final = GRACE_S + 30.0  # too long even on a busy machine
ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scenario did to the pages: one row of the table.

    Attributes:
        deleted, skipped: pages that are gone and have a tombstone, pages that ask for nothing.
        repeated: documents, tombstones and dead letters beyond the first of their page.
        recovery_s: from the last fault to progress in every partition that had any left.
        restarts: how often a worker ended by itself and was started again, as a kubelet does.
        exit_s: the longest time that a worker took to stop.
        peak_bytes: the most memory that one worker ever held.
        exit_codes: how workers ended that were not killed by the test, each with its count.
    """

    scenario: str
    seed: int
    pages: int
    deleted: int
    skipped: int
    lost: int
    repeated: int
    recovery_s: float
    restarts: int
    exit_s: float
    peak_bytes: int
    exit_codes: Mapping[int, int]


@dataclass(slots=True)
class Scenario:
    """One run: its topics, its workers, and what was measured so far.

    Attributes:
        ending: workers asked to stop that nobody waits for, with the time of the request.
        expected: URLs of all pages, `gone` of those that are, `skipped` of those that ask nothing.
        ends: offset after the last page of each partition.
        exit_codes: exit codes of ended workers, with their counts.
        process_mib: in place of the chart's `memory.perProcessMiB`.
    """

    name: str
    connection: Connection
    names: TopicNames
    group: str
    folder: Path
    seed: int = 1
    environment: dict[str, str] = field(default_factory=dict)
    workers: list[ServerProcess] = field(default_factory=list)
    ending: list[tuple[ServerProcess, float]] = field(default_factory=list)
    expected: set[bytes] = field(default_factory=set)
    gone: set[bytes] = field(default_factory=set)
    skipped: set[bytes] = field(default_factory=set)
    ends: dict[int, int] = field(default_factory=dict)
    recovery_s: float = 0.0
    restarts: int = 0
    exit_s: float = 0.0
    peak_bytes: int = 0
    exit_codes: Counter[int] = field(default_factory=Counter)
    partitions: int = PARTITIONS
    process_mib: int | None = None
    program: tuple[str, ...] = ("tests.faults.child",)
    _started: int = 0
    _limits: list[MemoryLimit] = field(default_factory=list)

    # -- before the fault

    def in_production(self) -> None:
        """Use real workers, which clean pages."""
        self.program = ("winnow.worker.service.child", "1", str(os.getpid()), "0")

    def prepare(self, pages: int, replication: int = 1, body_bytes: int = 2000) -> None:
        """Make the topics and fill the pages topic: with poison, pages gone, and failed answers."""
        self.make_topics(replication)
        chooser = random.Random(self.seed)
        self.fill_records(
            self._prepared(number, chooser.randbytes(body_bytes // 2).hex().encode())
            for number in range(pages)
        )

    def _prepared(self, number: int, words: bytes) -> Outgoing:
        kind = b"bad" if number % POISON_EVERY == POISON_EVERY // 2 else b"page"
        body = kind + b" %d " % number + words
        page = Outgoing(self.names.pages, self.new_url(), body, ())
        if number % (2 * GONE_EVERY) == 3:
            return replace(page, value=None)
        if number % GONE_EVERY == 3:
            return replace(page, headers=(("status", b"404"),))
        if number % SKIPPED_EVERY == 7:
            return replace(page, headers=(("status", b"503"),))
        return page

    def make_topics(self, replication: int = 1) -> None:
        """Make the four topics."""
        admin = TopicAdmin(self.connection)
        for wanted in wanted_topics(self.names, Size(self.partitions, replication)):
            admin.apply(wanted, None)

    def fill(
        self, bodies: Iterable[bytes | None], compression: Compression = Compression.ZSTD
    ) -> None:
        """Publish one page per body, each with its own URL."""
        pages = (Outgoing(self.names.pages, self.new_url(), body, ()) for body in bodies)
        self.fill_records(pages, compression)

    def fill_records(
        self, records: Iterable[Outgoing], compression: Compression = Compression.ZSTD
    ) -> None:
        """Publish records to the pages topic."""
        publisher = Publisher(self.connection, compression)
        problems: list[str] = []
        for record in records:
            assert record.key is not None
            self.gone |= {record.key} if is_gone(record) else set()
            self.skipped |= {record.key} if is_skipped(record) else set()
            publisher.send(record, problems.append)
        publisher.confirm()
        assert problems == []
        with TopicReader(self.connection, self.group) as reader:
            spans = reader.spans(self.names.pages)
        self.ends = {number: span.end for number, span in spans.items()}

    def new_url(self) -> bytes:
        """Return the URL of one more page, which must be accounted for at the end."""
        url = b"https://example.org/%d" % len(self.expected)
        self.expected.add(url)
        return url

    def start_worker(self, **fault: object) -> ServerProcess:
        """Start one more worker process, with the memory of a pod that has no other.

        `fault` becomes `FAULT_...` in its environment.
        """
        self._started += 1
        self._limits.append(memory_limit(chart_bytes(self.process_mib)))
        environment = {
            **{name: value for name, value in os.environ.items() if name[:7] != "WINNOW_"},
            "WINNOW_KAFKA_BOOTSTRAP": ",".join(self.connection.bootstrap),
            "WINNOW_TOPIC_PAGES": self.names.pages,
            "WINNOW_TOPIC_DOCUMENTS": self.names.documents,
            "WINNOW_TOPIC_STATS": self.names.stats,
            "WINNOW_TOPIC_DEAD": self.names.dead,
            "WINNOW_GROUP": self.group,
            "WINNOW_WEB_PORT": str(free_port()),
            "WINNOW_BATCH_PAGES": str(BATCH_PAGES),
            "WINNOW_DRAIN_SECONDS": str(DRAIN_S),
            "WINNOW_SESSION_SECONDS": str(SESSION_S),
            "WINNOW_LOG_LEVEL": "info",
            "WINNOW_LOG_PAGES": "0",
            "WINNOW_LOG_FORMAT": "json",
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(self.folder),
            **self.environment,
            **{f"FAULT_{name.upper()}": str(value) for name, value in fault.items()},
        }
        folder = self.folder / f"worker-{self._started}"
        command = [*self._limits[-1].prefix, sys.executable, "-m", *self.program]
        worker = ServerProcess(command, folder, Lifetime.CALLER, environment)
        self.workers.append(worker)
        return worker

    # -- while it works

    def wait_until(self, condition: Callable[[], bool], timeout_s: float = 240.0) -> float:
        """Return the seconds until the condition held; measure memory meanwhile."""
        started = time.monotonic()
        while not condition():
            waited = time.monotonic() - started
            assert waited < timeout_s, f"{self.name}: not within {timeout_s} s\n{self._words()}"
            self._look_after_workers()
            time.sleep(0.1)
        return time.monotonic() - started

    def _look_after_workers(self) -> None:
        """Start a new worker for each that ended by itself; check how the others end."""
        here = [*self.workers, *(worker for worker, _ in self.ending)]
        self.peak_bytes = max([self.peak_bytes, *(worker.peak_bytes() for worker in here)])
        for worker in [each for each in self.workers if not each.is_running()]:
            self.workers.remove(worker)
            self.restarts += 1
            assert self.restarts <= MAX_RESTARTS, f"{self.name}: {worker.output()[-3000:]}"
            self._note_end(worker.wait(0), worker)
            self.start_worker()
        for worker, asked in list(self.ending):
            waited = time.monotonic() - asked
            assert waited < EXIT_WITHIN_S, f"{self.name}: does not end\n{worker.output()[-9000:]}"
            if not worker.is_running():
                self.ending.remove((worker, asked))
                self.exit_s = max(self.exit_s, waited)
                self._note_end(worker.wait(0), worker)

    def _note_end(self, code: int, worker: ServerProcess) -> None:
        self.exit_codes[code] += 1
        # a worker that no test killed was killed for memory
        assert code != -signal.SIGKILL, f"{self.name}: killed\n{worker.output()[-3000:]}"

    def wait_ready(self, *workers: ServerProcess) -> None:
        """Return once each of these workers has partitions."""
        self.wait_until(lambda: all('"partitions_assigned"' in w.output() for w in workers))

    def kill_worker(self, worker: ServerProcess) -> None:
        """End a worker as a power cut would."""
        worker.kill()
        self.workers.remove(worker)

    def wait_for_share(self, share: float) -> None:
        """Return once this share of all pages is committed."""
        self.wait_until(lambda: self.share_done() >= share)

    def share_done(self) -> float:
        """Return the committed share of all pages, 0 while no broker answers."""
        return sum(self.committed().values()) / len(self.expected)

    def let_pass(self, seconds: float) -> None:
        """Return after a time during which a fault lasts."""
        until = time.monotonic() + seconds
        self.wait_until(lambda: time.monotonic() >= until, seconds + 60)

    def committed(self) -> dict[int, int]:
        """Return the committed offset of each partition; nothing while no broker answers."""
        try:
            with TopicReader(self.connection, self.group, timeout_s=2.0) as reader:
                return reader.committed(self.names.pages, list(range(self.partitions)))
        except KafkaUnavailable:
            return {}

    def wait_for_recovery(self, timeout_s: float = 240.0) -> None:
        """Measure the time until every partition with pages left goes on."""
        before = self.committed()
        self.recovery_s = self.wait_until(lambda: self._goes_on(before), timeout_s)

    def _goes_on(self, before: dict[int, int]) -> bool:
        now = self.committed()
        return bool(now) and all(
            now.get(number, 0) > before.get(number, 0) or before.get(number, 0) == end
            for number, end in self.ends.items()
        )

    def is_done(self) -> bool:
        """Return whether every page up to `ends` is committed."""
        now = self.committed()
        return all(now.get(number, 0) == end for number, end in self.ends.items())

    # -- at the end

    def ask_to_end(self, worker: ServerProcess) -> None:
        """Ask a worker to stop, without waiting."""
        worker.signal(signal.SIGTERM)
        self.workers.remove(worker)
        self.ending.append((worker, time.monotonic()))

    def end_worker(self, worker: ServerProcess) -> int:
        """Ask a worker to stop; measure the time; return its exit code."""
        started = time.monotonic()
        worker.signal(signal.SIGTERM)
        code = worker.wait(EXIT_WITHIN_S)
        self.exit_s = max(self.exit_s, time.monotonic() - started)
        self.workers.remove(worker)
        self._note_end(code, worker)
        return code

    def finish(self) -> Outcome:
        """Wait until all pages are committed, stop the workers, and account for every page."""
        self.wait_until(self.is_done, SETTLED_WITHIN_S)
        ended = list(self.workers)
        codes = [self.end_worker(worker) for worker in ended]
        assert set(codes) <= {0}, f"{self.name}: exit codes {codes}\n{self._words()}"
        documents, deleted = self._kept_and_deleted(self.names.documents)
        stats, deleted_stats = self._kept_and_deleted(self.names.stats)
        dead = Counter(record.key or b"" for record in self.records(self.names.dead))
        skipped = self.expected & self.skipped
        found = documents.keys() | deleted.keys() | dead.keys()
        assert documents.keys() == stats.keys()
        assert deleted.keys() == deleted_stats.keys()
        assert found <= self.expected
        assert deleted.keys() == self.gone & found
        assert not skipped & found
        lost = self.expected - found - skipped
        pages = len(documents) + len(deleted) + len(skipped) + len(dead) + len(lost)
        assert pages == len(self.expected), f"{self.name}: a page with two outcomes"
        if lost:
            sys.stdout.write(self._report_of(lost, ended))
        return Outcome(
            self.name,
            self.seed,
            len(self.expected),
            len(deleted),
            len(skipped),
            len(lost),
            sum(each.total() - len(each) for each in (documents, deleted, dead)),
            self.recovery_s,
            self.restarts,
            self.exit_s,
            self.peak_bytes,
            self.exit_codes,
        )

    def _report_of(self, lost: set[bytes], workers: Iterable[ServerProcess]) -> str:
        """Return the places of lost pages, the awaited offsets, and the workers' output."""
        with TopicReader(self.connection, self.group) as reader:
            spans = reader.spans(self.names.pages)
            pages = [each.record for each in reader.read(self.names.pages, spans)]
            found = {page.source: page.key for page in pages if page.key in lost}
            committed = reader.committed(self.names.pages, list(spans))
        facts = f"lost: {found}\nwaited for: {self.ends}\ncommitted: {committed}\nends: {spans}\n"
        return "\n".join([facts, *(worker.output() for worker in workers)])

    def settle_account(self) -> Account:
        """Read all four topics and return the outcome of each page of the pages topic."""
        names = self.names
        topics = (names.pages, names.documents, names.stats, names.dead)
        return account(*(self.records(topic) for topic in topics))

    def records(self, topic: str) -> list[Incoming]:
        """Return what a topic holds, the records of a partition in the order of its log."""
        with TopicReader(self.connection, "account") as reader:
            return [each.record for each in reader.read(topic, reader.spans(topic))]

    def reasons(self) -> Counter[str]:
        """Return how many dead letters there are of each reason."""
        letters = self.records(self.names.dead)
        return Counter((letter.header("reason") or b"").decode() for letter in letters)

    def kill_all(self) -> None:
        """End all remaining processes, in any state."""
        for worker in [*self.workers, *(worker for worker, _ in self.ending)]:
            worker.kill()
        for limit in self._limits:
            limit.remove()

    def _kept_and_deleted(self, topic: str) -> tuple[Counter[bytes], Counter[bytes]]:
        """Count the records of each URL, those with a value and the tombstones."""
        records = self.records(topic)
        kept = Counter(record.key or b"" for record in records if record.value is not None)
        return kept, Counter(record.key or b"" for record in records) - kept

    def _words(self) -> str:
        """Return the end of each worker's output, with what it waits for."""
        for worker in self.workers:
            worker.signal(signal.SIGUSR1)
        time.sleep(1.0)
        return "\n\n".join(worker.output()[-12_000:] for worker in self.workers)


def exit_code(worker: ServerProcess, timeout_s: float = 60.0) -> int | None:
    """Return the exit code of a worker that ends by itself, None if it does not."""
    try:
        return worker.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return None
