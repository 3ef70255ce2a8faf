"""Compare tables and code of a page with its Markdown."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from winnow.lab.measure.structure import (
    Code,
    Figures,
    code_of,
    relations_of,
    similarity,
    tables_of,
)


def tables(markup: str) -> list[list[list[str]]]:
    return list(tables_of(LexborHTMLParser(markup)))


def test_cells_are_placed_around_spans() -> None:
    markup = "<table><tr><td rowspan=2>A<td colspan=2>B<tr><td>C!<td>d  e</table>"

    assert tables(markup) == [[["a", "b", ""], ["", "c", "d e"]]]


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>A<td>B</table>",
        "<table><tr><td>A<tr><td>B</table>",
        "<table><tr><td>A<td><pre>B</pre><tr><td>C<td>D</table>",
    ],
)
def test_tables_of_one_row_one_column_or_code_are_not_data(markup: str) -> None:
    assert tables(markup) == []


def test_relations_skip_empty_cells() -> None:
    grid = [["a", "", "b"], ["c", "", "d"]]

    assert set(relations_of(grid)) == {
        ("right", "a", "b"),
        ("right", "c", "d"),
        ("below", "a", "c"),
        ("below", "b", "d"),
    }


def test_a_table_is_compared_with_the_one_that_shares_most_cells() -> None:
    figures = Figures()

    figures.add_table([["a", "b"], ["c", "d"]], [[["x", "a"]], [["a", "b"], ["c", "e"]]])
    figures.add_table([["a", "b"], ["c", "d"]], [])

    assert figures.cells == [0.75, 0.0]
    assert figures.relations == [0.5, 0.0]


def test_code_is_compared_by_its_characters_and_its_language() -> None:
    figures = Figures()
    page = "<pre><code class='x language-py'>a = 1</code></pre><pre class=lang-none>b</pre>"
    wanted = list(code_of(LexborHTMLParser(page)))

    for each in wanted:
        figures.add_code(each, [Code("a = 2", "py"), Code("c", "")])

    assert wanted == [Code("a = 1", "py"), Code("b", "")]
    assert figures.similarities == pytest.approx([0.8, 0.0])
    assert figures.languages == [True]
    assert similarity(Code("a\r\nb", ""), Code("a\nb", "")) == 1.0
