"""A rate of pages, and how large batches are under it."""

from collections.abc import Sequence

import pytest

from tests.clocks import ManualClock
from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage, Reason
from winnow.worker.service.paced import PacedCleaner
from winnow.worker.service.recleaning import batch_pages
from winnow.worker.settings import Settings

PAGES = [Page("https://example.org/", b"<p>Bees.")] * 10


class Takes:
    """Cleans a batch in some seconds."""

    fingerprint = "f"

    def __init__(self, clock: ManualClock, seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds

    def clean_batch(self, pages: Sequence[Page]) -> list[Document | InvalidPage]:
        self._clock.advance(self._seconds)
        return [InvalidPage(Reason.EMPTY)] * len(pages)


@pytest.mark.parametrize(("work_s", "expected_s"), [(0.5, 10.0), (5.0, 10.0), (8.0, 16.0)])
def test_ten_pages_at_two_a_second_take_five_seconds_or_as_long_as_they_take(
    work_s: float, expected_s: float
) -> None:
    clock = ManualClock()
    begun = clock()
    cleaner = PacedCleaner(Takes(clock, work_s), 2.0, clock, clock.advance)

    for _ in range(2):
        assert len(cleaner.clean_batch(PAGES)) == 10

    assert clock() - begun == expected_s


@pytest.mark.parametrize(("rate", "expected"), [(0.0, 128), (0.05, 1), (2.0, 20), (500.0, 128)])
def test_a_batch_never_waits_longer_than_ten_seconds(rate: float, expected: int) -> None:
    assert batch_pages(Settings(), rate) == expected
