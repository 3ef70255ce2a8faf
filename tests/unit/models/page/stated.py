"""What a page states, as the kernel reads it: a page of a head and a body."""

import json
from typing import Final

from winnow.models._kernel import Metadata
from winnow.models.document import Page
from winnow.models.page import blocks_of

URL: Final = "https://sample.invalid/news/bees"
TITLE: Final = "<title>Bees</title>"
PROSE: Final = (
    "<p>The bees of the town find more flowers than the bees of the fields around it.</p>"
)


def metadata_of(
    head: str, body: str = PROSE, *, url: str = URL, page_type: str = "", lang: str = "en"
) -> Metadata:
    """Return what a page states; `page_type` is what an engine takes it for."""
    markup = f"<!doctype html><html lang={lang}><head>{head}</head><body>{body}"
    page = Page(url, markup.encode(errors="replace"), "text/html; charset=utf-8")
    return blocks_of(page, wanted="every").metadata(url, page_type)


def metas(*pairs: tuple[str, str]) -> str:
    """Return `meta` elements of names and contents."""
    return "".join(f'<meta name="{name}" content="{content}">' for name, content in pairs)


def linked(*things: object) -> str:
    """Return a script of linked data for each thing."""
    scripts = (json.dumps(thing, ensure_ascii=False) for thing in things)
    return "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts)
