"""`winnow worker`: the service."""

import click


@click.command("worker")
def command() -> None:
    """Run worker processes against the configured Kafka and Redis."""
