"""Labelled sets to tasks: languages, groups, parts and names."""

from pathlib import Path

import pytest

from winnow.lab.sets.gold import GoldSet
from winnow.lab.sets.parts import Part, part_of
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, tasks

ALL = Selection()


def a_set(tmp_path: Path, name: str, golds: dict[str, str]) -> Path:
    for page_id, gold in golds.items():
        folder, _, stem = f"{name}/{page_id}".rpartition("/")
        for kind, text in (("html", f"<p>{gold}</p>"), ("gold", gold)):
            path = tmp_path / folder / kind / f"{stem}.{'html' if kind == 'html' else 'txt'}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return tmp_path / name


def read(source: Path, selection: Selection = ALL) -> list[Task]:
    return list(tasks(source, gold_set_of(source), selection))


def test_folders_of_a_set_name_its_groups_and_languages(tmp_path: Path) -> None:
    source = a_set(tmp_path, "daniel", {"polish/1": "<p>Trzy</p>", "chinese/2": "<p>谷物</p>"})

    found = [(t.wanted.group, t.wanted.language, t.wanted.text, t.in_set) for t in read(source)]

    assert found == [
        ("daniel/chinese", "zh", "谷物", "chinese/2"),
        ("daniel/polish", "pl", "Trzy", "polish/1"),
    ]


def test_a_language_with_a_region_or_a_script_counts_as_the_language(tmp_path: Path) -> None:
    source = a_set(tmp_path, "mine", {"1": "谷物留下", "2": "Trzy"})
    (source / "meta.json").write_text('{"1": {"language": "zh-Hans"}, "2": {"language": "PL_pl"}}')

    assert [task.wanted.language for task in read(source)] == ["zh", "pl"]


def test_pages_without_a_site_share_no_site(tmp_path: Path) -> None:
    source = a_set(tmp_path, "mine", {"english/1": "gold", "english/2": "gold"})

    assert [(task.site, task.page.url) for task in read(source)] == [
        ("english/1", ""),
        ("english/2", ""),
    ]


def test_a_page_has_the_url_of_its_label_or_one_made_from_its_site(tmp_path: Path) -> None:
    source = a_set(tmp_path, "mine", {"1": "gold", "20120101_bees.example_2": "gold"})
    (source / "meta.json").write_text('{"1": {"url": "https://news.grain.example/1?a=b"}}')

    assert [(task.site, task.page.url) for task in read(source)] == [
        ("grain.example", "https://news.grain.example/1?a=b"),
        ("bees.example", "http://bees.example/20120101_bees.example_2"),
    ]


def test_a_set_read_with_other_marks_has_their_name(tmp_path: Path) -> None:
    source = a_set(tmp_path, "dragnet", {"1": "Text\n!@#$%^&*()  COMMENTS\nNice"})

    (task,) = tasks(source, GoldSet.DRAGNET_COMMENTS, ALL)

    assert (task.wanted.group, task.wanted.page_id) == ("dragnet+c", "dragnet+c/1")
    assert task.wanted.text.split() == ["Text", "Nice"]


def test_a_users_set_keeps_its_name_with_any_marks(tmp_path: Path) -> None:
    source = a_set(tmp_path, "mine", {"1": "<p>Trzy</p>"})

    (task,) = tasks(source, GoldSet.DANIEL, ALL)

    assert (task.wanted.group, task.wanted.text) == ("mine", "Trzy")


def test_the_current_folder_is_read_like_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = a_set(tmp_path, "daniel", {"polish/1": "<p>Trzy</p>", "greek/1": "<p>Δύο</p>"})
    (source / "meta.json").write_text('{"polish/1": {"type": "forum"}}')
    expected = read(source)

    monkeypatch.chdir(source / "polish")

    assert read(Path("..")) == expected
    monkeypatch.chdir(source)
    assert read(Path()) == expected
    assert [task.wanted.page_type for task in expected] == ["", "forum"]


def test_parts_take_whole_sites_and_together_all_pages(tmp_path: Path) -> None:
    ids = [f"20120101_site{i}.example_{j}" for i in range(20) for j in range(2)]
    source = a_set(tmp_path, "mine", dict.fromkeys(ids, "gold"))

    parts = {part: read(source, Selection(part=part)) for part in Part}

    assert sorted(t.in_set for found in parts.values() for t in found) == sorted(ids)
    assert all(part_of(t.site) is part for part, found in parts.items() for t in found)


def test_a_limit_counts_pages_of_each_group_that_have_gold(tmp_path: Path) -> None:
    golds = {f"english/{i}": "gold" if i % 2 else "" for i in range(10)}
    source = a_set(tmp_path, "mine", {**golds, "greek/1": "gold"})

    groups = [task.wanted.group for task in read(source, Selection(limit=5))]

    assert groups == ["mine/english"] * 5 + ["mine/greek"]
    assert len(read(source, Selection(limit=3))) == 4


def test_ids_select_the_pages_that_have_them(tmp_path: Path) -> None:
    source = a_set(tmp_path, "mine", {"1": "gold", "2": "gold", "3": "gold"})

    chosen = read(source, Selection(page_ids=frozenset({"1", "3", "9"})))

    assert [task.in_set for task in chosen] == ["1", "3"]


def test_the_digest_of_a_task_changes_with_page_and_gold(tmp_path: Path) -> None:
    (first,) = read(a_set(tmp_path / "a", "mine", {"1": "gold"}))
    (same,) = read(a_set(tmp_path / "b", "mine", {"1": "gold"}))
    (other,) = read(a_set(tmp_path / "c", "mine", {"1": "silver"}))

    assert first.digest() == same.digest()
    assert first.digest() != other.digest()
