"""Each extra brings its modules."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any, Final

import pytest

from winnow.extras import MODULES, MissingExtraError, importing

ROOT: Final = Path(__file__).resolve().parents[3]
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: Final[dict[str, list[str]]] = PROJECT["optional-dependencies"]
# gather others, and bring nothing that a module of ours imports
GATHERING: Final = {"all", "dev"}


def distributions(extra: str) -> set[str]:
    """The distributions that an extra names itself."""
    names = (re.split(r"[\[<>=~!;]", each)[0].strip() for each in EXTRAS[extra])
    return {plain(name) for name in names} - {"winnow-web"}


@cache
def packages() -> Mapping[str, list[str]]:
    """Return the installed distributions of each module: it reads the metadata of all."""
    return packages_distributions()


def distribution_of(module: str) -> str:
    # Spark, Ray and the frameworks of retrieval have environments of their own
    elsewhere = {"llama_index": "llama-index-core"}
    found = packages().get(module, [elsewhere.get(module, module)])
    return plain(found[0])


def plain(name: str) -> str:
    return name.lower().replace("_", "-")


def test_the_library_alone_needs_no_other_package() -> None:
    assert PROJECT["dependencies"] == []


def test_the_extras_equal_the_extras_of_the_project() -> None:
    assert MODULES.keys() == EXTRAS.keys() - GATHERING


@pytest.mark.parametrize("extra", MODULES)
def test_a_module_is_in_the_extra_that_brings_it(extra: str) -> None:
    assert {distribution_of(module) for module in MODULES[extra]} == distributions(extra)


def test_all_gathers_every_extra() -> None:
    (gathered,) = EXTRAS["all"]
    named = set(gathered.removeprefix("winnow-web[").removesuffix("]").split(","))

    # it brings torch, some GB
    assert named | {"cli", "nemo-curator"} == set(MODULES)


def test_a_missing_module_outside_the_extras_raises_the_usual_error() -> None:
    with pytest.raises(ModuleNotFoundError, match="nothing_like_it") as caught, importing("clean"):
        import_module("nothing_like_it")

    assert not isinstance(caught.value, MissingExtraError)
