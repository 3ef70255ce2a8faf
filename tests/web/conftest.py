"""A running inspector and a browser that looks at it."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.web.serving import ROOT, Server, chromium, inspecting

# a machine that does other things as well is slow; nothing here is right by being fast
expect.set_options(timeout=30_000)


# What a whole Chromium asks for by itself: updates, accounts. No page of the tests names these.
_OF_THE_BROWSER = ("google.com", "googleapis.com", "gstatic.com", "gvt1.com")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """`winnow inspect` in a process of its own."""
    with inspecting() as server:
        yield server


@pytest.fixture(scope="session")
def origin(server: Server) -> str:
    """The origin of the inspector."""
    return server.origin


@pytest.fixture(scope="session")
def outside() -> Iterator[socket.socket]:
    """Listens at the address that every name but localhost leads the browser to."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


@pytest.fixture(scope="session")
def browser(outside: socket.socket) -> Iterator[Browser]:
    """Debian's Chromium."""
    own = ", ".join(f"MAP *.{name} ~NOTFOUND" for name in _OF_THE_BROWSER)
    rules = f"{own}, MAP * 127.0.0.1:{outside.getsockname()[1]}, EXCLUDE 127.0.0.1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=[f"--host-resolver-rules={rules}"]
        )
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser, outside: socket.socket) -> Iterator[BrowserContext]:
    """A fresh profile; nothing of it may connect to the outside, and no script may fail."""
    with browser.new_context(viewport={"width": 1440, "height": 1000}) as context:
        failed: list[str] = []
        context.on("weberror", lambda error: failed.append(str(error.error)))
        yield context
        assert failed == []
    with pytest.raises(BlockingIOError):
        outside.accept()


@pytest.fixture
def page(context: BrowserContext, origin: str) -> Page:
    """The inspector with its first sample."""
    page = context.new_page()
    page.goto(origin)
    page.wait_for_selector(".block")
    return page


@pytest.fixture(scope="session")
def web_tools() -> Path:
    """The folder of tools that `make test-web` installs."""
    return ROOT / os.environ.get("WEB_TOOLS", "build/web")
