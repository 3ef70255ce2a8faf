"""Options, model file and settings -> the cleaner that pages go through."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import orjson

from winnow.models.cleaner import Cleaner
from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage, OptionsError
from winnow.models.ngram import LanguageModels
from winnow.models.options import CleanerOptions
from winnow.streams.isolation import PageCleaner

if TYPE_CHECKING:  # slow to import, and processes that clean archives do not need it
    from winnow.worker.settings import Settings

# A stream has many pages per host: a block seen on two other pages counts as boilerplate.
STREAM_DEFAULTS: Final = CleanerOptions(seen=2)
SITE_KEY_BYTES: Final = 32
# Dragging a threshold makes a cleaner per step; they share the expensive parts.
_MOST_CLEANERS: Final = 32


def open_cleaner(options: CleanerOptions, model: Path | None) -> Cleaner:
    """Map the model, bring it into memory, and return a cleaner that measures CPU by stage.

    Args:
        options: how to clean pages.
        model: a model file or a folder of them; None for all shipped models.

    Raises:
        ModelError: the model file cannot be used.
        OptionsError: engine or options are wrong.
    """
    models = LanguageModels.open(model) if model else LanguageModels.shipped()
    models.read_ahead()
    key = secrets.token_bytes(SITE_KEY_BYTES)
    return Cleaner(options, models, timed=True, site_key=key)


def build_cleaner(settings: "Settings", defaults: CleanerOptions = STREAM_DEFAULTS) -> PageCleaner:
    """Return the cleaner for these settings.

    Args:
        settings: model, engine, options file and threads.
        defaults: used where neither the settings nor their options file give a value.

    Raises:
        ModelError: the model file cannot be used.
        OptionsError: engine or options are wrong.
    """
    cleaner = open_cleaner(options_of(settings, defaults), settings.model)
    return cleaner if settings.threads == 1 else ThreadedCleaner(cleaner, settings.threads)


def options_of(settings: "Settings", defaults: CleanerOptions) -> CleanerOptions:
    """Return the options of the settings, and the defaults for the rest.

    Raises:
        OptionsError: the JSON, its file or a value in it cannot be used.
    """
    values = options_in(settings.options) if settings.options else {}
    if settings.engine:
        values["engine"] = settings.engine
    return defaults.with_values(values)


def options_in(source: Path | str) -> dict[str, object]:
    """Return the options in JSON text or in a JSON file, as `winnow calibrate` writes it.

    Raises:
        OptionsError: the file cannot be read, or does not hold a JSON object.
    """
    name = str(source) if isinstance(source, Path) else "options"
    try:
        values = orjson.loads(source.read_bytes() if isinstance(source, Path) else source)
    except OSError as error:
        raise OptionsError(f"{name}: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise OptionsError(f"{name}: not JSON: {error}") from error
    if not isinstance(values, dict):
        raise OptionsError(f"{name}: must be one JSON object")
    return values


class Cleaners:
    """Cleaners by their options; the latest are kept. Thread-safe."""

    def __init__(self, models: LanguageModels) -> None:
        """Build no cleaner yet; the models judge the sentences."""
        self._models: Final = models
        self._made: Final[OrderedDict[CleanerOptions, Cleaner]] = OrderedDict()
        self._lock: Final = threading.Lock()

    def of(self, options: CleanerOptions) -> Cleaner:
        """Return the cleaner of these options.

        Raises:
            ModelError: a model cannot be used.
            OptionsError: the options contradict each other.
        """
        with self._lock:
            if options in self._made:
                self._made.move_to_end(options)
                return self._made[options]
        cleaner = Cleaner(options, self._models, timed=True)
        with self._lock:
            self._made[options] = cleaner
            while len(self._made) > _MOST_CLEANERS:
                self._made.popitem(last=False)
        return cleaner


class ThreadedCleaner:
    """Cleans the parts of a batch in its own threads; nine tenths of the work release the GIL."""

    def __init__(self, cleaner: Cleaner, threads: int) -> None:
        """Create the pool; its threads start with the first batch."""
        self._cleaner = cleaner
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="kernel")

    @property
    def fingerprint(self) -> str:
        """The cleaner's fingerprint: threads do not change documents."""
        return self._cleaner.fingerprint

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        """Return one result per page, in order."""
        size = -(-len(pages) // self._threads) or 1
        parts = [pages[start : start + size] for start in range(0, len(pages), size)]
        return list(chain.from_iterable(self._pool.map(self._cleaner.clean_batch, parts)))
