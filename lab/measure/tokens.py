"""Text -> tokens for the metrics."""

import re
from collections.abc import Iterable
from typing import Final

# written without blanks between words: counted by characters, as in Barbaresi and Lejeune (2020)
CHARACTER_LANGUAGES: Final = frozenset({"zh"})

_WORD: Final = re.compile(r"\w+")


def tokens(text: str, language: str = "") -> list[str]:
    """Return the tokens of a text, split at white space, or its characters without white space.

    `language` is a BCP 47 primary subtag, empty if unknown; only `zh` is split into characters.
    """
    if language in CHARACTER_LANGUAGES:
        return [character for character in text if not character.isspace()]
    return text.split()


def lowered_words(text: str) -> list[str]:
    r"""Return the lower-cased `\w+` matches, the tokens of WCXB's own measure."""
    return _WORD.findall(text.lower())


def normalised(text: str) -> str:
    """Return the text with each run of white space replaced by one blank, and trimmed."""
    return " ".join(text.split())


def symbols(*sequences: Iterable[str]) -> list[list[int]]:
    """Number the tokens of several sequences consistently, for comparison in the kernel."""
    numbers: dict[str, int] = {}
    return [[numbers.setdefault(token, len(numbers)) for token in s] for s in sequences]
