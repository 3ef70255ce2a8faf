"""Windows of pages packed into batches of one shape, so that the network is compiled once."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.lab.train.hybrid.weights import Floats
from winnow.models._kernel.lab import HYBRID_WINDOW

Choice = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]
Values = npt.NDArray[Any]

# rows of HYBRID_WINDOW blocks that a batch has side by side
SIDE: Final = 6
# and windows in one row at most
_PER_ROW: Final = 12
WINDOWS: Final = SIDE * _PER_ROW

Window = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Batch:
    """Windows one after the other in rows, with padding behind the last of each row.

    All arrays are (HYBRID_WINDOW, SIDE): a step of the recurrent units is one piece of memory.

    Attributes:
        blocks: rows of the corpus, zero where there is padding.
        is_block: what is no padding.
        first: blocks that begin a window.
        last: blocks that end one.
        window: number of the window, WINDOWS where there is padding.
        count: windows.
    """

    blocks: Rows
    is_block: Choice
    first: Choice
    last: Choice
    window: Rows
    count: int

    @classmethod
    def of(cls, rows: Sequence[Sequence[Window]]) -> "Batch":
        """Return the batch of at most SIDE rows of windows."""
        shape = HYBRID_WINDOW, SIDE
        blocks, window = np.zeros(shape, np.intp), np.full(shape, WINDOWS)
        first, last = np.zeros(shape, bool), np.zeros(shape, bool)
        count = 0
        for column, windows in enumerate(rows):
            start = 0
            for low, high in windows:
                end = start + high - low
                blocks[start:end, column] = np.arange(low, high)
                window[start:end, column] = count
                first[start, column] = last[end - 1, column] = True
                start, count = end, count + 1
        return cls(blocks, window < WINDOWS, first, last, window, count)

    def padded(self, values: Values) -> Values:
        """Return the values of the blocks, zero where there is padding."""
        is_block = self.is_block.reshape(*self.is_block.shape, *[1] * (values.ndim - 1))
        return np.where(is_block, values[self.blocks], np.zeros((), values.dtype))

    def per_window(self, values: Floats) -> Floats:
        """Return for every block what stands for its window in `values`, (WINDOWS, ...)."""
        return values[np.minimum(self.window, WINDOWS - 1)]


def windows_of(offsets: Rows, pages: Rows) -> list[Window]:
    """Return the windows of these pages, in their order."""
    windows: list[Window] = []
    for page in pages:
        low, high = int(offsets[page]), int(offsets[page + 1])
        parts = -(-(high - low) // HYBRID_WINDOW)
        windows += pairwise(low + (high - low) * part // parts for part in range(parts + 1))
    return windows


def batches_of(windows: Sequence[Window], random: np.random.Generator | None) -> list[Batch]:
    """Return all windows in batches: each in the first row that has room for it.

    A generator shuffles them before, and the batches after: the last rows hold what was left over.
    """
    order = random.permutation(len(windows)) if random else range(len(windows))
    rows: list[list[Window]] = []
    room = np.zeros(len(windows), np.intp)
    for place in order:
        low, high = windows[place]
        room[len(rows)] = HYBRID_WINDOW
        row = int(np.argmax(room[: len(rows) + 1] >= high - low))
        if row == len(rows):
            rows.append([])
        rows[row].append((low, high))
        room[row] = 0 if len(rows[row]) == _PER_ROW else room[row] - (high - low)
    batches = [Batch.of(rows[first : first + SIDE]) for first in range(0, len(rows), SIDE)]
    if random:
        return [batches[place] for place in random.permutation(len(batches))]
    return batches
