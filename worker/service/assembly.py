"""Settings -> one running worker, assembled from the parts of the stream."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from winnow.streams.agents import AgentOptions, Observer
from winnow.streams.app import StreamOptions, create_app, serve
from winnow.streams.cache.results import ResultCache
from winnow.streams.cleaning import NO_CRASH_NOTES, BatchCleaner, Options
from winnow.streams.deadletters import DeadLetterLimits
from winnow.streams.health import StreamState
from winnow.streams.isolation import BugReport, CrashNotes, PageCleaner
from winnow.streams.kafka.batches import BatchLimits
from winnow.streams.kafka.connection import Connection
from winnow.streams.kafka.tuning import Tuning
from winnow.streams.pass_through import PassThrough
from winnow.streams.topics import MAX_PAGE_BYTES, MAX_RECORD_BYTES
from winnow.worker.settings import Settings

# One thread decodes a batch while another cleans the one before.
_THREADS = 2


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a worker, apart from its settings; the caller closes the cache.

    `on_end` is called before the drain, when the stream is asked to stop or has failed.
    """

    connection: Connection
    cleaner: PageCleaner
    cache: ResultCache
    observer: Observer
    report_bug: BugReport
    state: StreamState
    client_id: str = "winnow"
    notes: CrashNotes = NO_CRASH_NOTES
    max_page_bytes: int = MAX_PAGE_BYTES
    max_record_bytes: int = MAX_RECORD_BYTES
    on_end: Callable[[], None] = lambda: None


async def run_worker(settings: Settings, parts: Parts, stop: asyncio.Event) -> None:
    """Work until `stop` is set and pages in flight are done, or until the stream fails.

    Raises:
        Exception: the cause of the stream's failure.
    """
    passing = PassThrough(settings.pass_headers)
    executor = ThreadPoolExecutor(_THREADS, thread_name_prefix="clean")
    batches = BatchCleaner(
        parts.cleaner,
        parts.cache,
        executor,
        Options(
            settings.topics(),
            settings.unchanged,
            parts.max_page_bytes,
            parts.max_record_bytes,
            parts.notes,
            passing,
            settings.doubtful_below,
        ),
        parts.report_bug,
    )
    app = create_app(
        _stream_options(settings, parts, passing), batches, parts.observer, parts.state
    )
    try:
        await serve(app, parts.state, stop, parts.on_end)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _stream_options(settings: Settings, parts: Parts, passing: PassThrough) -> StreamOptions:
    return StreamOptions(
        tuning=Tuning(
            parts.connection,
            client_id=parts.client_id,
            drain_s=settings.drain_seconds,
            session_s=settings.session_seconds,
            instance=_static_member(settings, parts),
            compression=settings.kafka_compression,
        ),
        agent=AgentOptions(
            settings.topic_dead,
            BatchLimits(settings.batch_pages, settings.batch_bytes),
            DeadLetterLimits(settings.dead_ratio, settings.dead_consecutive),
            passing,
        ),
        pages_topic=settings.topic_pages,
        group=settings.group,
        buffer_bytes=settings.buffer_bytes,
    )


def _static_member(settings: Settings, parts: Parts) -> str | None:
    """Return the static group member name of this process, or None without one."""
    return f"{settings.group_instance}-{parts.client_id}" if settings.group_instance else None
