"""A table of results: printed as text, saved as JSON for the report."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

_DECIMALS: Final = 3


@dataclass(frozen=True, slots=True)
class Results:
    """One table.

    Attributes:
        title: title of the table.
        columns: headings of the figures.
        rows: name and figures, formatted for display.
        notes: pages, versions, seed, and the paper's figures.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the table in Markdown, its notes below it."""
        lines = [
            f"### {self.title}",
            "",
            "| | " + " | ".join(self.columns) + " |",
            "|---|" + "---:|" * len(self.columns),
            *(f"| {name} | " + " | ".join(cells) + " |" for name, cells in self.rows),
            "",
            *self.notes,
        ]
        return "\n".join(lines)


def shown(value: float, decimals: int = _DECIMALS) -> str:
    """Format a figure for a table."""
    return f"{value:.{decimals}f}"


def write_results(folder: Path, name: str, tables: Sequence[Results]) -> None:
    """Print the tables, and save them as FOLDER/NAME.json."""
    folder.mkdir(parents=True, exist_ok=True)
    for table in tables:
        print(table, end="\n\n")
    text = json.dumps([asdict(table) for table in tables], indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
