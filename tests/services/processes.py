"""Start, signal and end server processes, which never outlive their parent."""

import contextlib
import os
import random
import select
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, Self

# below the ephemeral range of Linux (32768 and up), so that no outgoing connection takes the port
# between our look and the server's bind
FIRST_PORT: Final = 20_000
LAST_PORT: Final = 32_000
_CLAIMS: Final[list[socket.socket]] = []


class ServerError(Exception):
    """A server did not start, or a program that it needs is missing; the text says what to do."""


class Lifetime(Enum):
    """When a server must be gone."""

    CALLER = "caller"  # killed by the kernel as soon as the calling process is gone
    DETACHED = "detached"  # lives on until somebody stops it


@dataclass(frozen=True, slots=True)
class ProcessId:
    """A process that cannot be mistaken for a later one of the same number.

    Attributes:
        pid: number of the process.
        started: start time in clock ticks since boot, field 22 of `/proc/PID/stat`.
    """

    pid: int
    started: int

    @classmethod
    def of(cls, pid: int) -> Self:
        """Return the identity of a process that runs now, or one that never matches again."""
        return cls(pid, _start_ticks(pid))

    def is_running(self) -> bool:
        """Return whether the process is there and no zombie."""
        return self.started != 0 and _start_ticks(self.pid) == self.started

    def end(self, grace_s: float) -> None:
        """Ask the process to stop, kill it past the grace time, return once it is gone."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if not self.is_running():
                return
            with contextlib.suppress(ProcessLookupError):
                descriptor = os.pidfd_open(self.pid)
                try:
                    signal.pidfd_send_signal(descriptor, number)
                    signal.pidfd_send_signal(descriptor, signal.SIGCONT)
                    select.select([descriptor], [], [], grace_s)
                finally:
                    os.close(descriptor)


class ServerProcess:
    """One running server, with its output in `output.log` of its folder."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        lifetime: Lifetime,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start the command in its folder, which is made if need be; inherit the environment."""
        self.folder: Final = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._log = folder / "output.log"
        self._log_start = self._log.stat().st_size if self._log.exists() else 0
        bound = ["setpriv", "--pdeathsig", "KILL", "--"] if lifetime is Lifetime.CALLER else []
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                [*bound, *command],
                cwd=folder,
                env=os.environ if environment is None else environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in the terminal is for the tests
            )
        self.process_id: Final = ProcessId.of(self._process.pid)

    def is_running(self) -> bool:
        """Return whether the server has not exited."""
        return self._process.poll() is None

    def resident_bytes(self) -> int:
        """Return the present memory of the server."""
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def peak_bytes(self) -> int:
        """Return the most memory that the process ever held, 0 once it is gone."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return 0
        lines = dict(line.split(":", 1) for line in status.splitlines())
        return int(lines["VmHWM"].split()[0]) * 1024 if "VmHWM" in lines else 0

    def wait(self, timeout_s: float) -> int:
        """Return the exit code once the process has ended.

        Raises:
            subprocess.TimeoutExpired: it has not.
        """
        return self._process.wait(timeout_s)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def freeze(self) -> None:
        """Stop the clock of the server: it keeps its connections and answers nothing."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen server go on."""
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """End the server as a power cut would."""
        self._process.kill()
        self._process.wait()

    def stop(self, grace_s: float = 15.0) -> None:
        """End the server in good order, or kill it past the grace time."""
        self._process.terminate()
        self._process.send_signal(signal.SIGCONT)
        try:
            self._process.wait(grace_s)
        except subprocess.TimeoutExpired:
            self.kill()

    def output(self) -> str:
        """Return what this process has written."""
        return self._log.read_bytes()[self._log_start :].decode(errors="replace")

    def wait_for_output(self, text: str, timeout_s: float) -> None:
        """Return once the server has written a text.

        Raises:
            ServerError: the server ended or the time is up.
        """
        deadline = time.monotonic() + timeout_s
        while text not in self.output():
            if not self.is_running() or time.monotonic() > deadline:
                self.kill()
                raise ServerError(f"no server without {text!r}:\n{self.output()[-2000:]}")
            time.sleep(0.02)


def free_port(in_a_row: int = 1) -> int:
    """Return the first of a number of consecutive free loopback ports.

    They lie outside the range of outgoing connections. No two processes of tests choose the
    same port: a server may not listen on its port yet.
    """
    chooser = random.SystemRandom()
    while True:
        first = chooser.randrange(FIRST_PORT, LAST_PORT)
        ports = range(first, first + in_a_row)
        if all(_is_free(port) and _claim(port) for port in ports):
            return first


def _claim(port: int) -> bool:
    """Return whether no process has this port; it stays ours until this process ends.

    A name of the abstract name space (unix(7)) is taken by one socket at a time.
    """
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(f"\0winnow-tests-port-{port}")
    except OSError:
        claim.close()
        return False
    _CLAIMS.append(claim)
    return True


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def children_of(parent: int) -> list[int]:
    """Return the processes that a process has started; Debian's smallest has no pgrep."""
    tasks = Path(f"/proc/{parent}/task").glob("*/children")
    return sorted(int(child) for task in tasks for child in task.read_text().split())


def _start_ticks(pid: int) -> int:
    """Return when a process started, 0 if it is gone or a zombie."""
    try:
        # the second field is the name in parentheses, and may hold anything
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return 0 if fields[0] in "ZX" else int(fields[19])
