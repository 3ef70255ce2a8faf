"""Which threshold is proposed, and the command on a small set."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from winnow.lab.measure.calibration import Trial, curves_of, options_of, propose
from winnow.lab.measure.engines import build_engine
from winnow.lab.measure.scores import Costs, PageScore, score_page
from winnow.lab.sets.gold import GoldPage
from winnow.models.engines.choice import ENGINES
from winnow.models.options import CleanerOptions
from winnow.worker.cleaning import options_in
from winnow.worker.cli.calibrate import command

GOLD = "the grain stays dry in the barn"
SENTENCE = "The farmer said that the grain stays dry in the old barn all winter."
PAGE = f"<html><body><ul><li><a>Home</a><li><a>Login</a></ul><p>{SENTENCE}</p></body></html>"


def trial(threshold: float | None, *texts: str) -> Trial:
    def score(number: int, text: str) -> PageScore:
        return score_page(text, GoldPage(str(number), "mine", GOLD), Costs())

    return Trial(threshold, tuple(score(number, text) for number, text in enumerate(texts)))


def test_the_best_threshold_is_proposed_when_it_is_better_on_every_page() -> None:
    own = trial(None, *["the grain"] * 10)
    better = trial(2.0, *[GOLD] * 10)

    found = propose(own, [trial(1.0, *["grain"] * 10), better])

    assert found.trial is better
    assert found.gain.low > 0
    assert found.reason.startswith(f"threshold 2 is {100 * found.gain.value:+.2f} F from its own")


def test_the_default_threshold_stays_when_a_gain_may_be_chance() -> None:
    # given: two pages of ten gain much, the others lose a little
    own = trial(None, *["the"] * 2, *["the grain stays dry in the"] * 8)
    better = trial(2.0, *[GOLD] * 2, *["the grain stays dry in"] * 8)

    found = propose(own, [better])

    assert found.best is better
    assert found.trial is own
    assert "may be chance" in found.reason


@pytest.mark.parametrize("pages", [1, 9])
def test_the_default_threshold_stays_with_a_handful_of_pages(pages: int) -> None:
    own, better = trial(None, *["the grain"] * pages), trial(2.0, *[GOLD] * pages)

    found = propose(own, [better])

    assert found.best is better
    assert found.trial is own
    assert found.reason.endswith("F from its own, but fewer than 10 pages are too few to decide")


def test_the_default_threshold_stays_when_nothing_is_better() -> None:
    own = trial(None, GOLD)

    found = propose(own, [trial(1.0, GOLD), trial(2.0, "grain")])

    assert found.trial is found.best is own
    assert "no other" in found.reason


def test_curves_run_from_the_lowest_threshold_to_the_highest() -> None:
    precision, recall, f = curves_of([trial(3.0, GOLD), trial(1.0, "the grain stays nowhere")])

    assert [x for x, _ in f.points] == [1.0, 3.0]
    assert [y for _, y in precision.points] == [75.0, 100.0]
    assert [y for _, y in recall.points] == pytest.approx([300 / 7, 100.0])
    assert [y for _, y in f.points] == pytest.approx([600 / 11, 100.0])


def test_options_files_hold_what_differs_from_the_defaults() -> None:
    options = CleanerOptions().with_values({"engine": "contrast", "seen": "2"})

    assert options_of(options, None) == {"engine": "contrast", "seen": 2}
    assert options_of(options, 0.5) == {"engine": "contrast", "seen": 2, "threshold": 0.5}


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_takes_the_ends_of_what_is_tried_with_it(engine: str) -> None:
    for threshold in (ENGINES[engine].tried[0], ENGINES[engine].tried[-1]):
        build_engine(f"{engine}:threshold={threshold}")  # does not raise


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    for name, text in {"html/1.html": PAGE, "gold/1.txt": SENTENCE}.items():
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(text)
    return tmp_path / "mine"


def calibrate(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_calibrate_writes_table_options_file_and_report(labelled: Path, tmp_path: Path) -> None:
    # given: a perplexity of which no sentence stays, and one of which all do
    options, report = tmp_path / "options.json", tmp_path / "report.html"

    result = calibrate(
        labelled, "--engine", "perplexity", "--thresholds", "1,1e9", "-o", options,
        "--report", report,
    )  # fmt: skip

    assert result.exit_code == 0, result.output
    assert "1 pages, x 100" in result.stdout
    assert "| 1e+09" in result.stdout
    assert "Proposed: " in result.stdout
    assert CleanerOptions().with_values(options_in(options)).engine == "perplexity"
    page = report.read_text()
    assert "<svg" in page
    assert "Proposed: " in page


def test_calibrate_writes_every_figure_as_json(labelled: Path) -> None:
    result = calibrate(
        labelled, "--engine", "perplexity", "--option", "format=markdown",
        "--thresholds", "1e9", "--json",
    )  # fmt: skip

    found = json.loads(result.stdout)
    assert found["pages"] == 1
    assert found["proposal"]["format"] == "markdown"
    assert [point["threshold"] for point in found["sweep"]] == [None, 1e9]
    assert found["sweep"][1]["occ_recall"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--engine", "nonsense"], "nonsense"),
        (["--thresholds", "1,x"], "takes numbers"),
        (["--thresholds", "nan"], "finite"),
        (["--threshold", "3"], "--thresholds"),
        (["--engine", "perplexity", "--thresholds", "0.5"], "at least 1"),
        (["--split", "web2text"], "mine"),
    ],
)
def test_calibrate_says_what_is_wrong(labelled: Path, arguments: list[str], reason: str) -> None:
    result = calibrate(labelled, *arguments)

    assert result.exit_code == 2
    assert reason in result.output


def test_calibrate_refuses_a_set_without_gold_text(labelled: Path) -> None:
    (labelled / "gold" / "1.txt").write_text(" ")

    result = calibrate(labelled)

    assert result.exit_code == 2
    assert "no page with gold text" in result.output
