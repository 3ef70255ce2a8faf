"""Serve a web page until Ctrl-C."""

import asyncio
import signal
from contextlib import AbstractAsyncContextManager

import click

from winnow.worker.cli.failure import CannotStart
from winnow.worker.web.server import AddressInUseError

LOOPBACK = "127.0.0.1"


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
