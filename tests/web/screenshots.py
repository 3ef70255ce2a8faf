"""`make screenshots`: the pictures of the documentation that show Winnow at work.

They are taken by Debian's Chromium and differ from machine to machine by fonts: commit them when
what they show has changed.
"""

import html
import io
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from rich.text import Text

from tests.services.processes import free_port
from tests.web.before_after import take_before_after
from tests.web.serving import ROOT, WINNOW, chromium, inspecting
from tests.web.taking import file_of, take
from winnow.streams.topics import TopicNames
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.demo.embedded import EmbeddedBroker

_COLUMNS: Final = 100
_MOST_RELOADS: Final = 60
# without Chinese, which many machines have no font for
_SHOWN: Final = ("article.html", "documentation.html", "forum.html", "front-page.html",
                 "greek.html", "noticeboard.html", "polish.html", "shop.html")  # fmt: skip
_WHY: Final = ("explain", "worker/samples/article.html", "--why", "10")
_ENGINES: Final = ("hybrid", "contrast", "web2text", "perplexity", "everything")
_SWEEP: Final = "perplexity.threshold=500,1000,2000,4000,8000,16000,32000"
_TERMINAL: Final = (
    "<!doctype html><meta charset=utf-8><body style='margin:0;width:max-content;padding:1.25rem'>"
    "<pre style='margin:0;font:14px/1.45 \"Liberation Mono\",monospace'><b>$ {command}</b>\n{code}"
)


def main(pages: str) -> None:
    """Take all pictures; `pages` is a set of labelled pages, for the report."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        take_before_after(browser)
        with inspecting() as server:
            take(browser, "inspector", _opened(server.origin), (1440, 1220))
            take(browser, "inspector-dark", _compared(server.origin), (1440, 1220), dark=True)
            take(browser, "inspector-phone", _at_first(server.origin), (390, 1000))
        with _documents() as environment, inspecting("--look-up", "topics", env=environment) as it:
            take(browser, "documents", _last_documents(it.origin), (1100, 740))
        with tempfile.TemporaryDirectory() as folder:
            report, terminal = Path(folder, "report.html"), Path(folder, "why.html")
            engines = (argument for name in _ENGINES for argument in ("--engine", name))
            _winnow("evaluate", pages, "--split", "tune", *engines, "--sweep", _SWEEP,
                    "--report", str(report))  # fmt: skip
            take(browser, "report", file_of(report), (800, 960))
            terminal.write_text(_as_page(_winnow(*_WHY)))
            take(browser, "explain-why", file_of(terminal), (940, 530))


def _at_first(origin: str) -> Callable[[Page], None]:
    """The sample article."""

    def show(page: Page) -> None:
        page.goto(origin)
        page.locator(".block").first.wait_for()

    return show


def _opened(origin: str) -> Callable[[Page], None]:
    """The sample article, with what weighed most in its byline."""

    def show(page: Page) -> None:
        page.goto(origin)
        page.locator(".block").first.wait_for()
        page.reload()  # the first answer of a process takes longer
        block = page.locator(".block", has_text="Features desk").first
        block.get_by_role("button").click()
        block.get_by_role("button", name="What weighed most?").click()
        block.locator(".weights li").first.wait_for()
        page.evaluate("document.querySelector('.weights').blur()")
        block.evaluate("(block) => block.scrollIntoView({ block: 'start' })")
        page.evaluate("scrollTo(0, 0)")
        page.mouse.move(0, 0)

    return show


def _compared(origin: str) -> Callable[[Page], None]:
    """The sample forum, judged by two engines."""

    def show(page: Page) -> None:
        page.goto(f"{origin}/#sample=forum.html&engine=hybrid&compare=contrast&tab=diff")
        page.locator(".diff .del").first.wait_for()

    return show


@contextmanager
def _documents() -> Iterator[dict[str, str]]:
    """An environment whose brokers hold the samples and, soon, their documents."""
    with EmbeddedBroker() as broker:
        topics = TopicNames()
        for name in (topics.pages, topics.documents, topics.stats, topics.dead):
            broker.create_topic(name)
        environment = os.environ | {"WINNOW_KAFKA_BOOTSTRAP": ",".join(broker.bootstrap)}
        publish = [WINNOW, "publish", *_SHOWN, "--url-prefix", "https://example.org/"]
        subprocess.run(publish, cwd=SAMPLES, env=environment, check=True, capture_output=True)
        own = environment | {"WINNOW_WEB_PORT": str(free_port()), "WINNOW_LOG_LEVEL": "warning"}
        with subprocess.Popen([WINNOW, "worker"], env=own) as worker:
            yield environment
            worker.terminate()


def _last_documents(origin: str) -> Callable[[Page], None]:
    """The page of the last documents, once all of them are there."""

    def show(page: Page) -> None:
        page.goto(f"{origin}/recent.html")
        for _ in range(_MOST_RELOADS):
            page.wait_for_timeout(500)
            if page.locator("#status").inner_text() == f"{len(_SHOWN)} documents":
                return
            page.reload()
        sys.exit(f"no {len(_SHOWN)} documents after {_MOST_RELOADS} looks")

    return show


def _winnow(*arguments: str) -> str:
    """What a command prints on a terminal."""
    command = ["script", "-qec", shlex.join([WINNOW, *arguments]), "/dev/null"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def _as_page(printed: str) -> str:
    console = Console(record=True, width=_COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(printed), soft_wrap=False)
    code = console.export_html(
        theme=DEFAULT_TERMINAL_THEME, code_format="{code}", inline_styles=True
    )
    return _TERMINAL.format(command=html.escape(shlex.join(["winnow", *_WHY])), code=code)


if __name__ == "__main__":
    main(sys.argv[1])
