"""Tables, figures and sections as HTML."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Final

from winnow.lab.measure.runs import Run
from winnow.lab.report.tables import Table

_GLOSSARY: Final = {
    "occ": """multisets of tokens (Barbaresi and Lejeune 2020): a token counts as often as both
        texts have it. P and R are means over pages, F is taken on these means.""",
    "voc": "the same on sets of tokens.",
    "LCS": "longest common subsequence of tokens: CleanEval's word alignment, exact.",
    "word F1": "mean over pages of the F1 of lower-cased word multisets, WCXB's measure.",
    "word sim., char sim.": "1 - Levenshtein distance / longer length, mean over pages.",
    "cosine, euclid, KL": "distances of token counts; KL is D(gold || result), zeros 1e-5.",
    "with kept, without leaked": """shares of the required and of the forbidden passages that
        appear; passages F is the F of precision and recall over these passages.""",
    "almost empty": "less than a tenth of the gold's characters, empty included.",
    "x parse": "CPU of cleaning over CPU of a bare lexbor parse of the same pages, same run.",
}


def html_page(title: str, sections: Sequence[str]) -> str:
    """Return an HTML document in the style of reports; `sections` are markup."""
    style = files("winnow.lab.report").joinpath("report.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n<body>"
        f"{''.join(sections)}</body></html>\n"
    )


def glossary() -> str:
    """Return a section with the definitions of the figures."""
    entries = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in _GLOSSARY.items())
    return f"<h2>What the figures mean</h2><dl>{entries}</dl>"


def section(title: str, note: str, body: str) -> str:
    """Return a headed section; `body` is markup, the others are text."""
    return f'<h2>{escape(title)}</h2><p class="note">{escape(note)}</p>{body}'


def figures(title: str, note: str, drawn: Sequence[tuple[str, str]]) -> str:
    """Return a section of captioned drawings; empty without drawings."""
    if not drawn:
        return ""
    boxes = "".join(
        f"<figure><figcaption>{escape(caption)}</figcaption>{svg}</figure>"
        for caption, svg in drawn
    )
    return section(title, note, f'<div class="figures">{boxes}</div>')


def table(content: Table, runs: Sequence[Run]) -> str:
    """Return a table; the best of each column is marked, and Winnow's engines are highlighted."""
    own = {run.engine for run in runs if run.is_own}
    heads = "".join(
        f"<th{_mean_class(column.title)}>{_head(column.title)}</th>" for column in content.columns
    )
    rows = []
    for row_number, (engine, cells) in enumerate(content.rows):
        filled = "".join(
            f"<td{_cell_class(content, row_number, column)}>{_number(value)}</td>"
            for column, value in enumerate(cells)
        )
        row_class = ' class="own"' if engine in own else ""
        rows.append(f"<tr{row_class}><th>{escape(engine)}</th>{filled}</tr>")
    return (
        f'<div class="scroll"><table><thead><tr><th>engine</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell_class(table: Table, row: int, column: int) -> str:
    if table.is_best(row, column):
        return ' class="best"'
    return _mean_class(table.columns[column].title)


def _head(title: str) -> str:
    """Return a title with line breaks before folder names, because columns are narrow."""
    return escape(title).replace("/", "/<br>")


def _mean_class(title: str) -> str:
    return ' class="mean"' if title.startswith("mean") else ""


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.1f}" if abs(value) >= 1 else f"{value:.2f}"
