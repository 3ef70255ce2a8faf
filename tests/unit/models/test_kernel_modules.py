"""The modules of the kernel use each other without circles."""

import re
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[3] / "models" / "kernel" / "src"

Module = tuple[str, ...]


def modules() -> dict[Module, str]:
    """Return the text of every module of the kernel by its path in the crate, without tests."""
    found: dict[Module, str] = {}
    for file in SOURCES.rglob("*.rs"):
        *folder, name = file.relative_to(SOURCES).with_suffix("").parts
        module = tuple(folder) if name in {"mod", "lib"} else (*folder, name)
        if "tests" not in module:
            text = re.sub(r"//.*", "", file.read_text())
            found[module] = text.split("#[cfg(test)]\nmod tests {")[0]
    return found


def paths(tree: str) -> Iterator[str]:
    """Expand `a::{b, c::{d, e}}` into its paths."""
    head, brace, tail = tree.partition("{")
    if not brace:
        yield tree
        return
    part, depth = "", 0
    for letter in tail[: tail.rindex("}")] + ",":
        if letter == "," and depth == 0:
            if part:
                yield from paths(head + part)
            part = ""
            continue
        depth += {"{": 1, "}": -1}.get(letter, 0)
        part += letter


def uses(module: Module, text: str) -> Iterator[Module]:
    """Yield the paths in the text that begin with `crate`, `self` or `super`."""
    trees = re.findall(r"\buse ((?:crate|self|super)::[^;]+);", text)
    rest = re.sub(r"\buse [^;]+;", "", text)
    trees += re.findall(r"\b(?:crate|super)(?:::\w+)+", rest)
    for tree in trees:
        for path in paths(re.sub(r"\s|\bas \w+", "", tree)):
            start = {"crate": (), "self": module, "super": module[:-1]}
            first, *names = path.split("::")
            above = start[first]
            while names and names[0] == "super":
                above, names = above[:-1], names[1:]
            yield (*above, *names)


def needs(module: Module, texts: dict[Module, str]) -> Iterator[Module]:
    """Yield the modules that one uses or declares; those around it only declare it."""
    text = texts[module]
    for name in re.findall(r"^\s*(?:pub(?:\(\w+\))? )?mod (\w+);", text, re.MULTILINE):
        if (*module, name) in texts:
            yield (*module, name)
    for used in uses(module, text):
        target = used
        while target not in texts:
            target = target[:-1]
        if module[: len(target)] != target:
            yield target


def room(module: Module) -> Module:
    """Return the folder at the root of the crate that holds a module, or its file there."""
    return module[:1]


@pytest.mark.parametrize("unit", [tuple, room])
def test_modules_and_folders_have_no_import_cycles(unit: Callable[[Module], Module]) -> None:
    """One module or room can be read without the ones that use it."""
    texts = modules()
    used: dict[Module, set[Module]] = {}
    for module in texts:
        others = {unit(other) for other in needs(module, texts)}
        used.setdefault(unit(module), set()).update(others - {unit(module)})

    try:
        TopologicalSorter(used).prepare()
    except CycleError as error:
        pytest.fail("\n".join("::".join(module) for module in error.args[1]))


def test_folders_share_only_code_of_a_folder_without_dependencies() -> None:
    texts = modules()
    shared = [module for module in texts if room(module) == ("text",)]

    assert len(shared) > 1
    assert {room(other) for module in shared for other in needs(module, texts)} == {("text",)}


def test_uses_are_found_in_every_form() -> None:
    """A path is found in a tree of paths, over lines, and in the text."""
    text = (
        "use crate::a::{\n    b::C as D,\n    e::{self, F},\n};\nuse super::g::h;\nsuper::i::j();"
    )

    found = set(uses(("x", "y", "z"), text))

    assert found == {
        ("a", "b", "C"),
        ("a", "e", "self"),
        ("a", "e", "F"),
        ("x", "y", "g", "h"),
        ("x", "y", "i", "j"),
    }


def test_a_module_needs_modules_it_uses_or_declares_but_not_its_parents() -> None:
    """A part of a module may use what its whole defines."""
    texts = {
        ("a",): "mod b;\nmod c;\nstruct Whole;",
        ("a", "b"): "use super::Whole;\nuse super::c::Part;",
        ("a", "c"): "",
    }

    assert set(needs(("a",), texts)) == {("a", "b"), ("a", "c")}
    assert set(needs(("a", "b"), texts)) == {("a", "c")}
