"""Cost of whole archives: reading and writing around the cleaner, memory, and other extractors.

CPU seconds of a process and its children are compared within one round, with the variants in turn.
Wall clock time is used only to compare two processes with one. Every result is checked before its
cost counts.
"""

import argparse
import gzip
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any, Final

import orjson
import zstandard

from bench.capacity.sections import DOCS, replace_section
from bench.speed.rows import Row, at_least, at_most, ratio_at_least, ratio_at_most, table
from tests.archives import a_record
from winnow.lab.measure.interleave import Ratio
from winnow.lab.sets.labelled import labelled_pages
from winnow.models.document import Page
from winnow.models.options import CleanerOptions
from winnow.worker.batch.archives.cleaning import EntryCleaner, value_of
from winnow.worker.batch.archives.folders import LocalFolder
from winnow.worker.batch.archives.ledger import Ledger, Plan
from winnow.worker.batch.archives.run import Output, Run, Source, outcomes
from winnow.worker.batch.archives.shards import form_of
from winnow.worker.batch.bulk import BATCH_PAGES, Jobs, clean_batch
from winnow.worker.batch.inputs import PageFile
from winnow.worker.cleaning import open_cleaner

PAGES: Final = Path(__file__).parents[3] / "shared/pages/wcxb.tar.zst"
TABLE: Final = Path(__file__).parents[1] / "RESULTS-archives.md"
WINNOW: Final = Path(sys.executable).with_name("winnow")
SHARD_BYTES: Final = 128_000_000

# Common Crawl on CC-MAIN-2024-51: 2.64 billion pages, 394 TiB before compression
# (https://blog.commoncrawl.org/blog/december-2024-crawl-archive-now-available); files and
# segments are the lines of its warc.paths.gz and segment.paths.gz. For other crawls use --crawl.
CRAWL: Final = (2_640_000_000, 90_000, 100)

HEAD: Final = """# Cost of whole archives

Written by `make bench-archives BENCH_ARGS=--write` on {machine}, Python {python}, {cores} cores,
load average {load:.1f} at the start. {count} pages of {bytes:,.0f} bytes from `{source}`,
each with its request and metadata, in one gzip member each.
Medians over rounds, with minimum and maximum.
"""

REPEATS: Final = 40  # copies of the archive when processes start: about one file of a crawl


def main() -> None:
    """Write the archive, run the parts, print the table."""
    arguments = _arguments()
    load = os.getloadavg()[0]
    parts: dict[str, Callable[[Path, list[Page]], list[Row]]] = {
        "cpu": lambda archive, pages: _cpu(archive, pages, arguments.rounds, arguments.crawl),
        "jobs": lambda archive, _: _jobs(archive, arguments.rounds),
        "memory": lambda archive, pages: _memory(archive.parent, pages, arguments.megabytes),
        "datatrove": lambda _, pages: _datatrove(pages, arguments.rounds),
    }
    with tempfile.TemporaryDirectory(prefix="winnow-bench-") as folder:
        archive = Path(folder) / "crawl.warc.gz"
        pages = _archive(archive, arguments.source, arguments.pages)
        rows: list[Row] = []
        for name in arguments.parts:
            rows += parts[name](archive, pages)
    mean = sum(len(page.body) for page in pages) / len(pages)
    head = HEAD.format(
        machine=platform.machine(), python=platform.python_version(), cores=os.cpu_count(),
        load=load, count=len(pages), bytes=mean, source=arguments.source.name,
    )  # fmt: skip
    text = f"{head}\n{table(rows)}\n"
    print(text)
    if arguments.write:
        TABLE.write_text(text)
        replace_section("archives", table(rows), DOCS / "archives.md")
    sys.exit(not all(row.holds for row in rows))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, default=PAGES, help="labelled pages")
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--megabytes", type=int, default=2000, help="size of the largest archive")
    parser.add_argument(
        "--crawl", type=int, nargs=3, default=CRAWL, metavar=("PAGES", "FILES", "SEGMENTS"),
        help="crawl whose cost is estimated",
    )  # fmt: skip
    parser.add_argument(
        "--parts", nargs="+", default=["cpu", "jobs", "memory", "datatrove"],
        choices=["cpu", "jobs", "memory", "datatrove"],
    )  # fmt: skip
    parser.add_argument(
        "--write",
        action="store_true",
        help=f"write {TABLE.name} and the section of docs/archives.md",
    )
    chosen = parser.parse_args()
    if "datatrove" in chosen.parts and "BENCH_PACKAGES" not in os.environ:
        parser.error("datatrove's other extractors have an environment: make bench-archives")
    return chosen


def _archive(path: Path, source: Path, count: int) -> list[Page]:
    """Write pages in the format of a crawler, and return them."""
    pages: list[Page] = []
    with path.open("wb") as file:
        for number, labelled in enumerate(islice(labelled_pages(source), count)):
            page = Page(f"https://a.invalid/{number}", labelled.html, "text/html")
            pages.append(page)
            for record in (
                a_record(1_000_000 + number, b"", kind="request"),
                a_record(number, page.body, [("Content-Type", "text/html")]),
                a_record(2_000_000 + number, b"fetchTimeMs: 12", kind="metadata"),
            ):
                file.write(gzip.compress(record.stored))
    if len(pages) < count:
        sys.exit(f"{source} has only {len(pages)} pages")
    return pages


def _spent() -> float:
    """Return the CPU seconds of this process and its ended children."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    usages = [resource.getrusage(kind) for kind in kinds]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _cost_of(work: Callable[[], Any]) -> tuple[float, Any]:
    began = _spent()
    result = work()
    return _spent() - began, result


def _cpu(archive: Path, pages: list[Page], rounds: int, crawl: Sequence[int]) -> list[Row]:
    """Compare WARC to JSON lines with cleaning the same pages from memory."""
    ratios: list[float] = []
    costs: list[float] = []
    shard_bytes = 0
    for number in range(rounds + 1):  # the first warms up
        from_memory = open_cleaner(CleanerOptions(), None)
        whole, documents = _cost_of(lambda: _cleaned(from_memory, pages))  # noqa: B023
        with tempfile.TemporaryDirectory(dir=archive.parent) as out:
            cleaner = EntryCleaner.open(CleanerOptions(), None, value_of)
            folder = Path(out)
            cost, ledger = _cost_of(lambda: _run(archive, cleaner, folder))  # noqa: B023
            texts = _texts(folder)
        if texts != [document.text for document in documents]:
            sys.exit("the texts from the archive and from the pages differ")
        shard_bytes = sum(shard.file_bytes for shard in ledger.shards)
        if number:
            ratios.append(cost / whole)
            costs.append(cost)
    ratio = _ratio(ratios)
    part = "one process: WARC to JSON lines / cleaning from memory, CPU"
    return [
        ratio_at_most(part, ratio, 1.15),
        *_sizing(median(costs) / len(pages), shard_bytes / len(pages), crawl),
    ]


def _sizing(page_seconds: float, page_bytes: float, crawl: Sequence[int]) -> Iterator[Row]:
    """Estimate the cost of parts of a crawl from the measured pages."""
    pages, files, segments = crawl
    yield Row("one process: pages per CPU second", f"{1 / page_seconds:,.0f}")
    for what, share in (
        (f"one of {files:,} files", files),
        (f"one of {segments:,} segments", segments),
        ("all", 1),
    ):
        hours, size = pages / share * page_seconds / 3600, pages / share * page_bytes / 1e9
        figure = f"{hours:,.2f} CPU hours, {size:,.1f} GB of .jsonl.zst"
        yield Row(f"a crawl of {pages:,} pages: {what}", figure)


def _cleaned(cleaner: Any, pages: Sequence[Page]) -> list[Any]:  # noqa: ANN401
    starts = range(0, len(pages), BATCH_PAGES)
    results = [clean_batch(cleaner, pages[start : start + BATCH_PAGES]) for start in starts]
    return [each for batch in results for each in batch if not isinstance(each, Exception)]


def _run(archive: Path, cleaner: EntryCleaner, out: Path) -> Ledger:
    source = Source([PageFile(archive, Path(archive.name))], CleanerOptions().limits.page_bytes)
    ledger = Ledger(Plan("jsonl", {}, "", 1, ""))
    run = Run(source, Output(LocalFolder(out), form_of("jsonl"), SHARD_BYTES), ledger)
    run.write_all(outcomes(source, lambda: cleaner, Jobs()), lambda _: None)
    return run.ledger


def _texts(out: Path) -> list[str]:
    texts: list[str] = []
    for shard in sorted(out.glob("part-*.jsonl.zst")):
        with zstandard.open(shard, "rb") as lines:
            texts += [orjson.loads(line)["text"] for line in lines.read().splitlines()]
    return texts


@dataclass(frozen=True, slots=True)
class _Ended:
    """Output and resources of a command.

    Attributes:
        summary: its printed summary.
        peak_mb: peak memory of its first process.
        cpu_seconds: CPU seconds of all its processes.
    """

    summary: dict[str, Any]
    peak_mb: float
    cpu_seconds: float


def _winnow(archive: Path, out: Path, *options: str) -> _Ended:
    """Clean an archive with the command."""
    arguments = [str(WINNOW), "clean", str(archive), "-o", str(out), "--format", "jsonl", "--json"]
    with subprocess.Popen([*arguments, *options], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"winnow clean ended with {process.returncode}")
    return _Ended(json.loads(said), usage.ru_maxrss / 1e3, usage.ru_utime + usage.ru_stime)


def _jobs(archive: Path, rounds: int) -> list[Row]:
    """Compare two processes with one by wall clock, which is valid on an idle machine.

    Their CPU time gives the limit: three processes cannot end before two cores have done their
    work. The archive is repeated, so that the start of the processes matters little.
    """
    longer = archive.with_name("longer.warc.gz")
    with longer.open("wb") as file:
        for _ in range(REPEATS):
            file.write(archive.read_bytes())
    clock: list[float] = []
    cost: list[float] = []
    for _ in range(rounds):
        seconds: list[float] = []
        ended: list[_Ended] = []
        for jobs in ("1", "2"):
            with tempfile.TemporaryDirectory(dir=archive.parent) as out:
                began = time.monotonic()
                ended.append(_winnow(longer, Path(out), "--jobs", jobs))
                seconds.append(time.monotonic() - began)
        one, two = ended
        if one.summary["documents"] != two.summary["documents"]:
            sys.exit("two processes and one wrote different documents")
        clock.append(seconds[0] / seconds[1])
        cost.append(2 * one.cpu_seconds / two.cpu_seconds)
    return [
        ratio_at_least("two processes: times the speed of one, wall clock", _ratio(clock), 1.85),
        Row("its limit, by the CPU of all processes on two cores", str(_ratio(cost))),
    ]


def _ratio(ratios: Sequence[float]) -> Ratio:
    return Ratio(median(ratios), min(ratios), max(ratios))


def _memory(folder: Path, pages: list[Page], megabytes: int) -> list[Row]:
    """Measure peak memory by size of the archive; records are large, so that few need cleaning."""
    rows: list[Row] = []
    peaks: list[float] = []
    for size in (megabytes // 8, megabytes // 2, megabytes):
        archive = folder / "large.warc.gz"
        records = _padded(archive, pages, size * 1_000_000)
        with tempfile.TemporaryDirectory(dir=folder) as out:
            ended = _winnow(archive, Path(out))
        if ended.summary["documents"] != records:
            sys.exit(f"{ended.summary['documents']} documents of {records} pages")
        archive.unlink()
        peaks.append(ended.peak_mb)
        rows.append(
            Row(f"peak memory, {size:,} MB in {records:,} records", f"{ended.peak_mb:,.0f} MB")
        )
    return [*rows, at_most("peak memory, largest archive / smallest", peaks[-1] / peaks[0], 1.1)]


def _padded(path: Path, pages: list[Page], size: int) -> int:
    """Write pages repeatedly, with an incompressible comment; return their number."""
    small = [page.body for page in pages if len(page.body) < 50_000]
    records = 0
    with path.open("wb") as file:
        for number, body in enumerate(cycle(small)):
            if file.tell() >= size:
                break
            padding = b"<!--" + os.urandom(200_000).hex().encode() + b"-->"
            record = a_record(number, body + padding, [("Content-Type", "text/html")])
            file.write(gzip.compress(record.stored, 1))
            records += 1
    return records


def _datatrove(pages: list[Page], rounds: int) -> list[Row]:
    """Steps of a datatrove pipeline on documents like from datatrove's WARC reader."""
    sys.path.append(os.environ["BENCH_PACKAGES"])  # after our packages
    from datatrove.data import Document  # noqa: PLC0415 - after the line before
    from datatrove.pipeline.extractors.trafilatura import Trafilatura  # noqa: PLC0415

    from bench.speed.resiliparse_step import Resiliparse  # noqa: PLC0415
    from winnow.datatrove import WinnowExtractor  # noqa: PLC0415

    documents = [
        Document(page.body.decode(errors="replace"), page.url, [], {"url": page.url})
        for page in pages
    ]
    # its own limit of a second of wall clock depends more on the machine than on the page
    steps: dict[str, Callable[[], Any]] = {
        "WinnowExtractor": WinnowExtractor,
        "Trafilatura": lambda: Trafilatura(timeout=60),
        "Resiliparse": lambda: Resiliparse(timeout=60),
    }
    costs: dict[str, list[float]] = {name: [] for name in steps}
    clock: dict[str, list[float]] = {name: [] for name in steps}
    kept: dict[str, int] = {}
    for _ in range(min(rounds, 3)):
        for name, step in steps.items():
            given = [Document(each.text, each.id, [], {**each.metadata}) for each in documents]
            made = step()
            began = time.monotonic()
            cost, kept[name] = _cost_of(lambda: sum(1 for _ in made.run(iter(given))))  # noqa: B023
            clock[name].append(time.monotonic() - began)
            costs[name].append(cost)
    if min(kept.values()) < 0.7 * len(documents):
        sys.exit(f"a step returned too few texts: {kept}")
    seconds = {name: median(each) for name, each in costs.items()}
    rows = [
        Row(
            f"datatrove step {name}, {len(documents)} pages",
            f"{seconds[name]:.2f} CPU s, {median(clock[name]):.2f} s of wall clock, "
            f"{kept[name]} texts",
        )
        for name in steps
    ]
    trafilatura, resiliparse = (
        seconds[name] / seconds["WinnowExtractor"] for name in ("Trafilatura", "Resiliparse")
    )
    return [
        *rows,
        at_least("datatrove: Trafilatura / WinnowExtractor, CPU", trafilatura, 18, "{:.1f}"),
        Row("datatrove: Resiliparse / WinnowExtractor, CPU", f"{resiliparse:.2f}"),
    ]


if __name__ == "__main__":
    main()
