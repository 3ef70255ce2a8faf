"""Patches of gold texts: laid along the blocks of a page, applied, and refused."""

import os
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from winnow.lab.sets.gold import GoldSet
from winnow.lab.sets.patches import (
    SHIPPED,
    Laid,
    Patch,
    PatchError,
    Patches,
    block_texts,
    read_patches,
    sha256,
)
from winnow.lab.sets.tasks import Selection, tasks

BODY = (
    b"<nav>Start of the site</nav><h1>Bees in town</h1><p>Bees find more flowers in the city.</p>"
    b"<p>Nobody has counted them before.</p><p>Share this with your friends now</p>"
)
BLOCKS = (
    "Start of the site",
    "Bees in town",
    "Bees find more flowers in the city.",
    "Nobody has counted them before.",
    "Share this with your friends now",
)
# a paragraph is missing, and boilerplate is at the end
GOLD = "Bees find more flowers in the city.\n\nShare this with your friends now"
MENDED = "Bees find more flowers in the city.\nNobody has counted them before."


def a_patch(**changed: object) -> Patch:
    patch = Patch(
        set_name="mine",
        page_id="1",
        page=sha256(BODY),
        gold=sha256(GOLD),
        result=sha256(MENDED),
        reason="a paragraph of the article is missing, a button is there",
        content=(3,),
        boilerplate=(4,),
    )
    return msgspec.structs.replace(patch, **changed)


def mended(patch: Patch, body: bytes = BODY, gold: str = GOLD) -> str:
    return Patches([patch]).text("mine", "1", body, gold)


def test_the_page_is_cut_as_the_patches_of_these_tests_have_it() -> None:
    assert tuple(block_texts(BODY)) == BLOCKS


def test_blocks_have_shares_of_the_gold_text() -> None:
    assert Laid(BLOCKS, GOLD).shares == [0.0, 0.0, 1.0, 0.0, 1.0]
    assert Laid(BLOCKS, "Bees find more flowers").shares[2] == pytest.approx(4 / 7)


def test_single_words_give_a_block_no_share() -> None:
    blocks = ["the site of a club", "Bees of the city"]

    assert Laid(blocks, "the x of y Bees of the city").shares == [0.0, 1.0]


def test_a_block_in_another_place_of_the_gold_text_is_found() -> None:
    assert Laid(BLOCKS, f"{BLOCKS[3]} {BLOCKS[2]}").shares == [0.0, 0.0, 1.0, 1.0, 0.0]


def test_text_without_blanks_is_laid_by_character() -> None:
    assert Laid(["谷物留下", "主页"], "谷物留下").shares == [1.0, 0.0]


@pytest.mark.parametrize(
    ("content", "boilerplate", "text"),
    [
        ((), (), "Bees find more flowers in the city.\nShare this with your friends now"),
        ((3,), (4,), MENDED),
        ((1,), (), f"{BLOCKS[1]}\n{BLOCKS[2]}\n{BLOCKS[4]}"),
        ((), (2, 4), ""),
        ((2, 3), (), f"{BLOCKS[2]}\n{BLOCKS[3]}\n{BLOCKS[4]}"),
    ],
)
def test_blocks_come_and_go_and_the_rest_stays_as_it_is(
    content: tuple[int, ...], boilerplate: tuple[int, ...], text: str
) -> None:
    assert Laid(BLOCKS, GOLD).changed(content, boilerplate) == text


def test_a_half_block_becomes_a_whole_one() -> None:
    half = "Bees find more flowers\nShare this with your friends now"

    assert Laid(BLOCKS, half).changed((2,), ()) == f"{BLOCKS[2]}\n{BLOCKS[4]}"


def test_words_that_grow_in_lower_case_are_cut_at_their_place() -> None:
    assert Laid(["İ İ İ", "one two three"], "İ İ İ one two three").changed((), (1,)) == "İ İ İ"


def test_a_gold_text_without_a_word_takes_blocks() -> None:
    assert Laid(BLOCKS, "").changed((3,), ()) == BLOCKS[3]


def test_a_patch_mends_only_its_page() -> None:
    patches = Patches([a_patch()])

    assert patches.text("mine", "1", BODY, GOLD) == MENDED
    assert patches.text("mine", "2", BODY, GOLD) == GOLD
    assert patches.text("other", "1", b"", GOLD) == GOLD


@pytest.mark.parametrize(
    ("patch", "body", "gold", "why"),
    [
        (a_patch(), BODY + b" ", GOLD, "mine/1: the patch was made for another page"),
        (a_patch(), BODY, GOLD + "!", "mine/1: the patch was made for another gold text"),
        (
            a_patch(result=sha256("else")),
            BODY,
            GOLD,
            "mine/1: the page is now divided into other blocks",
        ),
        (a_patch(content=(5,)), BODY, GOLD, "mine/1: the page has only 5 blocks"),
    ],
)
def test_a_patch_of_something_else_is_refused(
    patch: Patch, body: bytes, gold: str, why: str
) -> None:
    with pytest.raises(PatchError, match=why):
        mended(patch, body, gold)


def test_a_patch_without_a_reason_is_refused() -> None:
    with pytest.raises(PatchError, match="mine/1: the patch has no reason: add one"):
        Patches([a_patch(reason=" ")])


def test_a_patch_of_roles_alone_needs_no_reason_and_changes_nothing() -> None:
    patch = Patch(set_name="mine", page_id="1", page="", gold="", roles={"title": (1,)})

    assert mended(patch) == GOLD


def test_two_patches_of_a_page_are_refused() -> None:
    with pytest.raises(PatchError, match="mine/1: has two patches"):
        Patches([a_patch(), a_patch()])


def test_patches_are_read_from_the_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_bytes(msgspec.json.encode(a_patch()) + b"\n")
    (tmp_path / "other.jsonl").write_bytes(msgspec.json.encode(a_patch(set_name="other")))

    assert len(Patches.read(tmp_path)) == 2


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_folder_of_patches_does_not_follow_links(tmp_path: Path, kind: str) -> None:
    (tmp_path / "outside").write_bytes(b"")
    (tmp_path / "patches").mkdir()
    planted = tmp_path / "patches" / "a.jsonl"
    if kind == "link":
        planted.symlink_to(tmp_path / "outside")
    else:
        os.mkfifo(planted)

    with pytest.raises(PatchError, match=r"a\.jsonl is (a symbolic link|not a regular file)"):
        Patches.read(tmp_path / "patches")


def test_patches_that_ship_are_in_the_files_of_their_sets_and_change_something() -> None:
    for path in sorted(SHIPPED.glob("*.jsonl")):
        for patch in read_patches(path):
            assert patch.set_name == path.stem
            assert patch.changes_text
            assert not set(patch.content) & set(patch.boilerplate), patch.name
    assert Patches.read(SHIPPED)


def test_every_mended_page_is_in_the_list_of_golds_that_were_read() -> None:
    rows = [line.split(" | ") for line in (SHIPPED / "README.md").read_text().splitlines()]
    listed = Counter(row[0].removeprefix("| ") for row in rows if row[3:4] == ["mended"])

    assert listed == {path.stem: len(list(read_patches(path))) for path in SHIPPED.glob("*.jsonl")}


def test_a_folder_without_patches_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PatchError, match=r"no patches \(\*\.jsonl\)"):
        Patches.read(tmp_path)


@pytest.mark.parametrize(
    "line", [b"{}", b"[", b"\xff", b'{"set":"a","id":"1","page":"","gold":"","text":"copied"}']
)
def test_a_line_that_is_not_a_patch_is_named(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(msgspec.json.encode(a_patch()) + b"\n" + line)

    with pytest.raises(PatchError, match=r"mine\.jsonl, line 2: not a patch"):
        list(read_patches(path))


def test_tasks_are_mended_when_they_are_asked_to_be(tmp_path: Path) -> None:
    for kind, name, content in (("html", "1.html", BODY), ("gold", "1.txt", GOLD.encode())):
        (tmp_path / "mine" / kind).mkdir(parents=True)
        (tmp_path / "mine" / kind / name).write_bytes(content)

    def gold(patches: Patches | None) -> list[str]:
        found = tasks(tmp_path / "mine", GoldSet.PLAIN, Selection(), patches)
        return [task.wanted.text for task in found]

    assert gold(None) == [GOLD]
    assert gold(Patches([a_patch()])) == [MENDED]


def test_a_heading_of_one_word_leaves_it_to_the_sentence_that_begins_so() -> None:
    assert Laid(["Bees", "Bees find flowers."], "Bees find flowers.").shares == [0.0, 1.0]
    assert Laid(["Bees", "Bees find flowers."], "Bees\nBees find flowers.").shares == [1.0, 1.0]
