"""A model file is whole, or it is refused with the reason."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.small_models import made_up_text
from winnow.models.errors import ModelError
from winnow.models.ngram import NgramModel

HEADER_BYTES = 512


def refused(path: Path, content: bytes) -> str:
    """Write a file, expect it to be refused, and return why."""
    path.write_bytes(content)
    with pytest.raises(ModelError) as refusal:
        NgramModel.open(path)
    assert str(refusal.value).startswith(f"{path}: ")
    return str(refusal.value).removeprefix(f"{path}: ")


@pytest.fixture
def content(model_file: Path) -> bytes:
    return model_file.read_bytes()


def test_open_refuses_a_file_cut_at_any_byte_of_its_header(content: bytes, tmp_path: Path) -> None:
    for length in range(HEADER_BYTES + 1):
        why = refused(tmp_path / "cut.winnow", content[:length])

        assert why.startswith("not a Winnow model" if length < 8 else "truncated")


def test_open_refuses_a_file_that_lost_or_gained_bytes(content: bytes, tmp_path: Path) -> None:
    for changed in (content[:-1], content[: len(content) // 2], content + b"\0"):
        assert "truncated or extended" in refused(tmp_path / "cut.winnow", changed)


def test_open_refuses_a_file_with_any_byte_of_its_header_changed(
    content: bytes, tmp_path: Path
) -> None:
    for at in range(HEADER_BYTES):
        changed = bytearray(content)
        changed[at] ^= 0xFF

        why = refused(tmp_path / "changed.winnow", bytes(changed))

        expected = "not a Winnow" if at < 8 else "of version" if at < 12 else "corrupt"
        assert why.startswith(expected)


def test_open_refuses_a_file_with_a_byte_changed_anywhere(content: bytes, tmp_path: Path) -> None:
    chance = random.Random(1)

    for _ in range(200):
        changed = bytearray(content)
        changed[chance.randrange(HEADER_BYTES, len(content))] ^= 1 << chance.randrange(8)

        assert "checksum" in refused(tmp_path / "changed.winnow", bytes(changed))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04" * 300, b"WINNOWLN" + bytes(600)])
def test_open_refuses_foreign_files(content: bytes, tmp_path: Path) -> None:
    assert refused(tmp_path / "foreign.winnow", content) == "not a Winnow model"


def test_open_refuses_paths_that_are_not_files(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not a file"):
        NgramModel.open(tmp_path)
    with pytest.raises(ModelError, match="No such file"):
        NgramModel.open(tmp_path / "missing.winnow")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelError, match="not a file"):
        NgramModel.open(tmp_path / "pipe")


def test_shipped_refuses_a_language_without_a_model() -> None:
    with pytest.raises(ModelError, match="'xx'"):
        NgramModel.shipped("xx")


def test_an_open_model_stays_whole_when_a_new_file_takes_its_name(
    train: Callable[..., Path], made_up_corpus: Path, tmp_path: Path
) -> None:
    path = train(made_up_corpus)
    model = NgramModel.open(path)
    before = model.score_text("The of and to.")
    other = tmp_path / "other.txt"
    other.write_text(made_up_text(50, seed=9), encoding="utf-8")
    replacement = train(other)

    replacement.rename(path)
    model.read_ahead()

    assert model.score_text("The of and to.") == before
    assert NgramModel.open(path).digest != model.digest
