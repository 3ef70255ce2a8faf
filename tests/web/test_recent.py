"""The page of the last documents, and the way from one of them to its verdicts."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.web.serving import WINNOW, inspecting
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page as WebPage
from winnow.models.options import CleanerOptions
from winnow.streams.kafka.connection import Connection
from winnow.streams.messages import document_value, stats_value
from winnow.streams.operator.publisher import Publisher
from winnow.streams.operator.topic_reader import TopicReader
from winnow.streams.records import Outgoing
from winnow.worker.batch.inputs import SAMPLES

SAMPLES_SHOWN = ("article.html", "forum.html", "shop.html")


def publish(connection: Connection, *records: Outgoing) -> None:
    problems: list[str] = []
    publisher = Publisher(connection)
    for record in records:
        publisher.send(record, problems.append)
    publisher.confirm()
    assert problems == []


@pytest.fixture(scope="module")
def address(kafka_bootstrap: str) -> Iterator[str]:
    """An inspector on topics with three documents and their pages."""
    name = f"recent-{os.getpid()}"
    topics = {kind: f"{name}.{kind}" for kind in ("pages", "documents", "stats", "dead")}
    settings = {f"WINNOW_TOPIC_{kind.upper()}": topic for kind, topic in topics.items()}
    environment = os.environ | settings | {"WINNOW_KAFKA_BOOTSTRAP": kafka_bootstrap}
    subprocess.run(
        [WINNOW, "topics", "create", "--partitions", "1"],
        env=environment, check=True, capture_output=True,
    )  # fmt: skip
    connection = Connection((kafka_bootstrap,))
    urls = {f"https://{each[:-5]}.example/": SAMPLES / each for each in SAMPLES_SHOWN}
    bodies = {url: path.read_bytes() for url, path in urls.items()}
    pages = (Outgoing(topics["pages"], url.encode(), body, ()) for url, body in bodies.items())
    publish(connection, *pages)
    cleaner = Cleaner(CleanerOptions())
    with TopicReader(connection, name) as reader:
        stored = list(reader.read(topics["pages"], reader.spans(topics["pages"])))
    for each in stored:
        url, source = (each.record.key or b"").decode(), each.record.source.encode()
        document = cleaner.clean(WebPage(url, bodies[url], ""))
        headers = (("source", source),)
        publish(
            connection,
            Outgoing(topics["documents"], url.encode(), document_value(document), headers),
            Outgoing(topics["stats"], url.encode(), stats_value(document), headers),
        )
    orphan = b'{"title": "Orphan", "text": "Its page is gone.", "confidence": 0.1, "tags": 7}'
    publish(connection, Outgoing(topics["documents"], b"https://orphan.example/", orphan, ()))
    with inspecting("--look-up", "topics", env=environment) as server:
        yield server.origin


@pytest.fixture
def recent(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    page.get_by_role("link", name="The last documents").click()
    expect(page.locator("#status")).to_have_text("4 documents")
    return page


def test_documents_are_listed_the_doubtful_first_and_chosen_by_host(recent: Page) -> None:
    shown = recent.locator("#documents tbody tr")
    expect(shown).to_have_count(4)
    confidences = [float(each) for each in shown.locator("td:first-child").all_inner_texts()]

    assert confidences == sorted(confidences)
    expect(recent.locator("#hosts tbody tr")).to_have_count(4)
    recent.get_by_role("button", name="forum.example").click()
    expect(shown).to_have_count(1)
    recent.locator("#filter").fill("nothing like it")
    expect(recent.locator("#documents")).to_have_text("No document matches.")


def test_a_title_leads_to_the_page_and_its_verdicts_and_so_does_a_link(
    recent: Page, context: BrowserContext
) -> None:
    recent.locator("#documents a", has_text="lighthouse").click()

    expect(recent.locator("h1")).to_contain_text("saved its lighthouse")
    expect(recent.locator(".block.dropped", has_text="We value your privacy")).to_have_count(1)
    expect(recent.locator("#found")).to_contain_text("https://article.example/")
    other = context.new_page()
    other.goto(recent.url)
    expect(other.locator("h1")).to_contain_text("saved its lighthouse")


def test_a_document_whose_page_is_gone_is_shown_as_it_was_published(recent: Page) -> None:
    recent.locator("#documents a", has_text="lighthouse").click()
    expect(recent.frame_locator("#view").locator("h1")).to_contain_text("lighthouse")

    recent.locator("#lookup-place").fill("0/3")
    recent.locator("#lookup-place").press("Enter")

    expect(recent.locator("h1")).to_have_text("Orphan")
    expect(recent.locator("#result")).to_have_text("Its page is gone.")
    expect(recent.locator("#found")).to_contain_text("does not say where its page is")
    expect(recent.frame_locator("#view").locator("body")).to_be_empty()
    expect(recent.locator(".block")).to_have_count(0)


@pytest.mark.web
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing_serious_and_nothing_sticks_out(
    recent: Page, web_tools: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    recent.emulate_media(color_scheme=scheme)
    recent.set_viewport_size({"width": width, "height": 900})
    recent.screenshot(path=web_tools / f"recent-{scheme}-{width}.png", full_page=True)

    recent.evaluate((web_tools / "node_modules/axe-core/axe.min.js").read_text())
    found = recent.evaluate("axe.run()")

    assert found["passes"]
    bad = [each for each in found["violations"] if each["impact"] in {"serious", "critical"}]
    assert [(each["id"], each["nodes"][0]["html"]) for each in bad] == []
    assert recent.evaluate("document.documentElement.scrollWidth") <= width
