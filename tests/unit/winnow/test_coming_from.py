"""Run the Python programs of the pages."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.messages.pages import DOCS, programs

PRINTED = {
    ("coming-from-pyplexity.md", "score.py"): "True\n",
    ("coming-from-pyplexity.md", "clean.py"): "The committee met on Monday, and it agreed",
    ("coming-from-trafilatura.md", "extract.py"): (
        "Bees in the city | Ada Lang | article\n# Bees in the city\n\nThe bees find more"
    ),
    ("coming-from-trafilatura.md", "same.py"): (
        "Bees in the city\nThe bees find more flowers in the city than in the fields around it.\n"
        "None\n"
    ),
    ("coming-from-trafilatura.md", "many.py"): (
        "https://example.org/1 The bees find more flowers in the city.\n"
        "https://example.org/2 not_html\n"
    ),
}


def test_every_program_of_the_pages_is_known_here() -> None:
    pages = {page for page, _ in PRINTED}

    assert PRINTED.keys() == {
        (page, name)
        for page in pages
        for name in programs((DOCS / page).read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize(("page", "name"), PRINTED)
def test_a_program_prints_what_it_is_for(page: str, name: str, tmp_path: Path) -> None:
    program = tmp_path / name
    program.write_text(programs((DOCS / page).read_text(encoding="utf-8"))[name])

    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(PRINTED[page, name])


@pytest.mark.parametrize("page", ["../README.md", "api.md", "quick-start.md"])
def test_the_shortest_program_prints_the_text_of_its_page(page: str, tmp_path: Path) -> None:
    (program,) = re.findall(
        r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "The bees find more flowers in the city." in done.stdout
