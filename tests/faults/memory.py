"""The memory that the chart gives one worker process, as a limit on processes of the tests."""

import itertools
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

VALUES: Final = Path(__file__).resolve().parents[2] / "helm" / "winnow" / "values.yaml"
# joins the group whose file is named first, then becomes the command: the process id stays
JOIN: Final = 'echo $$ >"$0" && exec "$@"'
_NUMBERS: Final = itertools.count()


def chart_bytes(process_mib: int | None = None) -> int:
    """Return the memory of a pod with one process, all models in it.

    Args:
        process_mib: in place of `memory.perProcessMiB`.
    """
    values = yaml.safe_load(VALUES.read_text())
    process = process_mib or values["memory"]["perProcessMiB"]
    mebibytes: int = values["model"]["sizeMiB"] + process + values["memory"]["headroomMiB"]
    return mebibytes << 20


@dataclass(frozen=True, slots=True)
class MemoryLimit:
    """A limit for one process.

    Attributes:
        prefix: goes before the command to limit.
        group: folder of the control group; None if a process limit is used in its place.
    """

    prefix: tuple[str, ...]
    group: Path | None = None

    def remove(self) -> None:
        """Delete the control group, whose process has ended."""
        if self.group:
            self.group.rmdir()


def memory_limit(limit_bytes: int) -> MemoryLimit:
    """Return a limit that kills a process above it, as in a pod.

    Where no control group may be made, memory is refused instead to a process that asks for more
    of its own (`RLIMIT_DATA`).
    """
    group = _new_group()
    if group is None:
        return MemoryLimit(("prlimit", f"--data={limit_bytes}", "--"))
    for name in ("memory.max", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"):
        if (group / name).exists():
            (group / name).write_text(str(limit_bytes))
    if (group / "memory.swap.max").exists():
        (group / "memory.swap.max").write_text("0")
    return MemoryLimit(("sh", "-c", JOIN, str(group / "cgroup.procs")), group)


def _new_group() -> Path | None:
    """Make a control group that counts memory, of version 1 or 2; None if that is not allowed."""
    for root in (Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")):
        group = root / f"winnow-test-{os.getpid()}-{next(_NUMBERS)}"
        try:
            group.mkdir()
        except OSError:
            continue
        if any((group / name).exists() for name in ("memory.max", "memory.limit_in_bytes")):
            return group
        group.rmdir()
    return None
