"""What only training, measuring and tests ask of the kernel is a module of its own."""

import ast
import importlib
from pathlib import Path

import pytest

from winnow.models import _kernel
from winnow.models._kernel import lab

PROJECT = Path(__file__).parents[3]

LAB = "winnow.models._kernel.lab"


def imported(source: str) -> set[str]:
    """Return the modules and names that a source imports, and attributes of modules it reads."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{name.name}" for name in node.names}
        elif isinstance(node, ast.Attribute):
            found.add(ast.unparse(node))
    return found


def uses_lab(source: str) -> bool:
    return any("._kernel.lab." in f".{name}." for name in imported(source))


@pytest.mark.parametrize("folder", ["worker", "streams", "models", "winnow"])
def test_no_worker_module_imports_the_lab_module(folder: str) -> None:
    home = PROJECT / folder
    sources = [path for path in home.rglob("*.py") if path.resolve().is_relative_to(home)]

    users = [str(path.relative_to(PROJECT)) for path in sources if uses_lab(path.read_text())]

    assert len(sources) > 5
    assert users == []


@pytest.mark.parametrize(
    "source",
    [
        f"import {LAB}",
        f"from {LAB} import leaves",
        "from winnow.models._kernel import lab",
        "from winnow.models import _kernel\n_kernel.lab.leaves",
        "import winnow.models._kernel\nwinnow.models._kernel.lab.leaves(1)",
    ],
)
def test_a_use_is_found_in_every_form(source: str) -> None:
    assert uses_lab(source)


def test_the_lab_module_is_the_same_with_any_import() -> None:
    assert importlib.import_module(LAB) is _kernel.lab is lab
    assert lab.__name__ == LAB
    assert {lab.leaves.__module__, lab.Counter.__module__} == {LAB}


def test_the_kernel_has_no_names_of_the_lab_module() -> None:
    assert set(lab.__all__) & set(dir(_kernel)) == set()
