"""Figures of block labelling as a table or as JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import orjson
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from winnow.lab.train.web2text.figures import Figures

_HEADINGS = ("system", "acc", "P", "R", "F1", "95 %", "gain, 95 %")


@dataclass(frozen=True, slots=True)
class Row:
    """One system; the gain is the 95 % interval of its F1 minus F1 of the first row."""

    system: str
    figures: Figures
    gain_low: float
    gain_high: float


def rows_json(split: str, rows: Sequence[Row]) -> bytes:
    """Return `{"split": ..., "base": ..., "systems": [...]}`."""
    systems = [
        {"system": row.system, **asdict(row.figures), "gain": [row.gain_low, row.gain_high]}
        for row in rows
    ]
    base = rows[0].system if rows else ""
    return orjson.dumps({"split": split, "base": base, "systems": systems})


def print_rows(split: str, rows: Sequence[Row], console: Console) -> None:
    """Print a table; gains are relative to the first row."""
    pages = rows[0].figures.pages if rows else 0
    blocks = rows[0].figures.blocks if rows else 0
    title = f"split {split}: {pages} pages, {blocks} blocks"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in _HEADINGS:
        table.add_column(heading, no_wrap=True)
    for row in rows:
        found = row.figures
        numbers = (found.accuracy, found.precision, found.recall, found.f1)
        interval = f"{found.f1_low:.3f}-{found.f1_high:.3f}"
        gain = f"{row.gain_low:+.3f} {row.gain_high:+.3f}"
        table.add_row(row.system, *(f"{number:.4f}" for number in numbers), interval, gain)
    console.print(table)
