"""Run other tools on the pages that `pages.py` wrote: one process, one page at a time.

    python -m winnow.lab.measure.peers CACHE [--rs BINARY] [--tool NAME]...

writes CACHE/outputs/SET/TOOL.jsonl for `winnow evaluate --against CACHE/outputs`. Existing outputs
are kept until tools.py or the pages are newer; an interrupted run continues at its last page. A
tool has 20 s of CPU per page, and ten minutes without CPU use; then it is killed and restarted, and
the page counts as empty, as after an error of the tool.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from winnow.lab.measure.peers.process import Tool
from winnow.lab.measure.peers.tools import CONFIGURATIONS, TOOLS

RUST_TOOL: Final = "rs-trafilatura"


def outputs(tool: Tool, pages: Path, skipped: int = 0) -> Iterator[dict[str, object]]:
    """Yield the tool's output for each page after `skip`, with the CPU of a bare parse."""
    with pages.open("rb") as lines:
        for line in islice(lines, skipped, None):
            page = json.loads(line)
            reply = tool.extract({"html": page["html"], "language": page["language"]})
            body = page["html"].encode(errors="replace")
            started = process_time()
            LexborHTMLParser(body)
            yield {"page": page["page"], **reply, "parse_ms": (process_time() - started) * 1000}


def is_fresh(out: Path, sources: list[Path]) -> bool:
    """Whether the outputs are newer than everything they depend on."""
    return out.exists() and all(out.stat().st_mtime >= s.stat().st_mtime for s in sources)


def finished_lines(unfinished: Path, sources: list[Path]) -> int:
    """Return how many pages an interrupted run has done; outdated outputs are deleted."""
    if not is_fresh(unfinished, sources):
        unfinished.unlink(missing_ok=True)
        return 0
    lines = unfinished.read_bytes().split(b"\n")
    if lines[-1]:  # an incomplete last line
        unfinished.write_bytes(b"".join(line + b"\n" for line in lines[:-1]))
    return len(lines) - 1


def run(name: str, command: list[str], cache: Path) -> None:
    """Write the outputs of one tool on every set."""
    tool = Tool(command)
    for pages in sorted((cache / "pages").glob("*.jsonl")):
        out = cache / "outputs" / pages.stem / f"{name}.jsonl"
        sources = [pages, Path(command[-1] if name == RUST_TOOL else command[1])]
        if is_fresh(out, sources):
            continue
        out.parent.mkdir(parents=True, exist_ok=True)
        unfinished = out.with_suffix(".part")
        done = finished_lines(unfinished, sources)
        failed = 0
        with unfinished.open("a") as lines:
            for output in outputs(tool, pages, done):
                failed += "error" in output
                lines.write(json.dumps(output) + "\n")
                lines.flush()
        unfinished.replace(out)
        print(f"{name} {pages.stem}: {failed} pages failed", flush=True)
    tool.close()


def main() -> None:
    """Run the given tools; all by default."""
    parser = argparse.ArgumentParser()
    parser.add_argument("cache", type=Path)
    parser.add_argument("--rs", type=Path, help="the built worker of lab/measure/peers/rs")
    parser.add_argument("--tool", action="append")
    parser.add_argument("--all", action="store_true", help="every configuration of a tool")
    arguments = parser.parse_args()
    worker = str(Path(__file__).with_name("tools.py"))
    tools = {**TOOLS, **(CONFIGURATIONS if arguments.all else {})}
    commands = {name: [sys.executable, worker, name] for name in tools}
    if arguments.rs:
        commands[RUST_TOOL] = [str(arguments.rs)]
    for name in arguments.tool or commands:
        run(name, commands[name], arguments.cache)


if __name__ == "__main__":
    main()
