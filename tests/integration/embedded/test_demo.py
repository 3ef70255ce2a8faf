"""A demo accounts for each of its pages, with any status."""

import pytest

from winnow.models.document import Page
from winnow.worker.cleaning import build_cleaner
from winnow.worker.demo.answers import Answer
from winnow.worker.demo.run import Demo, DemoPage
from winnow.worker.settings import Settings

pytestmark = [pytest.mark.integration, pytest.mark.timeout(90)]

PROSE = b"<p>The miller keeps the grain and lets the wind take the chaff, as millers have done."


def given(number: int, status: int | None) -> DemoPage:
    page = Page(f"https://example.org/{number}", PROSE, fetched_at="2026-11-24T08:00:00Z")
    return DemoPage(page, len(PROSE), status)


async def test_a_demo_reports_deleted_and_skipped_pages_in_order() -> None:
    statuses = [503, 200, 404, None, 999, 301, 410]
    answers = list[Answer]()
    demo = Demo(Settings(), build_cleaner(Settings()))

    summary = await demo.run(
        [given(number, status) for number, status in enumerate(statuses)], answers.append
    )

    assert [answer.url for answer in answers] == [
        f"https://example.org/{number}" for number in range(len(statuses))
    ]
    assert [(each.is_deleted, each.is_skipped, each.dead is not None) for each in answers] == [
        (False, True, False),
        (False, False, False),
        (True, False, False),
        (False, False, False),
        (False, False, True),
        (False, True, False),
        (True, False, False),
    ]
    counts = (summary.documents, summary.deleted, summary.skipped, summary.dead)
    assert (summary.pages, counts) == (7, (2, 2, 2, 1))
