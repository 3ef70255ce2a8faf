"""All tables of `make downstream` as one HTML page with drawings, and as two pages of the docs.

    python -m winnow.lab.downstream.report build/downstream --page docs/downstream.md

The tables are in docs/downstream-tables.md, with a note at the first table that has it.

What follows from a table is read off its intervals, so that it is never older than the figures.
"""

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Final

from winnow.lab.downstream.tables import Results
from winnow.lab.downstream.variants import BASE, ENGINES
from winnow.lab.measure.bootstrap import Interval
from winnow.lab.measure.sweep import Curve
from winnow.lab.report.markup import html_page, section
from winnow.lab.report.plots import Point, curves, forest, scatter


@dataclass(frozen=True, slots=True)
class Part:
    """One command of `winnow.lab.downstream`.

    Attributes:
        name: name of its module and of its results.
        title: heading of its tables.
        arguments: its command-line arguments.
        why: why our figures differ from the paper's.
    """

    name: str
    title: str
    arguments: str
    why: str


TITLE: Final = "What cleaning is good for"
ABOUT: Final = (
    "What cleaning does for search, classification and energy, measured as in two papers. "
    "`make downstream` writes this page, [all tables](TABLES) and `build/downstream/report.html`, "
    "which has drawings. Only energy and costs differ from run to run."
)
PARTS: Final = (
    Part(
        "cleaning",
        "Cleaning, as scored by Fernández-Pichel et al. (2023)",
        "../shared/pages/cleaneval.tar.zst ../shared/corpus/en --against OUTPUTS",
        "The paper used 625 pages. Its scorer and its models (100 million words of the BNC) are "
        "not published, so compare orders, not digits. Gold texts of CleanEval keep most of a "
        "page, so keeping everything comes close to the paper's best, which it does not show.",
    ),
    Part(
        "tools",
        "Tools, as ranked by Barbaresi and Lejeune (2020)",
        "../shared/pages/daniel.tar.zst --against OUTPUTS",
        "The paper ran versions of 2020 on 1,694 pages of the same corpus; 425 of them are here. "
        "The tools have improved since, most of all in Russian.",
    ),
    Part(
        "search",
        "Search, as in tables 2 to 5 of Fernández-Pichel et al.",
        "PAGES... --jars JARS",
        "The paper has 50 million pages and judged queries of TREC. Here thousands of pages are "
        "searched for one known page, which is easier and near its ceiling, so what a menu costs "
        "shows less. The paper's index without cleaning is one of markup, as `raw` here.",
    ),
    Part(
        "classification",
        "Classification, as in table 6 of Fernández-Pichel et al.",
        "../shared/webkb/webkb.tar.zst",
        "The paper fine-tunes RoBERTa; here linear models read the same pages without the order of "
        "words. Pages of 1997 have little boilerplate, and some of it (a university's name, a "
        "course number) helps to tell the classes, so cleaning has little to win.",
    ),
    Part(
        "energy",
        "Energy, by equation 9 of Fernández-Pichel et al.",
        "PAGES... --search build/downstream/search",
        "The paper cleans in Python on 300 cores and searches an index of hundreds of gigabytes "
        "from disk. Here both run in memory, so a query costs far less, and more queries are "
        "needed until cleaning has paid for itself.",
    ),
)
_INTERVAL: Final = re.compile(r"([+-]?\d+\.\d+) to ([+-]?\d+\.\d+)")


def read(folder: Path, part: Part) -> list[Results]:
    """Return the tables of a part; empty if it was not measured."""
    file = folder / f"{part.name}.json"
    if not file.exists():
        return []
    return [
        Results(
            each["title"],
            tuple(each["columns"]),
            tuple((name, tuple(cells)) for name, cells in each["rows"]),
            tuple(each["notes"]),
        )
        for each in json.loads(file.read_text(encoding="utf-8"))
    ]


def differences(table: Results) -> dict[str, Interval]:
    """Return the intervals of differences from `BASE` by row; empty if there are none."""
    column = next((n for n, head in enumerate(table.columns) if f"less {BASE}" in head), None)
    if column is None:
        return {}
    found = {}
    for name, cells in table.rows:
        if match := _INTERVAL.fullmatch(cells[column]):
            low, high = (float(end) for end in match.groups())
            found[name] = Interval((low + high) / 2, low, high)
    return found


def verdicts(table: Results) -> dict[str, list[str]]:
    """Return the rows of a table by verdict; none if it has no differences from `BASE`."""
    found = differences(table)
    if not found:
        return {}
    gains = [name for name, each in found.items() if each.low > 0]
    losses = [name for name, each in found.items() if each.high < 0]
    unsure = [name for name in found if name not in gains and name not in losses]
    return {"gain": gains, "lose": losses, "no difference": unsure}


def follows(table: Results) -> Iterator[str]:
    """Yield what a table says of cleaning: who gains, who loses, and what is not decided."""
    for verdict, names in verdicts(table).items():
        if names:
            yield f"{table.title}: against {BASE}, {verdict}: {', '.join(names)}."


def report(folder: Path) -> str:
    """Return the HTML page; it says which parts were not measured."""
    tables = {part: read(folder, part) for part in PARTS}
    sentences = [each for found in tables.values() for table in found for each in follows(table)]
    entries = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    sections = [f"<h1>{TITLE}</h1>"]
    sections.append(section("What follows", "Read off the intervals below.", f"<ul>{entries}</ul>"))
    for part, found in tables.items():
        note = part.why if found else f"not measured: run make downstream ({part.name})"
        sections.append(section(part.title, note, ""))
        sections += [
            f"<h3>{escape(each.title)}</h3>{_html(each)}"
            f'<p class="note">{escape(" ".join(each.notes))}</p>'
            for each in found
        ]
        drawn = drawings(part.name, found)
        if drawn:
            sections.append(f'<div class="figures">{"".join(drawn)}</div>')
    return html_page(TITLE, sections)


def page(folder: Path, tables: str) -> str:
    """Return what follows and the first table of each part in Markdown.

    `tables` is the name of the page that has all of them.
    """
    found = {part: read(folder, part) for part in PARTS}
    lines = [
        f"# {TITLE}",
        "",
        ABOUT.replace("TABLES", tables),
        "[How good the cleaned text itself is](evaluation.md).",
        "",
        "## What follows",
        "",
        f"Against `{BASE}` (all text of the page, without tags), by intervals of 95 %:",
        "",
        "| | gain | lose | no difference |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {each.title} | {' | '.join(map(', '.join, by_verdict.values()))} |"
        for measured in found.values()
        for each in measured
        if (by_verdict := verdicts(each))
    ]
    lines.append("")
    for part, measured in found.items():
        lines += [f"## {part.title}", "", part.why, ""]
        lines += [str(measured[0]) if measured else "Not measured yet.", ""]
    return "\n".join(lines)


def all_tables(folder: Path) -> str:
    """Return all tables in Markdown, with the command of each part."""
    lines = [f"# {TITLE}: tables", "", "All tables that `make downstream` prints, by command.", ""]
    for part in PARTS:
        command = f"python -m winnow.lab.downstream.{part.name} {part.arguments}"
        lines += [f"## {part.title}", "", "```sh", command, "```", ""]
        noted: set[str] = set()
        found = read(folder, part)
        for table in found:
            notes = tuple(note for note in table.notes if note not in noted)
            noted.update(notes)
            lines += [str(replace(table, notes=notes)).rstrip(), ""]
        if not found:
            lines += ["Not measured yet.", ""]
    return "\n".join(lines)


def drawings(name: str, tables: Sequence[Results]) -> list[str]:
    """Return the drawings of a part."""
    drawn = [
        _figure(table.title, forest(list(found.items()), _difference(table)))
        for table in tables
        if (found := differences(table))
    ]
    if name == "search" and tables:
        success = {row: 100 * float(cells[0]) for row, cells in tables[0].rows}
        points = [
            Point(row, float(cells[0]), success[row], is_own=row in ENGINES)
            for row, cells in tables[-1].rows
        ]
        drawn.insert(0, _figure(tables[0].title, scatter(points, "index, MB", "MRR x 100")))
    if name == "cleaning" and tables:
        swept = tables[-1]
        cut_offs = [1000.0 * int(head.removesuffix("K")) for head in swept.columns]
        lines = [
            Curve(row, tuple(zip(cut_offs, map(float, cells), strict=True)))
            for row, cells in swept.rows
        ]
        drawn.append(_figure(swept.title, curves(lines, "cut-off", "similarity")))
    return drawn


def _figure(caption: str, drawn: str) -> str:
    return f"<figure><figcaption>{escape(caption)}</figcaption>{drawn}</figure>"


def _difference(table: Results) -> str:
    return next(head for head in table.columns if f"less {BASE}" in head)


def _html(table: Results) -> str:
    heads = "".join(f"<th>{escape(head)}</th>" for head in table.columns)
    rows = "".join(
        f"<tr{_row_class(name)}><th>{escape(name)}</th>"
        f"{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        for name, cells in table.rows
    )
    return (
        f'<div class="scroll"><table><thead><tr><th></th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _row_class(name: str) -> str:
    return ' class="own"' if name in ENGINES else ""


def main() -> None:
    """Write FOLDER/report.html, and the pages of the docs if they are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--page", type=Path, help="the Markdown page to write; its tables go into PAGE-tables"
    )
    chosen = parser.parse_args()
    target = chosen.folder / "report.html"
    target.write_text(report(chosen.folder), encoding="utf-8")
    print(target)
    if chosen.page:
        tables = chosen.page.with_stem(f"{chosen.page.stem}-tables")
        chosen.page.write_text(page(chosen.folder, tables.name), encoding="utf-8")
        tables.write_text(all_tables(chosen.folder), encoding="utf-8")


if __name__ == "__main__":
    main()
