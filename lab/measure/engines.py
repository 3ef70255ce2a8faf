"""Engines that an evaluation runs in this process, with one small interface."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from winnow.models.cleaner import Cleaner
from winnow.models.document import Page
from winnow.models.engines.choice import ENGINES as CLEANER_ENGINES
from winnow.models.errors import OptionsError
from winnow.models.ngram import LanguageModels
from winnow.models.options import CleanerOptions
from winnow.models.page import decode, tree_of

# elements without visible text; the baseline keeps everything else
_NO_TEXT: Final = ("head", "script", "style")


class TextEngine(Protocol):
    """An engine in an evaluation."""

    def clean_text(self, page: Page) -> str:
        """Return the text worth keeping.

        Raises:
            InvalidPage: the page cannot be cleaned.
        """
        ...


class KeepEverything:
    """The baseline: all text of the body except scripts and styles. No engine may be worse."""

    def clean_text(self, page: Page) -> str:
        """Return the text of the body, one line per text node.

        Raises:
            InvalidPage: the page is refused because of its charset, format or size.
        """
        source = decode(page)
        if source.form == "text":
            return source.markup.decode()
        return "\n".join(_texts(tree_of(source.markup.decode()).rows()))


def _texts(rows: Iterable[tuple[int, str, str]]) -> Iterator[str]:
    """Yield the texts of a tree, except in elements without visible text."""
    left_out = sys.maxsize  # the depth of such an element
    for depth, name, text in rows:
        if depth > left_out:
            continue
        left_out = depth if name in _NO_TEXT else sys.maxsize
        if name == "-text":
            yield text


class CleanerEngine:
    """An engine of `winnow.models.engines` inside the cleaner that every command uses."""

    def __init__(self, name: str, options: Mapping[str, str]) -> None:
        """Open the model: the file in the option `model`, or the shipped one.

        Raises:
            ModelError: the model file cannot be used.
            OptionsError: an option is unknown, or a value is invalid.
        """
        values = {"engine": name, **{k: v for k, v in options.items() if k != "model"}}
        models = (
            LanguageModels.open(Path(options["model"]))
            if "model" in options
            else LanguageModels.shipped()
        )
        models.read_ahead()
        self._cleaner = Cleaner(CleanerOptions().with_values(values), models)

    def clean_text(self, page: Page) -> str:
        """Return the text of the cleaned document."""
        return self._cleaner.clean(page).text


def _keep_everything(options: Mapping[str, str]) -> TextEngine:
    if options:
        raise OptionsError(f"the baseline has no option {min(options)!r}")
    return KeepEverything()


# the default engine first, the baseline last: differences are from the first
_NAMES: Final = sorted(CLEANER_ENGINES, key=lambda name: name != CleanerOptions().engine)
ENGINES: Final[dict[str, Callable[[Mapping[str, str]], TextEngine]]] = {
    **{name: partial(CleanerEngine, name) for name in _NAMES},
    "everything": _keep_everything,
}


def build_engine(text: str) -> TextEngine:
    """Return a new engine from `NAME` or `NAME:OPTION=VALUE,...`.

    Raises:
        ModelError: a model file cannot be used.
        OptionsError: the engine or an option is unknown, or a value is invalid.
    """
    name, _, options = text.partition(":")
    if name not in ENGINES:
        raise OptionsError(f"unknown engine {name!r}: must be one of {', '.join(ENGINES)}")
    pairs = [option.partition("=") for option in options.split(",") if option]
    for option, equals, _ in pairs:
        if not equals:
            raise OptionsError(f"{text!r}: {option!r} is not OPTION=VALUE")
    return ENGINES[name]({option: value for option, _, value in pairs})
