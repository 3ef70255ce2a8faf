"""An engine that only the registry knows works in every command that takes engines."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[3]
SENTENCE: Final = "Bees find their way home by the sun, even on a day with many clouds."
NAMED: Final = ("--url", "https://example.org/")
PAGE: Final = f"<title>Bees</title><nav><a href=/>Home</a></nav><p>{SENTENCE}</p>" + "<p>" * 9


def winnow(*arguments: str | Path, given: str = PAGE) -> str:
    command = [sys.executable, "-m", "tests.unit.winnow.toy_engine", *map(str, arguments)]
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, check=False, cwd=ROOT, timeout=50
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    for name, text in {"html/1.html": PAGE, "gold/1.txt": SENTENCE}.items():
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(text)
    return tmp_path / "mine"


def test_clean_keeps_what_the_engine_keeps() -> None:
    said = json.loads(winnow("clean", "--engine", "whole", "--format", "jsonl", *NAMED, "-"))

    assert said["engine"] == "whole"
    assert said["text"] == f"Home\n\n{SENTENCE}"


def test_explain_has_the_reasons_of_the_registry() -> None:
    explained = json.loads(winnow("explain", "--engine", "whole", "--json", "-"))

    assert [block["reason"] for block in explained["blocks"]] == ["all blocks are kept"] * 2


def test_calibrate_tries_the_thresholds_of_the_registry(labelled: Path) -> None:
    found = json.loads(winnow("calibrate", labelled, "--engine", "whole", "--json"))

    assert [each["threshold"] for each in found["sweep"]] == [None, 5e8, 1e9]


def test_evaluate_runs_the_engine_unasked(labelled: Path) -> None:
    figures = json.loads(winnow("evaluate", labelled, "--json"))

    assert figures["engines"]["whole"]["groups"]["mine"]["pages"] == 1


def test_a_file_of_options_may_name_it(tmp_path: Path) -> None:
    options = tmp_path / "options.json"
    options.write_text(json.dumps({"engine": "whole"}))

    said = json.loads(winnow("clean", "--options", options, "--format", "jsonl", *NAMED, "-"))

    assert said["engine"] == "whole"
    assert "whole" in winnow("clean", "--help")
