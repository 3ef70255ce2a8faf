"""Sections of docs/capacity.md and other pages that commands write."""

from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGE: Final = DOCS / "capacity.md"


def replace_section(name: str, text: str, file: Path = PAGE) -> None:
    """Put text between the two marks of a section."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    page = file.read_text(encoding="utf-8")
    before, rest = page.split(begin)
    after = rest.split(end)[1]
    file.write_text(f"{before}{begin}\n{text}\n\n{end}{after}", encoding="utf-8")
