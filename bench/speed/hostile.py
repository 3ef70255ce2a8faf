"""Slow pages, real and hostile, and the share of non-ASCII letters kept."""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.speed.rows import Row, at_least, at_most
from bench.speed.whole_pages import cleaners
from tests.hostile_pages import HOSTILE, MEGABYTE
from winnow.lab.sets.labelled import labelled_pages
from winnow.models.cleaner import Cleaner
from winnow.models.document import Document, Page
from winnow.models.ngram import NgramModel

MAX_CPU_S_PER_MB: Final = 0.5
# smaller pages would show only the fixed cost per page
SMALLEST_BYTES: Final = 20_000
LANGUAGES: Final = ("greek", "russian", "chinese", "polish")
PAGES_A_LANGUAGE: Final = 40
# two gold texts include text from further pages of the same article
MIN_LETTERS: Final = 0.98


def rows(sets: Mapping[str, Sequence[Page]], folder: Path, model: NgramModel) -> Iterator[Row]:
    """Measure every engine on the slowest pages, and the share of non-ASCII letters kept."""
    engines = cleaners(model)
    hostile = [Page("http://hostile.invalid/", body, "text/html") for body in HOSTILE.values()]
    real = [page for pages in sets.values() for page in pages if len(page.body) >= SMALLEST_BYTES]
    for engine, cleaner in engines.items():
        worst, seconds = max(
            (
                (name, _cpu_s_per_mb(cleaner, page))
                for name, page in zip(HOSTILE, hostile, strict=True)
            ),
            key=lambda pair: pair[1],
        )
        what = f"{engine}: worst of {len(hostile)} hostile pages of 1 MB ({worst}): CPU s here"
        yield at_most(what, seconds, MAX_CPU_S_PER_MB)
        slowest = max(_cpu_s_per_mb(cleaner, page) for page in real)
        what = f"{engine}: slowest of {len(real)} real pages from 20 kB: CPU s per MB here"
        yield at_most(what, slowest, MAX_CPU_S_PER_MB)
    for language in LANGUAGES:
        yield _letters(language, folder, engines["perplexity"])


def _cpu_s_per_mb(cleaner: Cleaner, page: Page) -> float:
    """Return the CPU seconds per megabyte of a page, the better of two runs."""
    seconds = []
    for _ in range(2):
        started = time.thread_time()
        cleaner.clean_batch([page])
        seconds.append(time.thread_time() - started)
    return min(seconds) / (len(page.body) / MEGABYTE)


def _letters(language: str, folder: Path, cleaner: Cleaner) -> Row:
    """Return the share of the gold texts' non-ASCII letters in the documents."""
    wanted = found = 0
    pages = [
        page
        for page in labelled_pages(folder / "daniel.tar.zst")
        if page.page_id.startswith(f"{language}/")
    ][:PAGES_A_LANGUAGE]
    if not pages:
        sys.exit(f"no {language} page among the development pages")
    for page in pages:
        (cleaned,) = cleaner.clean_batch([Page(f"http://daniel.invalid/{page.page_id}", page.html)])
        gold = _beyond_ascii(page.gold)
        text = _beyond_ascii(cleaned.text) if isinstance(cleaned, Document) else Counter()
        wanted += gold.total()
        found += (gold & text).total()
    what = f"{len(pages)} {language} pages: non-ASCII letters of the gold text kept"
    return at_least(what, found / wanted, MIN_LETTERS, "{:.3f}")


def _beyond_ascii(text: str) -> Counter[str]:
    return Counter(letter for letter in text if letter.isalpha() and not letter.isascii())
