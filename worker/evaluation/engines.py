"""Engines that an evaluation runs in this process, behind one small interface."""

from collections.abc import Callable
from typing import Final, Protocol

from selectolax.lexbor import LexborHTMLParser

from models.document import Page

# elements whose text no reader sees; the baseline keeps everything else
_UNSEEN: Final = ("script", "style", "noscript", "template", "iframe")


class TextEngine(Protocol):
    """What an evaluation asks of an engine."""

    def clean_text(self, page: Page) -> str:
        """Return the text worth keeping.

        Raises:
            InvalidPage: the page cannot be cleaned.
        """
        ...


class KeepEverything:
    """The baseline: all text of the body but scripts and styles. No engine may be worse."""

    def clean_text(self, page: Page) -> str:
        """Return the visible text, as lexbor's tree holds it."""
        tree = LexborHTMLParser(page.body)
        tree.strip_tags(list(_UNSEEN))
        return tree.body.text(separator="\n") if tree.body else ""


ENGINES: Final[dict[str, Callable[[], TextEngine]]] = {"everything": KeepEverything}


def build_engine(name: str) -> TextEngine:
    """Return a new engine by its name in `ENGINES`."""
    return ENGINES[name]()
