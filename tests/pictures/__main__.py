"""Photograph a run over archives in a terminal: `make pictures` writes docs/pictures/clean-*.svg.

tmux is the terminal; what it shows is drawn by rich.
"""

import io
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from bench.speed.archives import PAGES
from tests.archives import mixed_archive
from winnow.lab.sets.labelled import labelled_pages

PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures"
COLUMNS: Final = 100
SERVER: Final = f"winnow-pictures-{os.getpid()}"  # of tmux: ours alone
COMMAND: Final = "winnow clean crawl -o corpus --format jsonl --jobs 2"
SECONDS: Final = 120

_FONTS: Final = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # they are on another server


def main() -> None:
    """Write both pictures."""
    pages = [page.html for page in islice(labelled_pages(PAGES), 400)]
    content, _ = mixed_archive(islice(cycle(pages), 2000))
    with tempfile.TemporaryDirectory() as folder:
        crawl = Path(folder) / "crawl"
        crawl.mkdir()
        (crawl / "00000.warc.gz").write_bytes(content)
        with _terminal(Path(folder)):
            _screen_with(r"\$")
            _tmux("send-keys", COMMAND, "Enter")
            _draw("clean-bar", _screen_with(r"[4-7]\d%"))
            _draw("clean-summary", _screen_with(r"errors are listed in .*\n(.*\n)*\$"))


@contextmanager
def _terminal(folder: Path) -> Iterator[None]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    shell = f"env PATH='{path}' PS1='$ ' bash --norc --noprofile"
    _tmux(
        "-f",
        "/dev/null",
        "new-session",
        "-d",
        "-x",
        str(COLUMNS),
        "-y",
        "12",
        "-c",
        str(folder),
        shell,
    )
    try:
        yield
    finally:
        _tmux("kill-server")


def _tmux(*arguments: str) -> str:
    done = subprocess.run(
        ["tmux", "-L", SERVER, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


def _screen_with(pattern: str) -> str:
    """Return the screen, with its colours, as soon as it shows something."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if re.search(pattern, _tmux("capture-pane", "-p")):
            return _tmux("capture-pane", "-p", "-e")
        time.sleep(0.05)
    sys.exit(f"the screen shows no {pattern!r} within {SECONDS} s")


def _draw(name: str, screen: str) -> None:
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(screen.rstrip()))
    drawn = console.export_svg(title="", theme=MONOKAI, unique_id=name)
    (PICTURES / f"{name}.svg").write_text(_FONTS.sub("", drawn))


if __name__ == "__main__":
    main()
