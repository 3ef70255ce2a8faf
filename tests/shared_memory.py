"""Memory of a mapped file, as Linux reports it: for tests and benchmarks."""

import re
from pathlib import Path


def mapping_kilobytes(process: int | str, path: Path) -> dict[str, int]:
    """Return the fields of smaps for the mapping of a file: field -> kB."""
    text = Path(f"/proc/{process}/smaps").read_text(encoding="utf-8")
    of_file = re.search(rf"^.*{re.escape(str(path))}\n((?:\w+:.*\n)+)", text, re.MULTILINE)
    assert of_file, "the file is not mapped"
    return {
        name: int(number)
        for name, number in re.findall(r"^(\w+): +(\d+) kB", of_file[1], re.MULTILINE)
    }


def private_kilobytes(process: int | str = "self") -> int:
    """Return the memory that a process has written and shares with no other, in kB."""
    return _kilobytes(process, "smaps_rollup", "Private_Dirty")


def peak_kilobytes(process: int | str = "self") -> int:
    """Return the largest resident memory that a process ever had, in kB."""
    return _kilobytes(process, "status", "VmHWM")


def _kilobytes(process: int | str, file: str, name: str) -> int:
    text = Path(f"/proc/{process}/{file}").read_text(encoding="utf-8")
    found = re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)
    assert found, f"{file} has no {name}"
    return int(found[1])
