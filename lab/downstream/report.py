"""All tables of `make downstream` as one HTML page, with a cloud of index size against success.

python -m lab.downstream.report build/downstream
"""

import argparse
import json
from html import escape
from pathlib import Path
from typing import Any, Final

from lab.downstream.variants import ENGINES
from lab.report.markup import html_page, section
from lab.report.plots import Point, scatter

PARTS: Final = ("cleaning", "classification", "search", "energy")
TITLE: Final = "What cleaning is good for"


def report(folder: Path) -> str:
    """Return the page; parts that were not measured are named as missing."""
    sections = [f"<h1>{TITLE}</h1>"]
    for part in PARTS:
        file = folder / f"{part}.json"
        if not file.exists():
            sections.append(section(part, f"not measured: run make downstream ({part})", ""))
            continue
        tables = json.loads(file.read_text(encoding="utf-8"))
        sections += [
            section(each["title"], " ".join(each["notes"]), _table(each)) for each in tables
        ]
        if part == "search":
            sections.append(_drawing(tables))
    return html_page(TITLE, sections)


def _table(results: dict[str, Any]) -> str:
    heads = "".join(f"<th>{escape(head)}</th>" for head in results["columns"])
    rows = "".join(
        f"<tr><th>{escape(name)}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        for name, cells in results["rows"]
    )
    return f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _drawing(tables: list[dict[str, Any]]) -> str:
    success = {name: 100 * float(cells[0]) for name, cells in tables[0]["rows"]}
    sizes = {name: float(cells[0]) for name, cells in tables[-1]["rows"]}
    points = [
        Point(name, sizes[name], found, is_own=name in ENGINES) for name, found in success.items()
    ]
    drawn = scatter(points, "index, MB", "MRR x 100")
    return f'<div class="figures"><figure>{drawn}</figure></div>'


def main() -> None:
    """Write FOLDER/report.html."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    target = folder / "report.html"
    target.write_text(report(folder), encoding="utf-8")
    print(target)


if __name__ == "__main__":
    main()
