"""Clean web pages from Python: the door for programs.

    >>> import winnow
    >>> page = "<title>Bees</title><p>The bees find more flowers in the city.</p>"
    >>> winnow.clean(page, url="https://bees.invalid/").text
    'The bees find more flowers in the city.'

For many pages keep a `Cleaner`, which holds the models, and give it pages in batches:

    >>> cleaner = winnow.Cleaner(winnow.CleanerOptions(format="markdown"))
    >>> body = b"<blockquote>The bees find twelve kinds of flowers.</blockquote>"
    >>> pages = [winnow.Page("https://bees.invalid/", body), winnow.Page("", b"%PDF-1.7")]
    >>> for result in cleaner.clean_batch(pages):
    ...     print(result.reason if isinstance(result, winnow.InvalidPage) else result.text)
    > The bees find twelve kinds of flowers.
    not_html

Nothing here opens a connection. What Winnow raises on purpose is a `WinnowError`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winnow.extraction import extract
    from winnow.models import (
        Block,
        BlockKind,
        Chunk,
        Cleaner,
        CleanerOptions,
        Convention,
        Document,
        DocumentFilter,
        InvalidPage,
        LanguageModels,
        Limits,
        ModelError,
        NgramModel,
        OptionsError,
        Page,
        PageStats,
        Reason,
        Sentence,
        TextFormat,
        Training,
        Verdict,
        WinnowError,
    )
    from winnow.once import clean

    __version__: str

__all__ = [
    "Block",
    "BlockKind",
    "Chunk",
    "Cleaner",
    "CleanerOptions",
    "Convention",
    "Document",
    "DocumentFilter",
    "InvalidPage",
    "LanguageModels",
    "Limits",
    "ModelError",
    "NgramModel",
    "OptionsError",
    "Page",
    "PageStats",
    "Reason",
    "Sentence",
    "TextFormat",
    "Training",
    "Verdict",
    "WinnowError",
    "clean",
    "extract",
]

_FUNCTIONS = {"clean": "winnow.once", "extract": "winnow.extraction"}

if not TYPE_CHECKING:  # a type checker still finds a name that is not there

    def __getattr__(name: str) -> object:
        """Import a public name on first use: every command imports this package."""
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415 - slow to import

            return version("winnow-web")
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = import_module(_FUNCTIONS.get(name, "winnow.models"))
        value: object = getattr(home, name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return [*globals(), *__all__, "__version__"]
