"""The table that `make deploy-test` prints: what each tool was held against, and what it found."""

import re
from dataclasses import dataclass, field
from typing import Final

from tests.deploy.chart import ROOT

TOOLS: Final = ROOT / "deploy" / "tools"
HEADER: Final = ("tool", "version", "checked", "findings", "unexplained")


@dataclass(slots=True)
class Report:
    """Rows of the table, in the order in which tests add them."""

    rows: list[tuple[str, ...]] = field(default_factory=list)

    def add(
        self, tool: str, checked: str, unexplained: int, findings: int = 0, version: str = ""
    ) -> None:
        """Add what a tool was held against, how much it found, and how much nobody explains."""
        counts = (str(max(findings, unexplained)), str(unexplained))
        self.rows.append((tool, version or pinned_version(tool), checked, *counts))

    def lines(self) -> list[str]:
        """Return the table as text, or nothing when there are no rows."""
        table = [HEADER, *self.rows] if self.rows else []
        widths = [
            max(len(row[column]) for row in table) for column in range(len(HEADER) if table else 0)
        ]
        return [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in table
        ]


def pinned_version(tool: str) -> str:
    """Return the version that `deploy/tools` pins, of a Go module or of a Python package."""
    module = TOOLS / tool / "go.mod"
    if not module.exists():
        locked = (TOOLS / "python" / "requirements.txt").read_text()
        found = re.search(rf"^{re.escape(tool)}(?:-bin)?==(\S+)", locked, re.MULTILINE)
        return found[1] if found else ""
    direct = [line for line in module.read_text().splitlines() if "// indirect" not in line]
    pins = [pin for line in direct for pin in re.findall(r"^(?:require )?\s*(\S+) (v\d\S+)$", line)]
    if len(pins) == 1:
        return str(pins[0][1])
    return " ".join(f"{path.split('/')[1]} {version}" for path, version in pins)
