"""A page with the blocks that are kept of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from winnow.models.explanation import ExplainedBlock, Explanation

# fewest words of a text
LEAST_WORDS: Final = 12
# share of a table, or of code, that the gold text must hold
IN_GOLD: Final = 0.8
# share of the characters inside links from which a text is a link
LINKED: Final = 0.8


@dataclass(frozen=True, slots=True)
class Choice:
    """A page, which of its blocks are kept, and what its gold text holds.

    Attributes:
        twice: runs of words that the gold text holds more than once.
        gold: words of the gold text, separated by blanks; empty if there is none.
    """

    explanation: Explanation
    kept: tuple[bool, ...]
    twice: frozenset[tuple[str, ...]] = frozenset()
    gold: str = ""

    def blocks(self, first: int, end: int) -> Iterator[ExplainedBlock]:
        """Yield the blocks of a stretch that have words."""
        return (each for each in self.explanation.blocks[first:end] if each.sentences)

    def states(self, first: int, end: int) -> set[bool]:
        """Return whether blocks with words of a stretch are kept: both, one or neither value."""
        return {self.kept[each.block.order] for each in self.blocks(first, end)}

    def texts(self, first: int = 0, end: int | None = None) -> Iterator[ExplainedBlock]:
        """Yield the blocks with words that are kept."""
        blocks = self.explanation.blocks[first:end]
        return (each for each in blocks if self.kept[each.block.order] and each.sentences)


def linked_share(blocks: Iterable[ExplainedBlock]) -> float:
    """Return the share of the characters of blocks inside links."""
    sizes = [(each.block.link_chars, len(each.block.text)) for each in blocks]
    return sum(linked for linked, _ in sizes) / max(sum(size for _, size in sizes), 1)
