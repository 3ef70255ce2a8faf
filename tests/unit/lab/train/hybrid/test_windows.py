"""Windows of pages in batches of one shape."""

import numpy as np

from winnow.lab.train.hybrid.windows import SIDE, WINDOWS, Batch, batches_of, windows_of
from winnow.models._kernel.lab import HYBRID_WINDOW


def windows(seed: int, count: int = 300) -> list[tuple[int, int]]:
    lengths = np.random.default_rng(seed).integers(1, 400, count)
    ends = np.cumsum(lengths)
    return [(int(end - length), int(end)) for end, length in zip(ends, lengths, strict=True)]


def test_long_pages_are_cut_into_equal_windows() -> None:
    offsets = np.array([0, 10, 10 + 2 * HYBRID_WINDOW + 1, 4 * HYBRID_WINDOW])

    assert windows_of(offsets, np.array([0, 1])) == [
        (0, 10),
        (10, 10 + 469),
        (10 + 469, 10 + 939),
        (10 + 939, 10 + 1409),
    ]


def test_every_block_is_in_one_batch_in_any_order() -> None:
    of_pages = windows(1)

    for random in (None, np.random.default_rng(2)):
        batches = batches_of(of_pages, random)
        blocks = np.concatenate([batch.blocks[batch.is_block] for batch in batches])

        assert sorted(blocks) == list(range(of_pages[-1][1]))
        assert sum(batch.count for batch in batches) == len(of_pages)
        assert {batch.blocks.shape for batch in batches} == {(HYBRID_WINDOW, SIDE)}


def test_rows_are_nearly_full() -> None:
    filled = [batch.is_block.mean() for batch in batches_of(windows(3), np.random.default_rng(4))]

    assert np.median(filled) > 0.9


def test_tiny_windows_leave_room_rather_than_outnumber_a_batch() -> None:
    tiny = [(place, place + 1) for place in range(2 * WINDOWS)]

    assert [batch.count for batch in batches_of(tiny, None)] == [WINDOWS, WINDOWS]


def test_a_batch_says_where_its_windows_begin_and_end() -> None:
    batch = Batch.of([[(5, 8), (20, 21)], [(8, 10)]])

    assert batch.blocks[:4, 0].tolist() == [5, 6, 7, 20]
    assert batch.window[:5, 0].tolist() == [0, 0, 0, 1, WINDOWS]
    assert batch.window[:3, 1].tolist() == [2, 2, WINDOWS]
    assert np.argwhere(batch.first).tolist() == [[0, 0], [0, 1], [3, 0]]
    assert np.argwhere(batch.last).tolist() == [[1, 1], [2, 0], [3, 0]]
    values = batch.padded(np.arange(30.0))
    assert values[:4, 0].tolist() == [5, 6, 7, 20]
    assert values[4:].sum() == 0
