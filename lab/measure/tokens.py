"""Text to the tokens that the metrics count."""

import re
from collections.abc import Iterable
from typing import Final

# written without blanks between words: counted by characters, as Barbaresi and Lejeune (2020) do
CHARACTER_LANGUAGES: Final = frozenset({"zh"})

_WORD: Final = re.compile(r"\w+")


def tokens(text: str, language: str = "") -> list[str]:
    """Return the tokens of a text: between white space, or all its characters but white space.

    `language` is a BCP 47 primary subtag, empty when unknown; only `zh` goes by characters.
    """
    if language in CHARACTER_LANGUAGES:
        return [character for character in text if not character.isspace()]
    return text.split()


def lowered_words(text: str) -> list[str]:
    r"""Return the lower-cased `\w+` matches, the tokens of WCXB's own measure."""
    return _WORD.findall(text.lower())


def normalised(text: str) -> str:
    """Return the text with every run of white space made one blank, none at the ends."""
    return " ".join(text.split())


def symbols(*sequences: Iterable[str]) -> list[list[int]]:
    """Number the tokens of several sequences alike, so that the kernel can compare them."""
    numbers: dict[str, int] = {}
    return [[numbers.setdefault(token, len(numbers)) for token in s] for s in sequences]
