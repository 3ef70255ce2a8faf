"""Batches: JSON messages, one per line, answered line by line, in order, while they arrive."""

import asyncio
import pickle
from asyncio import Queue, Task
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass
from typing import Final, Protocol

import orjson
from aiohttp import web

from winnow.models.errors import Reason, WinnowError
from winnow.models.options import CleanerOptions
from winnow.streams.pages import stated_url
from winnow.worker.batch.lines import LineTooLong, most_line_bytes
from winnow.worker.serve.asked import LINES, LineAsked
from winnow.worker.serve.metrics import ServeMetrics
from winnow.worker.serve.work import LINE
from winnow.worker.web.frames import Answer
from winnow.worker.web.processes import NoAnswer
from winnow.worker.web.replies import headers_of

# Limit of unread answers, for a client that sends everything before it reads.
UNREAD_BYTES: Final = 16 << 20
# Above the limit it must read this many bytes within the idle time.
_STEP_BYTES: Final = 1 << 20

Line = bytes | LineTooLong


class InTurn(Protocol):
    """Answers requests; waiting for a process has no time limit."""

    async def answer_in_turn(self, path: str, body: bytes) -> Answer:
        """Return the answer.

        Raises:
            NoAnswer: it takes too long, or ends its process.
        """
        ...


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """Limits of one batch.

    Attributes:
        window: maximum lines being cleaned, or cleaned and waiting for earlier lines.
        idle_s: seconds without a byte received, or without a byte read by the client.
    """

    window: int
    idle_s: float


class _Stopped(WinnowError):  # noqa: N818 - what became of it
    """The client sends nothing, or reads nothing."""


async def answer_lines(
    request: web.BaseRequest,
    options: CleanerOptions,
    work: InTurn,
    limits: BatchLimits,
    metrics: ServeMetrics,
) -> web.StreamResponse:
    """Answer each line with one line; a client that stops in the middle is disconnected."""
    response = web.StreamResponse(headers=headers_of(LINES))
    await response.prepare(request)
    if request.transport:
        request.transport.set_write_buffer_limits(UNREAD_BYTES, UNREAD_BYTES - _STEP_BYTES)
    batch = _Batch(options, work, limits, metrics)
    try:
        await batch.run(request, response)
    except (_Stopped, ConnectionError, web.RequestPayloadError):
        # a normal end would mean that these were all lines
        if request.transport:
            request.transport.abort()
    return response


class _Batch:
    """Reads lines while earlier ones are cleaned, and writes each answer when it is ready."""

    def __init__(
        self, options: CleanerOptions, work: InTurn, limits: BatchLimits, metrics: ServeMetrics
    ) -> None:
        self._options: Final = options
        self._work: Final = work
        self._limits: Final = limits
        self._metrics: Final = metrics
        self._slots: Final = asyncio.Semaphore(limits.window)
        self._answers: Final[Queue[Task[bytes] | None]] = Queue()

    async def run(self, request: web.BaseRequest, response: web.StreamResponse) -> None:
        reading = asyncio.create_task(self._read(request))
        try:
            while answer := await self._answers.get():
                await self._write(response, await answer)
                self._slots.release()
            await reading
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            # wait for running requests: to cancel them would kill their processes
            while not self._answers.empty():
                if answer := self._answers.get_nowait():
                    await asyncio.wait([answer])

    async def _read(self, request: web.BaseRequest) -> None:
        most = most_line_bytes(self._options.limits.page_bytes)
        try:
            async for line in lines_of(self._chunks(request), most):
                await self._slots.acquire()
                self._answers.put_nowait(asyncio.create_task(self._answer(line)))
        finally:
            self._answers.put_nowait(None)

    async def _chunks(self, request: web.BaseRequest) -> AsyncIterator[bytes]:
        while True:
            try:
                async with asyncio.timeout(self._limits.idle_s):
                    chunk = await request.content.readany()
            except TimeoutError as error:
                raise _Stopped("nothing came") from error
            if not chunk:
                return
            yield chunk

    async def _answer(self, line: Line) -> bytes:
        try:
            asked = pickle.dumps(LineAsked(line, self._options))
            answer = await self._work.answer_in_turn(LINE, asked)
        except NoAnswer as error:
            self._metrics.line(error.refusal.status)
            url = stated_url(line) if isinstance(line, bytes) else ""
            fields = {"url": url, "error": error.reason or Reason.BUG, "detail": error.why}
            return orjson.dumps(fields) + b"\n"
        self._metrics.line(answer.status)
        return answer.body + b"\n"

    async def _write(self, response: web.StreamResponse, line: bytes) -> None:
        try:
            async with asyncio.timeout(self._limits.idle_s):
                await response.write(line)
        except TimeoutError as error:
            raise _Stopped("nothing was read") from error


async def lines_of(chunks: AsyncIterable[bytes], most_bytes: int) -> AsyncIterator[Line]:
    """Yield the non-blank lines as they arrive; a line that is too long as `LineTooLong`.

    It holds at most `most_bytes` of a line and one chunk.
    """
    held, is_too_long = bytearray(), False
    async for chunk in chunks:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            held += end
            if is_too_long or len(held) > most_bytes:
                yield LineTooLong(f"longer than {most_bytes} bytes")
            elif held.strip():
                yield bytes(held)
            held, is_too_long = bytearray(), False
        held += rest
        if len(held) > most_bytes:
            held, is_too_long = bytearray(), True
    if is_too_long:
        yield LineTooLong(f"longer than {most_bytes} bytes")
    elif held.strip():
        yield bytes(held)
