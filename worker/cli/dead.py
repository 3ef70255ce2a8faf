"""`winnow dead`: inspect the pages that gave no document, and replay them."""

import sys
from collections import Counter
from collections.abc import Callable

import click
import orjson
from rich.table import Table

from winnow.models.errors import Reason
from winnow.streams.deadletters import Stage, is_stub
from winnow.streams.kafka.connection import Connection
from winnow.streams.operator.replay import Replay, ReplayOptions, ReplayOutcome, Selection, fetch
from winnow.streams.operator.topic_reader import Span, Stored, TopicReader
from winnow.worker.cli.console import PlainConsole
from winnow.worker.cli.operating import broker_settings, failures
from winnow.worker.cli.tail import dead_line
from winnow.worker.printed_records import header_text, json_line, record_json, url_of, when
from winnow.worker.settings import Settings
from winnow.worker.terminal import one_line

MAX_ATTEMPTS = 3
# why the original of a stub is missing
LOST = {
    ReplayOutcome.GONE: "is gone",
    ReplayOutcome.UNREAD: "was never read, as it is too large or damaged",
}


def _selection_options(command: Callable[..., None]) -> Callable[..., None]:
    options = (
        click.option(
            "--reason",
            "reasons",
            multiple=True,
            type=click.Choice([each.value for each in Reason]),
            help="Only letters of this reason; may be repeated.",
        ),
        click.option(
            "--stage",
            "stages",
            multiple=True,
            type=click.Choice([each.value for each in Stage]),
            help="Only letters given up at this stage; may be repeated.",
        ),
        click.option("--url", "url_part", default="", help="Only pages with this in their URL."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.group("dead")
def command() -> None:
    """List, show and replay dead letters."""


@command.command("list")
@_selection_options
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000_000),
    default=100,
    show_default=True,
    help="Maximum letters shown; all are counted.",
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object per letter.")
@broker_settings
def list_letters(
    *,
    settings: Settings,
    reasons: tuple[str, ...],
    stages: tuple[str, ...],
    url_part: str,
    limit: int,
    as_json: bool,
) -> None:
    """List dead letters, and count them by reason."""
    selection = Selection(frozenset(reasons), frozenset(stages), url_part)
    counts: Counter[tuple[str, str]] = Counter()
    with failures(), TopicReader(settings.connection(), f"{settings.group}.dead") as reader:
        letters = reader.read(settings.topic_dead, reader.spans(settings.topic_dead))
        for stored in letters:
            if not selection.matches(stored.record):
                continue
            reason, stage = (header_text(stored.record, name) for name in ("reason", "stage"))
            counts[reason, stage] += 1
            if counts.total() <= limit:
                click.echo(json_line(_letter_json(stored)) if as_json else dead_line(stored))
    if not as_json:
        PlainConsole().print(_counts_table(counts))


@command.command("show")
@click.argument("place", metavar="PARTITION/OFFSET")
@click.option("--body", is_flag=True, help="Write only the bytes of the page.")
@click.option("--json", "as_json", is_flag=True, help="Write the whole record as JSON.")
@broker_settings
def show(*, settings: Settings, place: str, body: bool, as_json: bool) -> None:
    """Show the dead letter at a place that `winnow dead list` printed."""
    if body and as_json:
        raise click.UsageError("--body and --json cannot be combined")
    number, offset = _place(place)
    with failures(), TopicReader(settings.connection(), f"{settings.group}.dead") as reader:
        span = reader.spans(settings.topic_dead).get(number, Span(0, 0))
        wanted = Span(max(span.start, offset), min(span.end, offset + 1))
        found = list(reader.read(settings.topic_dead, {number: wanted}))
        if not found:
            raise click.ClickException(f"{settings.topic_dead}/{place}: no such dead letter")
        stored = found[0]
        if body:
            _write_body(settings.connection(), stored)
        elif as_json:
            click.echo(json_line(record_json(stored)))
        else:
            _print_letter(stored)


@command.command("replay")
@_selection_options
@click.option(
    "--max-attempts",
    type=click.IntRange(1, 1000),
    default=MAX_ATTEMPTS,
    show_default=True,
    help="Skip letters with this many attempts.",
)
@click.option(
    "--from-beginning", is_flag=True, help="Include letters that an earlier run has passed."
)
@click.option("--dry-run", is_flag=True, help="Print what would be done, without doing it.")
@click.option("--json", "as_json", is_flag=True, help="Write the summary as JSON.")
@broker_settings
def replay(
    *,
    settings: Settings,
    reasons: tuple[str, ...],
    stages: tuple[str, ...],
    url_part: str,
    max_attempts: int,
    from_beginning: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Publish dead letters to the pages topic again, byte by byte.

    Progress is saved per selection, after the brokers have confirmed: the next run continues a
    run that was stopped. Letters that fail again are not replayed in the same run.
    """
    options = ReplayOptions(
        settings.topic_dead,
        settings.topic_pages,
        settings.group,
        Selection(frozenset(reasons), frozenset(stages), url_part),
        max_attempts,
        from_beginning,
    )
    with failures():
        run = Replay(settings.connection(), options)
        outcomes = _preview(run) if dry_run else run.run(_name_the_lost)
    figures = {"dry_run": dry_run} | {outcome.value: outcomes[outcome] for outcome in ReplayOutcome}
    if as_json:
        click.echo(orjson.dumps(figures))
    else:
        summary = ", ".join(
            f"{outcomes[outcome]} {outcome.value.replace('_', ' ')}" for outcome in ReplayOutcome
        )
        click.echo(f"{'would be: ' if dry_run else ''}{summary}")
    if any(outcomes[outcome] for outcome in LOST):
        sys.exit(1)


def _preview(run: Replay) -> Counter[ReplayOutcome]:
    outcomes: Counter[ReplayOutcome] = Counter()
    for stored, outcome in run.preview():
        outcomes[outcome] += 1
        _name_the_lost(stored, outcome)
    return outcomes


def _name_the_lost(stored: Stored, outcome: ReplayOutcome) -> None:
    if outcome in LOST:
        source = header_text(stored.record, "source")
        click.echo(f"{source}: the original {LOST[outcome]}: {url_of(stored.record)}", err=True)


def _place(place: str) -> tuple[int, int]:
    number, _, offset = place.partition("/")
    if not (number.isdecimal() and offset.isdecimal()):
        raise click.UsageError("PARTITION/OFFSET must be two numbers, such as 0/17")
    return int(number), int(offset)


def _letter_json(stored: Stored) -> dict[str, object]:
    record = stored.record
    names = ("reason", "stage", "attempts", "source", "version", "detail")
    return {
        "place": f"{record.partition}/{record.offset}",
        "timestamp": when(stored),
        "url": url_of(record),
        "bytes": record.value_bytes,
        "stub": is_stub(record.headers),
        **{name: header_text(record, name) for name in names},
    }


def _print_letter(stored: Stored) -> None:
    click.echo(f"url: {url_of(stored.record)}\ntime: {when(stored)}")
    for name, value in stored.record.headers:
        click.echo(
            f"{one_line(name)}: {one_line((value or b'').decode('utf-8', errors='replace'))}"
        )
    click.echo(f"bytes: {stored.record.value_bytes}  (--body writes them)")


def _write_body(connection: Connection, stored: Stored) -> None:
    record = stored.record
    original = fetch(connection, record) if is_stub(record.headers) else record
    if isinstance(original, ReplayOutcome):
        raise click.ClickException(f"the original of this stub {LOST[original]}")
    click.echo(original.value or b"", nl=False)


def _counts_table(counts: Counter[tuple[str, str]]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("letters", justify="right")
    table.add_column("reason")
    table.add_column("stage")
    for (reason, stage), letters in counts.most_common():
        table.add_row(str(letters), reason, stage)
    table.add_row(str(counts.total()), "in all", "")
    return table
