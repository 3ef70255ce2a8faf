"""`winnow clean`: the cleaning of the stream, without a broker."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import click
import orjson
from rich.console import Console
from rich.progress import Progress

from models.document import Document
from models.errors import InvalidPage, ModelError, OptionsError, Reason
from streams.cleaning import Outcome, PageCleaner
from streams.messages import document_value, with_meta
from streams.pages import Arrival, Deleted, Fetched, arrival_from, is_url, stated_url
from streams.pass_through import PassThrough
from streams.records import Incoming
from worker.bulk import BATCH_PAGES, Candidate, Cleaned, clean_all, clean_batch
from worker.cleaning import open_cleaner
from worker.cli.failure import CannotGoOn, CannotStart, complain
from worker.cli.options import cleaning_options, read_options
from worker.cli.paths import PathName
from worker.cli.sinks import FolderSink, Sink, StreamSink, WriteError, file_sink, folder_of
from worker.inputs import STANDARD_INPUT, InputError, PageFile, find_pages, read_page
from worker.lines import LineTooLong, line_groups
from worker.terminal import shown_path

SUFFIXES: Final = {"text": ".txt", "markdown": ".md", "jsonl": ".jsonl"}
ALL_DOCUMENTS: Final = "documents.jsonl"  # in the output folder
# A page in base64 is a third longer, and its message has other fields besides.
JSON_OVERHEAD: Final = 1 << 16


@click.command("clean")
@click.argument("paths", nargs=-1, required=True, type=PathName())
@click.option(
    "-o",
    "--output",
    type=PathName(),
    help="Write to this folder: one file per page, or all documents to documents.jsonl. "
    "A name that ends in .txt, .md or .jsonl is a file.",
)
@click.option(
    "--input",
    "form",
    type=click.Choice(["html", "jsonl"]),
    default="html",
    help="What `-` carries: one page, or one input message per line, answered in JSON lines.",
)
@click.option(
    "--format",
    "text_format",
    type=click.Choice(list(SUFFIXES)),
    help="Form of the output.  [default: that of the options, or text]",
)
@click.option("--url", help="URL of the page that `-` carries; its document needs one.")
@click.option(
    "--mark",
    is_flag=True,
    default=None,
    help="Keep rejected sentences, marked with their perplexity.",
)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="Processes that clean.")
@cleaning_options
def command(
    paths: tuple[Path, ...], output: Path | None, form: str, text_format: str | None,
    url: str | None, mark: bool | None, jobs: int, engine: str | None, threshold: str | None,
    pairs: tuple[str, ...], options_file: Path | None, model: Path | None,
) -> None:  # fmt: skip
    """Clean HTML files and folders, without a broker.

    PATHs are HTML files, folders of them, or `-`, standard input. Links below a PATH are not
    followed.
    """
    text_format = text_format or _implied_format(form, output)
    named = None if text_format == "jsonl" else text_format
    options = read_options(
        options_file, pairs, engine=engine, threshold=threshold, mark=mark, format=named
    )
    build = partial(open_cleaner, options, model)
    written = text_format or options.format.value
    if form == "jsonl":
        _check_lines(paths, written, {"-o": output, "--jobs": jobs > 1, "--url": url})
    else:
        _check_url(paths, written, url)
    try:
        if form == "jsonl":
            failed = _clean_lines(build(), options.limits.page_bytes)
        else:
            read = partial(_candidate, options.limits.page_bytes, url or "")
            failed = _clean_files(
                paths, read, partial(_open_sink, output, written), partial(_content, written),
                build, jobs,
            )  # fmt: skip
    except (ModelError, OptionsError) as error:
        raise CannotStart(str(error)) from error
    sys.exit(1 if failed else 0)


def _implied_format(form: str, output: Path | None) -> str | None:
    """Return the format that the input or the name of the output asks for."""
    if form == "jsonl":
        return "jsonl"
    by_suffix = {suffix: name for name, suffix in SUFFIXES.items()}
    return by_suffix.get(output.suffix) if output else None


def _check_lines(paths: tuple[Path, ...], written: str, others: dict[str, object]) -> None:
    if paths != (STANDARD_INPUT,):
        raise click.UsageError("--input jsonl reads standard input: give `-` as the only path")
    if written != "jsonl":
        raise click.UsageError("--input jsonl answers line by line: it goes with --format jsonl")
    for name, given in others.items():
        if given:
            raise click.UsageError(f"--input jsonl works line by line, not with {name}")


def _check_url(paths: tuple[Path, ...], written: str, url: str | None) -> None:
    if url is not None and STANDARD_INPUT not in paths:
        raise click.UsageError("--url is that of `-`, standard input")
    if url is not None and not is_url(url):
        raise click.UsageError("--url takes a URL with its scheme")
    if url is None and STANDARD_INPUT in paths and written == "jsonl":
        raise click.UsageError("a document has a URL: give that of `-` as --url")


def _clean_files(
    paths: tuple[Path, ...],
    read: Callable[[PageFile], Candidate],
    open_sink: Callable[[int], AbstractContextManager[Sink]],
    content: Callable[[Document], bytes],
    build: Callable[[], PageCleaner],
    jobs: int,
) -> int:
    """Clean what `paths` name; return how many inputs failed."""
    found = list(find_pages(paths))
    files = [item for item in found if isinstance(item, PageFile)]
    failed = len(found) - len(files)
    results = clean_all(map(read, files), build, jobs)
    with open_sink(len(files)) as sink:
        for item in found:
            if isinstance(item, InputError):
                complain(str(item))
        return failed + _write_all(
            files, results, lambda file, page: sink.write(file, content(page))
        )


def _write_all(
    files: Sequence[PageFile],
    results: Iterator[Cleaned],
    write: Callable[[PageFile, Document], None],
) -> int:
    """Write the documents as they come; return how many files gave none."""
    quiet = len(files) == 1 or not sys.stderr.isatty()
    failed = done = 0
    try:
        with Progress(console=Console(stderr=True), disable=quiet, transient=True) as progress:
            cleaning = progress.add_task("cleaning", total=len(files))
            for file, result in zip(files, results, strict=True):
                done += 1
                failed += not _written(file, result, write)
                progress.advance(cleaning)
    except BrokenProcessPool:
        complain(f"a process was killed; pages without a result: {len(files) - done}")
    return failed + len(files) - done


def _written(file: PageFile, result: Cleaned, write: Callable[[PageFile, Document], None]) -> bool:
    """Write the document of a file, or name why there is none."""
    try:
        if isinstance(result, InvalidPage):
            raise result
        write(file, result)
    except (InvalidPage, WriteError) as error:
        complain(f"{shown_path(file.path)}: {error}")
        return False
    return True


def _open_sink(output: Path | None, text_format: str, pages: int) -> AbstractContextManager[Sink]:
    if output is None:
        return nullcontext(StreamSink(titled=pages > 1 and text_format != "jsonl"))
    is_file = output.suffix in SUFFIXES.values() and not output.is_dir()
    if is_file and pages > 1 and text_format != "jsonl":
        raise click.UsageError(f"-o {shown_path(output)} is one file, and there are {pages} pages")
    if is_file or text_format == "jsonl":
        return file_sink(output if is_file else folder_of(output) / ALL_DOCUMENTS)
    return nullcontext(FolderSink(output, SUFFIXES[text_format]))


def _content(text_format: str, document: Document) -> bytes:
    value = document_value(document) if text_format == "jsonl" else document.text.encode()
    return value + b"\n"


def _candidate(max_bytes: int, stdin_url: str, file: PageFile) -> Candidate:
    try:
        page = read_page(file, max_bytes)
        return page if page.url else replace(page, url=stdin_url)
    except InputError as error:
        return InvalidPage(Reason.UNREADABLE, error.why)


def _clean_lines(cleaner: PageCleaner, max_page_bytes: int) -> int:
    """Answer each line of standard input with one line, in order; return how many failed."""
    failed = answered = 0
    max_line_bytes = max_page_bytes * 4 // 3 + JSON_OVERHEAD
    for group in _line_groups(max_line_bytes):
        arrivals = [_arrival(line, max_page_bytes) for line in group]
        pages = [_candidate_of(each) for each in arrivals]
        results = iter(clean_batch(cleaner, [page for page in pages if page is not None]))
        for line, arrival, page in zip(group, arrivals, pages, strict=True):
            answered += 1
            result = None if page is None else next(results)
            if isinstance(result, InvalidPage):
                failed += 1
                name = f"page {answered} {_stated(line, arrival)}".rstrip()
                complain(f"{name}: {result}")
            sys.stdout.buffer.write(_answer(line, arrival, result) + b"\n")
        sys.stdout.buffer.flush()
    return failed


def _line_groups(max_line_bytes: int) -> Iterator[list[bytes | LineTooLong]]:
    try:
        yield from line_groups(sys.stdin.buffer, max_line_bytes, BATCH_PAGES)
    except OSError as error:
        raise CannotGoOn(f"standard input: {error.strerror}") from error


def _arrival(line: bytes | LineTooLong, max_page_bytes: int) -> Arrival | InvalidPage:
    if isinstance(line, LineTooLong):
        return InvalidPage(Reason.TOO_LARGE, f"a line {line}")
    try:
        return arrival_from(_record_of(line), max_page_bytes)
    except InvalidPage as error:
        return error


def _record_of(line: bytes) -> Incoming:
    return Incoming("stdin", 0, 0, None, line, (("content-type", b"application/json"),))


def _candidate_of(arrival: Arrival | InvalidPage) -> Candidate | None:
    """Return what is to be cleaned; None of a page that its status says is none."""
    if isinstance(arrival, Fetched):
        return arrival.page
    return arrival if isinstance(arrival, InvalidPage) else None


def _answer(
    line: bytes | LineTooLong, arrival: Arrival | InvalidPage, result: Cleaned | None
) -> bytes:
    if isinstance(result, InvalidPage):
        url = _stated(line, arrival)
        return orjson.dumps({"url": url, "error": result.reason, "detail": result.detail})
    assert not isinstance(arrival, InvalidPage)  # it is its own result
    meta = PassThrough().passed(_record_of(b""), arrival.meta).meta
    if result is not None:
        return with_meta(document_value(result), meta)
    outcome = Outcome.DELETED if isinstance(arrival, Deleted) else Outcome.SKIPPED
    status = None if isinstance(arrival, Fetched) else arrival.status
    return with_meta(orjson.dumps({"url": arrival.url, "outcome": outcome, "status": status}), meta)


def _stated(line: bytes | LineTooLong, arrival: Arrival | InvalidPage) -> str:
    """Return the URL of a message, so that it can be found even when it is no page."""
    if not isinstance(arrival, InvalidPage):
        return arrival.url
    return stated_url(line) if isinstance(line, bytes) else ""
