"""Tests that the documentation names exist, and what it promises names one."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[3]
PAGES: Final = sorted(
    [
        ROOT / "README.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "docs" / "decisions").glob("*.md"),
    ]
)
NAMED: Final = re.compile(r"\btests/[\w./-]*\w(?:::\w+)*")
# What the recipes of docs/developing.md have a developer make.
MADE: Final = re.compile(r"/(?:NAME|length)(?:\.py|/)")
MODULES: Final = re.compile(
    r"`((?:bench|lab|models|streams|tests|winnow|worker)/[\w/-]+\.(?:py|rs))\b"
)
HELD: Final = re.compile(r"`tests/[\w/]+\.py::\w+`")
OPERATIONS: Final = ROOT / "docs" / "operations.md"
SECURITY: Final = ROOT / "docs" / "security.md"


@cache
def names_in(path: Path) -> frozenset[str]:
    """Return the names of the tests of a file, without running it."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found = (node.name for node in nodes if isinstance(node, functions))
    return frozenset(name for name in found if name.startswith("test_"))


def is_there(named: str) -> bool:
    path, _, test = named.partition("::")
    file = ROOT / path
    return test in names_in(file) if test else file.exists()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_test_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert [name for name in NAMED.findall(text) if not is_there(name)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_every_module_that_a_page_names_exists(page: Path) -> None:
    named = MODULES.findall(page.read_text(encoding="utf-8"))

    assert [name for name in named if not (ROOT / name).is_file() and not MADE.search(name)] == []


@pytest.mark.parametrize(
    ("named", "is_found"),
    [
        ("tests/unit/docs/test_promises.py::test_a_name_without_a_test_is_found", True),
        ("tests/unit/docs/test_promises.py::test_a_name_that_is_none", False),
        ("tests/unit/docs/test_promises.py", True),
        ("tests/unit/docs/test_promise.py", False),
        ("tests/unit/docs", True),
    ],
)
def test_a_name_without_a_test_is_found(named: str, *, is_found: bool) -> None:
    assert NAMED.findall(f"held by `{named}`, ({named}).") == [named, named]
    assert is_there(named) is is_found


def sections_of(page: Path, level: str) -> dict[str, str]:
    parts = re.split(rf"^{level} (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize(
    "row",
    [
        line
        for line in sections_of(OPERATIONS, "##")["Failures"].splitlines()
        if line.startswith("| ") and not line.startswith("| failure |")
    ],
    ids=lambda row: row[2:50],
)
def test_every_failure_names_the_test_that_brings_it_about(row: str) -> None:
    assert HELD.search(row.rstrip("|").rpartition("|")[2])


@pytest.mark.parametrize(
    "title", ["Sizing", "Scaling", "Stopping", "Installing and upgrading", "Rolling out a model",
              "Tracing", "Alerts"],
)  # fmt: skip
def test_every_part_of_the_operations_page_names_its_tests(title: str) -> None:
    assert HELD.search(sections_of(OPERATIONS, "##")[title].partition("*Held by*")[2])


@pytest.mark.parametrize("title", sections_of(SECURITY, "###"))
def test_every_part_of_the_security_page_names_its_tests(title: str) -> None:
    assert HELD.search(sections_of(SECURITY, "###")[title].partition("*Held by*")[2])
