"""What is said where an extra is missing, and what works without it."""

import subprocess
import sys
from pathlib import Path

import pytest

from winnow.extras import MODULES
from winnow.models.engines.choice import ENGINES

# programs that start while other tests run
pytestmark = pytest.mark.timeout(300)

ROOT = Path(__file__).resolve().parents[3]

# Runs a program without the packages of extras: an import of one fails as if it were not installed.
WITHOUT = """
import importlib.abc, runpy, sys

class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
{program}
"""
COMMAND = "sys.argv = ['winnow', *{!r}]\nrunpy.run_module('winnow', run_name='__main__')"
PAGE = "<title>Bees</title><p>The bees find more flowers in the city.</p>"
TEXT = "The bees find more flowers in the city."

LAB = ("model", "evaluate", "calibrate", "web2text", "label")
SERVICE = ("worker", "demo", "publish", "tail", "topics", "dead", "top", "inspect")
PLAIN = ("clean", "explain", "strip", "score")


def run_without(extras: set[str], program: str, page: str = "") -> subprocess.CompletedProcess[str]:
    missing = set().union(*(MODULES[extra] for extra in extras))
    source = WITHOUT.format(missing=missing, program=program)
    command = [sys.executable, "-c", source]
    return subprocess.run(
        command, cwd=ROOT, check=False, capture_output=True, text=True, input=page
    )


def command_without(extras: set[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_without(extras, COMMAND.format(arguments))


@pytest.mark.parametrize("engine", ENGINES)
def test_the_library_cleans_without_any_extra(engine: str) -> None:
    program = (
        "import winnow\n"
        f"document = winnow.clean({PAGE!r}, options=winnow.CleanerOptions(engine={engine!r}))\n"
        "print(document.text)"
    )

    done = run_without(set(MODULES), program)

    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.strip() in {TEXT, ""}


@pytest.mark.parametrize("name", ["worker", *PLAIN])
def test_a_command_without_the_extra_of_commands_says_which_to_install(name: str) -> None:
    done = command_without(set(MODULES), name, "--help")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "winnow: the command needs the extra cli: pip install 'winnow-web[cli]'\n"
    )


@pytest.mark.parametrize(
    ("extra", "name"),
    [*(("lab", name) for name in LAB), *(("worker", name) for name in SERVICE)],
)
def test_a_command_whose_extra_is_missing_says_which_to_install(extra: str, name: str) -> None:
    done = command_without(set(MODULES) - {"cli"}, name, "--help")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"winnow: {name} needs the extra {extra}: pip install 'winnow-web[{extra}]'\n"
    )


@pytest.mark.parametrize("name", PLAIN)
def test_commands_need_their_extra_alone(name: str) -> None:
    done = command_without(set(MODULES) - {"cli"}, name, "--help")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("extra", "name"),
    [*(("worker", name) for name in SERVICE), *(("lab", name) for name in LAB)],
)
def test_a_command_needs_no_other_extra_than_its_own(extra: str, name: str) -> None:
    done = command_without(set(MODULES) - {"cli", extra}, name, "--help")

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [("strip", "-"), ("clean", "-")])
def test_pages_are_cleaned_with_the_extra_of_commands_alone(arguments: tuple[str, ...]) -> None:
    program = COMMAND.format(arguments)

    done = run_without(set(MODULES) - {"cli"}, program, PAGE)

    assert (done.stdout.strip(), done.stderr) == (TEXT, "")


@pytest.mark.parametrize("adapter", ["datatrove", "spark", "ray", "nemo-curator"])
def test_an_adapter_without_its_engine_says_which_extra_to_install(adapter: str) -> None:
    module = f"winnow.{adapter.replace('-', '_')}"

    done = run_without(set(MODULES), f"import {module}")

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"winnow.extras.MissingExtraError: {module} needs the extra {adapter}: "
        f"pip install 'winnow-web[{adapter}]'"
    )
