"""Every command of the documents is run by a test, or is in a list with the reason why not."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest

from winnow.worker.cli import main

ROOT: Final = Path(__file__).resolve().parents[3]
PAGES: Final = [
    "README.md",
    "CONTRIBUTING.md",
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
]
FENCED: Final = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE: Final = re.compile(r"`((?:[A-Z_]+=\S+ )*(?:winnow|make|python -m) [^`]+)`")
INDENTED: Final = re.compile(r"\n\n((?:    [a-z.][^\n]*\n)+)")
TARGETS: Final = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
OF_OTHERS: Final = {"cProfile", "http.server", "pip"}
SHELL: Final = {"sh", "bash", "console", "shell"}
PROGRAMS: Final = {"python", "properties"}

# which test runs the shell blocks and programs of a page
RUN_BY: Final = {
    "docs/quick-start.md": "tests/integration/services/test_quick_start.py",
    "docs/tutorial.md": "tests/integration/services/test_tutorial.py",
    "docs/cookbook.md": "tests/integration/processes/test_cookbook.py",
    "docs/engines.md": "tests/integration/services/test_quick_start.py",
    "docs/deployment.md": "tests/integration/services/test_quick_start.py",
    "docs/inspector.md": "tests/unit/worker/inspector/test_inspector_api.py",
    "docs/serve.md": "tests/integration/serve/test_serve.py",
    "docs/messages.md": "tests/messages/programs.py",
    "docs/archives.md": "tests/recipes/test_shards.py",
    "docs/indexing.md": "tests/recipes/test_index.py",
    "docs/recipes.md": "tests/recipes/conftest.py",
    "docs/api.md": "tests/unit/winnow/test_coming_from.py",
    "docs/coming-from-pyplexity.md": "tests/unit/winnow/test_coming_from.py",
    "docs/coming-from-trafilatura.md": "tests/unit/winnow/test_coming_from.py",
    "README.md": "tests/integration/services/test_readme.py",
}
# shell blocks that no test runs; what they name is checked below all the same
NOT_RUN: Final = {
    "CONTRIBUTING.md": "sets up a clone and passes the tests that this one is among",
    "docs/downstream-tables.md": "hours of work on labelled pages that are not in the repository",
    "docs/evaluation.md": "hours of work on labelled pages that are not in the repository",
    "docs/labelling.md": "needs labelled pages that are not in the repository",
    "docs/language-models.md": "needs a crawl of one's own and labelled pages of it",
    "docs/web2text.md": "trains for minutes to hours, on labelled pages",
}


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, languages: set[str]) -> list[str]:
    return [body for language, body in FENCED.findall(text_of(page)) if language in languages]


def calls(page: str) -> Iterator[list[str]]:
    """Yield every command of a page as its words, without what the shell makes of them."""
    lines = [line for block in blocks(page, SHELL) for line in block.splitlines()]
    lines += [line for block in INDENTED.findall(text_of(page)) for line in block.splitlines()]
    for line in [*lines, *INLINE.findall(text_of(page))]:
        for part in re.split(r"\|\|?|&&?|;|\$\(|\)", re.sub(r"(^|\s)#.*", "", line)):
            words = re.sub(r"[\"']$|^eval \"", "", part.strip())
            found = [word for word in _split(words) if not re.fullmatch(r"[A-Z_]+=.*", word)]
            if found and found[0] in {"until", "nice", "timeout", "sudo"}:
                found = found[1:]
            if found:
                yield found


def _split(words: str) -> list[str]:
    try:
        return shlex.split(words)
    except ValueError:  # a quote that the shell closes in the next part
        return words.split()


def unknown_of_winnow(words: list[str]) -> list[str]:
    """Return the names in a command line that Winnow does not have."""
    command: click.Command = main
    context = click.Context(main)
    options: set[str] = set()
    rest = list(words)
    while True:
        options |= {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
        if not isinstance(command, click.Group) or not rest:
            break
        if rest[0].startswith("-"):
            rest.pop(0)
            continue
        name = rest.pop(0)
        if not re.fullmatch("[a-z0-9-]+", name):
            return []  # `winnow COMMAND --help`
        found = command.get_command(context, name)
        if found is None:
            return [name]
        command = found
    named = {word.partition("=")[0] for word in rest if re.match(r"--?[a-zA-Z]", word)}
    return sorted(named - options - {"--help", "-h"})


@pytest.mark.parametrize("page", PAGES)
def test_commands_and_options_of_a_page_are_there(page: str) -> None:
    unknown = []
    for words in calls(page):
        program = words[0].removeprefix(".venv/bin/")
        if program == "winnow":
            unknown += [(words, name) for name in unknown_of_winnow(words[1:])]
        elif program == "make":
            named = [word for word in words[1:] if re.fullmatch("[a-z-]+", word) and word[0] != "-"]
            unknown += [(words, name) for name in named if name not in TARGETS]
        elif program == "python" and words[1:3] == ["-m", "pytest"]:
            paths = [word.split("::")[0] for word in words[3:] if word.startswith("tests/")]
            unknown += [(words, path) for path in paths if not (ROOT / path).exists()]
        elif program == "python" and words[1] == "-m" and words[2] not in OF_OTHERS:
            module = ROOT.joinpath(*words[2].split("."))
            if not (module.with_suffix(".py").is_file() or (module / "__main__.py").is_file()):
                unknown.append((words, words[2]))

    assert unknown == []


def test_an_unknown_command_would_be_found() -> None:
    assert unknown_of_winnow(["clean", "x.html", "--engine", "hybrid", "-o", "y"]) == []
    assert unknown_of_winnow(["dead", "replay", "--no-such=1", "-z"]) == ["--no-such", "-z"]
    assert unknown_of_winnow(["dead", "revive"]) == ["revive"]


@pytest.mark.parametrize("page", PAGES)
def test_blocks_of_a_page_are_run_by_a_test_or_listed_with_the_reason(page: str) -> None:
    has_blocks = bool(blocks(page, SHELL | PROGRAMS))

    assert has_blocks == (page in RUN_BY or page in NOT_RUN)
    if page in RUN_BY:
        test = (ROOT / RUN_BY[page]).read_text(encoding="utf-8")
        assert Path(page).name in test


def test_all_lists_name_existing_pages() -> None:
    assert {*RUN_BY, *NOT_RUN} <= set(PAGES)
    assert not RUN_BY.keys() & NOT_RUN.keys()
