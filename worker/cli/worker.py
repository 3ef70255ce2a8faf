"""`winnow worker`: the service."""

import asyncio
import os
import sys
from dataclasses import replace

import click

from winnow.models.errors import ModelError, OptionsError
from winnow.worker.cleaning import build_cleaner
from winnow.worker.cli.failure import CannotStart
from winnow.worker.logs import Log, configure_logging
from winnow.worker.service.preflight import PreflightError, check_brokers, check_topics
from winnow.worker.service.process import supervise
from winnow.worker.settings import Settings, SettingsError, variable_of
from winnow.worker.settings_help import help_lines, redacted


class WorkerCommand(click.Command):
    """A command whose help ends with the table of settings."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the name, meaning and default of every setting."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Settings (environment variables)"):
            formatter.write_dl(
                [
                    (
                        line.variable,
                        f"{line.meaning} [{line.default}]" if line.default else line.meaning,
                    )
                    for line in help_lines()
                ]
            )


@click.command("worker", cls=WorkerCommand)
@click.option("-n", "--processes", type=click.IntRange(1, 256), help="WINNOW_PROCESSES instead.")
@click.option("--show-settings", is_flag=True, help="Print the settings in use and exit.")
def command(processes: int | None, *, show_settings: bool) -> None:
    """Run the service: N processes that clean a Kafka topic.

    SIGTERM or Ctrl-C stops it after pages in flight are cleaned, stored and committed.
    """
    if processes:  # in the environment, where the processes read it too
        os.environ[variable_of("processes")] = str(processes)
    try:
        settings = Settings.from_env(
            os.environ, required=() if show_settings else ("kafka_bootstrap",)
        )
        if show_settings:
            _show(settings)
            return
        # report a problem once, not in each process
        build_cleaner(settings)
        answers = asyncio.run(check_brokers(settings.connection(), settings.topics().given()))
        answering = replace(settings.connection(), bootstrap=answers.answering)
        unknown = check_topics(answering, settings.topics())
    except (SettingsError, ModelError, OptionsError, PreflightError) as error:
        raise CannotStart(str(error)) from None
    configure_logging(settings.log_level, settings.log_format)
    for silent in answers.complaints():
        Log().warning("broker_silent", error=silent)
    # processes start with the brokers that answer, and learn the others from them
    os.environ[variable_of("kafka_bootstrap")] = ",".join(answers.answering)
    if unknown:
        Log().warning("topics_unchecked", error=unknown)
    sys.exit(supervise(settings))


def _show(settings: Settings) -> None:
    for name, value in redacted(settings).items():
        click.echo(f"{name}={value}")
