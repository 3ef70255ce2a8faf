"""A page of an archive is looked up in the browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.archives import PROSE, a_record, gzipped
from tests.web.serving import inspecting


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """An inspector that was given an archive of two pages."""
    archive = tmp_path / "crawl.warc.gz"
    bodies = (b"<title>First</title><p>" + PROSE.encode(), b"<title>Second</title><p>Two.")
    archive.write_bytes(gzipped(a_record(number, body) for number, body in enumerate(bodies)))
    with inspecting("--archive", str(archive)) as server:
        yield server.origin


def test_pages_of_an_archive_are_found_one_after_the_other(
    context: BrowserContext, address: str
) -> None:
    page = context.new_page()
    page.goto(address)
    page.get_by_text("Look a page up", exact=True).click()

    page.get_by_role("button", name="Find").click()
    expect(page.locator("h1")).to_have_text("First")
    expect(page.locator("#found")).to_contain_text("https://a.invalid/0")
    expect(page.locator(".block.kept .text")).to_have_text([PROSE])
    page.get_by_role("button", name="Next page").click()
    expect(page.locator("h1")).to_have_text("Second")
    page.locator("#lookup-place").fill("not a number")
    page.locator("#lookup-place").press("Enter")
    expect(page.locator("#status")).to_have_text("A place must be two numbers, such as 0/17")


def test_without_a_source_there_is_nothing_to_look_up(context: BrowserContext, origin: str) -> None:
    page = context.new_page()
    page.goto(origin)
    page.wait_for_selector(".block")

    expect(page.locator("#lookup")).to_be_hidden()
