"""Text for a terminal: what others have named, made harmless; numbers of things."""

import re
from pathlib import Path
from typing import Final

# JSON has the controls before the space as escapes alone, and these nowhere but in its strings
_CONTROLS: Final = re.compile("[\x7f-\x9f]")


def one_line(text: str) -> str:
    """Return a text without line breaks and control characters: safe for a terminal."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def printable(text: str) -> str:
    """Return a text that keeps line breaks and tabs, without other control characters."""
    return "".join(char if char in "\n\t" else one_line(char) for char in text)


def harmless_json(text: str) -> str:
    r"""Write DEL and the control characters after it as `\u009b`: JSON leaves them as they are."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def without_controls(text: str) -> str:
    """Leave out what takes no room: in a cell, a mark in its place would move the rest."""
    return "".join(char for char in text if char.isprintable() or char == "\n")


def shown_path(path: Path | str) -> str:
    r"""Return a path on one line; bytes of its name that are no text stand as `\xff`."""
    raw = str(path).encode("utf-8", errors="surrogateescape")
    return one_line(raw.decode("utf-8", errors="backslashreplace"))


def counted(number: int, name: str, several: str = "") -> str:
    """Return a number of things as people say it: `1 page`, `2 pages`."""
    return f"{number:,} {name if number == 1 else several or name + 's'}"
