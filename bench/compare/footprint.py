"""`make compare`: memory, size and licence of each tool.

    python -m bench.compare.footprint PYTHON RUST_WORKER PAGES.jsonl

PAGES.jsonl is a file of `winnow.lab.measure.peers.pages`. Memory is the peak of a process that
cleans its first pages one after the other, with the interpreter. Size counts the installed
files of a package and of all that it requires; debug information of the kernel is not counted.
"""

import json
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import Final

from bench.compare.files import UNSEEN, write
from tests.shared_memory import peak_kilobytes
from winnow.lab.measure.peers.process import Tool

_ROOT: Final = Path(__file__).parents[2]
_PAGES: Final = 100
RUST_TOOL: Final = "rs-trafilatura"
# the distribution of each tool; its licence as its own metadata names it
PACKAGES: Final = {
    name: name
    for name in (
        *("trafilatura", "readability-lxml", "resiliparse", "turbohtml", "html-to-markdown"),
        *("justext", "boilerpy3", "inscriptis"),
    )
}
_INSTALLED: Final = Path(__file__).with_name("installed.py")


def installed(python: str, package: str) -> dict[str, object]:
    """Ask an interpreter about a package that it has."""
    asked = subprocess.run(
        [python, str(_INSTALLED), package], check=True, capture_output=True, text=True
    )
    found: dict[str, object] = json.loads(asked.stdout)
    return found


def own() -> dict[str, object]:
    """Return the same of this tree: what `pip install winnow-web` brings for the library."""
    models = _ROOT / "models"
    with tempfile.TemporaryDirectory() as folder:
        stripped = Path(folder, "kernel.so")
        kernel = models / "_kernel.abi3.so"
        subprocess.run(["strip", "--strip-debug", "-o", stripped, kernel], check=True)
        size = stripped.stat().st_size
    folders = ["winnow", "models", "streams", "worker", "lab", ":!models/kernel"]
    listed = subprocess.run(
        ["git", "ls-files", "-z", *folders], cwd=_ROOT, check=True, capture_output=True, text=True
    ).stdout
    paths = [_ROOT / name for name in listed.split("\0") if name]
    size += sum(path.stat().st_size for path in paths if path.is_file() and not path.is_symlink())
    (version,) = (
        line.partition('"')[2].rstrip('"')
        for line in (_ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
        if line.startswith("version = ")
    )
    return {"version": version, "licence": "Apache-2.0", "packages": 1, "bytes": size}


def peak_mb(command: list[str], pages: Path) -> float:
    """Clean pages in a process of its own, and return the most memory that it had, in MB."""
    tool = Tool(command)
    with pages.open("rb") as lines:
        for line in islice(lines, _PAGES):
            page = json.loads(line)
            tool.extract({"html": page["html"], "language": page["language"]})
    assert tool.process is not None
    peak = peak_kilobytes(tool.process.pid)
    tool.close()
    return peak / 1000


def main(python: str, rust: str, pages: Path) -> None:
    """Measure every tool, and write the figures."""
    worker = str(_ROOT / "lab" / "measure" / "peers" / "tools.py")
    tools = {name: installed(python, package) for name, package in PACKAGES.items()}
    tools[UNSEEN] = own()
    # linked into one program; the licence that its Cargo.toml names
    tools[RUST_TOOL] = {"version": "", "licence": "MIT OR Apache-2.0", "packages": 1}
    commands = {name: [python, worker, name] for name in PACKAGES}
    commands[UNSEEN] = [sys.executable, "-m", "bench.compare.winnow_tool", "training=open"]
    commands[RUST_TOOL] = [rust]
    tools[RUST_TOOL]["bytes"] = Path(rust).stat().st_size
    for name, command in commands.items():
        tools[name]["peak_mb"] = round(peak_mb(command, pages), 1)
        print(name, tools[name], flush=True)
    write("footprint", {"pages": _PAGES, "set": pages.stem, "tools": tools})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
