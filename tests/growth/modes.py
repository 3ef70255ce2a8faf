"""Ways to clean a page, and what one page costs in each: CPU time, in units of a bare parse."""

import ctypes
from functools import cache
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from tests.exponents import cpu_s
from tests.growth.constructs import PROSE
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page
from winnow.models.engines.choice import ENGINES
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
    **{
        name: CleanerOptions(engine=name, mark=True, quality=True)
        for name in ENGINES
        if name != CleanerOptions().engine
    },
    "explain": CleanerOptions(),
}
# Seconds per byte, relative to a bare parse of an ordinary page. At 256 kB the worst
# text took 40 parses, the worst spans 220: a value of Python for each block and sentence takes
# most of the time of `spans` and `explain`.
MAX_PARSES: Final = {**dict.fromkeys(OPTIONS, 100), "spans": 600, "explain": 600}


# Names of mallopt(3) in glibc.
_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_MAX: Final = -4
_M_ARENA_MAX: Final = -8
_NEVER: Final = (1 << 31) - 1


@cache
def cleaner(mode: str) -> Cleaner:
    """Return the cleaner of a mode, made once: to read the models takes longer than a page."""
    return Cleaner(OPTIONS[mode])


def keep_memory() -> None:
    """Have glibc keep all freed memory, so that a page finds memory that was used before.

    Without it pages that need more than 32 MiB take new memory from the system, which clears it at
    the first access: a step of up to a quarter of the time, between two sizes of one construct.
    """
    mallopt = ctypes.CDLL(None).mallopt
    mallopt(_M_ARENA_MAX, 1)
    mallopt(_M_MMAP_MAX, 0)
    mallopt(_M_TRIM_THRESHOLD, _NEVER)


def clean(mode: str, body: bytes) -> bool:
    """Clean a page, and return whether it is accepted."""
    page = Page(URL, body, "text/html")
    try:
        if mode == "explain":
            cleaner(mode).explain(page)
        else:
            cleaner(mode).clean(page)
    except InvalidPage:
        return False
    return True


def page_s(mode: str, body: bytes, times: int = 1) -> float | None:
    """Return the CPU seconds of a page, the minimum of some times; None if it is refused."""
    accepted: list[bool] = []
    seconds = cpu_s(lambda page: accepted.append(clean(mode, page)), body, times)
    return seconds if all(accepted) else None


@cache
def parse_s(size: int, times: int = 3) -> float:
    """Return the CPU seconds of a bare parse of an ordinary page, the minimum of some times."""
    return cpu_s(LexborHTMLParser, ordinary(size), times)


def ordinary(size: int) -> bytes:
    """Return a page of a size that has as much markup as text."""
    return (ORDINARY * (size // len(ORDINARY) + 1)).encode()[:size]
