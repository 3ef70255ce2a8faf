"""One tool in a separate process, with the line protocol of `tools.py`."""

import json
import os
import select
import subprocess
from pathlib import Path
from time import monotonic
from typing import Final

CPU_LIMIT_S: Final = 20
WAIT_LIMIT_S: Final = 600
_POLL_S: Final = 1.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Tool:
    """A tool in a separate process, which is restarted after a kill."""

    def __init__(self, command: list[str]) -> None:
        """Keep the command; the process starts with the first page."""
        self.command = command
        self.process: subprocess.Popen[bytes] | None = None
        self.unread = b""

    def extract(self, page: dict[str, str]) -> dict[str, object]:
        """Return the tool's reply, or an empty one with the reason."""
        process = self._started()
        used = _cpu_s(process)
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(page).encode() + b"\n")
            process.stdin.flush()
            reply: dict[str, object] = json.loads(self._line(process, used + CPU_LIMIT_S))
        except (BrokenPipeError, TimeoutError, EOFError) as error:
            spent_ms = (_cpu_s(process) - used) * 1000
            self.close()
            return {"text": "", "cpu_ms": max(spent_ms, 0.0), "error": type(error).__name__}
        return reply

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
        self.process, self.unread = None, b""

    def _started(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            self.process = subprocess.Popen(  # noqa: S603 - a tool of the list
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self.process

    def _line(self, process: subprocess.Popen[bytes], cpu_limit_s: float) -> bytes:
        assert process.stdout is not None
        output = process.stdout.fileno()
        deadline = monotonic() + WAIT_LIMIT_S
        while b"\n" not in self.unread:
            if select.select([output], [], [], _POLL_S)[0]:
                chunk = os.read(output, 1 << 20)
                if not chunk:
                    raise EOFError
                self.unread += chunk
            elif _cpu_s(process) > cpu_limit_s or monotonic() > deadline:
                raise TimeoutError
        line, _, self.unread = self.unread.partition(b"\n")
        return line


def _cpu_s(process: subprocess.Popen[bytes]) -> float:
    try:
        stat = Path(f"/proc/{process.pid}/stat").read_text()
    except FileNotFoundError:
        return 0.0
    fields = stat.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
