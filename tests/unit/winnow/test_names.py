"""One name in the interpreter, another on the package index."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
OWN_FOLDERS = ("models", "streams", "worker", "lab")
PROGRAMS = {
    "library": "import winnow; print(winnow.clean(b'<p>The bees find flowers.</p>').text)",
    "command": "from winnow.worker.cli import main; main(['strip', 'page.html'])",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_project_with_folders_of_the_same_names_uses_winnow(tmp_path: Path, program: str) -> None:
    for folder in OWN_FOLDERS:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text("raise RuntimeError('another project')")
    (tmp_path / "page.html").write_text("<p>The bees find flowers.</p>")

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, check=False, capture_output=True, text=True
    )

    assert done.stderr == ""
    assert done.stdout.strip() == "The bees find flowers."


def test_no_page_installs_the_other_project_of_this_name() -> None:
    command = ["git", "ls-files", "--", "*.md", "*.py", "*.toml", "*.yml", "*.yaml", "Dockerfile"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    files = [ROOT / name for name in listed.stdout.splitlines() if "docs/decisions/" not in name]
    bare = re.compile(r"pip install ['\"]?winnow(?!-web)\b|\bwinnow\[")

    found = [file.name for file in files if file.is_file() and bare.search(file.read_text())]

    assert [name for name in found if name != Path(__file__).name] == []
