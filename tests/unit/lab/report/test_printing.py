"""Tables on the terminal show names as they are."""

import io

import pytest
from rich.console import Console

from winnow.lab.measure.bootstrap import Interval
from winnow.lab.measure.differences import Difference
from winnow.lab.measure.figures import Better
from winnow.lab.report.printing import print_differences, print_table
from winnow.lab.report.tables import Column, Table


@pytest.mark.parametrize("name", ["my[red]set", "a[/b]", "[bold]"])
def test_brackets_in_names_are_not_markup(name: str) -> None:
    console = Console(file=io.StringIO(), width=200)
    table = Table(name, (Column(name, Better.HIGHER),), ((name, (1.0,)), ("b", (2.0,))))

    print_table(console, table)
    print_differences(console, name, [Difference(name, name, Interval(1, 1, 1))], [name])

    assert isinstance(console.file, io.StringIO)
    printed = console.file.getvalue().replace("/\n", "/")
    assert printed.count(name.partition("/")[0]) == 6
    assert "2.0" in printed
    assert "[bold]2.0" not in printed
