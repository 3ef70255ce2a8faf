"""The native kernel (`models/kernel`, Rust): the manual of its Python side."""

from typing import final

__all__ = ["KERNEL_VERSION", "Blocks", "Sentences", "align_characters"]

KERNEL_VERSION: str

@final
class Blocks:
    """The blocks of one page, in document order."""

    def __len__(self) -> int: ...

@final
class Sentences:
    """The scored sentences of one page, in the order of its blocks."""

    def __len__(self) -> int: ...

def align_characters(source: str, cleaned: str, /) -> bytes:
    """Return, for each character of `source`, where it stands in `cleaned`.

    Little-endian int32, -1 for a character of `source` alone. Positions grow from left to right.
    The GIL is released.

    Raises:
        ValueError: the texts are long and have too little in common.
    """
