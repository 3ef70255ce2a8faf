"""Write a table that a command has printed into docs/evaluation-tables.md.

    COMMAND | python -m docs.site.printed NAME

The page has the lines `<!-- printed: NAME -->` and `<!-- end -->` around the table. It is replaced
by the table with the same head among those that the command prints.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).resolve().parents[1] / "evaluation-tables.md"
_TABLE: Final = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def with_table(markdown: str, name: str, printed: str) -> str:
    """Return the page with the table of this name as it was printed.

    Raises:
        ValueError: the page has no such table, or not exactly one table with its head was printed.
    """
    part = re.search(
        rf"(?<=^<!-- printed: {re.escape(name)} -->\n\n)(?:\|.*\n)+(?=\n<!-- end -->$)",
        markdown,
        re.MULTILINE,
    )
    if part is None:
        raise ValueError(f"{PAGE.name} has no printed table {name!r}")
    head = part[0].partition("\n")[0]
    tables: list[str] = _TABLE.findall(f"{printed}\n")
    same = [table for table in tables if table.startswith(f"{head}\n")]
    if len(same) != 1:
        raise ValueError(f"{len(same)} tables with the head {head} were printed, not 1")
    return markdown[: part.start()] + same[0] + markdown[part.end() :]


def main() -> None:
    """Read what a command prints, and write its table."""
    parser = argparse.ArgumentParser(
        "docs.site.printed",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("name", metavar="NAME")
    name = parser.parse_args().name
    try:
        page = with_table(PAGE.read_text(encoding="utf-8"), name, sys.stdin.read())
    except ValueError as error:
        sys.exit(f"docs.site.printed: {error}")
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
