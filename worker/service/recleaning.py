"""Workers in a group of their own that go through all pages once, and what is seen of them."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.overview import waiting
from winnow.streams.operator.topic_reader import TopicReader
from winnow.worker.logs import Log
from winnow.worker.service.process import Supervisor
from winnow.worker.settings import Settings

LOOK_S: Final = 2.0
# of a batch at a rate: a process that rests longer seems to be stuck
_BATCH_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a group is in a topic: records that it has passed, and those that are left."""

    done: int
    left: int


def standing(connection: Connection, topic: str, group: str) -> Standing:
    """Return how far a group is.

    Raises:
        KafkaUnavailable: the brokers do not answer.
        NoSuchTopic: there is no such topic.
    """
    with TopicReader(connection, group) as reader:
        spans = reader.spans(topic)
        committed = reader.committed(topic, list(spans))
    left = sum(waiting(span, committed.get(number, 0)) for number, span in spans.items())
    return Standing(sum(span.end - span.start for span in spans.values()) - left, left)


def batch_pages(settings: Settings, rate: float) -> int:
    """Return how many pages a batch has, so that no process rests for long between two."""
    return max(1, min(settings.batch_pages, int(_BATCH_S * rate))) if rate else settings.batch_pages


async def reclean(
    settings: Settings, rate: float, on_look: Callable[[Standing, float], None]
) -> int:
    """Run workers until their group has passed all pages, those that come meanwhile too.

    Not to the end of before: a page of before would be published after the newer one that a
    worker has cleaned meanwhile.

    Args:
        settings: of the workers; the processes read the same from the environment.
        rate: pages a second of all processes together; 0 for no bound.
        on_look: is told how far the group is, and the seconds since the begin.

    Returns:
        0 when all is done, or when told to stop; else the exit code of the first that failed.
    """
    each = str(rate / settings.processes)
    module = "winnow.worker.service.paced"
    command = (sys.executable, "-m", module, each, str(settings.processes), str(os.getpid()))
    supervisor = Supervisor(command, settings.processes, settings.drain_seconds, Log())
    watching = asyncio.create_task(_watch(settings, supervisor, on_look))
    try:
        return await supervisor.run()
    finally:
        watching.cancel()
        await asyncio.wait({watching})


async def _watch(
    settings: Settings, supervisor: Supervisor, on_look: Callable[[Standing, float], None]
) -> None:
    asked = (settings.connection(), settings.topic_pages, settings.group)
    begun_s = time.monotonic()
    try:
        while True:
            await asyncio.sleep(LOOK_S)
            now = await asyncio.to_thread(standing, *asked)
            on_look(now, time.monotonic() - begun_s)
            if not now.left:
                return
    finally:  # whatever ends the look-out: nobody would know when they are done
        supervisor.stop()
