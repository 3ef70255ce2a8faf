"""Tables of the evaluation are written by commands, or name the commit that they are from."""

import re
from typing import Final

import pytest

from docs.site.printed import PAGE, with_table

TABLE: Final = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
MARKED: Final = "a\n\n<!-- printed: x -->\n\n| set | F |\n|---|---|\n| old | 1 |\n\n<!-- end -->\n"
NEW: Final = "| set | F |\n|---|---|\n| new | 2 |\n"


def test_a_table_is_replaced_by_the_printed_one_with_its_head() -> None:
    printed = f"2 pages\n\n| set | G |\n|---|---|\n| other | 3 |\n\n{NEW}\nthe end\n"

    assert with_table(MARKED, "x", printed) == MARKED.replace("| old | 1 |", "| new | 2 |")


def test_text_around_a_table_stays() -> None:
    page = f"{MARKED}\n{MARKED.replace('x', 'y')}"

    assert with_table(page, "y", NEW).startswith(MARKED)


@pytest.mark.parametrize(
    ("name", "printed", "error"),
    [
        ("z", NEW, "no printed table 'z'"),
        ("x", "| set | G |\n|---|---|\n| new | 2 |\n", "0 tables with the head"),
        ("x", f"{NEW}\n{NEW}", "2 tables with the head"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(name: str, printed: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        with_table(MARKED, name, printed)


def test_every_table_of_the_page_names_its_command() -> None:
    page = PAGE.read_text(encoding="utf-8")
    before = [page[: found.start()].rstrip().rsplit("\n\n", 1) for found in TABLE.finditer(page)]

    assert [
        end
        for _, end in before
        if not re.search(r"^<!-- printed: [a-z-]+ -->$|\bat commit [0-9a-f]{8}\b", end)
        and not end.startswith(("The same run", "The same trainings"))
    ] == []


def test_every_printed_table_can_be_written_again() -> None:
    page = PAGE.read_text(encoding="utf-8")
    names = re.findall(r"^<!-- printed: ([a-z-]+) -->$", page, re.MULTILINE)
    tables = re.findall(r"<!-- printed: [a-z-]+ -->\n\n((?:\|.*\n)+)\n<!-- end -->", page)

    assert len(names) == len(tables) == len(set(names)) > 0
    assert [with_table(page, *each) for each in zip(names, tables, strict=True)] == [page] * len(
        names
    )
