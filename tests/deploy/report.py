"""The table that `make deploy-test` prints: tools, checked files and findings."""

import re
import subprocess
from dataclasses import dataclass, field
from typing import Final

from tests.deploy.chart import ROOT

TOOLS: Final = ROOT / "deploy" / "tools"
HEADER: Final = ("tool", "version", "checked", "findings", "unexplained")


@dataclass(slots=True)
class Report:
    """Rows of the table, in the order in which tests add them."""

    rows: list[tuple[str, ...]] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    def add(
        self, tool: str, checked: str, unexplained: int, findings: int = 0, version: str = ""
    ) -> None:
        """Add a tool's checked files, its findings, and the unexplained ones."""
        counts = (str(max(findings, unexplained)), str(unexplained))
        self.rows.append((tool, version or pinned_version(tool), checked, *counts))

    def explain(self, tool: str, findings: int, words: str, reason: str) -> None:
        """Add the reason why a kind of finding is accepted."""
        self.reasons.append(f"{tool}: {findings} x {words}: {reason}")

    def lines(self) -> list[str]:
        """Return the table as text, or nothing when there are no rows."""
        table = [HEADER, *self.rows] if self.rows else []
        widths = [
            max(len(row[column]) for row in table) for column in range(len(HEADER) if table else 0)
        ]
        padded = (
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in table
        )
        return [*(row.rstrip() for row in padded), *self.reasons]


def pinned_version(tool: str) -> str:
    """Return the version that `deploy/tools` pins, of a Go module or of a Python package."""
    module = TOOLS / tool / "go.mod"
    if not module.exists():
        locked = (TOOLS / "python" / "requirements.txt").read_text()
        found = re.search(rf"^{re.escape(tool)}(?:-bin)?==(\S+)", locked, re.MULTILINE)
        return found[1] if found else ""
    return module_version(module.read_text())


def module_version(go_mod: str) -> str:
    """Return the version of the module that a go.mod builds a program of.

    Our own programs have none: the versions of their direct dependencies are returned.
    """
    program = re.search(r"^tool \(?\s*(\S+)", go_mod, re.MULTILINE)
    pins: list[tuple[str, str, str]] = re.findall(
        r"^(?:require )?\s*(\S+\.\S+) (v\d\S+)( // indirect)?$", go_mod, re.MULTILINE
    )
    if program:
        return next(version for path, version, _ in pins if program[1].startswith(f"{path}/"))
    direct = [(path, version) for path, version, indirect in pins if not indirect]
    return " ".join(f"{path.split('/')[1]} {version}" for path, version in direct)


def said_version(*command: str) -> str:
    """Return the version that an installed program says it has."""
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    found = re.search(r"\d+\.\d+\.\d+", said.stdout + said.stderr)
    return found[0] if found else ""
