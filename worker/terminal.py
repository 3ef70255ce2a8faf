"""Write what others have named, paths and URLs, so that it harms no terminal."""

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
