"""The inspector next to a worker: `python -m winnow.worker.inspector.companion PARENT`.

It is a separate process: its requests do not use the interpreter lock or the memory of the stream,
and the worker does not end with it.
"""

import asyncio
import os
import signal
import sys
from typing import Final

from winnow.models.errors import OptionsError
from winnow.worker.cleaning import STREAM_DEFAULTS, options_of
from winnow.worker.inspector.parts import InspectorParts
from winnow.worker.inspector.server import serve_inspector
from winnow.worker.logs import Log, configure_logging
from winnow.worker.parent import end_with_parent
from winnow.worker.settings import Settings, SettingsError
from winnow.worker.web.processes import CannotServe
from winnow.worker.web.server import AddressInUseError

UNUSABLE: Final = 2


def parts_of(settings: Settings) -> InspectorParts:
    """Return an inspector with the worker's options, topics and cache.

    Raises:
        OptionsError: options cannot be used.
    """
    # a memory of sites would let one request change another
    options = options_of(settings, STREAM_DEFAULTS).with_values({"seen": 0, "spans": False})
    kinds = frozenset({"topics", "cache"} if settings.redis_url else {"topics"})
    return InspectorParts(options, settings.model, settings, kinds)


async def _serve(parts: InspectorParts, host: str, port: int) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    async with serve_inspector(host, port, parts):
        await stop.wait()


def main(parent: int) -> int:
    """Serve until SIGTERM or the end of the parent; returns the exit code."""
    end_with_parent(parent)
    try:
        settings = Settings.from_env(os.environ)
        configure_logging(settings.log_level, settings.log_format)
        asyncio.run(_serve(parts_of(settings), settings.inspect_host, settings.inspect_port))
    except (SettingsError, OptionsError, CannotServe, AddressInUseError) as error:
        return _unusable(str(error))
    return 0


def _unusable(why: str) -> int:
    Log().error("inspector_ended", error=why)
    return UNUSABLE


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
