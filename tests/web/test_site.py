"""The documentation: built strictly, whole without a network, and found by its search."""

import re
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

ROOT = Path(__file__).resolve().parents[2]
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}
IN_STYLES = re.compile(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//[^)'\"]+")


class Resources(HTMLParser):
    """Collects what a page loads from another host."""

    def __init__(self) -> None:
        super().__init__()
        self.foreign: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get(LOADED.get(tag, "")) or ""
        if re.match(r"(?:\w+:)?//", address):
            self.foreign.append(address)


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without logging."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is there
        """Do not log."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as `make site` builds it; a dead link or a warning ends the build."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(["make", "--silent", "site", f"SITE={folder}"], cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the built documentation is served."""
    handler = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    found = {}
    for page in pages:
        parser = Resources()
        parser.feed(page.read_text(encoding="utf-8"))
        found[page.name] = parser.foreign
    styles = {path.name: IN_STYLES.findall(path.read_text()) for path in site.rglob("*.css")}

    assert len(pages) > 60
    assert {name: each for name, each in (found | styles).items() if each} == {}


def test_a_resource_of_another_host_would_be_seen() -> None:
    parser = Resources()

    parser.feed("<script src=//a.example/x.js></script><img src=x.png><a href=https://b.example>")

    assert parser.foreign == ["//a.example/x.js"]


def test_every_page_is_built_except_sources_of_the_site(site: Path) -> None:
    built = {path.relative_to(site).with_suffix(".md") for path in site.rglob("*.html")}
    written = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}

    assert written <= built
    assert not (site / "site").exists()


def test_no_marker_and_no_formula_is_left_as_it_was_written(site: Path) -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in site.glob("*.html")}

    assert [name for name, text in pages.items() if "<!-- generated" in text] == []
    assert pages["concepts.html"].count("<math") > 10
    assert "\\" not in re.sub(r"<script.*?</script>", "", pages["concepts.html"], flags=re.DOTALL)


def test_the_search_finds_a_page_without_a_network(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}/index.html")
    page.keyboard.press("/")
    page.keyboard.type("doubtful")

    hit = page.locator(".md-search-result__item a", has_text="Running Winnow").first
    expect(hit).to_be_visible()
    hit.click()

    expect(page.locator("h1")).to_contain_text("Running Winnow")


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("reprocess", "Reprocess all pages"),
        ("JavaScript", "Questions and troubleshooting"),
        ("license", "Questions and troubleshooting"),
        ("boilerplate removal", "Concepts"),
        ("dropped block", "Why was this block dropped?"),
        ("environment variables", "Settings"),
        ("benchmark", "Winnow and other tools"),
        ("docker", "Deployment"),
        ("dedup", "Questions and troubleshooting"),
        ("rate limit", "Questions and troubleshooting"),
        ("GPU", "Questions and troubleshooting"),
        ("Windows", "Questions and troubleshooting"),
        ("memory", "Questions and troubleshooting"),
        ("pdf", "Questions and troubleshooting"),
    ],
)
def test_the_first_page_found_answers_words_of_newcomers(
    context: BrowserContext, address: str, words: str, title: str
) -> None:
    page = context.new_page()
    page.goto(f"{address}/index.html")
    page.keyboard.press("/")
    page.keyboard.type(words)

    first = page.locator(".md-search-result__item").first.locator("h1, h2").first

    expect(first).to_have_text(title, timeout=30_000)


@pytest.mark.parametrize("words", ["memory", "scaling", "metadata"])
def test_decision_notes_are_found_after_all_manuals(
    context: BrowserContext, address: str, words: str
) -> None:
    page = context.new_page()
    page.goto(f"{address}/index.html")
    page.keyboard.press("/")
    page.keyboard.type(words)
    hits = page.locator(".md-search-result__item > .md-search-result__link")
    expect(hits.nth(5)).to_be_visible(timeout=30_000)

    # at once: the list changes while words are typed
    addresses = hits.evaluate_all("links => links.map(link => link.getAttribute('href') || '')")
    is_note = [re.search("/(decisions|project)/", each) is not None for each in addresses]

    assert len(is_note) > 5
    assert is_note == sorted(is_note)


@pytest.mark.parametrize(
    "name", ["index", "concepts", "settings", "commands", "example", "api", "compare"]
)
def test_a_page_fits_a_small_screen(context: BrowserContext, address: str, name: str) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{address}/{name}.html")

    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("[...document.images].every(each => each.naturalWidth > 0)")
