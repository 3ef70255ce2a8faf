"""What a page says anywhere, made one clean line."""

import re
from html import unescape
from typing import Final

MAX_CHARS: Final = 512
# the characters that texts of blocks are without
SHAPELESS: Final = r"\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u2060\ufeff"
_DROPPED: Final = re.compile(f"[{SHAPELESS}]+")


def line(text: str, max_chars: int = MAX_CHARS) -> str:
    """Return a text without line breaks and shapeless characters; empty if it is too long."""
    if not text or len(text) > 8 * max_chars:
        return ""
    kept = text if text.isprintable() else _DROPPED.sub("", text)  # those are never printable
    if "&" in kept:  # what was escaped twice
        kept = _DROPPED.sub("", unescape(kept))
    made = " ".join(kept.split())
    return made if len(made) <= max_chars else ""
