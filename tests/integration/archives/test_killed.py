"""A run over an archive that is killed several times and continued."""

import itertools
import random
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from tests.archives import documents, mixed_archive
from winnow.lab.sets.labelled import labelled_pages
from winnow.worker.batch.inputs import SAMPLES

KILLS = 5
pytestmark = pytest.mark.integration

# `winnow`, which kills itself when it is about to do something for the given time; it counts what
# it writes as time, so that it is at the same place on a busy machine
PROGRAM = """
import itertools
import os
import signal
import sys
import types

from winnow.worker.batch.archives import ledger, shards
from winnow.worker.cli import clean_files, main, sinks

def killed(call, times):
    numbers = itertools.count(1)
    def counted(*arguments):
        if next(numbers) == times:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments)
    return counted

clean_files.time = types.SimpleNamespace(monotonic=itertools.count().__next__)
clean_files.COMMIT_SECONDS = 20

if __name__ == "__main__":
    places = {
        "document": (shards.JsonLines, "write"),  # in the middle of a shard
        "ledger": (ledger.Ledger, "write"),  # a shard has its name, and is not listed
        "file": (sinks.FolderSink, "write"),
    }
    owner, name = places[sys.argv.pop(1)]
    setattr(owner, name, killed(getattr(owner, name), int(sys.argv.pop(1))))
    main()
"""
NEVER = ("document", 0)


def sample_pages(count: int) -> Iterator[bytes]:
    """Return the sample pages, again and again."""
    samples = [path.read_bytes() for path in sorted(SAMPLES.iterdir())]
    return islice(itertools.cycle(samples), count)


class Runs:
    """Runs over an archive in a folder."""

    def __init__(self, folder: Path, bodies: Iterable[bytes], *options: str) -> None:
        content, self.ids = mixed_archive(bodies)
        self._archive, self._program = folder / "crawl.warc.gz", folder / "program.py"
        self._archive.write_bytes(content)
        self._program.write_text(PROGRAM)
        self._options = options

    def run(self, out: Path, place: tuple[str, int] = NEVER) -> subprocess.CompletedProcess[bytes]:
        """Begin or continue, up to a place."""
        command: list[str | Path] = [
            sys.executable, self._program, *map(str, place), "clean", self._archive, "-o", out,
            "--jobs", "2", *self._options,
        ]  # fmt: skip
        return subprocess.run(command, check=False, capture_output=True)


def check_kills(folder: Path, bodies: Iterable[bytes], shard_mb: str) -> None:
    """Kill five times, each after less than a sixth of the documents."""
    runs = Runs(folder, bodies, "--format", "jsonl", "--shard-size", shard_mb)
    out, once = folder / "out", folder / "once"
    whole = runs.run(once)
    wanted = [document["warc"]["record_id"] for document in documents(once)]
    shards = len(list(once.glob("part-*")))
    places = random.Random(34)
    chosen = [("document", places.randint(1, len(wanted) // 6)) for _ in range(KILLS - 2)]
    chosen += [("ledger", places.randint(2, shards // 6)) for _ in range(2)]
    places.shuffle(chosen)

    ends = [runs.run(out, place).returncode for place in chosen]
    last = runs.run(out)

    assert ends == [-signal.SIGKILL] * KILLS
    assert b"continuing after" in last.stderr
    assert last.returncode == whole.returncode == 1  # damaged records are among them
    assert [document["warc"]["record_id"] for document in documents(out)] == wanted
    assert len(set(wanted)) == len(wanted)
    assert set(wanted) <= set(runs.ids)
    assert (out / "errors.jsonl").read_bytes() == (once / "errors.jsonl").read_bytes()
    assert not list(out.glob(".*.fresh"))


@pytest.mark.timeout(300)
def test_a_run_killed_five_times_leaves_the_files_of_one_run(
    tmp_path: Path,
) -> None:
    runs = Runs(tmp_path, sample_pages(450))
    out, once = tmp_path / "out", tmp_path / "once"
    places = random.Random(34)

    ends = [runs.run(out, ("file", places.randint(30, 70))).returncode for _ in range(KILLS)]
    last = runs.run(out)
    whole = runs.run(once)

    assert ends == [-signal.SIGKILL] * KILLS
    assert b"continuing after" in last.stderr
    assert last.returncode == whole.returncode == 1  # damaged records are among them
    texts, wanted = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.txt")}
        for folder in (out, once)
    )
    assert texts == wanted
    assert len(wanted) > KILLS * 70


@pytest.mark.timeout(300)
def test_a_run_over_the_sample_pages_that_is_killed_five_times_loses_and_repeats_nothing(
    tmp_path: Path,
) -> None:
    check_kills(tmp_path, sample_pages(450), "0.03")


@pytest.mark.timeout(900)
def test_a_run_over_development_pages_that_is_killed_five_times_loses_and_repeats_nothing(
    tmp_path: Path, shared: Path
) -> None:
    pages = labelled_pages(shared / "pages" / "wcxb.tar.zst")

    check_kills(tmp_path, (page.html for page in islice(pages, 1100)), "0.3")
