"""Outputs of other tools for labelled pages: one JSON line per page, one file per tool and set.

A line is `{"page": ID, "text": TEXT, "cpu_ms": MS, "parse_ms": MS, "error": TEXT}`; only the first
two are required. A page without a line counts as an empty result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from winnow.lab.measure.scores import Costs
from winnow.models.errors import WinnowError


class OutputsError(WinnowError):
    """An output file is unreadable or has a malformed line."""


@dataclass(frozen=True, slots=True)
class Output:
    """The output of one tool for one page."""

    text: str = ""
    costs: Costs = field(default_factory=Costs)


def tools_of(origins: Sequence[Path], sets: Sequence[str]) -> dict[str, dict[str, Path]]:
    """Return the files by tool for each set: an origin itself, or `SET/TOOL.jsonl` in it.

    Raises:
        OutputsError: a tool has two files for a set, or an origin has no file for any set.
    """
    found: dict[str, dict[str, Path]] = {name: {} for name in sets}
    for origin in origins:
        files = [(name, path) for name in sets for path in _files(origin, name)]
        if not files:
            raise OutputsError(f"{origin}: has no SET/TOOL.jsonl for {', '.join(sets)}")
        for name, path in files:
            if other := found[name].get(path.stem):
                raise OutputsError(f"{path}: {other} is for the same tool")
            found[name][path.stem] = path
    return found


def read_outputs(path: Path) -> dict[str, Output]:
    """Return the outputs of a file by page id.

    Raises:
        OutputsError: the file cannot be read, a line is malformed, or a page has two lines.
    """
    outputs: dict[str, Output] = {}
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                page_id, output = _output(f"{path}, line {number}", line)
                if page_id in outputs:
                    raise OutputsError(
                        f"{path}, line {number}: page {page_id!r} already has a line"
                    )
                outputs[page_id] = output
    except OSError as error:
        raise OutputsError(f"{path}: {error.strerror}") from error
    return outputs


def _files(origin: Path, set_name: str) -> list[Path]:
    return sorted((origin / set_name).glob("*.jsonl")) if origin.is_dir() else [origin]


def _output(name: str, line: bytes) -> tuple[str, Output]:
    try:
        record = orjson.loads(line)
        costs = Costs(float(record.get("cpu_ms", 0.0)), float(record.get("parse_ms", 0.0)))
        page_id, text = record["page"], record["text"]
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise OutputsError(f"{name}: not an output record ({error})") from error
    if not isinstance(page_id, str) or not isinstance(text, str):
        raise OutputsError(f"{name}: not an output record (page and text must be strings)")
    return page_id, Output(text, costs)
