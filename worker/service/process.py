"""The supervisor: N worker processes that start, stop and fail together."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from winnow.worker.logs import Log
from winnow.worker.settings import Settings

# Later than the child's own deadline: this kills only a process that cannot run its timer.
KILL_MARGIN_S: Final = 10.0
_SIGNAL_BASE: Final = 128  # a shell's exit code for a process ended by signal n


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended; a negative return code is a signal."""

    index: int
    return_code: int

    @property
    def exit_code(self) -> int:
        """The exit code as a shell shows it."""
        if self.return_code < 0:
            return _SIGNAL_BASE - self.return_code
        return self.return_code


class Supervisor:
    """Starts the processes, passes signals on, and ends them all when one ends.

    It does not restart processes: the caller (a kubelet, systemd, a person) sees the reason and
    decides. The inspector ends with the worker processes, but its own end does not end them.
    """

    def __init__(
        self,
        command: Sequence[str],
        processes: int,
        drain_s: float,
        log: Log,
        inspector: Sequence[str] = (),
    ) -> None:
        """Prepare to run `command` with the index of the process as the last argument.

        Args:
            command: the command line of a worker process.
            processes: how many to run.
            drain_s: deadline of a stop, in seconds.
            log: gets a line when a process starts or ends.
            inspector: the command of the inspector; empty to run without it.
        """
        self._command = command
        self._processes = processes
        self._drain_s = drain_s
        self._log = log
        self._inspector = inspector
        self._running: dict[int, asyncio.subprocess.Process] = {}
        self._stop = asyncio.Event()

    async def run(self) -> int:
        """Run until asked to stop or until a process ends.

        Returns:
            0 after an orderly stop; else the exit code of the first process that failed.
        """
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self.stop)
        loop.add_signal_handler(signal.SIGINT, self.stop)
        waiting = {asyncio.create_task(self._run_one(index)) for index in range(self._processes)}
        stop = asyncio.create_task(self._stop.wait())
        inspector = asyncio.create_task(self._run_inspector())
        await asyncio.wait({*waiting, stop}, return_when=asyncio.FIRST_COMPLETED)
        was_asked = self._stop.is_set()
        stop.cancel()
        self._signal_all(signal.SIGTERM)
        kill = loop.call_later(self._drain_s + KILL_MARGIN_S, self._signal_all, signal.SIGKILL)
        endings = [await task for task in asyncio.as_completed(waiting)]
        kill.cancel()
        inspector.cancel()
        await asyncio.wait({inspector})
        failure = _failure(endings, was_asked=was_asked)
        if failure is None:
            return 0
        self._log.error("worker_failed", process=failure.index, exit_code=failure.exit_code)
        return failure.exit_code or 1  # an unrequested exit always counts as failure

    def stop(self) -> None:
        """Stop all processes in the way that SIGTERM does."""
        self._stop.set()

    async def _run_one(self, index: int) -> Ending:
        # its own process group: Ctrl-C reaches only the supervisor, which passes it on once
        process = await asyncio.create_subprocess_exec(*self._command, str(index), process_group=0)
        self._running[index] = process
        self._log.info("process_started", process=index, pid=process.pid)
        if self._stop.is_set():
            process.terminate()
        ending = Ending(index, await process.wait())
        del self._running[index]
        self._log.info("process_ended", process=index, exit_code=ending.exit_code)
        return ending

    async def _run_inspector(self) -> None:
        """Run the inspector until it ends, or this task is cancelled."""
        if not self._inspector:
            return
        process = await asyncio.create_subprocess_exec(*self._inspector, process_group=0)
        self._log.info("inspector_started", pid=process.pid)
        try:
            code = await process.wait()
            self._log.warning("inspector_ended", exit_code=code)
        finally:
            if process.returncode is None:  # the inspector has no state, so do not wait for it
                process.kill()
                await process.wait()

    def _signal_all(self, number: signal.Signals) -> None:
        for process in self._running.values():
            process.send_signal(number)


def supervise(settings: Settings) -> int:
    """Run the worker processes of the settings; returns the exit code."""
    command = (
        sys.executable,
        "-m",
        "winnow.worker.service.child",
        str(settings.processes),
        str(os.getpid()),
    )
    supervisor = Supervisor(
        command, settings.processes, settings.drain_seconds, Log(), _inspector(settings)
    )
    return asyncio.run(supervisor.run())


def _inspector(settings: Settings) -> tuple[str, ...]:
    """Return the command of the inspector; it reads the same environment as the worker."""
    if not settings.inspect_port:
        return ()
    return (sys.executable, "-m", "winnow.worker.inspector.companion", str(os.getpid()))


def _failure(endings: Sequence[Ending], *, was_asked: bool) -> Ending | None:
    """Return the first failure, or None after an orderly stop.

    Without a stop request, every exit is a failure. A child killed by SIGTERM before its handler
    is set did no work: not a failure.
    """
    if not was_asked:
        return endings[0]
    orderly = {0, -signal.SIGTERM}
    return next((each for each in endings if each.return_code not in orderly), None)
