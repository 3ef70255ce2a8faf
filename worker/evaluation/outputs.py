"""What other tools made of labelled pages: one JSON line a page, one file a tool and set.

A line is `{"page": ID, "text": TEXT, "cpu_ms": MS, "parse_ms": MS, "error": TEXT}`; all but the
first two may be absent. A page without a line counts as an empty result.
"""

from dataclasses import dataclass, field
from pathlib import Path

import orjson

from models.evaluation.scores import Costs


class OutputsError(Exception):
    """A file of outputs cannot be read, or a line of it is none."""


@dataclass(frozen=True, slots=True)
class Output:
    """What one tool made of one page."""

    text: str = ""
    costs: Costs = field(default_factory=Costs)


def tools_of(source: Path, set_name: str) -> dict[str, Path]:
    """Return the files by tool for a set: the source itself, or `SOURCE/SET/TOOL.jsonl`."""
    if source.is_dir():
        return {path.stem: path for path in sorted((source / set_name).glob("*.jsonl"))}
    return {source.stem: source}


def read_outputs(path: Path) -> dict[str, Output]:
    """Return the outputs of a file by page id.

    Raises:
        OutputsError: a line is no JSON object of the form above, or the file cannot be read.
    """
    outputs = {}
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                page_id, output = _output(f"{path}, line {number}", line)
                outputs[page_id] = output
    except OSError as error:
        raise OutputsError(f"{path}: {error.strerror}") from error
    return outputs


def _output(name: str, line: bytes) -> tuple[str, Output]:
    try:
        record = orjson.loads(line)
        costs = Costs(float(record.get("cpu_ms", 0.0)), float(record.get("parse_ms", 0.0)))
        page_id, text = record["page"], record["text"]
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise OutputsError(f"{name}: no output record ({error})") from error
    if not isinstance(page_id, str) or not isinstance(text, str):
        raise OutputsError(f"{name}: no output record (page and text are texts)")
    return page_id, Output(text, costs)
