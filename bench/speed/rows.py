"""Rows of a table of figures, with their bars."""

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.lab.measure.interleave import Ratio


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        part: what was measured.
        figure: the figure as text.
        bar: the limit it must meet; empty if it is for information.
        holds: whether it meets the limit.
    """

    part: str
    figure: str
    bar: str = ""
    holds: bool = True


def at_most(part: str, figure: float, bar: float, shown: str = "{:.2f}") -> Row:
    """Return a row whose figure must be at most the bar."""
    return Row(part, shown.format(figure), f"<= {bar:g}", figure <= bar)


def at_least(part: str, figure: float, bar: float, shown: str = "{:.2f}") -> Row:
    """Return a row whose figure must be at least the bar."""
    return Row(part, shown.format(figure), f">= {bar:g}", figure >= bar)


def ratio_at_most(part: str, ratio: Ratio, bar: float) -> Row:
    """Return a row whose median must be at most the bar."""
    return Row(part, str(ratio), f"<= {bar:g}", ratio.median <= bar)


def ratio_at_least(part: str, ratio: Ratio, bar: float) -> Row:
    """Return a row whose median must be at least the bar."""
    return Row(part, str(ratio), f">= {bar:g}", ratio.median >= bar)


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table; missed bars are marked."""
    head = ["| part | figure | bar |", "|---|---:|---:|"]
    lines = [
        f"| {row.part} | {row.figure} | {row.bar}{'' if row.holds else ' **missed**'} |"
        for row in rows
    ]
    return "\n".join([*head, *lines])
