"""`winnow reclean`: clean all pages again, after a change of model or options."""

import asyncio
import os
import sys
from dataclasses import replace
from typing import Any, Final

import click
import orjson

from winnow.models.errors import ModelError, OptionsError
from winnow.streams.operator.changes import Changes, DocumentChanges
from winnow.worker.cleaning import build_cleaner
from winnow.worker.cli.failure import CannotStart
from winnow.worker.cli.operating import failures
from winnow.worker.logs import LogLevel, configure_logging
from winnow.worker.service.preflight import PreflightError, check_brokers, check_topics
from winnow.worker.service.recleaning import Standing, batch_pages, reclean, standing
from winnow.worker.settings import Settings, SettingsError, variable_of

# between two progress lines
_REPORT_S: Final = 10.0


@click.command("reclean")
@click.option("-n", "--processes", type=click.IntRange(1, 256), help="WINNOW_PROCESSES instead.")
@click.option("--rate", type=click.FloatRange(0), default=0.0, help="Maximum pages per second.")
@click.option(
    "--group",
    help="Consumer group that holds the progress.  [default: WINNOW_GROUP.reclean. and the digest "
    "of version, model and options]",
)
@click.option(
    "--against",
    metavar="TOPIC",
    help="Documents to compare with.  [default: WINNOW_TOPIC_DOCUMENTS]",
)
@click.option(
    "--compare",
    "share",
    type=click.FloatRange(0, 1),
    default=0.01,
    show_default=True,
    metavar="SHARE",
    help="Share of the pages, by URL, whose documents are compared; 0: none.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the summary as JSON.")
def command(
    *, processes: int | None, rate: float, group: str | None, against: str | None, share: float,
    as_json: bool,
) -> None:  # fmt: skip
    """Clean all pages again, after a change of model or options.

    Workers with the settings of the environment read WINNOW_TOPIC_PAGES from its beginning, in
    their own consumer group, and end when they have passed all of it. They publish to
    WINNOW_TOPIC_DOCUMENTS and the other output topics; set these variables to use new topics.

    After a stop the same command continues. The summary has the number of pages, the rate, and
    how many documents changed, by field.
    """
    if processes:
        os.environ[variable_of("processes")] = str(processes)
    settings = _settings(group, rate)
    # the processes read the same
    for name in ("group", "batch_pages"):
        os.environ[variable_of(name)] = str(getattr(settings, name))
    os.environ[variable_of("log_level")] = settings.log_level.value
    os.environ.pop(variable_of("inspect_port"), None)
    os.environ.pop(variable_of("group_instance"), None)
    topics = (against or settings.topic_documents, settings.topic_documents)
    changes = DocumentChanges(settings.connection(), *topics, share)
    progress = _Progress()
    with failures():
        begun = standing(settings.connection(), settings.topic_pages, settings.group)
        if share:
            changes.remember()
        click.echo(f"winnow reclean: {begun.left} records, group {settings.group}", err=True)
        code = asyncio.run(reclean(settings, rate, progress.look)) if begun.left else 0
        ended = standing(settings.connection(), settings.topic_pages, settings.group)
        counted = changes.compare() if share else Changes()
    seconds = progress.seconds
    _show(_summary(ended, ended.done - begun.done, seconds, counted), as_json=as_json)
    sys.exit(code or (1 if ended.left else 0))


class _Progress:
    """Prints the progress of the workers at intervals."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._first: Standing | None = None
        self._reported_s = 0.0

    def look(self, now: Standing, seconds: float) -> None:
        self.seconds = seconds
        self._first = self._first or now
        if seconds - self._reported_s < _REPORT_S:
            return
        self._reported_s = seconds
        rate = (now.done - self._first.done) / seconds
        left = f"{now.left / rate:,.0f} s left" if rate else "none yet"
        line = f"{now.done:,} of {now.done + now.left:,} records, {rate:,.0f}/s, {left}"
        click.echo(f"winnow reclean: {line}", err=True)


def _settings(group: str | None, rate: float) -> Settings:
    """Return the checked settings of the workers.

    Raises:
        CannotStart: a setting is invalid.
    """
    try:
        settings = Settings.from_env(os.environ)
        cleaner = build_cleaner(settings)
        answers = asyncio.run(check_brokers(settings.connection(), settings.topics().given()))
        answering = replace(settings.connection(), bootstrap=answers.answering)
        check_topics(answering, settings.topics())
    except (SettingsError, ModelError, OptionsError, PreflightError) as error:
        raise CannotStart(str(error)) from None
    level = settings.log_level
    if variable_of("log_level") not in os.environ:  # no log line per page by default
        level = LogLevel.WARNING
    configure_logging(level, settings.log_format)
    return replace(
        settings,
        group=group or f"{settings.group}.reclean.{cleaner.fingerprint[:12]}",
        batch_pages=batch_pages(settings, rate / settings.processes),
        log_level=level,
        inspect_port=0,
        group_instance="",
    )


def _summary(ended: Standing, records: int, seconds: float, changes: Changes) -> dict[str, Any]:
    return {
        "records": records,
        "left": ended.left,
        "seconds": round(seconds, 1),
        "rate": round(records / seconds, 1) if seconds else 0.0,
        "compared": changes.compared,
        "same": changes.same,
        "added": changes.added,
        "gone": changes.gone,
        "changed": dict(changes.fields.most_common()),
    }


def _show(summary: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps(summary))
        return
    click.echo(
        f"{summary['records']:,} records in {summary['seconds']} s, {summary['rate']}/s; "
        f"{summary['left']:,} left"
    )
    compared = summary["compared"]
    click.echo(
        f"compared: {compared:,} documents, {summary['same']:,} of them the same; "
        f"{summary['added']:,} new, {summary['gone']:,} gone"
    )
    for name, count in summary["changed"].items():
        click.echo(f"  {name}: {count:,} changed ({count / compared:.0%})")
