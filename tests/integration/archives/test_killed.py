"""A run over an archive that is killed in the middle, several times, and gone on with."""

import itertools
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest

from lab.sets.labelled import labelled_pages
from tests.archives import documents, mixed_archive
from worker.archives.ledger import LEDGER
from worker.inputs import SAMPLES

WINNOW = Path(sys.executable).with_name("winnow")
pytestmark = pytest.mark.integration


def command(archive: Path, out: Path, *options: str) -> list[str]:
    return [
        str(WINNOW), "clean", str(archive), "-o", str(out), "--format", "jsonl", "--jobs", "2",
        *options,
    ]  # fmt: skip


def kill_after(arguments: list[str], out: Path, commits: int, seconds: float) -> int:
    """Start a run, kill it when it has written its ledger so often; return how it ended."""
    run = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seen = -1
    last = None
    while seen < commits and run.poll() is None:
        time.sleep(0.005)
        ledger = out / LEDGER
        written = ledger.stat().st_mtime_ns if ledger.exists() else None
        if written != last:
            seen, last = seen + 1, written
    time.sleep(seconds)
    run.send_signal(signal.SIGKILL)
    return run.wait()


def check_kills(
    folder: Path, bodies: Iterable[bytes], shard_mb: str, commits: int, seconds: float
) -> None:
    """Kill five times, each after at most so many ledgers and then at most so many seconds."""
    content, ids = mixed_archive(bodies)
    archive = folder / "crawl.warc.gz"
    archive.write_bytes(content)
    out, once = folder / "out", folder / "once"
    places = random.Random(34)
    options = ("--shard-size", shard_mb)

    ends = [
        kill_after(
            command(archive, out, *options),
            out,
            places.randint(1, commits),
            places.random() * seconds,
        )
        for _ in range(5)
    ]
    last = subprocess.run(command(archive, out, *options), check=False, capture_output=True)
    whole = subprocess.run(command(archive, once, *options), check=False, capture_output=True)

    assert ends == [-signal.SIGKILL] * 5
    assert last.returncode == whole.returncode == 1  # damaged records are among them
    kept = [document["warc"]["record_id"] for document in documents(out)]
    assert kept == [document["warc"]["record_id"] for document in documents(once)]
    assert len(set(kept)) == len(kept)
    assert set(kept) <= set(ids)
    assert (out / "errors.jsonl").read_bytes() == (once / "errors.jsonl").read_bytes()
    assert not list(out.glob(".*.fresh"))


# as `winnow` is, but for the pace at which it says how far it is
QUICK = """
from worker.cli import clean_files, main

clean_files.COMMIT_SECONDS = 0.02
if __name__ == "__main__":
    main()
"""


@pytest.mark.timeout(300)
def test_a_run_that_writes_files_and_is_killed_five_times_leaves_those_of_one_run(
    tmp_path: Path,
) -> None:
    samples = [path.read_bytes() for path in sorted(SAMPLES.iterdir())]
    archive, program = tmp_path / "crawl.warc.gz", tmp_path / "quick.py"
    archive.write_bytes(mixed_archive(islice(itertools.cycle(samples), 450))[0])
    program.write_text(QUICK)
    arguments = [sys.executable, str(program), "clean", str(archive), "--jobs", "2", "-o"]
    out, once = tmp_path / "out", tmp_path / "once"

    ends = [kill_after([*arguments, str(out)], out, 1, 0.01) for _ in range(5)]
    last = subprocess.run([*arguments, str(out)], check=False, capture_output=True)
    whole = subprocess.run([*arguments, str(once)], check=False, capture_output=True)

    assert ends == [-signal.SIGKILL] * 5
    assert b"going on behind" in last.stderr
    assert last.returncode == whole.returncode == 1  # damaged records are among them
    texts, wanted = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.txt")}
        for folder in (out, once)
    )
    assert texts == wanted
    assert len(wanted) > 350


@pytest.mark.timeout(300)
def test_a_run_over_the_sample_pages_that_is_killed_five_times_loses_and_repeats_nothing(
    tmp_path: Path,
) -> None:
    samples = [path.read_bytes() for path in sorted(SAMPLES.iterdir())]

    check_kills(tmp_path, islice(itertools.cycle(samples), 450), "0.03", 1, 0.03)


@pytest.mark.timeout(900)
def test_a_run_over_development_pages_that_is_killed_five_times_loses_and_repeats_nothing(
    tmp_path: Path, shared: Path
) -> None:
    pages = labelled_pages(shared / "pages" / "wcxb.tar.zst")

    check_kills(tmp_path, (page.html for page in islice(pages, 1100)), "0.3", 2, 1 / 10)
