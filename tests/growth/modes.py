"""Ways to clean a page, and what one page costs in each: CPU time, in units of a bare parse."""

import time
from collections.abc import Callable
from functools import cache
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from tests.growth.constructs import PROSE
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.options import CleanerOptions, Keep, TextFormat

URL: Final = "https://hostile.invalid/a/b"
# as much markup as text, as on most pages
ORDINARY: Final = (
    '<div class="post card" id="post-12"><h3 class="title">'
    '<a href="/2025/05/bees-of-the-city.html">'
    'Bees of the city</a></h3><p class="meta">By <a rel="author" href="/people/ann">Ann Bee</a>, '
    f'<time datetime="2025-05-03">3 May 2025</time></p>{PROSE}</p><ul class="menu"><li>'
    '<a href="/tags/bees">bees</a></li><li><a href="/tags/city">city</a></li></ul></div>\n'
)
_MARKDOWN: Final = CleanerOptions(
    format=TextFormat.MARKDOWN, links=Keep.KEEP, images=Keep.KEEP, quality=True, sources=True
)
OPTIONS: Final = {
    "text": CleanerOptions(),
    "Markdown": _MARKDOWN,
    "spans": _MARKDOWN.with_values({"spans": True}),
    "web2text": CleanerOptions(engine="web2text"),
    "perplexity": CleanerOptions(engine="perplexity", mark=True, quality=True),
    "contrast": CleanerOptions(engine="contrast"),
    "explain": CleanerOptions(),
}
# Seconds per byte of the page by those of a bare parse of an ordinary page. At 256 kB the worst
# text took 40 parses, the worst spans 220: a value of Python for each block and sentence takes
# most of the time of `spans` and `explain`.
MAX_PARSES: Final = {
    "text": 100,
    "Markdown": 100,
    "spans": 600,
    "web2text": 100,
    "perplexity": 100,
    "contrast": 100,
    "explain": 600,
}


@cache
def cleaner(mode: str) -> Cleaner:
    """Return the cleaner of a mode, made once: to read the models takes longer than a page."""
    return Cleaner(OPTIONS[mode])


def cpu_s(mode: str, body: bytes, times: int = 1) -> float:
    """Return the CPU seconds that a page takes, the least of so many times."""
    return measured(mode, body, times)[0]


def measured(mode: str, body: bytes, times: int) -> tuple[float, bool]:
    """Return the same, and whether the page is refused."""
    page = Page(URL, body, "text/html")
    refused = []

    def once() -> None:
        try:
            if mode == "explain":
                cleaner(mode).explain(page)
            else:
                cleaner(mode).clean(page)
        except InvalidPage as refusal:
            refused.append(refusal)

    return _least(once, times), bool(refused)


def parse_s(size: int, times: int = 3) -> float:
    """Return the CPU seconds of a bare parse of an ordinary page, the least of so many times."""
    body = (ORDINARY * (size // len(ORDINARY) + 1)).encode()[:size]
    return _least(lambda: LexborHTMLParser(body), times)


def _least(work: Callable[[], object], times: int) -> float:
    seconds = []
    for _ in range(times):
        started = time.thread_time()
        work()
        seconds.append(time.thread_time() - started)
    return min(seconds)
