"""Text for a terminal: what others have named, made harmless; numbers of things."""

from pathlib import Path


def one_line(text: str) -> str:
    """Return a text without line breaks and control characters: safe for a terminal."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


def printable(text: str) -> str:
    """Return a text that keeps its line breaks, without other control characters."""
    return "\n".join(map(one_line, text.split("\n")))


def shown_path(path: Path | str) -> str:
    r"""Return a path on one line; bytes of its name that are no text stand as `\xff`."""
    raw = str(path).encode("utf-8", errors="surrogateescape")
    return one_line(raw.decode("utf-8", errors="backslashreplace"))


def counted(number: int, name: str) -> str:
    """Return a number of things as people say it: `1 page`, `2 pages`."""
    return f"{number:,} {name}{'' if number == 1 else 's'}"
