"""Pack windows of pages into batches of one shape, so that the network is compiled once."""

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

# rows of HYBRID_WINDOW blocks in a batch
SIDE: Final = 6
# maximum windows in a row
_PER_ROW: Final = 12
WINDOWS: Final = SIDE * _PER_ROW

Window = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Batch:
    """Windows one after another in rows, with padding after the last window of each row.

    All arrays are (HYBRID_WINDOW, SIDE): a step of the recurrent units is contiguous in memory.

    Attributes:
        blocks: rows of the corpus; zero for padding.
        is_block: false for padding.
        first: first blocks of windows.
        last: last blocks of windows.
        window: number of the window; WINDOWS for padding.
        count: number of windows.
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
        """Return the values of the blocks; zero for padding."""
        is_block = self.is_block.reshape(*self.is_block.shape, *[1] * (values.ndim - 1))
        return np.where(is_block, values[self.blocks], np.zeros((), values.dtype))

    def per_window(self, values: Floats) -> Floats:
        """Return for every block the value of its window in `values`, (WINDOWS, ...)."""
        return values[np.minimum(self.window, WINDOWS - 1)]


def windows_of(offsets: Rows, pages: Rows) -> list[Window]:
    """Return the windows of these pages, in order."""
    windows: list[Window] = []
    for page in pages:
        low, high = int(offsets[page]), int(offsets[page + 1])
        parts = -(-(high - low) // HYBRID_WINDOW)
        windows += pairwise(low + (high - low) * part // parts for part in range(parts + 1))
    return windows


def batches_of(windows: Sequence[Window], random: np.random.Generator | None) -> list[Batch]:
    """Return all windows in batches: each goes to the first row with enough room.

    With a generator, the windows are shuffled before, and the batches after: the last rows have
    the remaining windows.
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
