"""One worker process: `python -m winnow.worker.service.child PROCESSES PARENT INDEX`."""

import asyncio
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum
from functools import partial
from importlib.metadata import version
from typing import Final, NoReturn

from aiokafka.errors import KafkaConnectionError

from winnow.models.errors import ModelError, OptionsError
from winnow.streams.cache.redis_cache import RedisCache
from winnow.streams.cleaning import NO_CRASH_NOTES
from winnow.streams.errors import NotConnectedError, TooManyDeadLetters
from winnow.streams.health import StreamState
from winnow.streams.isolation import PageCleaner
from winnow.streams.kafka.brokers import ask_brokers
from winnow.streams.kafka.connection import Connection, cannot_connect
from winnow.worker.caching import build_cache
from winnow.worker.cleaning import build_cleaner
from winnow.worker.logs import Log, configure_logging
from winnow.worker.parent import end_with_parent
from winnow.worker.service.allocator import keep_what_is_there, tune_allocator
from winnow.worker.service.assembly import Parts, run_worker
from winnow.worker.service.crash_notes import HANG_MARGIN_S, FileCrashNotes, notes_folder
from winnow.worker.service.metrics import Metrics
from winnow.worker.service.observability import StreamObserver
from winnow.worker.service.probes import serve_probes
from winnow.worker.settings import Settings, SettingsError
from winnow.worker.web.server import AddressInUseError

# After the drain: flush, leave the group, join the consumer's thread.
HARD_EXIT_MARGIN_S: Final = 5.0

# Errors that a restart cannot fix: a setting, a file or a port must change.
_UNUSABLE: Final = (SettingsError, ModelError, OptionsError, AddressInUseError, OSError)


class ExitCode(IntEnum):
    """Exit codes of a worker process."""

    DONE = 0
    FAILED = 1  # the stream failed; no page is lost, a new process continues
    UNUSABLE = 2  # settings, model or broker cannot be used
    DRAIN_DEADLINE = 3  # pages in flight did not finish in time; they will be cleaned again


def main(
    index: int,
    build: Callable[[Settings], PageCleaner],
    processes: int = 1,
    parent: int | None = None,
) -> NoReturn:
    """Run one worker process, and exit without waiting for threads that hang.

    Args:
        index: number of this process under its supervisor, from 0.
        build: makes the cleaner; called outside the event loop.
        processes: how many the supervisor runs.
        parent: process id of the supervisor.
    """
    end_with_parent(parent)
    _take_all_descriptors()
    log = Log()
    try:
        settings = replace(Settings.from_env(os.environ), processes=processes)
        tune_allocator(settings.threads)
        configure_logging(settings.log_level, settings.log_format)
        code = asyncio.run(_work(settings, index, build, log))
    except _UNUSABLE as error:
        code = _unusable(str(error), index, log)
    sys.stdout.flush()
    os._exit(code)


async def _work(
    settings: Settings, index: int, build: Callable[[Settings], PageCleaner], log: Log
) -> ExitCode:
    metrics = Metrics()
    observer = StreamObserver(settings, metrics, log)
    state = StreamState(settings.stuck_seconds, time.monotonic)
    stop = asyncio.Event()
    notes = _open_notes(settings, log)
    start_deadline = _deadline(settings, log, index, notes)
    _on_signals(stop, start_deadline, partial(log.info, "worker_stopping", process=index))
    port, others = _ports(settings, index)
    async with serve_probes(settings.web_host, port, state, metrics.registry, others):
        cleaner = await asyncio.to_thread(build, settings)
        metrics.build.info({"version": version("winnow-web"), "fingerprint": cleaner.fingerprint})
        cache = build_cache(settings, observer.cache_event, observer.cache_outage)
        if isinstance(cache, RedisCache):
            await cache.ask()
        log.info("worker_started", process=index, pid=os.getpid(), consumer_group=settings.group)
        parts = Parts(
            connection=settings.connection(),
            cleaner=cleaner,
            cache=cache,
            observer=observer,
            report_bug=observer.bug,
            state=state,
            client_id=f"winnow-{index}",
            notes=notes or NO_CRASH_NOTES,
            on_end=start_deadline,
        )
        keep_what_is_there()
        try:
            await run_worker(settings, parts, stop)
        except NotConnectedError as error:
            return _unusable(await _why_not_connected(error, parts.connection), index, log)
        except Exception as error:  # noqa: BLE001 - the last line of a process that ends with it
            return _failed(error, parts.connection, index, log)
        finally:
            await cache.close()
            if notes:
                notes.close()
    log.info("worker_stopped", process=index)
    return ExitCode.DONE


def _ports(settings: Settings, index: int) -> tuple[int, list[int]]:
    """Return the probe port of this process, and the ports of the others."""
    ports = [settings.web_port + number for number in range(settings.processes)]
    return ports.pop(index), ports


async def _why_not_connected(error: NotConnectedError, connection: Connection) -> str:
    answers = await ask_brokers(connection)
    if not answers.answering:
        return f"{error}: {answers.cannot_connect()}"
    silent = "; ".join(answers.complaints()) or "all brokers answer, but too slowly"
    return f"{error}: {silent}"


def _failed(error: Exception, connection: Connection, index: int, log: Log) -> ExitCode:
    if isinstance(error, KafkaConnectionError):
        return _unusable(cannot_connect(connection.bootstrap, str(error)), index, log)
    if isinstance(error, TooManyDeadLetters):
        log.error("worker_failed", process=index, error=str(error))
    else:
        name = type(error).__name__
        log.error("worker_failed", process=index, error=f"{name}: {error}", exc_info=error)
    return ExitCode.FAILED


def _unusable(why: str, index: int, log: Log) -> ExitCode:
    log.error("worker_failed", process=index, error=why)
    return ExitCode.UNUSABLE


def _on_signals(
    stop: asyncio.Event, start_deadline: Callable[[], None], say: Callable[[], None]
) -> None:
    def on_signal() -> None:
        if not stop.is_set():
            say()
            start_deadline()
            stop.set()

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, on_signal)
    loop.add_signal_handler(signal.SIGINT, on_signal)


def _open_notes(settings: Settings, log: Log) -> FileCrashNotes | None:
    """Log the pages that dead processes had in flight; continue without a folder for notes."""

    def unnoted(error: OSError) -> None:
        log.warning("crash_notes_unwritable", error=str(error))

    limit_s = settings.stuck_seconds + HANG_MARGIN_S
    try:
        notes = FileCrashNotes(notes_folder(settings.group), limit_s, unnoted)
    except OSError as error:
        unnoted(error)
        return None
    for why in notes.damaged:
        log.warning("crash_notes_damaged", error=why)
    for dead in notes.dead:
        why = dead.last_words or "killed or crashed"
        log.warning("crashed_pages_noted", pages=len(dead.pages), error=why)
    return notes


def _deadline(
    settings: Settings, log: Log, index: int, notes: FileCrashNotes | None
) -> Callable[[], None]:
    """Return a function that starts the stop deadline, once; at the deadline the process exits."""

    def end() -> None:
        if notes:
            notes.out_of_time()
        log.error("drain_deadline_passed", process=index)
        sys.stdout.flush()
        os._exit(ExitCode.DRAIN_DEADLINE)

    timer = threading.Timer(settings.drain_seconds + HARD_EXIT_MARGIN_S, end)
    timer.daemon = True

    def start() -> None:
        if timer.ident is None:
            timer.start()

    return start


def _take_all_descriptors() -> None:
    """Raise the limit of open files to its maximum: each connection needs one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    processes, parent, index = map(int, sys.argv[1:])
    main(index, build_cleaner, processes, parent)
