"""`winnow topics`: create the topics of a deployment, or check them."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import click
import orjson
from rich.table import Table

from winnow.streams.operator.admin import TopicAdmin
from winnow.streams.operator.topic_check import (
    Finding,
    Size,
    TopicState,
    Wanted,
    as_large_as,
    findings,
    wanted_topics,
)
from winnow.worker.cli.console import PlainConsole
from winnow.worker.cli.operating import broker_settings, failures
from winnow.worker.settings import Settings

_JSON = click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
# group members beyond the number of partitions would be idle
DEFAULT_PARTITIONS = 12
DEFAULT_REPLICATION = 3


@dataclass(frozen=True, slots=True)
class Row:
    """One topic, what was done to it, and what is still wrong with it."""

    name: str
    state: TopicState | None
    done: tuple[str, ...]
    findings: tuple[Finding, ...]


@click.group("topics")
def command() -> None:
    """Create the topics, or check them."""


@command.command("create")
@click.option(
    "--partitions",
    type=click.IntRange(1, 10_000),
    default=DEFAULT_PARTITIONS,
    show_default=True,
    help="Partitions of each new topic.",
)
@click.option(
    "--grow",
    is_flag=True,
    help="Add partitions to topics that have fewer and are not compacted. This cannot be undone, "
    "and moves keys to other partitions.",
)
@click.option(
    "--replication",
    type=click.IntRange(1, 7),
    help=f"Replicas of each new topic. "
    f"Default: {DEFAULT_REPLICATION}, or the number of brokers if there are fewer.",
)
@_JSON
@broker_settings
def create(
    *, settings: Settings, partitions: int, grow: bool, replication: int | None, as_json: bool
) -> None:
    """Create missing topics and fix settings that would lose records; safe to run again.

    An existing topic keeps its partitions, unless --grow is given. No topic is shrunk.

    The exit code is 1 if a worker still could not start.
    """
    with failures():
        admin = TopicAdmin(settings.connection())
        copies = replication or min(DEFAULT_REPLICATION, admin.broker_count())
        largest = wanted_topics(settings.topics(), Size(partitions, copies))
        before = admin.states([each.spec.name for each in largest])
        wanted = largest if grow else tuple(as_large_as(each, before) for each in largest)
        done = {each.spec.name: admin.apply(each, before.get(each.spec.name)) for each in wanted}
        rows = _rows(wanted, admin.settled_states(wanted), done)
    _show(rows, as_json=as_json)
    for smaller in (each for each in largest if each not in wanted):
        name = smaller.spec.name
        click.echo(
            f"{name}: keeps its {before[name].partitions} partitions, fewer than {partitions}: "
            "--grow adds them, and keys move to other partitions",
            err=True,
        )
    if any(finding.is_blocking for row in rows for finding in row.findings):
        sys.exit(1)


@command.command("check")
@_JSON
@broker_settings
def check(*, settings: Settings, as_json: bool) -> None:
    """Check the topics, and print the problems; exit code 1 if there are any."""
    with failures():
        admin = TopicAdmin(settings.connection())
        wanted = wanted_topics(settings.topics(), Size())
        rows = _rows(wanted, admin.states([each.spec.name for each in wanted]), {})
    _show(rows, as_json=as_json)
    if any(row.findings for row in rows):
        sys.exit(1)


def _rows(
    wanted: Sequence[Wanted], states: Mapping[str, TopicState], done: Mapping[str, list[str]]
) -> list[Row]:
    return [
        Row(
            name := each.spec.name,
            state := states.get(name),
            tuple(done.get(name, ())),
            tuple(findings(each, state)),
        )
        for each in wanted
    ]


def _show(rows: list[Row], *, as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps({"topics": [_json(row) for row in rows]}).decode())
    else:
        PlainConsole().print(_table(rows))
        for finding in (each for row in rows for each in row.findings):
            click.echo(f"{finding.topic}: {finding.what} {finding.found}, must be {finding.wanted}")


def _table(rows: list[Row]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("topic", "partitions", "replication", "cleanup", "message bytes", ""):
        table.add_column(heading, no_wrap=True)
    for row in rows:
        verdict = ", ".join(row.done) or ("unfit" if row.findings else "ok")
        table.add_row(row.name, *_figures(row.state), verdict)
    return table


def _figures(state: TopicState | None) -> tuple[str, str, str, str]:
    if state is None:
        return ("-", "-", "-", "-")
    config = state.config
    return (
        str(state.partitions),
        str(state.replication),
        config["cleanup.policy"],
        config["max.message.bytes"],
    )


def _json(row: Row) -> dict[str, object]:
    state = row.state
    return {
        "topic": row.name,
        "partitions": state.partitions if state else 0,
        "replication": state.replication if state else 0,
        "config": dict(sorted(state.config.items())) if state else {},
        "done": row.done,
        "findings": [
            {
                "what": each.what,
                "found": each.found,
                "wanted": each.wanted,
                "blocks_worker": each.is_blocking,
            }
            for each in row.findings
        ],
    }
