"""What `make release-check` looks at, without a build."""

from pathlib import Path

import pytest

from deploy import release
from deploy.release import Release, differences, faults_of_changelog, labels

DATED = (
    "# Changelog\n\n## 1.2.0 (2026-12-01)\n\n- [Serve](README.md) over HTTP.\n\n### All\n\n- a\n"
)


def test_a_dated_section_with_links_has_no_fault() -> None:
    assert list(faults_of_changelog(DATED, "1.2.0")) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (DATED.replace("1.2.0", "1.1.0"), "no section 1.2.0"),
        (DATED.replace("2026-12-01", "not released yet"), "1.2.0 has no date"),
        (DATED.replace("README.md", "NO.md"), "no link, or a dead one"),
        (DATED.replace("[Serve](README.md)", "Serve"), "no link, or a dead one"),
        (DATED.replace("\n### All", 11 * "- [a](README.md)\n" + "\n### All"), "begins with 12"),
    ],
)
def test_a_changelog_that_is_not_ready_is_named(text: str, fault: str) -> None:
    (found,) = faults_of_changelog(text, "1.2.0")

    assert fault in found


def test_the_changelog_of_this_version_lacks_nothing_but_its_date() -> None:
    text = (release.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert [fault for fault in faults_of_changelog(text, "0.1.0") if "no date" not in fault] == []


def test_the_image_has_its_labels() -> None:
    assert list(labels()) == []


def test_two_builds_that_differ_are_named(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "same.whl").write_bytes(b"a")
        (folder / "other.whl").write_text(folder.name)
    (first / "once.whl").touch()

    assert list(differences(first, second)) == [
        "once.whl: built once",
        "other.whl: two builds differ",
    ]
    assert list(differences(tmp_path / "none", tmp_path / "none")) == ["no wheel in none"]


def test_a_step_that_fails_makes_the_check_fail(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = {"first": lambda: iter(["broken"]), "second": lambda: iter(())}
    monkeypatch.setattr(Release, "steps", lambda _: steps)

    assert release.main([]) == 1
    assert release.main(["--only", "second"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == ["first         broken", "second        ok"]
    assert printed[-1].endswith(": ready")
