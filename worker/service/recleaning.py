"""Clean all pages of the topic again, with workers in their own consumer group."""

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
# longest time per batch at a rate: a process that rests longer looks stuck
_BATCH_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a group is in a topic: records passed, and records left."""

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
    """Return the pages per batch that keep the rests between batches short."""
    return max(1, min(settings.batch_pages, int(_BATCH_S * rate))) if rate else settings.batch_pages


async def reclean(
    settings: Settings, rate: float, on_look: Callable[[Standing, float], None]
) -> int:
    """Run workers until their group has passed all pages, including new ones.

    It does not stop at the end offsets of its start: an old version of a page would then be
    published after the newer version that a worker cleaned in the meantime.

    Args:
        settings: settings of the workers; the processes read them from the environment.
        rate: pages per second of all processes together; 0 for no limit.
        on_look: called with the progress of the group and the seconds since the start.

    Returns:
        0 when all pages are done or after a stop; else the exit code of the first failed process.
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
    finally:  # stop the workers on any error: nobody would notice when they are done
        supervisor.stop()
