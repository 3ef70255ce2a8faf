"""`winnow top`: show live rates, lag and dead letters of a deployment."""

import sys
import time
from collections import Counter
from contextlib import suppress
from itertools import count
from typing import Final

import click
import orjson
from rich.console import Group, JustifyMethod
from rich.live import Live
from rich.table import Table
from rich.text import Text

from winnow.streams.operator.overview import Look, Overview, Rates, rates
from winnow.streams.topics import TopicNames
from winnow.worker.cli.console import PlainConsole
from winnow.worker.cli.operating import broker_settings, failures
from winnow.worker.settings import Settings

SHOWN_PARTITIONS: Final = 8
WORDS: Final = frozenset({"topic", "reason", "outcome", ""})  # columns that hold no numbers


@click.command("top")
@click.option(
    "--interval",
    type=click.FloatRange(0.2, 3600),
    default=2.0,
    show_default=True,
    help="Seconds between two updates.",
)
@click.option("--looks", type=click.IntRange(1), help="End after this number of updates.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON line per update.")
@broker_settings
def command(*, settings: Settings, interval: float, looks: int | None, as_json: bool) -> None:
    """Watch rates, lag and dead letters, live, until interrupted.

    All figures come from the brokers; a connection to the workers is not needed. So deleted pages
    are estimated from a sample of tombstones where there are many, and skipped pages are pages
    that are done without a record.
    """
    names = settings.topics()
    overview = Overview(settings.connection(), names, settings.group, time.monotonic)
    view = _JsonLines() if as_json else _Screen(settings.group, names)
    with failures(), view, suppress(KeyboardInterrupt):
        before = overview.look()
        for _ in range(looks) if looks else count():
            time.sleep(interval)
            now = overview.look()
            view.show(now, rates(before, now))
            before = now


class _JsonLines:
    """Writes one object per update."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def show(self, look: Look, speed: Rates) -> None:
        line = {
            "published_per_s": {topic: round(rate, 2) for topic, rate in speed.published.items()},
            "done_per_s": round(speed.done, 2),
            "lag": sum(look.lag.values()),
            "lag_by_partition": {str(number): lag for number, lag in look.lag.items()},
            "dead_by_reason": dict(look.reasons),
            "deleted": look.deleted,
            "skipped": look.skipped,
        }
        sys.stdout.write(orjson.dumps(line).decode() + "\n")
        sys.stdout.flush()


class _Screen:
    """Draws the tables again at each update."""

    def __init__(self, group: str, names: TopicNames) -> None:
        self._group = group
        self._names = names
        self._reasons: Counter[str] = Counter()
        self._without_page: Counter[str] = Counter()
        # until there is something to show, nothing of it stays
        self._live = Live(Text("looking ..."), console=PlainConsole(), transient=True)

    def __enter__(self) -> None:
        self._live.start()

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, look: Look, speed: Rates) -> None:
        self._reasons.update(look.reasons)
        self._without_page.update(deleted=look.deleted, skipped=look.skipped)
        tables = (
            self._flow(look, speed),
            _lag(look),
            _counted("no page since start", "outcome", +self._without_page),
            _counted("dead letters since start", "reason", self._reasons),
        )
        self._live.transient = False
        self._live.update(Group(*tables), refresh=True)

    def _flow(self, look: Look, speed: Rates) -> Table:
        table = _table("topic", "records per second", "records in total")
        for topic, end in look.ends.items():
            table.add_row(topic, f"{speed.published[topic]:,.1f}", f"{end:,}")
        table.add_row(f"done by {self._group}", f"{speed.done:,.1f}", f"{look.committed:,}")
        return table


def _lag(look: Look) -> Table:
    total = sum(look.lag.values())
    table = _table("pages that wait", "partition", "")
    if not total:
        table.add_row("none", "", "")
        return table
    table.add_row(f"{total:,}", "all", "")
    waiting = [each for each in look.lag.items() if each[1]]
    for number, lag in sorted(waiting, key=lambda each: -each[1])[:SHOWN_PARTITIONS]:
        table.add_row(f"{lag:,}", str(number), "#" * round(30 * lag / total))
    return table


def _counted(heading: str, label: str, counts: Counter[str]) -> Table:
    table = _table(heading, label, "")
    if not counts:
        table.add_row("none", "", "")
    for name, number in counts.most_common():
        table.add_row(f"{number:,}", name, "")
    return table


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        side: JustifyMethod = "left" if heading in WORDS else "right"
        table.add_column(heading, no_wrap=True, justify=side)
    return table
