"""Every error of ours has one root, and the trees at the heads of the two files draw them all."""

import ast
import builtins
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import click
import pytest

import winnow.models.errors
import winnow.streams.errors
from winnow.models.errors import WinnowError

ROOT = Path(winnow.models.errors.__file__).parents[1]
PACKAGES = ("models", "streams", "worker", "lab")
_TREES = f"{winnow.models.errors.__doc__}{winnow.streams.errors.__doc__}"

# a class with bases; to parse all sources would take half a second in each process
_CLASS = re.compile(rb"^class \w+\(", re.MULTILINE)


def _modules() -> dict[str, ast.Module]:
    """Return the parsed sources: some modules of `lab` import what only training installs."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    sources = {path: path.read_bytes() for path in paths}
    return {
        ".".join(("winnow", *path.relative_to(ROOT).with_suffix("").parts)): ast.parse(source)
        for path, source in sources.items()
        if _CLASS.search(source)
    }


def _definitions(module: ast.Module) -> Iterator[tuple[str, list[str]]]:
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            yield node.name, [ast.unparse(base).split("[")[0] for base in node.bases]


def _imported(module: ast.Module) -> dict[str, str]:
    found: dict[str, str] = {}
    for node in module.body:
        if isinstance(node, ast.ImportFrom):
            found |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import):
            found |= {a.asname or a.name: a.name for a in node.names}
    return found


def _error_classes() -> dict[str, type[BaseException]]:
    """Return each exception class of the four packages under its full name.

    A module is imported only if one of its classes, by name, has an exception among its bases.
    """
    parsed = _modules()
    errors: dict[str, type[BaseException]] = {}
    for name, module in parsed.items():
        imported = _imported(module)
        local = {each for each, _ in _definitions(module)}
        for class_name, bases in _definitions(module):
            if any(_may_be_error(base, imported, local) for base in bases):
                found = getattr(importlib.import_module(name), class_name, None)
                if _is_ours(found):
                    errors[f"{name}.{class_name}"] = found
    return errors


def _is_ours(found: object) -> TypeGuard[type[BaseException]]:
    """Exclude the ends of a command: they are click's, which prints them and sets the exit code."""
    if not isinstance(found, type) or not issubclass(found, BaseException):
        return False
    return not issubclass(found, click.ClickException)


def _may_be_error(base: str, imported: dict[str, str], local: set[str]) -> bool:
    known = getattr(builtins, base, None)
    if isinstance(known, type):
        return issubclass(known, BaseException)
    head = base.split(".", maxsplit=1)[0]
    return base in local or imported.get(head, "").split(".")[0] not in {"", "typing", "enum"}


ERRORS = _error_classes()


def test_the_walk_finds_the_errors_of_all_four_packages() -> None:
    assert {name.split(".")[1] for name in ERRORS} == set(PACKAGES)


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_every_error_has_the_one_root_and_is_drawn_in_a_tree(name: str) -> None:
    error = ERRORS[name]

    assert issubclass(error, WinnowError)
    assert f" {error.__name__} " in _TREES or error is WinnowError
