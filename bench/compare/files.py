"""The measured figures from which docs/compare.md and the table of the README are written."""

import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parent
# the parameters of the hybrid engine that saw the pages of WCXB alone
UNSEEN: Final = "hybrid:training=open"


def write(name: str, figures: Mapping[str, object]) -> None:
    """Write figures with the machine that they come from."""
    record = {"python": platform.python_version(), "machine": platform.machine(), **figures}
    text = json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False)
    _path(name).write_text(f"{text}\n", encoding="utf-8")


def read(name: str) -> dict[str, Any]:
    """Read the figures of that name."""
    figures: dict[str, Any] = json.loads(_path(name).read_text(encoding="utf-8"))
    return figures


def _path(name: str) -> Path:
    return _FOLDER / f"{name}.json"
