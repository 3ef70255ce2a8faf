"""`winnow web2text` on a made-up set of pages."""

import json
import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.unit.lab.train.web2text.builders import ARTICLE, MENU, joint_weights
from winnow.lab.train.web2text.weights import load, pack
from winnow.worker.cli import main


def winnow(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["web2text", *map(str, arguments)])


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Write twelve pages, four to train, two to choose and six to test."""
    folder = tmp_path / "set"
    for kind in ("html", "gold"):
        (folder / kind).mkdir(parents=True)
    rng = random.Random(3)
    for number in range(12):
        paragraphs = [ARTICLE + str(rng.random()) for _ in range(rng.randint(2, 6))]
        body = f"<ul>{MENU}</ul>" + "".join(f"<p>{text}" for text in paragraphs)
        (folder / f"html/{number}.html").write_text(f"<text>\n{body}\n</text>\n")
        gold = "URL: http://a.invalid/\n" + "\n".join(f"<p>{text}" for text in paragraphs)
        (folder / f"gold/{number}.txt").write_text(gold)
    parts = {"train": range(4), "validation": range(4, 6), "test": range(6, 12)}
    other = {"train": range(6), "validation": range(6, 8), "test": range(8, 12)}
    splits = {
        name: {part: [str(i) for i in ids] for part, ids in split.items()}
        for name, split in (("cleaneval", parts), ("other", other))
    }
    (folder / "splits.json").write_text(json.dumps(splits))
    return folder


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "ours.weights"
    path.write_bytes(pack(joint_weights()))
    return path


def systems(result: Result) -> dict[str, dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return {row["system"]: row for row in json.loads(result.stdout)["systems"]}


def test_label_writes_one_line_per_page(pages: Path) -> None:
    result = winnow("label", "--pages", pages, "3")

    (line,) = result.stdout.splitlines()
    page = json.loads(line)
    assert page["page"] == "3"
    assert page["labels"] == [0, 0] + [1] * (len(page["blocks"]) - 2)


def test_label_writes_all_pages_when_none_is_named(pages: Path) -> None:
    assert len(winnow("label", "--pages", pages).stdout.splitlines()) == 12


def test_label_writes_one_line_per_block_for_people(pages: Path) -> None:
    result = winnow("label", "--pages", pages, "3", "--format", "text")

    first, *blocks = result.stdout.splitlines()
    signs = [line[0] for line in blocks]
    assert signs == ["-", "-"] + ["+"] * (len(blocks) - 2)
    assert first == f"page 3: {len(blocks) - 2} of {len(blocks)} blocks are content"


def test_label_names_missing_pages(pages: Path) -> None:
    result = winnow("label", "--pages", pages, "3", "77")

    assert result.exit_code == 2
    assert "no page 77 in" in result.stderr


def test_training_separates_menus_from_paragraphs(pages: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.weights"

    trained = winnow("train", "--pages", pages, "-o", made)

    found = systems(winnow("evaluate", "--pages", pages, "--weights", made, "--json"))
    assert trained.exit_code == 0
    assert found["made"]["f1"] > 0.95
    assert list(found) == ["made", "BTE", "word rules", "keep everything"]


def test_training_is_repeatable(pages: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a", "b", "c")]

    for file, seed in zip(files, (1, 1, 2), strict=True):
        winnow("train", pages, "-o", file, "--seed", str(seed))

    first, again, other = (file.read_bytes() for file in files)
    assert first == again != other


def test_training_on_sets_takes_their_training_sites(pages: Path, tmp_path: Path) -> None:
    made = tmp_path / "made.weights"

    result = winnow("train", pages, "-o", made)

    weights = load(made)
    assert result.exit_code == 0
    assert weights.provenance.startswith("training sites of set (")


def test_training_on_two_sets_of_one_name_is_wrong_usage(pages: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "set"
    shutil.copytree(pages, other)

    result = winnow("train", pages, other, "-o", tmp_path / "made.weights")

    assert (result.exit_code, "are both called 'set'" in result.output) == (2, True)


def test_training_without_pages_is_wrong_usage(pages: Path, tmp_path: Path) -> None:
    for file in (pages / "html").iterdir():
        file.write_text("<p> </p>")

    for arguments in (("--pages", pages), (pages,), (tmp_path,)):
        result = winnow("train", *arguments, "-o", tmp_path / "made.weights")

        assert result.exit_code == 2
        assert "no " in result.stderr
    assert not (tmp_path / "made.weights").exists()


def test_keeping_everything_finds_all_content(pages: Path, weights: Path) -> None:
    found = systems(winnow("evaluate", "--pages", pages, "--weights", weights, "--json"))

    assert found["keep everything"]["recall"] == 1
    assert found["keep everything"]["pages"] == 6
    assert found["ours"]["gain"] == [0, 0]


def test_evaluation_within_another_split_takes_the_pages_of_both(
    pages: Path, weights: Path
) -> None:
    found = systems(
        winnow("evaluate", "--pages", pages, "--within", "other", "--weights", weights, "--json")
    )

    assert found["ours"]["pages"] == 4


def test_another_tool_is_labelled_by_the_text_it_kept(
    pages: Path, weights: Path, tmp_path: Path
) -> None:
    outputs = tmp_path / "outputs" / "set"
    outputs.mkdir(parents=True)
    lines = [{"page": str(i), "text": ""} for i in range(6, 12)]
    (outputs / "silent.jsonl").write_text("\n".join(map(json.dumps, lines)))

    found = systems(
        winnow(
            *("evaluate", "--pages", pages, "--weights", weights, "--json"),
            *("--against", tmp_path / "outputs"),
        )
    )

    assert found["silent"]["recall"] == 0


@pytest.mark.parametrize(
    ("option", "file"),
    [("--weights", "v1/ours.weights"), ("--against", "ours.jsonl"), ("--against", "BTE.jsonl")],
)
def test_two_systems_of_one_name_are_wrong_usage(
    pages: Path, weights: Path, tmp_path: Path, option: str, file: str
) -> None:
    other = tmp_path / file
    other.parent.mkdir(exist_ok=True)
    other.write_bytes(weights.read_bytes() if option == "--weights" else b"")

    result = winnow("evaluate", "--pages", pages, "--weights", weights, option, other)

    assert result.exit_code == 2
    assert f"two systems are called '{other.stem}'" in result.stderr


def test_two_outputs_of_one_tool_are_wrong_usage(
    pages: Path, weights: Path, tmp_path: Path
) -> None:
    (tmp_path / "tool.jsonl").touch()
    twice = ("--against", tmp_path / "tool.jsonl") * 2

    result = winnow("evaluate", "--pages", pages, "--weights", weights, *twice)

    assert (result.exit_code, "is for the same tool" in result.stderr) == (2, True)


def test_evaluation_prints_a_table(pages: Path, weights: Path) -> None:
    result = winnow("evaluate", "--pages", pages, "--weights", weights)

    assert "split cleaneval: 6 pages" in result.stdout
    assert "keep everything" in result.stdout


def test_weights_of_two_files_are_evaluated_together(
    pages: Path, weights: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.weights"
    other.write_bytes(pack(joint_weights(seed=5)))

    found = systems(
        winnow(
            *("evaluate", "--pages", pages, "--json"),
            *("--weights", weights, "--weights", other),
        )
    )

    assert {"ours", "other"} <= set(found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--split", "none"), "no split none"),
        (("--within", "none"), "no split none"),
        (("--weights", "/nowhere.weights"), "No such file"),
        (("--seed", "-1"), "x>=0"),
    ],
)
def test_wrong_usage_is_named(pages: Path, arguments: tuple[str, str], message: str) -> None:
    result = winnow("evaluate", "--pages", pages, *arguments)

    assert result.exit_code == 2
    assert message in result.stderr


def test_pages_without_splits_are_wrong_usage(tmp_path: Path, weights: Path) -> None:
    result = winnow("evaluate", "--pages", tmp_path, "--weights", weights)

    assert result.exit_code == 2
    assert "splits.json" in result.stderr


@pytest.mark.parametrize(
    "command",
    [("evaluate",), ("label",), ("train", "-o", os.devnull)],
    ids=lambda each: each[0],
)
@pytest.mark.parametrize(
    ("file", "content", "why"),
    [
        ("splits.json", "[]", "splits.json: not a JSON object"),
        ("meta.json", "[]", "meta.json: not a JSON object"),
        (
            "splits.json",
            '{"cleaneval": {"train": ["77"], "validation": ["2"], "test": ["3"]}}',
            "splits.json names missing pages: 77",
        ),
    ],
)
def test_labelled_pages_that_cannot_be_used_are_named(
    pages: Path, command: tuple[str, ...], file: str, content: str, why: str
) -> None:
    (pages / file).write_text(content)

    result = winnow(*command, "--pages", pages)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"winnow: {pages}: {why}\n"


def test_a_file_in_place_of_a_folder_of_pages_is_named(weights: Path) -> None:
    result = winnow("evaluate", "--pages", weights, "--weights", weights)

    assert result.exit_code == 2
    assert result.stderr == f"winnow: {weights / 'splits.json'}: Not a directory\n"


def test_a_split_without_test_pages_is_wrong_usage(pages: Path, weights: Path) -> None:
    splits = json.loads((pages / "splits.json").read_text())
    splits["other"]["test"] = ["1"]
    (pages / "splits.json").write_text(json.dumps(splits))

    result = winnow("evaluate", "--pages", pages, "--within", "other", "--weights", weights)

    assert result.exit_code == 2
    assert "no test page in split cleaneval, within other" in result.stderr


@pytest.mark.parametrize("name", ["none/x.weights", "set/gold/1.txt", "set/splits.json"])
def test_weights_that_cannot_be_written_end_the_training_before_it_begins(
    pages: Path, tmp_path: Path, name: str
) -> None:
    (pages / "meta.json").write_text("no labels to train on")
    before = (pages / "splits.json").read_bytes()

    result = winnow("train", "--pages", pages, "-o", tmp_path / name)

    assert result.exit_code == 2
    assert "overwrite the input" in result.stderr or "No such file" in result.stderr
    assert (pages / "splits.json").read_bytes() == before


def test_nothing_is_trained_without_training_pages(pages: Path, tmp_path: Path) -> None:
    splits = json.loads((pages / "splits.json").read_text())
    splits["other"]["train"] = []
    (pages / "splits.json").write_text(json.dumps(splits))
    given = ("--pages", pages, "--split", "other", "-o", tmp_path / "made.weights")

    result = winnow("train", *given)

    assert (result.exit_code, result.stderr) == (2, "winnow: no training page has a block\n")
