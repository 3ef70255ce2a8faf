"""What is measured of a process while it works, read from /proc."""

import math
import re
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.services.processes import ServerProcess

MIB: Final = 1 << 20
KIB_PER_MIB: Final = 1024


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that is measured.

    Attributes:
        tolerance: growth per hour that does no harm: in a day it takes less than the chart's
            headroom, or the descriptors that a process may have.
        read: of a process.
    """

    title: str
    unit: str
    tolerance: float
    read: Callable[[ServerProcess], float]


def _kib(process: ServerProcess, file: str, field: str) -> float:
    text = Path(f"/proc/{process.process_id.pid}/{file}").read_text()
    found = re.search(rf"^{field}:\s+(\d+)", text, re.MULTILINE)
    assert found, f"{file} of the process has no field {field}"
    return float(found[1])


def pss_mib(process: ServerProcess) -> float:
    """Memory with shared pages counted by share."""
    return _kib(process, "smaps_rollup", "Pss") / KIB_PER_MIB


def rss_mib(process: ServerProcess) -> float:
    """Memory with shared pages counted in full."""
    return _kib(process, "status", "VmRSS") / KIB_PER_MIB


def threads(process: ServerProcess) -> float:
    """Threads."""
    return _kib(process, "status", "Threads")


def descriptors(process: ServerProcess) -> float:
    """Open files and sockets."""
    return len(list(Path(f"/proc/{process.process_id.pid}/fd").iterdir()))


def tasks(process: ServerProcess) -> float:
    """Return the last reported tasks, and request a new report for the next sample."""
    count = reported(process, "tasks")
    process.signal(signal.SIGUSR2)
    return count


def reported(process: ServerProcess, name: str) -> float:
    """Return the last reported value, 0 before the first report."""
    values = re.findall(rf"^(?:tasks .*)?\b{name} (\d+)", process.output(), re.MULTILINE)
    return float(values[-1]) if values else 0.0


def pss_of(kind: str) -> Callable[[ServerProcess], float]:
    """Read one kind of memory, in MiB."""
    return lambda process: _kib(process, "smaps_rollup", f"Pss_{kind}") / KIB_PER_MIB


MEASURES: Final[Mapping[str, Measure]] = {
    "pss": Measure("memory (PSS)", "MiB", 5.0, pss_mib),
    "rss": Measure("memory (RSS)", "MiB", 5.0, rss_mib),
    "descriptors": Measure("open descriptors", "", 10.0, descriptors),
    "threads": Measure("threads", "", 2.0, threads),
    "tasks": Measure("asyncio tasks", "", 10.0, tasks),
}

# What PSS consists of, and what its own part consists of. Not judged: it explains the trend of PSS.
PARTS: Final[Mapping[str, Measure]] = {
    "own": Measure("own memory", "MiB", math.inf, pss_of("Anon")),
    "files": Measure("models, libraries", "MiB", math.inf, pss_of("File")),
    "used": Measure("malloc, in use", "MiB", math.inf, lambda each: reported(each, "used") / MIB),
    "free": Measure("malloc, free", "MiB", math.inf, lambda each: reported(each, "free") / MIB),
    "blocks": Measure("Python blocks", "k", math.inf, lambda each: reported(each, "blocks") / 1000),
}
