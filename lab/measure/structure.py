"""How well Markdown keeps tables and code, compared with the markup of the page.

    python -m winnow.lab.measure.structure ../shared/pages/*.tar.zst

Gold texts are plain text, so the expected tables and code come from the markup, by independent
rules on selectolax's public interface: data tables (at least two rows and columns, no table inside)
and preformatted text, if at least four fifths of the words are in the gold. The found ones are read
from the Markdown of the default engine by a parser of CommonMark and tables.

Cells are compared as multisets of their lower-case words; relations as in ICDAR 2013 (Goebel et al.
2013): each cell with the next non-empty one to the right and below. Each table of the page is
matched with the Markdown table that shares most cells, each piece of code with the most similar
one; similarity is 1 - Levenshtein distance / longer length. Language is the share of pieces with a
class `language-X` or `lang-X` whose language the Markdown has too. Needs the packages of
`requirements/dev.txt`.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Final

from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser, LexborNode

from winnow.lab.measure.choice import IN_GOLD
from winnow.lab.measure.metrics import occ_overlap
from winnow.lab.measure.tokens import lowered_words
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, set_name, tasks
from winnow.models import Cleaner, CleanerOptions, TextFormat
from winnow.models._kernel.lab import char_edit_distance
from winnow.models.errors import InvalidPage
from winnow.models.page import decode

LEAST_WORDS: Final = 4
# longer code is compared by its beginning: the cost is the product of both lengths
MAX_CODE_CHARS: Final = 4000
MAX_SPAN: Final = 100
_LANGUAGE: Final = re.compile(r"\b(?:language|lang)-([\w+#.-]+)")
_NO_LANGUAGE: Final = frozenset({"none", "text", "plain", "plaintext", "default"})

# rows of cells; a cell is its words
Grid = list[list[str]]
Relation = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of preformatted text and its declared language; may be empty."""

    text: str
    language: str


@dataclass(slots=True)
class Figures:
    """Sums over pages."""

    cells: list[float] = field(default_factory=list)
    relations: list[float] = field(default_factory=list)
    similarities: list[float] = field(default_factory=list)
    languages: list[bool] = field(default_factory=list)

    def add_table(self, wanted: Grid, found: Sequence[Grid]) -> None:
        """Compare a table of a page with the tables of its Markdown."""
        cells = _cells(wanted)
        nearest = max(found, key=lambda grid: (_cells(grid) & cells).total(), default=[])
        self.cells.append(occ_overlap(_cells(nearest).elements(), cells.elements()).f1)
        pairs = relations_of(nearest).elements(), relations_of(wanted).elements()
        self.relations.append(occ_overlap(*map(_joined, pairs)).f1)

    def add_code(self, wanted: Code, found: Sequence[Code]) -> None:
        """Compare a piece of code of a page with the code of its Markdown."""
        nearest = max(found, key=lambda code: similarity(wanted, code), default=Code("", ""))
        self.similarities.append(similarity(wanted, nearest))
        if wanted.language:
            self.languages.append(nearest.language == wanted.language)


def words_of(text: str) -> str:
    """Return the words of a cell in lower case, separated by spaces."""
    return " ".join(lowered_words(text))


def tables_of(tree: LexborHTMLParser) -> Iterator[Grid]:
    """Yield the data tables of a document."""
    for table in tree.css("table"):
        if table.css_first("table table") or table.css_first("pre"):
            continue
        grid = grid_of(table)
        if sum(sum(map(bool, row)) > 1 for row in grid) > 1:
            yield grid


def grid_of(table: LexborNode) -> Grid:
    """Return the cells of a table by row and column; a spanning cell leaves empty cells."""
    cells: dict[tuple[int, int], str] = {}
    taken: set[tuple[int, int]] = set()
    for row, node in enumerate(table.css("tr")):
        column = 0
        for cell in node.css("td, th"):
            while (row, column) in taken:
                column += 1
            cells[row, column] = words_of(cell.text(separator=" "))
            width, height = (_span(cell, name) for name in ("colspan", "rowspan"))
            taken.update((row + down, column + on) for down in range(height) for on in range(width))
    rows = 1 + max((row for row, _ in cells), default=-1)
    columns = 1 + max((column for _, column in cells), default=-1)
    return [[cells.get((row, column), "") for column in range(columns)] for row in range(rows)]


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or "1"
    return min(max(int(value), 1), MAX_SPAN) if value.isdecimal() else 1


def code_of(tree: LexborHTMLParser) -> Iterator[Code]:
    """Yield the preformatted texts of a document."""
    for node in tree.css("pre"):
        yield Code(node.text().strip(), _language(node))


def _language(node: LexborNode) -> str:
    inside = node.css_first("code")
    classes = [each.attributes.get("class") or "" for each in (inside, node) if each]
    for found in map(_LANGUAGE.search, classes):
        if found and found[1].lower() not in _NO_LANGUAGE:
            return found[1].lower()
    return ""


def relations_of(grid: Grid) -> Counter[Relation]:
    """Count the pairs of horizontally and vertically adjacent cells."""
    found: Counter[Relation] = Counter()
    for row in grid:
        cells = [cell for cell in row if cell]
        found.update(("right", *pair) for pair in pairwise(cells))
    width = max(map(len, grid), default=0)
    for column in range(width):
        cells = [row[column] for row in grid if column < len(row) and row[column]]
        found.update(("below", *pair) for pair in pairwise(cells))
    return found


def _cells(grid: Grid) -> Counter[str]:
    return Counter(cell for row in grid for cell in row if cell)


def _joined(relations: Iterable[Relation]) -> Iterator[str]:
    return ("\n".join(relation) for relation in relations)


def similarity(left: Code, right: Code) -> float:
    """Return the similarity of two pieces of code, 0 to 1; line ends are normalised."""
    texts = [code.text.replace("\r\n", "\n")[:MAX_CODE_CHARS] for code in (left, right)]
    longer = max(map(len, texts))
    return 1.0 - char_edit_distance(*texts) / longer if longer else 1.0


def is_in_gold(text: str, gold: Counter[str]) -> bool:
    """Whether a text is in the gold, so that an engine should keep it."""
    words = Counter(lowered_words(text))
    known = (words & gold).total()
    return words.total() >= LEAST_WORDS and known >= IN_GOLD * words.total()


def add_page(task: Task, cleaner: Cleaner, parser: MarkdownIt, figures: Figures) -> None:
    """Count the tables and the code of one page."""
    gold = Counter(lowered_words(task.wanted.text))
    try:
        page = LexborHTMLParser(decode(task.page).markup)
        markdown = cleaner.clean(task.page).text
    except InvalidPage:
        return
    tables = [
        grid for grid in tables_of(page) if is_in_gold(" ".join(_cells(grid).elements()), gold)
    ]
    pieces = [code for code in code_of(page) if is_in_gold(code.text, gold)]
    if not tables and not pieces:
        return
    rendered = LexborHTMLParser(parser.render(markdown))
    found_tables, found_code = list(tables_of(rendered)), list(code_of(rendered))
    for grid in tables:
        figures.add_table(grid, found_tables)
    for code in pieces:
        figures.add_code(code, found_code)


def main(sources: Sequence[str]) -> None:
    """Print a row for each set that has tables or code."""
    cleaner = Cleaner(CleanerOptions(format=TextFormat.MARKDOWN))
    parser = MarkdownIt("commonmark").enable("table")
    print("| set | tables | cells F | relations F | code | similarity | languages | right |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for source in map(Path, sources):
        figures = Figures()
        for task in tasks(source, gold_set_of(source), Selection()):
            if b"<table" in task.page.body or b"<pre" in task.page.body:
                add_page(task, cleaner, parser, figures)
        if figures.cells or figures.similarities:
            print(_row(set_name(source), figures), flush=True)


def _row(name: str, figures: Figures) -> str:
    numbers = (figures.cells, figures.relations, figures.similarities, figures.languages)
    cells, relations, similarities, languages = (
        f"{mean(values):.3f}" if values else "" for values in numbers
    )
    return (
        f"| {name} | {len(figures.cells)} | {cells} | {relations} | {len(figures.similarities)} "
        f"| {similarities} | {len(figures.languages)} | {languages} |"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
