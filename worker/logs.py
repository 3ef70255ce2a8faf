"""Structured log lines with a closed set of events and keys, as JSON or for a terminal."""

import json
import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from io import StringIO
from typing import Any, Literal, TextIO, TypedDict, Unpack

import orjson
import structlog
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from winnow.worker.repeated_lines import NoCoordinatorYet, RepeatedLines
from winnow.worker.terminal import printable

Event = Literal[
    "worker_started",
    "worker_ready",
    "worker_stopping",
    "worker_stopped",
    "worker_failed",
    "drain_deadline_passed",
    "process_started",
    "process_ended",
    "inspector_started",
    "inspector_ended",
    "partitions_assigned",
    "partitions_revoked",
    "page_cleaned",
    "page_unchanged",
    "page_deleted",
    "page_skipped",
    "page_dead",
    "left_out",
    "crashed_pages_noted",
    "crash_notes_unwritable",
    "crash_notes_damaged",
    "topics_unchecked",
    "broker_silent",
    "batch_dropped",
    "delivery_retried",
    "cache_bypassed",
    "cache_back",
    "bug",
    "library",
]


class LogLevel(StrEnum):
    """How much is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(StrEnum):
    """How a log line looks."""

    AUTO = "auto"  # console on a terminal, else json
    JSON = "json"
    CONSOLE = "console"


class Keys(TypedDict, total=False):
    """Every key that our log lines may have in addition to `event`, `level` and `ts`.

    Never the text of a page, never a URL: `page_id` is the SHA-256 of the URL.
    """

    topic: str
    partition: int
    partitions: int
    pages: int
    offset: int
    consumer_group: str
    page_id: str
    reason: str
    status: int
    stage: str
    attempt: int
    sentences: int
    kept: int
    dropped: int
    perplexity_median: float
    model_digest: str
    bytes_in: int
    bytes_out: int
    duration_ms: float
    process: int
    pid: int
    exit_code: int
    error: str
    exc_info: BaseException


class Log:
    """Writes log lines; the type checker refuses unknown events and keys."""

    def __init__(self) -> None:
        """Use structlog as `configure_logging` set it up."""
        self._log = structlog.get_logger()

    def info(self, event: Event, **keys: Unpack[Keys]) -> None:
        """Log a page's canonical line or a change of state."""
        self._log.info(event, **keys)

    def warning(self, event: Event, **keys: Unpack[Keys]) -> None:
        """Log a problem that does not stop the work."""
        self._log.warning(event, **keys)

    def error(self, event: Event, **keys: Unpack[Keys]) -> None:
        """Log a problem that a person must look at."""
        self._log.error(event, **keys)


def configure_logging(level: LogLevel, form: LogFormat, stream: TextIO | None = None) -> None:
    """Send the lines of Winnow and of its libraries to one stream, as JSON or for a terminal.

    Our lines go there directly from structlog: there is one per page, and the standard library
    with its locks and encoder takes four times as long.
    """
    out = stream or sys.stdout
    as_json = form is LogFormat.JSON or (form is LogFormat.AUTO and not out.isatty())
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
    ]
    renderers: list[Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(_ascii_json)]
        if as_json
        # without the values of local variables: some of them are pages
        else [
            _harmless,
            structlog.dev.ConsoleRenderer(timestamp_key="ts", exception_formatter=_traceback),
        ]
    )
    structlog.configure(
        processors=[*shared, *renderers],
        logger_factory=lambda *_: _Lines(out),
        wrapper_class=structlog.make_filtering_bound_logger(level.value),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, _library_line],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.value.upper())
    handler.addFilter(NoCoordinatorYet(time.monotonic, root.level))
    handler.addFilter(RepeatedLines(time.monotonic))
    # ten lines per start, stop and rebalance; we log our own event for the important ones
    for library in ("faust", "mode", "aiokafka", "asyncio", "streams", "aiohttp"):
        logging.getLogger(library).setLevel(max(logging.WARNING, root.level))
    # its only line below a warning: the offset to read from is no longer in the log
    logging.getLogger("aiokafka.consumer.fetcher").setLevel(max(logging.INFO, root.level))


class _Lines:
    """Writes lines to a stream; a stream that fails does not stop the work."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def msg(self, line: str) -> None:
        with suppress(OSError, ValueError):
            self._out.write(f"{line}\n")
            self._out.flush()

    info = warning = error = msg


def _ascii_json(line: EventDict, default: Callable[[Any], Any]) -> str:
    with suppress(TypeError):  # a lone surrogate or an endless number in someone else's data
        text = orjson.dumps(line, default=default)
        if text.isascii():
            return text.decode()
    return json.dumps(line, default=default)


def _harmless(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Replace control characters: errors may quote untrusted data."""
    return {
        key: printable(value) if isinstance(value, str) else value for key, value in line.items()
    }


def _traceback(out: TextIO, exc_info: ExcInfo) -> None:
    text = StringIO()
    structlog.dev.plain_traceback(text, exc_info)
    out.write(printable(text.getvalue()))


def _library_line(_: WrappedLogger, __: str, line: EventDict) -> EventDict:
    """Put a library's line under our keys: its text is the `error`, its event is `library`."""
    record = line.get("_record")
    name = record.name if isinstance(record, logging.LogRecord) else ""
    return {**line, "event": "library", "error": f"{name}: {line['event']}"}
