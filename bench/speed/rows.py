"""Rows of a table of figures, and the bars that they must hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from winnow.lab.measure.interleave import Ratio


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Attributes:
        part: what was measured, and on what.
        figure: as it is to be read.
        bar: what it must hold, empty when it is for orientation.
        holds: whether it does.
    """

    part: str
    figure: str
    bar: str = ""
    holds: bool = True


def at_most(part: str, figure: float, bar: float, shown: str = "{:.2f}") -> Row:
    """Return a row whose figure must not pass the bar."""
    return Row(part, shown.format(figure), f"<= {bar:g}", figure <= bar)


def at_least(part: str, figure: float, bar: float, shown: str = "{:.2f}") -> Row:
    """Return a row whose figure must reach the bar."""
    return Row(part, shown.format(figure), f">= {bar:g}", figure >= bar)


def ratio_at_most(part: str, ratio: Ratio, bar: float) -> Row:
    """Return a row of which the median must not pass the bar."""
    return Row(part, str(ratio), f"<= {bar:g}", ratio.median <= bar)


def ratio_at_least(part: str, ratio: Ratio, bar: float) -> Row:
    """Return a row of which the median must reach the bar."""
    return Row(part, str(ratio), f">= {bar:g}", ratio.median >= bar)


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table; a bar that does not hold says so."""
    head = ["| part | figure | bar |", "|---|---:|---:|"]
    lines = [
        f"| {row.part} | {row.figure} | {row.bar}{'' if row.holds else ' **missed**'} |"
        for row in rows
    ]
    return "\n".join([*head, *lines])
