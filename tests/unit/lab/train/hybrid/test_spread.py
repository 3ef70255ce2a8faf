"""The mean of seeds, and how far they lie apart."""

import json
from pathlib import Path

import pytest

from winnow.lab.train.hybrid.spread import main, spread


def test_the_figure_of_a_seed_is_the_mean_of_its_folds() -> None:
    seeds = [[{"wcxb": 90.0}, {"wcxb": 92.0}], [{"wcxb": 90.0}, {"wcxb": 88.0}]]

    assert list(spread(seeds)) == ["| wcxb | 90.0 | 89.0 | 91.0 |"]


def test_a_group_without_pages_in_a_fold_is_the_mean_of_the_others() -> None:
    seeds = [[{"leogao": 97.0}, {"jocmp": 91.0}]]

    assert list(spread(seeds)) == [
        "| jocmp | 91.0 | 91.0 | 91.0 |",
        "| leogao | 97.0 | 97.0 | 97.0 |",
    ]


def test_seeds_with_unequal_numbers_of_folds_are_refused() -> None:
    with pytest.raises(ValueError, match=r"seeds differ in folds: \[2, 1\]"):
        list(spread([[{}, {}], [{}]]))


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, seeds: list[list[dict[str, float]]]) -> None:
    paths = [folder / f"{seed}.jsonl" for seed in range(len(seeds))]
    for path, folds in zip(paths, seeds, strict=True):
        path.write_text("".join(f"{json.dumps(figures)}\n" for figures in folds), "utf-8")
    monkeypatch.setattr("sys.argv", ["spread", *map(str, paths)])
    main()


def test_the_command_reads_a_file_per_seed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, tmp_path, [[{"dragnet": 95.0}], [{"dragnet": 96.0}]])

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 seeds, 1 folds"
    assert lines[-1] == "| dragnet | 95.5 | 95.0 | 96.0 |"


def test_the_command_says_which_files_do_not_fit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match="seeds differ in folds"):
        run(monkeypatch, tmp_path, [[{"dragnet": 95.0}], []])
