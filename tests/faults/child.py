"""A worker process that is made to fail at a chosen point: `python -m tests.faults.child`.

Everything but the cleaner is the real worker. `FAULT_PAGE_MS` is the time that a page takes,
`FAULT_PHASE` and `FAULT_SIGNAL` say where the process sends itself which signal, in its
`FAULT_BATCH`th batch; the signal `RAISE` is an exception there. With `FAULT_LIES` each so-many-th
answer to a fetch says that the position is out of range, as a broker does that has lost its log and
leads no longer. What a page begins with says what becomes of it:

- `bad`: it is invalid;
- `raise`: the cleaner raises;
- `crash`: the process ends, always;
- `hang`: the call never comes back, with `FAULT_HANGS`;
- `slow`: it takes `FAULT_SLOW_S` seconds;
- `block`: it takes as long, and nothing else of the process runs meanwhile.
"""

import asyncio
import ctypes
import gc
import itertools
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Any
from unittest.mock import patch

from aiokafka.client import AIOKafkaClient
from aiokafka.errors import OffsetOutOfRangeError
from aiokafka.protocol.fetch import FetchRequest

import winnow.streams.agents
from winnow.models.checksum import content_digest
from winnow.models.document import Document, Page, PageStats
from winnow.models.errors import InvalidPage, Reason
from winnow.streams.delivery import Producer, Retries, deliver
from winnow.streams.kafka.consumer import Consumer
from winnow.streams.records import Outgoing
from winnow.worker.service.child import main


class Phase(StrEnum):
    """Where in the life of a batch the fault falls."""

    CLEANING = "cleaning"
    CLEANED = "cleaned"  # nothing published yet
    HALF_PUBLISHED = "half_published"  # half of the records are stored by the brokers
    PUBLISHED = "published"  # all of them are, nothing committed
    COMMITTED = "committed"


class FaultCleaner:
    """Returns the body as text, unless the body asks for a fault."""

    fingerprint = "faults"

    def __init__(self, environment: Mapping[str, str], on_batch: Callable[[], None]) -> None:
        self._page_s = float(environment.get("FAULT_PAGE_MS", "1")) / 1000
        self._slow_s = float(environment.get("FAULT_SLOW_S", "0"))
        self._hangs = "FAULT_HANGS" in environment
        self._on_batch = on_batch

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        self._on_batch()
        return [self._clean(page) for page in pages]

    def _clean(self, page: Page) -> Document | InvalidPage:
        time.sleep(self._page_s)
        self._misbehave(page.body[:5])
        if page.body.startswith(b"bad"):
            return InvalidPage(Reason.BINARY, "poison")
        stats = PageStats(len(page.body), "utf-8", 1, 1, 1, 1, 1, 1, 1, 1, {}, (), 0.0)
        digest = content_digest(page.body)
        text = page.body.decode("utf-8", errors="replace")
        nothing = ("", "", "", "", "")
        return Document(page.url, *nothing, text, "", "faults", "", 0.0, digest, "", stats)

    def _misbehave(self, kind: bytes) -> None:
        if kind == b"raise":
            raise RuntimeError("a bug of the cleaner")
        if kind == b"crash":
            os.abort()
        if kind == b"hang " and self._hangs:
            say("hangs now")
            time.sleep(1e6)
        if kind == b"slow ":
            say("slow now")
            time.sleep(self._slow_s)
        if kind == b"block":
            say("blocks now")
            ctypes.PyDLL(None).usleep(round(self._slow_s * 1e6))  # keeps the interpreter's lock


def say(words: str) -> None:
    """Write the line that a scenario waits for."""
    print(words, flush=True)  # noqa: T201


class Fault:
    """Sends this process a signal, or raises, when its time has come."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._phase = environment.get("FAULT_PHASE", "")
        self._left = int(environment.get("FAULT_BATCH", "3"))
        self._signal = environment.get("FAULT_SIGNAL", "SIGKILL")

    def reach(self, phase: Phase) -> None:
        """Count one batch at a phase; the last one counted is the moment."""
        if phase == self._phase:
            self._left -= 1
            if self._left == 0:
                if self._signal == "RAISE":
                    raise RuntimeError(f"the agent fails: {phase}")
                os.kill(os.getpid(), signal.Signals[self._signal])


def install(fault: Fault) -> None:
    """Put the fault into the steps of the agent."""
    commit_done = Consumer.commit_done

    async def faulty_deliver(
        producer: Producer, records: Sequence[Outgoing], retries: Retries
    ) -> list[Outgoing]:
        if not records:
            return []
        fault.reach(Phase.CLEANED)
        half = len(records) // 2
        refused = await deliver(producer, records[:half], retries)
        fault.reach(Phase.HALF_PUBLISHED)
        refused += await deliver(producer, records[half:], retries)
        fault.reach(Phase.PUBLISHED)
        return refused

    async def faulty_commit(consumer: Consumer) -> None:
        await commit_done(consumer)
        fault.reach(Phase.COMMITTED)

    patch.object(winnow.streams.agents, "deliver", faulty_deliver).start()
    patch.object(Consumer, "commit_done", faulty_commit).start()


def install_lies(every: int) -> None:
    """Put an error into every n-th answer to a fetch."""
    send = AIOKafkaClient.send
    fetches = itertools.count(1)

    async def send_to_liar(
        client: AIOKafkaClient, node_id: int, request: object, **options: object
    ) -> Any:  # noqa: ANN401 - an answer of aiokafka's
        answer = await send(client, node_id, request, **options)
        if isinstance(request, FetchRequest) and next(fetches) % every == 0:
            answer.topics = [
                (topic, [(part[0], OffsetOutOfRangeError.errno, *part[2:]) for part in parts])
                for topic, parts in answer.topics
            ]
            say("a broker lies now")
        return answer

    patch.object(AIOKafkaClient, "send", send_to_liar).start()


def show_tasks(*_: object) -> None:
    """Print what every task of every event loop waits for: the handler of SIGUSR1."""
    tasks = [each for each in gc.get_objects() if isinstance(each, asyncio.Task)]
    for task in tasks:
        if not task.done():
            task.print_stack(file=sys.stdout)
    sys.stdout.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, show_tasks)
    planned = Fault(os.environ)
    install(planned)
    if lies := int(os.environ.get("FAULT_LIES", "0")):
        install_lies(lies)
    cleaner = FaultCleaner(os.environ, partial(planned.reach, Phase.CLEANING))
    main(0, lambda _: cleaner)
