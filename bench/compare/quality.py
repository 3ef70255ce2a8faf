"""`make compare`: keep the figures of an evaluation that docs/compare.md shows.

winnow evaluate PAGES --json ... | python -m bench.compare.quality
"""

import json
import sys
from collections.abc import Mapping
from typing import Any, Final

from bench.compare.files import write

_PLACES: Final = 4


def kept(evaluation: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return F by set and language, by tool."""
    return {
        tool: {
            "sets": _figures(found["groups"], "occ_f"),
        }
        for tool, found in evaluation["engines"].items()
    }


def pages_of(evaluation: Mapping[str, Any]) -> dict[str, int]:
    """Return how many pages each set has; they are the same for all tools."""
    first = next(iter(evaluation["engines"].values()))
    return {name: each["pages"] for name, each in first["groups"].items()}


def _figures(groups: Mapping[str, Any], figure: str) -> dict[str, float]:
    return {name: round(each[figure], _PLACES) for name, each in groups.items()}


if __name__ == "__main__":
    read_in = json.load(sys.stdin)
    write("quality", {"pages": pages_of(read_in), "tools": kept(read_in)})
