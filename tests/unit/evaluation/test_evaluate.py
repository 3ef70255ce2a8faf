"""The command on small sets."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from worker.cli.evaluate import command

PAGE = "<html><body><nav>Home Login</nav><p>The grain stays.</p></body></html>"


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    for name, text in {
        "html/1.html": PAGE,
        "gold/1.txt": "The grain stays.",
        "html/2.html": PAGE,
        "gold/2.txt": " ",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    meta = {"1": {"type": "forum", "with": ["grain"], "without": ["Login"]}}
    (folder / "meta.json").write_text(json.dumps(meta))
    return folder


def evaluate(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_evaluate_prints_tables_when_nothing_else_is_asked(labelled: Path) -> None:
    result = evaluate(labelled, "--engine", "everything")

    assert result.exit_code == 0, result.output
    assert "mine (1 pages)" in result.stdout
    assert "word F1 by page type" in result.stdout


def test_evaluate_writes_every_figure_as_json(labelled: Path) -> None:
    result = evaluate(labelled, "--engine", "everything", "--json")

    figures = json.loads(result.stdout)["engines"]["everything"]
    assert figures["groups"]["mine"]["occ_precision"] == pytest.approx(0.6)
    assert figures["groups"]["mine"]["occ_recall"] == 1.0
    assert figures["page_types"]["forum"]["passages_leaked"] == 1.0


def test_evaluate_compares_with_what_other_tools_wrote(labelled: Path, tmp_path: Path) -> None:
    outputs = tmp_path / "peers" / "mine"
    outputs.mkdir(parents=True)
    line = {"page": "1", "text": "The grain stays.", "cpu_ms": 4, "parse_ms": 2}
    (outputs / "perfect.jsonl").write_text(json.dumps(line) + "\n")
    (outputs / "silent.jsonl").write_text("")

    result = evaluate(labelled, "--json", "--against", tmp_path / "peers")

    found = json.loads(result.stdout)
    assert found["engines"]["perfect"]["groups"]["mine"]["parse_ratio"] == 2.0
    assert found["engines"]["silent"]["groups"]["mine"]["empty"] == 1.0
    assert {entry["other"] for entry in found["differences"]} >= {"perfect", "silent"}


def test_evaluate_names_the_line_that_is_no_output(labelled: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"page": "1", "text": "a"}\n[]\n')

    result = evaluate(labelled, "--against", bad)

    assert result.exit_code == 1
    assert "bad.jsonl, line 2" in result.output


def test_evaluate_fails_when_no_page_is_selected(labelled: Path) -> None:
    parts = [evaluate(labelled, "--split", part) for part in ("train", "tune", "test")]

    assert sorted(result.exit_code for result in parts) == [0, 1, 1]
    assert any("no page with gold text" in result.output for result in parts)


def test_evaluate_limit_draws_the_same_pages_each_time(tmp_path: Path) -> None:
    for folder in ("html", "gold"):
        (tmp_path / "many" / folder).mkdir(parents=True)
    for i in range(30):
        (tmp_path / f"many/html/{i}.html").write_text(f"<p>{'x ' * i}y</p>")
        (tmp_path / f"many/gold/{i}.txt").write_text("y")

    first, second = (
        evaluate(tmp_path / "many", "--engine", "everything", "--limit", "7", "--json")
        for _ in range(2)
    )

    figures = [
        json.loads(r.stdout)["engines"]["everything"]["groups"]["many"] for r in (first, second)
    ]
    assert figures[0]["pages"] == 7
    assert figures[0]["occ_precision"] == figures[1]["occ_precision"]
