"""`winnow calibrate` sweeps a threshold on the selected pages."""

from pathlib import Path

import orjson
import pytest

from tests.unit.worker.cli.test_model_command import run
from winnow.lab.sets.parts import part_of

POLISH = "Po dwóch latach remontu na ulice miasta wrócił tramwaj z drewnianymi ławkami."
ENGLISH = "The bees find more flowers in the city than in the fields around it."
SITE = "bees.invalid"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A page of one site in each of two languages."""
    for folder, text in (("polish", POLISH), ("english", ENGLISH)):
        for kind, suffix in (("html", ".html"), ("gold", ".txt")):
            file = tmp_path / "daniel" / folder / kind / f"20120106_{SITE}_{folder}{suffix}"
            file.parent.mkdir(parents=True)
            file.write_text(f"<p>{text}</p>", encoding="utf-8")
    return tmp_path / "daniel"


def calibrated(*arguments: str | Path) -> tuple[int, str, str]:
    sweep = ("--engine", "perplexity", "--thresholds", "2,32000", "--json")
    return run("calibrate", *arguments, *sweep)


@pytest.mark.parametrize(("chosen", "count"), [((), 2), (("--language", "pl"), 1)])
def test_only_the_pages_in_the_language_are_swept(
    pages: Path, chosen: tuple[str, ...], count: int
) -> None:
    code, out, _ = calibrated(pages, *chosen)

    report = orjson.loads(out)
    assert (code, report["pages"]) == (0, count)
    figures = {point["threshold"]: point["occ_f"] for point in report["sweep"]}
    assert (figures[2], figures[32000]) == (0, 1)


def test_a_part_by_site_excludes_pages_of_other_sites(pages: Path) -> None:
    own = part_of(SITE)
    other = "test" if own != "test" else "train"

    assert orjson.loads(calibrated(pages, "--split", own)[1])["pages"] == 2
    code, _, error = calibrated(pages, "--split", other)

    assert (code, "no page with gold text was selected" in error) == (2, True)


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Ten pages of one group, half of them Polish and in the training part of a split."""
    for kind, suffix in (("html", ".html"), ("gold", ".txt")):
        (tmp_path / "mine" / kind).mkdir(parents=True)
        for number in range(10):
            file = tmp_path / "mine" / kind / f"{number}{suffix}"
            file.write_text(f"<p>{ENGLISH}</p>" if kind == "html" else ENGLISH)
    meta = {str(number): {"language": "pl"} for number in range(5)}
    (tmp_path / "mine/meta.json").write_bytes(orjson.dumps(meta))
    parts = {"train": ["0", "1", "2", "3", "4"], "validation": [], "test": []}
    (tmp_path / "mine/splits.json").write_bytes(orjson.dumps({"half": parts}))
    return tmp_path / "mine"


@pytest.mark.parametrize("chosen", [("--language", "pl"), ("--split", "half")])
def test_a_limit_counts_the_pages_that_are_chosen(mixed: Path, chosen: tuple[str, ...]) -> None:
    for limit, count in ((4, 4), (5, 5), (9, 5)):
        _, out, _ = calibrated(mixed, *chosen, "--limit", str(limit))

        assert orjson.loads(out)["pages"] == count


def test_a_language_without_pages_is_refused(pages: Path) -> None:
    code, _, error = calibrated(pages, "--language", "de")

    assert (code, "no page with gold text was selected" in error) == (2, True)


def test_labels_that_cannot_be_read_are_named(pages: Path) -> None:
    (pages / "meta.json").write_text("[1]")

    code, out, error = calibrated(pages)

    assert (code, out, error) == (2, "", f"winnow: {pages}: meta.json: not a JSON object\n")


def test_splits_that_cannot_be_read_are_named(pages: Path) -> None:
    code, _, error = calibrated(pages, "--split", "mine")

    why = f"winnow: {pages / 'splits.json'}: No such file or directory\n"
    assert (code, error) == (2, why)


def test_a_folder_without_labelled_pages_is_refused(tmp_path: Path) -> None:
    code, _, error = calibrated(tmp_path)

    assert (code, error.startswith(f"winnow: {tmp_path}: no labelled pages")) == (2, True)


@pytest.mark.parametrize("option", ["-o", "--report"])
def test_a_file_that_cannot_be_written_ends_the_command_before_the_work(
    pages: Path, tmp_path: Path, option: str
) -> None:
    target = tmp_path / "none" / "x"

    code, out, error = calibrated(pages, option, target)

    assert (code, out, error) == (2, "", f"winnow: {target}: No such file or directory\n")


@pytest.mark.parametrize("option", ["-o", "--report"])
def test_no_output_replaces_a_labelled_page(pages: Path, option: str) -> None:
    (gold,) = (pages / "polish/gold").iterdir()

    code, _, error = calibrated(pages, option, gold)

    assert (code, "overwrite the input" in error) == (2, True)
    assert POLISH in gold.read_text(encoding="utf-8")


def test_the_options_file_may_be_the_one_that_was_read(pages: Path, tmp_path: Path) -> None:
    options = tmp_path / "options.json"
    options.write_bytes(b'{"engine": "perplexity"}')
    report = tmp_path / "report.html"

    code, out, _ = calibrated(pages, "--options", options, "-o", options, "--report", report)

    assert code == 0
    assert orjson.loads(options.read_bytes()) == orjson.loads(out)["proposal"]
    assert "Every threshold" in report.read_text(encoding="utf-8")


def test_the_report_does_not_replace_the_proposal(pages: Path, tmp_path: Path) -> None:
    target, same = tmp_path / "x", tmp_path / "daniel/../x"

    code, out, error = calibrated(pages, "-o", target, "--report", same)

    assert (code, out, target.exists()) == (2, "", False)
    assert "-o and --report name the same file" in error
