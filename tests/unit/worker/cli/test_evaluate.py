"""The command on small sets."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from winnow.lab.measure.engines import ENGINES, KeepEverything
from winnow.lab.sets.patches import sha256
from winnow.models.document import Page
from winnow.worker.cli.evaluate import command

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
    meta = {"1": {"type": "forum", "language": "pl", "with": ["grain"], "without": ["Login"]}}
    (folder / "meta.json").write_text(json.dumps(meta))
    return folder


def evaluate(*arguments: str | Path) -> Result:
    given = [str(argument) for argument in arguments]
    engines = [] if "--engine" in given else ["--engine", "everything"]
    return CliRunner().invoke(command, [*given, *engines])


def test_evaluate_prints_tables_when_nothing_else_is_asked(labelled: Path) -> None:
    result = evaluate(labelled)

    assert result.exit_code == 0, result.output
    assert "mine (1 pages)" in result.stdout
    assert "word F1 by page type" in result.stdout


def test_evaluate_writes_every_figure_as_json(labelled: Path) -> None:
    result = evaluate(labelled, "--json")

    figures = json.loads(result.stdout)["engines"]["everything"]
    assert figures["failed"] == 0
    assert figures["groups"]["mine"]["occ_precision"] == pytest.approx(0.6)
    assert figures["groups"]["mine"]["occ_recall"] == 1.0
    assert figures["languages"]["pl"]["occ_recall"] == 1.0
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


def test_evaluate_counts_pages_without_a_result_of_a_tool(labelled: Path, tmp_path: Path) -> None:
    (tmp_path / "silent.jsonl").touch()

    result = evaluate(labelled, "--against", tmp_path / "silent.jsonl")

    assert "silent: no result for 1 pages; they count as empty" in result.stdout


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{",
        '{"page": "1"}',
        '{"page": 1, "text": "a"}',
        '{"page": "1", "text": 5}',
        '{"page": "1", "text": "a", "cpu_ms": "fast"}',
    ],
)
def test_evaluate_names_a_malformed_line_of_outputs(
    labelled: Path, tmp_path: Path, line: str
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(f'{{"page": "1", "text": "a"}}\n{line}\n')

    result = evaluate(labelled, "--against", bad)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"winnow: {bad}, line 2: not an output record (")


def test_evaluate_refuses_two_lines_of_one_page(labelled: Path, tmp_path: Path) -> None:
    twice = tmp_path / "twice.jsonl"
    lines = [{"page": page, "text": "a"} for page in ("1", "2", "1")]
    twice.write_text("\n".join(map(json.dumps, lines)))

    result = evaluate(labelled, "--against", twice)

    assert result.exit_code == 2
    assert result.stderr == f"winnow: {twice}, line 3: page '1' already has a line\n"


def test_evaluate_refuses_a_tool_of_the_name_of_an_engine_before_the_work(
    labelled: Path, tmp_path: Path
) -> None:
    (tmp_path / "everything.jsonl").touch()

    result = evaluate(labelled, "--against", tmp_path / "everything.jsonl")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "'everything' is an engine that runs here" in result.stderr


def test_evaluate_names_outputs_that_it_cannot_read(labelled: Path, tmp_path: Path) -> None:
    (tmp_path / "peers/mine/tool.jsonl").mkdir(parents=True)

    result = evaluate(labelled, "--against", tmp_path / "peers")

    assert (result.exit_code, "tool.jsonl: Is a directory" in result.stderr) == (2, True)


def test_evaluate_refuses_two_outputs_of_one_tool(labelled: Path, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder / "mine").mkdir(parents=True)
        (tmp_path / folder / "mine/tool.jsonl").touch()

    result = evaluate(labelled, "--against", tmp_path / "a", "--against", tmp_path / "b")

    assert result.exit_code == 2
    ends = f"{tmp_path}/b/mine/tool.jsonl: {tmp_path}/a/mine/tool.jsonl is for the same tool\n"
    assert result.stderr == f"winnow: {ends}"


def test_evaluate_refuses_outputs_of_other_sets_alone(labelled: Path, tmp_path: Path) -> None:
    (tmp_path / "peers").mkdir()
    (tmp_path / "peers/tool.jsonl").touch()

    result = evaluate(labelled, "--against", tmp_path / "peers")

    assert result.exit_code == 2
    assert result.stderr == f"winnow: {tmp_path}/peers: has no SET/TOOL.jsonl for mine\n"


def test_evaluate_names_the_labels_that_it_cannot_read(labelled: Path) -> None:
    (labelled / "meta.json").write_text('{"1": {"language": 5}}')

    result = evaluate(labelled)

    why = f"winnow: {labelled}: meta.json: page 1: 'language' is not a string\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", why)


def test_evaluate_refuses_a_folder_without_labelled_pages(tmp_path: Path) -> None:
    result = evaluate(tmp_path)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"winnow: {tmp_path}: no labelled pages")


def test_evaluate_refuses_two_sets_of_one_name(labelled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "mine"
    shutil.copytree(labelled, other)

    result = evaluate(labelled, other)

    assert result.exit_code == 2
    assert "are both called 'mine'" in result.output


def test_evaluate_fails_when_no_page_is_selected(labelled: Path) -> None:
    parts = [evaluate(labelled, "--split", part) for part in ("train", "tune", "test")]

    assert sorted(result.exit_code for result in parts) == [0, 2, 2]
    assert any("no page with gold text" in result.output for result in parts)


def test_evaluate_limit_draws_the_same_pages_each_time(tmp_path: Path) -> None:
    for folder in ("html", "gold"):
        (tmp_path / "many" / folder).mkdir(parents=True)
    for i in range(30):
        (tmp_path / f"many/html/{i}.html").write_text(f"<p>{'x ' * i}y</p>")
        (tmp_path / f"many/gold/{i}.txt").write_text("y")

    first, second = (evaluate(tmp_path / "many", "--limit", "7", "--json") for _ in range(2))

    figures = [
        json.loads(r.stdout)["engines"]["everything"]["groups"]["many"] for r in (first, second)
    ]
    assert figures[0]["pages"] == 7
    assert figures[0]["occ_precision"] == figures[1]["occ_precision"]


class FirstWords:
    """An engine whose quality depends on an option: keeps the first words of the page."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.count = int(options.get("count", "2"))

    def clean_text(self, page: Page) -> str:
        return " ".join(KeepEverything().clean_text(page).split()[: self.count])


@pytest.fixture
def first_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENGINES, "first-words", FirstWords)


@pytest.mark.usefixtures("first_words")
def test_evaluate_sweeps_an_option_in_increasing_order(labelled: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"

    result = evaluate(labelled, "--json", "--sweep", "first-words.count=5,2", "--report", report)

    (sweep,) = json.loads(result.stdout)["sweeps"]
    assert sweep["curves"]["R"] == [[2.0, 0.0], [5.0, 100.0]]
    assert "first-words:count=2" not in json.loads(result.stdout)["engines"]
    assert "Threshold curves" in report.read_text()


def test_evaluate_checks_before_the_work_that_the_report_can_be_written(
    labelled: Path, tmp_path: Path
) -> None:
    report = tmp_path / "none" / "report.html"

    result = evaluate(labelled, "--report", report)

    why = f"winnow: {report}: No such file or directory\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", why)


@pytest.mark.parametrize("name", ["gold/1.txt", "html/1.html", "meta.json", "tools/mine/a.jsonl"])
def test_evaluate_writes_no_report_over_its_input(labelled: Path, name: str) -> None:
    tools = labelled / "tools"
    (tools / "mine").mkdir(parents=True)
    (tools / "mine/a.jsonl").touch()
    before = (labelled / name).read_bytes()

    result = evaluate(labelled, "--against", tools, "--report", labelled / name)

    assert (result.exit_code, "overwrite the input" in result.stderr) == (2, True)
    assert (labelled / name).read_bytes() == before


def test_evaluate_keeps_the_old_report_when_the_labels_are_bad(
    labelled: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    report.write_text("old")
    (labelled / "meta.json").write_text("[]")

    assert evaluate(labelled, "--report", report).exit_code == 2
    assert report.read_text() == "old"


@pytest.mark.usefixtures("first_words")
def test_evaluate_compares_an_engine_with_itself_under_other_options(labelled: Path) -> None:
    result = evaluate(
        labelled, "--json", "--engine", "first-words", "--engine", "first-words:count=5"
    )

    engines = json.loads(result.stdout)["engines"]
    recalls = {name: found["groups"]["mine"]["occ_recall"] for name, found in engines.items()}
    assert recalls == {"first-words": 0.0, "first-words:count=5": 1.0}


def test_evaluate_runs_an_engine_of_the_cleaner_at_a_threshold(labelled: Path) -> None:
    result = evaluate(
        labelled,
        "--json",
        *("--engine", "perplexity:threshold=1"),
        *("--engine", "perplexity:threshold=1e12"),
    )

    engines = json.loads(result.stdout)["engines"]
    recalls = {name: found["groups"]["mine"]["occ_recall"] for name, found in engines.items()}
    assert recalls == {"perplexity:threshold=1": 0.0, "perplexity:threshold=1e12": 1.0}


def test_evaluate_cannot_start_without_a_model_file(labelled: Path) -> None:
    result = evaluate(labelled, "--engine", "perplexity:model=no-such-file.winnow")

    assert result.exit_code == 2
    assert "no-such-file.winnow" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "nonesuch"], "unknown engine 'nonesuch'"),
        (["--engine", "everything:speed=9"], "has no option 'speed'"),
        (["--engine", "perplexity:speed=9"], "unknown option 'speed'"),
        (["--engine", "everything:speed"], "'speed' is not OPTION=VALUE"),
        (["--sweep", "everything"], "is not ENGINE.OPTION=VALUE"),
        (["--sweep", "everything.x=1"], "fewer than two values"),
        (["--sweep", "everything.x=1,0"], "is not above 0"),
    ],
)
def test_evaluate_refuses_what_it_cannot_run(
    labelled: Path, arguments: list[str], message: str
) -> None:
    result = evaluate(labelled, *arguments)

    assert result.exit_code == 2
    assert message in result.output


def test_evaluate_mends_gold_texts_when_asked(
    labelled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch = {
        "set": "mine",
        "id": "1",
        "page": sha256(PAGE.encode()),
        "gold": sha256("The grain stays."),
        "result": sha256("Home Login\nThe grain stays."),
        "reason": "for this test",
        "content": [0],
    }
    (tmp_path / "patches").mkdir()
    (tmp_path / "patches" / "mine.jsonl").write_text(json.dumps(patch))
    monkeypatch.setattr("winnow.worker.cli.evaluate.SHIPPED", tmp_path / "patches")

    def precision(*arguments: str) -> float:
        result = evaluate(labelled, "--json", *arguments)
        assert result.exit_code == 0, result.output
        found: float = json.loads(result.stdout)["engines"]["everything"]["groups"]["mine"][
            "occ_precision"
        ]
        return found

    assert precision() == pytest.approx(0.6)
    assert precision("--patched") == 1.0
    (labelled / "html" / "1.html").write_text(PAGE + "<p>More")
    refused = evaluate(labelled, "--patched")
    assert refused.exit_code == 2
    assert "mine/1: the patch was made for another page" in refused.stderr
