"""The picture at the top of the README: a page, and the document that Winnow makes of it.

    python -m tests.web.before_after

The page is a sample with a stylesheet, as a site would have one; the document is what
`winnow clean --format jsonl` writes. `make screenshots` runs this too.
"""

import html
from collections.abc import Callable
from pathlib import Path
from string import Template
from typing import Final

from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.serving import chromium
from tests.web.taking import take
from winnow.models import Cleaner, CleanerOptions
from winnow.models import Page as RawPage
from winnow.models.document import Document
from winnow.worker.batch.inputs import SAMPLES

_SAMPLE: Final = "article.html"
_URL: Final = "https://gazette.example/features/lighthouse"
_SIZE: Final = (1240, 930)
_FIELDS: Final = ("title", "author", "published_at", "language", "page_type", "confidence", "words")
# the stylesheet that the site would have, and the picture around page and document
_PARTS: Final = Path(__file__).with_suffix("")


def take_before_after(browser: Browser) -> None:
    """Take the picture, light and dark."""
    body = (SAMPLES / _SAMPLE).read_bytes()
    options = CleanerOptions().with_values({"format": "markdown"})
    document = Cleaner(options).clean(RawPage(_URL, body, "text/html; charset=utf-8"))
    for name, is_dark in (("before-after", False), ("before-after-dark", True)):
        take(browser, name, _shown(body, document), _SIZE, dark=is_dark)


def _shown(body: bytes, document: Document) -> Callable[[Page], None]:
    style = (_PARTS / "site.css").read_text(encoding="utf-8")
    styled = body.decode().replace("</head>", f"<style>{style}</style></head>")
    record = document.to_dict()
    fields = "".join(
        f"<dt>{name}<dd>{html.escape(_as_text(record[name]))}"
        for name in _FIELDS
        if record.get(name)
    )
    framed = Template((_PARTS / "frame.html").read_text(encoding="utf-8")).substitute(
        page=html.escape(styled),
        page_bytes=f"{len(body):,}",
        fields=fields,
        text=MarkdownIt().render(document.text),
    )
    return lambda page: page.set_content(framed)


def _as_text(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    with sync_playwright() as playwright:
        take_before_after(playwright.chromium.launch(executable_path=chromium()))
