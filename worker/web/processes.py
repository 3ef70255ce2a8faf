"""Processes that answer requests, and are killed when a request takes too long.

The parser, the kernel and a Kafka client cannot be interrupted: a thread would continue after its
request was dropped, keep its place, and delay the end of the program.
"""

import asyncio
import os
import pickle
import signal
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Final, Protocol

import orjson

from winnow.models.errors import Reason, WinnowError
from winnow.worker.web.frames import ANSWER_HEAD, Answer, refusal, request_frame
from winnow.worker.web.limits import WebLimits

# Imports, maps the models and builds a cleaner: a second of CPU time.
START_S: Final = 60.0


class CannotServe(WinnowError):  # noqa: N818 - says what is the matter
    """Models or options cannot be used; the message says why."""


class NoAnswer(WinnowError):  # noqa: N818 - what became of it
    """A request exceeded its time, or its process has ended.

    Attributes:
        refusal: the answer to send.
        why: message for a person.
        reason: as for a dead letter; empty if the request is not at fault.
    """

    def __init__(self, status: HTTPStatus, why: str, reason: str = "") -> None:
        """Keep the answer to send instead."""
        super().__init__(why)
        self.refusal = refusal(status, why, reason)
        self.why = why
        self.reason = reason


class Answers(Protocol):
    """Answers requests in a process, one after another."""

    def __call__(self, path: str, body: bytes) -> Answer:
        """Return the answer, also to an invalid request."""
        ...


class Parts(Protocol):
    """The parts of the processes; must be picklable."""

    def build(self) -> Answers:
        """Map the models, and return the worker.

        Raises:
            ModelError: a model cannot be used.
            OptionsError: options cannot be used.
        """
        ...


@asynccontextmanager
async def working(parts: Parts, limits: WebLimits) -> AsyncIterator["Processes"]:
    """Start the processes; kill all of them at the end, even while they work.

    Raises:
        CannotServe: models or options cannot be used.
    """
    processes = Processes(parts, limits)
    try:
        await asyncio.gather(*(processes.start() for _ in range(limits.processes)))
        yield processes
    finally:
        await processes.kill()


class Processes:
    """Answers each request in a free process; starts a process if there is none."""

    def __init__(self, parts: Parts, limits: WebLimits) -> None:
        """Prepare, without starting a process."""
        self._first: Final = request_frame("", pickle.dumps(parts))
        self._work_s: Final = limits.work_s
        self._places: Final = asyncio.Semaphore(limits.processes)
        self._idle: Final[list[_Child]] = []
        self._running: Final[set[_Child]] = set()
        self._is_ended = False
        self._starting: Final = asyncio.Lock()

    async def start(self) -> None:
        """Start a process.

        Raises:
            CannotServe: models or options cannot be used.
        """
        self._idle.append(await self._started())

    async def answer(self, path: str, body: bytes) -> Answer:
        """Return the answer to a request, or a refusal with its reason."""
        try:
            async with asyncio.timeout(self._work_s):
                await self._places.acquire()
        except TimeoutError:
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, "busy: try again")
        try:
            return await self._in_place(path, body)
        except NoAnswer as error:
            return error.refusal

    async def answer_in_turn(self, path: str, body: bytes) -> Answer:
        """Return the answer to a request; waiting for a process has no time limit.

        Raises:
            NoAnswer: it takes too long, or ends its process.
        """
        await self._places.acquire()
        return await self._in_place(path, body)

    async def kill(self) -> None:
        """End all processes at once, and start no more."""
        self._is_ended = True
        async with self._starting:  # wait for a process that is being started
            pass
        await asyncio.gather(*(self._ended(child) for child in list(self._running)))

    async def _in_place(self, path: str, body: bytes) -> Answer:
        try:
            return await self._answer(path, body)
        except CannotServe as error:
            raise NoAnswer(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        finally:
            self._places.release()

    async def _answer(self, path: str, body: bytes) -> Answer:
        child = self._idle.pop() if self._idle else await self._started()
        answer = None
        try:
            async with asyncio.timeout(self._work_s):
                answer = await child.ask(request_frame(path, body))
        except TimeoutError as error:
            why = f"stopped: it took more than {self._work_s:g} s"
            raise NoAnswer(HTTPStatus.GATEWAY_TIMEOUT, why, Reason.TIMEOUT) from error
        except _Gone:
            pass
        finally:
            if answer is None:
                code = await self._ended(child)
            else:
                self._idle.append(child)
        if answer is None:
            why = f"the process that worked on it has ended: {_ending(code)}"
            raise NoAnswer(HTTPStatus.INTERNAL_SERVER_ERROR, why, Reason.BUG)
        return answer

    async def _started(self) -> "_Child":
        command = (sys.executable, "-m", "winnow.worker.web.child", str(os.getpid()))
        async with self._starting:
            if self._is_ended:
                raise CannotServe("the server is stopping")
            # its own process group: Ctrl-C reaches only the parent
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, process_group=0
            )
            child = _Child(process)
            self._running.add(child)
        answer = None
        try:
            async with asyncio.timeout(START_S):
                answer = await child.ask(self._first)
        except (TimeoutError, _Gone):
            pass
        finally:
            if answer is None or answer.status != HTTPStatus.OK:
                code = await self._ended(child)
        if answer is None:
            raise CannotServe(f"its process did not start: {_ending(code)}")
        if answer.status != HTTPStatus.OK:
            raise CannotServe(orjson.loads(answer.body)["error"])
        return child

    async def _ended(self, child: "_Child") -> int:
        code = await child.kill()
        self._running.discard(child)
        return code


class _Gone(WinnowError):  # noqa: N818 - what it is
    """The process ended before its answer."""


class _Child:
    """One process, which answers one request after another."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._asked = asyncio.Lock()

    async def ask(self, frame: bytes) -> Answer:
        assert self._process.stdin
        assert self._process.stdout
        async with self._asked:
            return await self._exchange(frame, self._process.stdin, self._process.stdout)

    async def kill(self) -> int:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):  # Process.kill would hide its exit code from asyncio
                os.kill(self._process.pid, signal.SIGKILL)
        async with self._asked:  # the waiting request notices the closed pipe
            await self._process.communicate()  # reads its remaining output and closes its pipes
        assert self._process.returncode is not None
        return self._process.returncode

    @staticmethod
    async def _exchange(frame: bytes, requests: StreamWriter, answers: StreamReader) -> Answer:
        try:
            requests.write(frame)
            await requests.drain()
            status, body_bytes = ANSWER_HEAD.unpack(await answers.readexactly(ANSWER_HEAD.size))
            return Answer(status, await answers.readexactly(body_bytes))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise _Gone("ended") from error


def _ending(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
