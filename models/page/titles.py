"""Close a title that a page leaves open: parsers take the whole page for its text."""

import re
from typing import Final

# a title of a drawing may hold elements and swallows nothing
_OPEN_OR_DRAWING: Final = re.compile(rb"<title\b[^<>]{0,200}>|<(?:svg|math)\b", re.IGNORECASE)
_CLOSE: Final = re.compile(rb"</title\b", re.IGNORECASE)
_END: Final = re.compile(rb"[<\r\n]")
# where titles of pages stand
_HEAD_BYTES: Final = 1 << 16


def with_title_closed(body: bytes) -> bytes | None:
    """Return the page with its title closed at the end of its line; None if none is left open.

    A file damaged on its way may lack `</title>`, and then all of the page is its title for a
    parser that follows the standard.
    """
    opened = _OPEN_OR_DRAWING.search(body, 0, _HEAD_BYTES)
    if opened is None or not opened[0].endswith(b">") or _CLOSE.search(body, opened.end()):
        return None
    ended = _END.search(body, opened.end())
    if ended is None:
        return None
    return body[: ended.start()] + b"</title>" + body[ended.start() :]
