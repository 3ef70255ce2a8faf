"""Run the programs of docs/messages.md."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.messages.pages import PAGE, programs
from winnow.streams.topics import TopicNames

WITHIN_S: Final = 60.0


@dataclass
class Programs:
    """A producer and a consumer in a folder, with brokers set as on the page."""

    folder: Path
    bootstrap: str
    names: TopicNames = field(default_factory=TopicNames)

    def __post_init__(self) -> None:
        for name, text in programs(PAGE.read_text(encoding="utf-8")).items():
            ours = text.replace('"winnow.pages"', f'"{self.names.pages}"')
            ours = ours.replace('"winnow.documents"', f'"{self.names.documents}"')
            (self.folder / name).write_text(ours)

    def publish(self, url: str, body: bytes) -> int:
        """Publish a page; return the exit code."""
        return subprocess.run(
            [*self._command("publish.py"), url],
            input=body,
            env=self._environment(),
            timeout=WITHIN_S,
            check=False,
        ).returncode

    @contextmanager
    def reading(self) -> Iterator["queue.Queue[str]"]:
        """Read documents for a while; yields the lines that come."""
        lines: queue.Queue[str] = queue.Queue()
        reader = subprocess.Popen(
            self._command("read.py"), env=self._environment(), stdout=subprocess.PIPE, text=True
        )
        assert reader.stdout is not None
        output = reader.stdout

        def pass_on() -> None:
            for line in output:
                lines.put(line)

        passing = threading.Thread(target=pass_on)
        passing.start()
        try:
            yield lines
        finally:
            reader.kill()
            reader.wait()
            passing.join()
            output.close()

    def _command(self, name: str) -> list[str]:
        return [sys.executable, str(self.folder / name)]

    def _environment(self) -> dict[str, str]:
        return os.environ | {"WINNOW_KAFKA_BOOTSTRAP": self.bootstrap}
