"""Serve a web page until Ctrl-C."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import ParamSpec, TypeVar

import click

from winnow.worker.cli.failure import CannotStart
from winnow.worker.web.server import AddressInUseError

LOOPBACK = "127.0.0.1"

P = ParamSpec("P")
R = TypeVar("R")


def listening_options(default_port: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that adds --host and --port to a command."""
    host = click.option("--host", default=LOOPBACK, show_default=True, help="Address to listen on.")
    port = click.option(
        "--port",
        type=click.IntRange(0, 0xFFFF),
        default=default_port,
        show_default=True,
        help="Port to listen on; 0: any free port.",
    )
    return lambda command: host(port(command))


def serve_until_stopped(name: str, host: str, served: AbstractAsyncContextManager[int]) -> None:
    """Serve until SIGINT or SIGTERM; prints the address to standard error.

    Args:
        name: name of the command.
        host: host that it listens on.
        served: serves while it is open; yields the port.

    Raises:
        CannotStart: host or port cannot be bound.
    """
    try:
        asyncio.run(_serve(name, host, served))
    except AddressInUseError as error:
        raise CannotStart(f"{error}: run `winnow {name}` with another --port") from error


async def _serve(name: str, host: str, served: AbstractAsyncContextManager[int]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with served as bound:
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"winnow {name}: http://{shown}:{bound}/ (stop it with Ctrl-C)", err=True)
        await stop.wait()
