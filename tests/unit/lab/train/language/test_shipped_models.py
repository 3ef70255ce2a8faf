"""The models that ship are made by one command, of files whose licence is known."""

import json
from pathlib import Path

import pytest
import zstandard

from tests.unit.small_models import made_up_text
from winnow.lab.train.language.__main__ import PLANS, make_all, plan_of, read_sources
from winnow.models.errors import ModelError
from winnow.models.ngram import NgramModel


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "gl"
    folder.mkdir(parents=True)
    for name in ("wikipedia", "ntrex-news", "wesnoth-stories"):
        packed = zstandard.compress(made_up_text(300, seed=len(name)).encode())
        (folder / f"{name}.txt.zst").write_bytes(packed)
    return folder.parent


def test_models_are_made_twice_alike_of_the_files_that_may_be_read(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    targets = [tmp_path / name for name in ("first", "second")]
    for target in targets:
        target.mkdir()
        make_all(corpus, target, ["gl"])

    first, second = ((target / "gl.winnow").read_bytes() for target in targets)
    assert first == second
    info = NgramModel.open(targets[0] / "gl.winnow").info
    sources = [(file["name"], file["domain"], file["licence"]) for file in info.made_from]
    assert sources == [
        ("ntrex-news.txt.zst", "news", "CC BY-SA 4.0"),
        ("wikipedia.txt.zst", "encyclopedia", "CC BY-SA"),
    ]
    said = json.loads((targets[0] / "gl.provenance.json").read_text(encoding="utf-8"))
    assert said["digest"] == info.digest
    assert capsys.readouterr().out.startswith("gl ")


def test_a_folder_without_a_file_that_may_be_read_is_refused(corpus: Path) -> None:
    for path in (corpus / "gl").glob("[!w]*"):
        path.unlink()
    (corpus / "gl" / "wikipedia.txt.zst").unlink()

    with pytest.raises(ModelError, match=r"has no file listed in sources\.tsv"):
        make_all(corpus, corpus, ["gl"])


def test_no_source_has_a_copyleft_or_noncommercial_licence() -> None:
    licences = {source.licence for source in read_sources().values()}

    assert licences
    assert not [name for name in licences if "GPL" in name or "MPL" in name or "NC" in name]


def test_every_language_has_a_plan_of_its_name() -> None:
    sources = read_sources()

    assert len(PLANS) == 31
    assert all(plan_of(language, sources).language == language for language in PLANS)
