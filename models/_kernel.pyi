"""The native kernel (`models/kernel`, Rust): the manual of its Python side."""

from typing import final

__all__ = ["KERNEL_VERSION", "Blocks", "Sentences"]

KERNEL_VERSION: str

@final
class Blocks:
    """The blocks of one page, in document order."""

    def __len__(self) -> int: ...

@final
class Sentences:
    """The scored sentences of one page, in the order of its blocks."""

    def __len__(self) -> int: ...
