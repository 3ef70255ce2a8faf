"""Make untrusted text safe for a terminal, and format counts."""

import re
from pathlib import Path
from typing import Final

# JSON already escapes U+0000-001F; DEL and C1 occur only inside strings
_CONTROLS: Final = re.compile("[\x7f-\x9f]")


def one_line(text: str) -> str:
    """Return the text without line breaks and control characters: safe for a terminal."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def printable(text: str) -> str:
    """Return the text without control characters other than line breaks and tabs."""
    return "".join(char if char in "\n\t" else one_line(char) for char in text)


def harmless_json(text: str) -> str:
    r"""Escape DEL and the C1 controls like `\u009b`: JSON does not escape them."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def without_controls(text: str) -> str:
    """Remove zero-width characters: in a table cell, a visible mark would shift the rest."""
    return "".join(char for char in text if char.isprintable() or char == "\n")


def shown_path(path: Path | str) -> str:
    r"""Return a path on one line; bytes of its name that are not text appear as `\xff`."""
    raw = str(path).encode("utf-8", errors="surrogateescape")
    return one_line(raw.decode("utf-8", errors="backslashreplace"))


def counted(number: int, name: str, several: str = "") -> str:
    """Return a count with its noun: `1 page`, `2 pages`."""
    return f"{number:,} {name if number == 1 else several or name + 's'}"
