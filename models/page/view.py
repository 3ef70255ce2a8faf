"""Markup of a page -> safe markup for viewing: it runs, loads and navigates to nothing."""

from typing import Final

from winnow.models._kernel import Tree
from winnow.models.document import Page
from winnow.models.page.limits import DEFAULT_LIMITS, Limits
from winnow.models.page.reading import decode

# Most elements and texts of a viewed page: a browser needs seconds for more. The largest of 4,850
# development pages has 34,456.
MOST_NODES: Final = 100_000
# The content security policy of a view: its own styles and inline pictures, but no scripts and no
# network.
VIEW_POLICY: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)


def view_of(page: Page, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return UTF-8 markup for a sandboxed frame; plain text and costly markup become text.

    Raises:
        InvalidPage: the body is empty, not text, or beyond the limits.
    """
    source = decode(page, limits)
    if source.form == "html":
        tree = Tree(source.markup.decode(), limits, is_xml=source.is_xml)
        if len(tree) <= MOST_NODES:
            return tree.view().encode()
    escaped = source.markup.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
    return b"<!doctype html><meta charset=utf-8><pre style='white-space:pre-wrap'>" + escaped
