"""The inspector beside the processes of a worker: `python -m worker.inspecting PARENT`.

A process of its own: what is asked of it takes neither the interpreter's lock nor memory from the
stream, and its end ends nothing else.
"""

import asyncio
import os
import signal
import sys
import time
from typing import Final

from models.errors import ModelError, OptionsError
from models.ngram import LanguageModels
from worker.cleaning import STREAM_DEFAULTS, build_cleaner, options_of
from worker.logs import Log, configure_logging
from worker.parent import end_with_parent
from worker.settings import Settings, SettingsError
from worker.web.inspector.lookups import open_lookups
from worker.web.inspector.recent import open_recent
from worker.web.inspector.server import serve_inspector
from worker.web.inspector.work import Inspector
from worker.web.server import AddressInUseError

UNUSABLE: Final = 2


def open_inspector(settings: Settings) -> Inspector:
    """Return what explains pages as the worker cleans them, and looks into its topics and cache.

    Raises:
        ModelError: a model cannot be used.
        OptionsError: options cannot be used.
    """
    # a memory of sites would let one request change another
    options = options_of(settings, STREAM_DEFAULTS).with_values({"seen": 0, "spans": False})
    models = LanguageModels.open(settings.model) if settings.model else LanguageModels.shipped()
    kinds = frozenset({"topics", "cache"} if settings.redis_url else {"topics"})
    fingerprint = build_cleaner(settings).fingerprint if settings.redis_url else ""
    lookups = open_lookups(settings, fingerprint, kinds, ())
    return Inspector(options, models, time.thread_time_ns, lookups, open_recent(settings))


async def _serve(inspector: Inspector, host: str, port: int) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    async with serve_inspector(host, port, inspector):
        await stop.wait()


def main(parent: int) -> int:
    """Serve until SIGTERM, or until the parent is gone; returns the exit code."""
    end_with_parent(parent)
    try:
        settings = Settings.from_env(os.environ)
        configure_logging(settings.log_level, settings.log_format)
        asyncio.run(_serve(open_inspector(settings), settings.inspect_host, settings.inspect_port))
    except (SettingsError, ModelError, OptionsError, AddressInUseError) as error:
        return _unusable(str(error))
    return 0


def _unusable(why: str) -> int:
    Log().error("inspector_ended", error=why)
    return UNUSABLE


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
