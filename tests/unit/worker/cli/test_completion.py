"""The lines of docs/commands.md have each shell complete what begins like a command of ours."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
LINE = re.compile(r"^\| (\w+) \| `[^`]+` \| `(.+)` \|$", re.MULTILINE)
LINES = {
    shell: line.replace("\\|", "|")
    for shell, line in LINE.findall((ROOT / "docs" / "commands.md").read_text(encoding="utf-8"))
}
# what each shell does when someone writes `winnow to` and asks for more
ASK = {
    "bash": "COMP_WORDS=(winnow to); COMP_CWORD=1; _winnow_completion winnow; "
    'printf "%s\\n" "${COMPREPLY[@]}"',
    "zsh": "words=(winnow to); CURRENT=2; _winnow_completion",
    "fish": "complete -C 'winnow to'",
}
# zsh completes inside its line editor alone: print what would be offered there
BEFORE = {"zsh": "compdef() { :; }; _describe() { print -rl -- ${(P)3}; }"}
START = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}


def test_completion_knows_three_shells() -> None:
    assert LINES.keys() == ASK.keys()


@pytest.mark.parametrize("shell", ASK)
def test_a_shell_completes_commands(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    script = "\n".join([BEFORE.get(shell, ""), LINES[shell], ASK[shell]])
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    done = subprocess.run(
        [shell, *START[shell], "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PATH": path},
    )

    offered = {re.split(r"[\t:]", line)[0] for line in done.stdout.splitlines()}
    assert (offered, done.stderr) == ({"top", "topics"}, "")
