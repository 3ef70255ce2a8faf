"""The native kernel (`models/kernel`, Rust): the manual of its Python side."""

from collections.abc import Sequence
from typing import final

__all__ = [
    "KERNEL_VERSION",
    "Blocks",
    "Sentences",
    "align_characters",
    "char_edit_distance",
    "edit_distance",
    "lcs_length",
    "lcs_pairs",
]

KERNEL_VERSION: str

@final
class Blocks:
    """The blocks of one page, in document order."""

    def __len__(self) -> int: ...

@final
class Sentences:
    """The scored sentences of one page, in the order of its blocks."""

    def __len__(self) -> int: ...

def lcs_length(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the length of the longest common subsequence of two sequences of symbols.

    Symbols are 32-bit numbers. Releases the GIL. Takes len x len / 64 steps.

    Raises:
        ValueError: the product of the lengths exceeds 2**40.
    """

def lcs_pairs(left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
    """Return one longest common subsequence as increasing pairs of positions (left, right).

    Keeps at most 64 MB of rows. Errors as for `lcs_length`.
    """

def edit_distance(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the Levenshtein distance: insertions, deletions, substitutions, each 1.

    Errors as for `lcs_length`.
    """

def char_edit_distance(left: str, right: str) -> int:
    """Return the Levenshtein distance of two texts in code points; errors as for `lcs_length`."""

def align_characters(source: str, cleaned: str, /) -> bytes:
    """Return, for each character of `source`, where it stands in `cleaned`.

    Little-endian int32, -1 for a character of `source` alone. Positions grow from left to right.
    The GIL is released.

    Raises:
        ValueError: the texts are long and have too little in common.
    """
