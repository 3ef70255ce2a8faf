"""Count instructions under callgrind, independent of other load."""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

KERNEL: Final = ("_kernel.abi3.so",)


def can_count() -> bool:
    """Return whether callgrind is installed and supports the kernel's instructions."""
    flags = Path("/proc/cpuinfo")
    has_avx2 = flags.is_file() and " avx2 " in flags.read_text()
    return platform.machine() == "x86_64" and has_avx2 and shutil.which("valgrind") is not None


def counted(module: str, *arguments: str, objects: Sequence[str] = KERNEL) -> dict[str, int]:
    """Run a module in a process under callgrind, and return the instructions by stage.

    The module requests a dump before the first stage and after each stage, and prints the stage's
    name. Only instructions in the given objects count.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        command = (
            *("valgrind", "--tool=callgrind", "--instr-atstart=no", "--compress-strings=no"),
            *(f"--vgdb-prefix={folder}/vgdb", f"--callgrind-out-file={out}"),
            *(sys.executable, "-m", module, *arguments),
        )
        alone = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "VGDB_PREFIX": folder}
        ran = subprocess.run(
            command, env=os.environ | alone, capture_output=True, text=True, check=False
        )
        if ran.returncode:
            sys.exit(f"{module}: valgrind failed\n{ran.stderr[-2000:]}")
        stages = ran.stdout.split("\n")[:-1]
        # the first dump has the instructions before the first stage
        dumps = [Path(f"{out}.{number}") for number in range(2, len(stages) + 2)]
        return {
            stage: sum(_costs(dump.read_text().splitlines(), objects))
            for stage, dump in zip(stages, dumps, strict=True)
        }


def _costs(lines: Sequence[str], objects: Sequence[str]) -> Iterator[int]:
    """Yield the self cost of functions in the objects, from the lines of a dump."""
    is_counted = is_call = False
    for line in lines:
        if line.startswith("ob="):
            is_counted = any(name in line for name in objects)
        elif line.startswith("calls="):
            is_call = True
        elif line[:1].isdigit() or line[:1] in {"+", "-", "*"}:
            if is_counted and not is_call:
                yield int(line.split()[1])
            is_call = False


def tell(command: str) -> None:
    """Send a command to callgrind, which listens while code runs."""
    prefix = f"--vgdb-prefix={os.environ['VGDB_PREFIX']}/vgdb"
    with subprocess.Popen(
        ["vgdb", prefix, f"--pid={os.getpid()}", *command.split()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as asked:
        while asked.poll() is None:
            pass
        if asked.returncode:
            sys.exit(f"vgdb {command} failed")
