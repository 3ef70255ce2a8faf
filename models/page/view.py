"""Markup of a page -> the same to be looked at: nothing in it starts, loads or leads elsewhere."""

from typing import Final

from winnow.models._kernel import Prepared
from winnow.models.page.stages import parse_whole

# What could load, start or lead somewhere; the policy forbids it as well.
_NOT_SHOWN: Final = (
    "script, iframe, frame, object, embed, applet, portal, link, base, meta[http-equiv], template"
)
# Elements and texts of a page that is drawn: a browser needs seconds for more. The largest of 4,850
# development pages has 34,456.
MOST_NODES: Final = 100_000
# The content security policy that a view is answered with: its own styles and the pictures in it,
# but neither scripts nor network.
VIEW_POLICY: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)


def view_of(prepared: Prepared) -> bytes:
    """Return UTF-8 markup for a sandboxed frame; text, and markup that costs much, as text."""
    if prepared.form == "text" or prepared.census["nodes"] > MOST_NODES:
        escaped = prepared.markup.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
        return b"<!doctype html><meta charset=utf-8><pre style='white-space:pre-wrap'>" + escaped
    # its styles as well, which the tree of `parse` lacks
    tree = parse_whole(prepared)
    for node in tree.css(_NOT_SHOWN):
        node.decompose()
    return (tree.html or "").encode(errors="replace")
