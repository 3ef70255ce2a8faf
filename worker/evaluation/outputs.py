"""What other tools made of labelled pages: one JSON line a page, one file a tool and set.

A line is `{"page": ID, "text": TEXT, "cpu_ms": MS, "parse_ms": MS, "error": TEXT}`; all but the
first two may be absent. A page without a line counts as an empty result.
"""

from dataclasses import dataclass, field
from pathlib import Path

import orjson

from models.evaluation.scores import Costs


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
        ValueError: a line is no JSON object of the form above.
    """
    outputs = {}
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                record = orjson.loads(line)
                costs = Costs(record.get("cpu_ms", 0.0), record.get("parse_ms", 0.0))
                outputs[record["page"]] = Output(record["text"], costs)
            except (ValueError, KeyError, AttributeError, TypeError) as error:
                raise ValueError(f"{path}, line {number}: no output record ({error})") from error
    return outputs
