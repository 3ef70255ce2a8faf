"""Marks of a person: changed, undone, saved at every change, and found again."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from winnow.lab.label.pages import LabelledBlocks
from winnow.lab.label.session import Marks, Session, replace_file
from winnow.lab.sets.patches import PatchError, Patches

BODY = b"<h1>Bees</h1><p>Bees find flowers.<p>Nobody has counted them.<p>Share this with friends"
TEXTS = ("Bees", "Bees find flowers.", "Nobody has counted them.", "Share this with friends")
PAGE = LabelledBlocks(
    set_name="mine",
    page_id="1",
    url="",
    body=BODY,
    gold="Bees find flowers.\nShare this with friends",
    f1=0.5,
    texts=TEXTS,
    shares=(0.0, 1.0, 0.0, 1.0),
    kept=(True, True, True, False),
    roles=("title", "other", "other", "other"),
)
OTHER = replace(PAGE, page_id="2")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "patches.jsonl"


@pytest.fixture
def session(path: Path) -> Session:
    return Session([PAGE, OTHER], path)


def saved(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_mark_is_in_the_file_at_once(session: Session, path: Path) -> None:
    session.mark(0, 2, is_content=True)
    session.mark(0, 3, is_content=False)

    (patch,) = saved(path)
    assert (patch["id"], patch["content"], patch["boilerplate"]) == ("1", [2], [3])


def test_the_file_holds_no_text_of_the_page(session: Session, path: Path) -> None:
    session.mark(0, 2, is_content=True)
    session.name_role(0, 2, "caption")

    assert b"counted" not in path.read_bytes()
    assert b"flowers" not in path.read_bytes()


def test_the_file_mends_the_gold_text(session: Session, path: Path) -> None:
    session.mark(0, 2, is_content=True)
    session.mark(0, 3, is_content=False)
    session.give_reason(0, "a paragraph is missing,\n a button is there ")

    assert saved(path)[0]["reason"] == "a paragraph is missing, a button is there"
    text = Patches.read(path.parent).text("mine", "1", BODY, PAGE.gold)
    assert text == "Bees find flowers.\nNobody has counted them."


def test_a_mark_equal_to_the_gold_is_not_a_change(session: Session, path: Path) -> None:
    session.mark(0, 1, is_content=True)
    session.name_role(0, 0, "title")

    assert not path.exists()
    assert session.undo() is None


def test_half_a_block_may_become_whole_or_go(path: Path) -> None:
    session = Session([replace(PAGE, shares=(0.0, 0.5, 0.0, 1.0))], path)

    session.mark(0, 1, is_content=True)
    assert saved(path)[0]["content"] == [1]
    session.mark(0, 1, is_content=False)
    assert saved(path)[0]["boilerplate"] == [1]


def test_changes_of_all_kinds_and_pages_are_undone_and_redone(session: Session, path: Path) -> None:
    session.mark(0, 2, is_content=True)
    session.name_role(1, 2, "caption")
    session.give_reason(1, "for this test")
    everything = path.read_bytes()

    assert [session.undo() for _ in range(4)] == [1, 1, 0, None]
    assert saved(path) == []
    assert [session.redo() for _ in range(4)] == [0, 1, 1, None]
    assert path.read_bytes() == everything


def test_a_new_change_ends_what_may_be_redone(session: Session) -> None:
    session.mark(0, 2, is_content=True)
    session.undo()
    session.mark(0, 3, is_content=False)

    assert session.redo() is None
    assert dict(session.marks(0).content) == {3: False}


def test_another_session_goes_on_with_the_file(session: Session, path: Path) -> None:
    session.mark(0, 2, is_content=True)
    session.name_role(0, 1, "standfirst")
    session.give_reason(0, "for this test")

    again = Session([PAGE], path)

    assert again.marks(0) == session.marks(0)
    assert again.marks(0) == Marks({2: True}, {1: "standfirst"}, "for this test")


def test_patches_of_other_pages_stay_in_the_file(session: Session, path: Path) -> None:
    session.mark(0, 2, is_content=True)

    Session([OTHER], path).mark(0, 3, is_content=False)

    assert [patch["id"] for patch in saved(path)] == ["1", "2"]


@pytest.mark.parametrize(
    "page", [replace(PAGE, body=BODY + b" "), replace(PAGE, gold="Bees"), replace(PAGE, texts=())]
)
def test_a_file_made_for_another_page_is_refused(
    session: Session, path: Path, page: LabelledBlocks
) -> None:
    session.mark(0, 2, is_content=True)

    with pytest.raises(PatchError, match="mine/1: the p"):
        Session([page], path)


def test_an_unknown_role_is_refused(session: Session, path: Path) -> None:
    with pytest.raises(ValueError, match="unknown role 'advert'; use other, title"):
        session.name_role(0, 0, "advert")

    session.name_role(0, 0, "caption")
    path.write_bytes(path.read_bytes().replace(b"caption", b"advert"))
    with pytest.raises(PatchError, match="mine/1: unknown role 'advert'"):
        Session([PAGE], path)


def test_a_reason_is_short(session: Session) -> None:
    with pytest.raises(ValueError, match="at most 2000 characters"):
        session.give_reason(0, "a" * 2001)


def test_a_kill_during_a_write_leaves_the_old_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"old")

    def killed(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        replace_file(path, b"new" * 1000)

    assert path.read_bytes() == b"old"


def test_a_link_in_the_folder_is_not_written_through(session: Session, path: Path) -> None:
    kept = path.parent / "kept"
    kept.write_bytes(b"mine")
    path.with_name(f".{path.name}.new").symlink_to(kept)

    session.mark(0, 2, is_content=True)

    assert kept.read_bytes() == b"mine"
    assert not path.is_symlink()
    assert saved(path)[0]["content"] == [2]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_file_of_patches_that_is_a_link_is_refused(path: Path, is_there: bool) -> None:
    kept = path.parent / "kept"
    if is_there:
        kept.write_bytes(b"")
    path.symlink_to(kept)

    with pytest.raises(PatchError, match=r"patches\.jsonl is a symbolic link"):
        Session([PAGE], path)


def test_a_change_that_cannot_be_saved_is_not_shown(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.mark(0, 2, is_content=True)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        session.mark(0, 3, is_content=False)
    with pytest.raises(OSError, match="No space"):
        session.undo()
    assert dict(session.marks(0).content) == {2: True}
    monkeypatch.undo()
    assert session.undo() == 0
    assert session.redo() == 0
