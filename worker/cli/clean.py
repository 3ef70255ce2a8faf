"""`winnow clean`: the cleaning of the stream, without a broker."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import click

from winnow.models.errors import InvalidPage, ModelError, OptionsError, Reason, WinnowError
from winnow.models.filtering import Unwanted
from winnow.models.options import CleanerOptions
from winnow.streams.pages import is_url
from winnow.worker.batch.archives.cleaning import EntryCleaner, Outcome, text_of, value_of
from winnow.worker.batch.archives.copies import CopyLog
from winnow.worker.batch.archives.fetch_rules import FetchRules
from winnow.worker.batch.archives.inputs import find_inputs
from winnow.worker.batch.archives.remote import RemoteUnavailable
from winnow.worker.batch.archives.run import Source, outcomes
from winnow.worker.batch.archives.shards import FORMS, MissingPackageError
from winnow.worker.batch.bulk import PAGE_SECONDS, Jobs
from winnow.worker.batch.choice import Choice, FingerprintsError
from winnow.worker.batch.inputs import (
    STANDARD_INPUT,
    Argument,
    InputError,
    PageFile,
)
from winnow.worker.cli.choice_options import choice_options, say_dropped
from winnow.worker.cli.clean_files import Files, clean_to_files
from winnow.worker.cli.clean_lines import clean_lines
from winnow.worker.cli.clean_shards import Sharded, clean_to_shards
from winnow.worker.cli.failure import CannotGoOn, CannotStart, complain
from winnow.worker.cli.options import (
    cleaning_options,
    ignore_robots_option,
    read_options,
    shard_size_option,
    url_prefix_option,
)
from winnow.worker.cli.paths import PathOrUrl
from winnow.worker.cli.progress import progress_of
from winnow.worker.cli.sinks import Sink, StreamSink, WriteError, Written, file_sink
from winnow.worker.terminal import shown_path

SUFFIXES: Final = {"text": ".txt", "markdown": ".md", "jsonl": ".jsonl"}
FORMATS: Final = (*SUFFIXES, *(name for name in FORMS if name not in SUFFIXES))


@click.command("clean")
@click.argument("paths", nargs=-1, required=True, type=PathOrUrl())
@click.option(
    "-o",
    "--output",
    type=PathOrUrl(),
    help="Write to this folder: one file per page, or shards of documents (jsonl, parquet, warc). "
    "A name that ends in .txt, .md or .jsonl is a file.",
)
@click.option(
    "--input",
    "form",
    type=click.Choice(["html", "jsonl"]),
    default="html",
    help="Content of `-`: one page, or one input message per line, answered in JSON lines. "
    "A message with a status outside 200-299 is answered with url, outcome and status, and a "
    "dropped document with url, outcome and reason.",
)
@click.option(
    "--format",
    "text_format",
    type=click.Choice(FORMATS),
    help="Format of the output.  [default: the one in the options, or text]",
)
@click.option(
    "--url",
    help="URL of the page in a single PATH, a file or `-`. A document of `-` needs one.  "
    "[default: the file:// URL of a file]",
)
@url_prefix_option
@click.option(
    "--mark",
    is_flag=True,
    default=None,
    help="Keep rejected sentences, marked with their perplexity.",
)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, help="Processes that clean.")
@click.option(
    "--page-seconds",
    type=click.FloatRange(0, 86_400, min_open=True),
    default=PAGE_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for cleaning one page; a page above it is an error.",
)
@shard_size_option("Documents")
@click.option(
    "--restart",
    is_flag=True,
    help="Start again, and replace the output of an earlier run in -o.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the summary of shards as JSON.")
@ignore_robots_option
@choice_options
@cleaning_options
def command(
    paths: tuple[Argument, ...], output: Argument | None, form: str, text_format: str | None,
    url: str | None, url_prefix: str, mark: bool | None, jobs: int, page_seconds: float,
    shard_size: float, restart: bool,
    as_json: bool, ignore_robots: bool, engine: str | None, threshold: str | None,
    pairs: tuple[str, ...], options_file: Path | None, model: Path | None, choice: Choice,
) -> None:  # fmt: skip
    """Clean pages and whole archives, without a broker.

    PATHs are HTML files, JSON lines of input messages, and WARC archives, each also compressed
    (.gz, .zst); folders and patterns of them; URLs of pages; or `-`, standard input. Symbolic
    links below a PATH are not followed.

    A URL is fetched from a public address within 30 seconds, if robots.txt allows `winnow`.

    Documents dropped by the options, copies with --dedup among them, are counted by reason.

    After any stop, the same command continues a run whose output is a folder. Pages that gave no
    document are listed in errors.jsonl in a folder of shards, otherwise on stderr.
    """
    text_format = text_format or _implied_format(form, output)
    named = text_format if text_format in {"text", "markdown"} else None
    options = read_options(
        options_file, pairs, engine=engine, threshold=threshold, mark=mark, format=named
    )
    written = text_format or options.format.value
    is_file = (
        isinstance(output, Path) and output.suffix in SUFFIXES.values() and not output.is_dir()
    )
    is_sharded = output is not None and not is_file and written in FORMS
    is_folder = output is not None and not is_file
    _check_output(written, output, is_folder=is_folder, is_sharded=is_sharded, restart=restart,
                  as_json=as_json)  # fmt: skip
    work = Jobs(jobs, page_seconds)
    try:
        if form == "jsonl":
            _check_lines(
                paths,
                written,
                {
                    "-o": output,
                    "--jobs": jobs > 1,
                    "--url": url,
                    "--url-prefix": url_prefix,
                },
            )
            failed = clean_lines(options, model, page_seconds, choice)
        else:
            _check_url(paths, written, url, url_prefix)
            source = _source(paths, options, is_polite=not ignore_robots)
            source = replace(source, page_url=url or "", url_prefix=url_prefix)
            _check_only_page(source)
            if output is not None and is_sharded:
                sharded = Sharded(output, written, int(shard_size * 1e6), restart, as_json, choice)
                failed = clean_to_shards(source, sharded, options, model, work)
            elif isinstance(output, Path) and is_folder:
                files = Files(output, written, SUFFIXES[written], restart, choice)
                write = partial(_written, source)
                failed = clean_to_files(source, files, options, model, work, write)
            else:
                render = value_of if written == "jsonl" else text_of
                build = partial(EntryCleaner.open, options, model, render, choice)
                file = (
                    output if isinstance(output, Path) else None
                )  # output at a URL is always shards
                open_sink = partial(_open_sink, file, written)
                failed = _clean_to_sink(source, build, work, open_sink, CopyLog(choice))
    except (ModelError, OptionsError, MissingPackageError, FingerprintsError) as error:
        raise CannotStart(str(error)) from error
    except RemoteUnavailable as error:
        raise CannotGoOn(f"{error}; run the same command to continue") from error
    except BrokenProcessPool as error:
        raise CannotGoOn(f"{error}: is there enough memory for --jobs {jobs}?") from error
    sys.exit(1 if failed else 0)


def _implied_format(form: str, output: Argument | None) -> str | None:
    """Return the format that follows from the input or the name of the output."""
    if form == "jsonl":
        return "jsonl"
    by_suffix = {suffix: name for name, suffix in SUFFIXES.items()}
    return by_suffix.get(output.suffix) if isinstance(output, Path) else None


def _check_output(
    written: str,
    output: Argument | None,
    *,
    is_folder: bool,
    is_sharded: bool,
    restart: bool,
    as_json: bool,
) -> None:
    if not is_folder and written not in SUFFIXES:
        raise click.UsageError(f"--format {written} writes shards: give a folder with -o")
    if isinstance(output, str) and not is_sharded:
        forms = "|".join(FORMS)
        raise click.UsageError(f"-o {output} accepts only shards: give --format {forms}")
    if restart and not is_folder:
        raise click.UsageError("--restart needs -o FOLDER")
    if as_json and not is_sharded:
        raise click.UsageError(f"--json needs shards: -o FOLDER with --format {'|'.join(FORMS)}")


def _check_lines(paths: tuple[Argument, ...], written: str, others: dict[str, object]) -> None:
    if paths != (STANDARD_INPUT,):
        raise click.UsageError("--input jsonl reads standard input: give `-` as the only path")
    if written != "jsonl":
        raise click.UsageError("--input jsonl answers line by line: it needs --format jsonl")
    for name, given in others.items():
        if given:
            raise click.UsageError(f"--input jsonl works line by line, not with {name}")


def _check_url(paths: tuple[Argument, ...], written: str, url: str | None, url_prefix: str) -> None:
    if url is not None and url_prefix:
        raise click.UsageError("--url and --url-prefix cannot be combined")
    if url is not None and not is_url(url):
        raise click.UsageError("--url must be a URL with a scheme, such as https://")
    if url is None and STANDARD_INPUT in paths and written not in {"text", "markdown"}:
        raise click.UsageError("a document needs a URL: give the URL of `-` with --url")


def _check_only_page(source: Source) -> None:
    """Refuse --url for several pages: they would replace each other."""
    is_page = len(source.inputs) == 1 and isinstance(source.inputs[0], PageFile | InputError)
    if source.page_url and not is_page:
        raise click.UsageError("--url is for one file or `-`: use --url-prefix for several files")


def _source(paths: Sequence[Argument], options: CleanerOptions, *, is_polite: bool) -> Source:
    max_bytes = options.limits.page_bytes
    return Source(find_inputs(paths), max_bytes, web=FetchRules(max_bytes, is_polite))


def _clean_to_sink(
    source: Source,
    build: Callable[[], EntryCleaner],
    jobs: Jobs,
    open_sink: Callable[[int], AbstractContextManager[Sink]],
    copies: CopyLog,
) -> int:
    """Clean the inputs page by page; return how many pages gave no document."""
    failed = 0
    dropped: Counter[str] = Counter()
    files = sum(not isinstance(item, InputError) for item in source.inputs)
    with (
        closing(outcomes(source, build, jobs)) as results,
        open_sink(files) as sink,
        progress_of(source.sizes()) as advance,
    ):
        for each in results:
            outcome = copies.without_copy(each)
            failed += _written(source, outcome, sink) is not None
            if isinstance(outcome.result, Unwanted):
                dropped[outcome.result.value] += 1
            elif isinstance(outcome.result, bytes):
                copies.keep(outcome.fingerprint)
            advance(outcome.file, outcome.place, isinstance(outcome.result, bytes))
    say_dropped(dropped, copies.forgotten)
    return failed


def _written(source: Source, outcome: Outcome, sink: Sink) -> InvalidPage | WriteError | None:
    """Write the document of an entry, or report and return why it has none.

    Skipped and dropped pages are not reported.
    """
    found, place = source.inputs[outcome.file], outcome.place
    title = shown_path(found.path) if place.is_whole_file else f"{shown_path(found.path)}: {place}"
    try:
        if isinstance(outcome.result, InvalidPage):
            raise outcome.result
        if isinstance(outcome.result, bytes) and not isinstance(found, InputError):
            name = found.name if place.is_whole_file else found.name / place.name
            sink.write(Written(title, name, not place.is_whole_file), outcome.result)
    except (InvalidPage, WriteError) as error:
        complain(f"{title}: {_why(error)}")
        return error
    return None


def _why(error: WinnowError) -> str:
    if isinstance(error, InvalidPage) and error.reason is Reason.UNREADABLE:
        return error.detail
    return str(error)


def _open_sink(output: Path | None, text_format: str, pages: int) -> AbstractContextManager[Sink]:
    is_text = text_format != "jsonl"
    if output is None:
        return nullcontext(StreamSink(titled=pages > 1, is_text=is_text))
    if pages > 1 and is_text:
        raise click.UsageError(f"-o {shown_path(output)} is one file, and there are {pages} pages")
    return file_sink(output, is_text=is_text)
