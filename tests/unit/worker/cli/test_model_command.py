"""`winnow score` and `winnow model` on the command line."""

import os
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from tests.unit.small_models import made_up_text
from winnow.models.ngram import NgramModel
from winnow.models.ngram.languages import SHIPPED
from winnow.models.ngram.model import DATA
from winnow.worker.cli import main


def run(*arguments: str | Path, given: str = "") -> tuple[int, str, str]:
    """Run `winnow` and return exit code, standard output and standard error."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=given)
    return result.exit_code, result.stdout, result.stderr


def test_score_prints_one_line_per_sentence_and_one_for_all(model_file: Path) -> None:
    code, out, _ = run("score", "--model", model_file, "It was the time. They are zzqx!")

    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    assert lines[1][1:] == ["5", "0", "It", "was", "the", "time."]
    assert lines[2][1:] == ["4", "1", "They", "are", "zzqx!"]
    assert lines[3][1:] == ["9", "1", "(all", "sentences)"]


def test_score_reads_standard_input_and_writes_json(model_file: Path, model: NgramModel) -> None:
    text = "It was the time."

    code, out, _ = run("score", "--model", model_file, "--json", "--explain", "-", given=text)

    report = orjson.loads(out)
    assert code == 0
    assert report["perplexity"] == pytest.approx(model.perplexity(text), rel=1e-5)
    assert (report["tokens"], report["oov"], report["model"]) == (5, 0, model.digest)
    assert [s["text"] for s in report["sentences"]] == [text]
    assert [token["text"] for token in report["explained"][0]] == ["it", "was", "the", "time", "."]


def test_score_takes_the_shipped_model_of_a_language() -> None:
    text = "Po dwóch latach remontu na ulice miasta wrócił tramwaj."

    code, out, _ = run("score", "--language", "pl", "--json", text)
    english = orjson.loads(run("score", "--json", text)[1])

    assert code == 0
    report = orjson.loads(out)
    assert report["model"] == NgramModel.shipped("pl").digest
    assert report["oov"] < english["oov"]


def test_score_marks_bytes_that_are_not_text(model_file: Path) -> None:
    code, out, _ = run("score", "--model", model_file, "It was the caf\udce9.")

    assert code == 0
    assert "It was the caf\ufffd." in out


def test_score_takes_a_model_file_or_a_language_and_not_both(model_file: Path) -> None:
    code, _, error = run("score", "--model", model_file, "--language", "pl", "text")

    assert (code, "--model and --language cannot be combined" in error) == (2, True)


@pytest.mark.parametrize("language", SHIPPED)
def test_info_agrees_with_the_provenance_file_of_every_shipped_model(language: str) -> None:
    path = DATA / f"{language}.winnow"

    code, out, _ = run("model", "info", path, "--json")

    assert code == 0
    assert orjson.loads(out) == orjson.loads((DATA / f"{language}.provenance.json").read_bytes())


def test_list_says_which_models_ship_with_their_text_and_licences() -> None:
    code, out, _ = run("model", "list", "--json")
    listed = {each["language"]: each for each in orjson.loads(out)}

    assert code == 0
    assert list(listed) == list(SHIPPED)
    for language, each in listed.items():
        info = NgramModel.shipped(language).info
        assert (each["digest"], each["file_bytes"]) == (info.digest, info.file_bytes)
        assert each["licences"]
        assert sum(each["domains"].values()) == pytest.approx(1)
    assert "encyclopedia" in run("model", "list")[1]


def test_score_shows_brackets_literally(model_file: Path) -> None:
    code, out, _ = run("score", "--model", model_file, "--explain", "A [/b] [red] :bee: text.")

    assert code == 0
    assert "A [/b] [red] :bee: text." in out


def test_score_explains_every_token(model_file: Path) -> None:
    code, out, _ = run("score", "--model", model_file, "--explain", "It was zzqx.")

    assert code == 0
    rows = [line.split() for line in out.splitlines()]
    assert ["token", "n-gram", "log2", "P"] in rows
    assert [
        "zzqx",
        "unknown",
        f"{NgramModel.open(model_file).explain('zzqx')[0].log2_prob:.2f}",
    ] in (rows)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("score", "--model", "missing.winnow", "text"), "missing.winnow: No such file"),
        (("model", "info", "missing.winnow"), "missing.winnow: No such file"),
        (("model", "info", __file__), "not a Winnow model"),
        (("model", "train", __file__, "-o", "x.winnow", "--weights", "0.5,0.6"), "sum below 1"),
        (
            ("model", "train", __file__, "-o", "x.winnow", "--prune", f"counts={1 << 64}"),
            "at most 18446744073709551615, and must not descend",
        ),
    ],
)
def test_commands_that_cannot_begin_say_why_in_one_line(
    arguments: tuple[str, ...], why: str
) -> None:
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert err.startswith("winnow: ")
    assert why in err
    assert err.count("\n") == 1


def test_score_refuses_text_without_tokens(model_file: Path) -> None:
    assert run("score", "--model", model_file, " ")[0] == 2


@pytest.mark.parametrize(
    "option",
    [
        "--prune=counts=a,b",
        "--prune=counts=1,1,1,1",
        "--prune=2",
        "--prune=gain=",
        "--weights=x",
        "--order=4",
    ],
)
def test_train_refuses_options_out_of_range(option: str, tmp_path: Path) -> None:
    code, _, err = run("model", "train", __file__, "-o", tmp_path / "x", option)

    assert code == 2
    assert "invalid value" in err
    assert list(tmp_path.iterdir()) == []


def test_train_writes_a_model_that_info_describes(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(made_up_text(300), encoding="utf-8")
    target = tmp_path / "a.winnow"

    code, out, err = run(
        "model", "train", corpus, "-o", target, "--order", "3", "--language", "en",
        "--prune", "counts=1,2", "--prune", "gain=0.001", "--tokeniser", "cased",
    )  # fmt: skip

    assert code == 0
    assert "counting" in err
    assert run("model", "info", target)[1] == out
    report = orjson.loads(run("model", "info", target, "--json")[1])
    assert report["language"] == "en"
    assert report["figures"]["min_counts"] == [1, 2, 2]
    assert report["figures"]["min_gain"] == 0.001
    assert report["figures"]["tokeniser"] == 2
    assert report["bytes_per_ngram"] > 4
    assert report["provenance"]["made_from"][0]["name"] == "corpus.txt"
    assert report["file_bytes"] == target.stat().st_size


@pytest.mark.parametrize("command", ["train", "import-arpa", "import-pyplexity"])
@pytest.mark.parametrize("link", [None, Path.symlink_to, Path.hardlink_to])
def test_a_model_never_replaces_its_sources(
    command: str, link: Callable[[Path, Path], None] | None, tmp_path: Path
) -> None:
    source = tmp_path / "source"
    source.write_text("The bees find flowers.\n")
    target = tmp_path / "other" if link else source
    if link:
        link(target, source)

    code, _, err = run("model", command, source, "-o", target)

    assert (code, "overwrite the input" in err) == (2, True)
    assert source.read_text() == target.read_text() == "The bees find flowers.\n"


def test_a_model_never_replaces_the_one_with_its_sentence_splitter(tmp_path: Path) -> None:
    punkt = tmp_path / "a.winnow"
    punkt.write_bytes(b"a model")

    code, _, err = run("model", "import-arpa", __file__, "-o", punkt, "--punkt", punkt)

    assert (code, "overwrite the input" in err) == (2, True)


@pytest.mark.parametrize("command", ["train", "import-arpa"])
def test_a_model_never_replaces_a_pipe(command: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    code, _, err = run("model", command, __file__, "-o", pipe)

    assert (code, err) == (2, f"winnow: {pipe}: not a regular file, so a model cannot replace it\n")
    assert pipe.is_fifo()


@pytest.mark.parametrize("command", ["train", "import-arpa"])
def test_a_model_that_cannot_be_written_ends_the_command_before_the_work(
    command: str, tmp_path: Path
) -> None:
    code, _, err = run("model", command, __file__, "-o", tmp_path / "no" / "x")

    assert (code, err) == (2, f"winnow: {tmp_path / 'no' / 'x'}: No such file or directory\n")


@pytest.mark.parametrize("command", ["train", "import-arpa", "import-pyplexity"])
@pytest.mark.parametrize("language", ["\udcff", "en\nx", "English text", "e", "a" * 70_000])
def test_a_language_that_is_not_a_subtag_is_refused(
    command: str, language: str, tmp_path: Path
) -> None:
    code, _, err = run("model", command, __file__, "-o", tmp_path / "x", "--language", language)

    assert (code, "must be a language subtag such as en" in err) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_train_takes_a_file_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    corpus = tmp_path / "\udcff.txt"
    corpus.write_text(made_up_text(300), encoding="utf-8")
    target = tmp_path / "a.winnow"

    code, _, _ = run("model", "train", corpus, "-o", target)

    assert code == 0
    report = orjson.loads(run("model", "info", target, "--json")[1])
    assert report["provenance"]["made_from"][0]["name"] == "?.txt"


def test_train_prints_what_info_prints_when_json_is_asked_for(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(made_up_text(300), encoding="utf-8")
    target = tmp_path / "a.winnow"

    code, out, _ = run("model", "train", corpus, "-o", target, "--json")

    assert code == 0
    assert orjson.loads(out)["digest"] == NgramModel.open(target).digest
    assert out == run("model", "info", target, "--json")[1]
