from pathlib import Path

import pytest

from winnow.lab.downstream.report import PARTS, all_tables, follows, page, report
from winnow.lab.downstream.tables import Results, write_results

GAINS = Results(
    "Words",
    ("macro less stripped, 95 %", "empty"),
    (
        ("stripped", ("", "0")),
        ("a<b", ("+0.010 to +0.030", "0")),
        ("raw", ("-0.050 to -0.010", "0")),
        ("hybrid", ("-0.010 to +0.010", "0")),
    ),
)
SWEEP = Results("Cut-off", ("1K", "2K"), (("shipped", ("0.7000", "0.8000")),))


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    ranks = Results("Search by title", ("MRR",), (("a<b", ("0.912",)), ("raw", ("0.8",))), ("n",))
    costs = Results("Costs", ("index MB",), (("a<b", ("5.0",)), ("raw", ("50.0",))))
    write_results(tmp_path, "search", [ranks, costs])
    write_results(tmp_path, "classification", [GAINS])
    write_results(tmp_path, "cleaning", [SWEEP])
    return tmp_path


def test_report_shows_what_was_measured_and_names_what_was_not(measured: Path) -> None:
    found = report(measured)

    assert "<th>a&lt;b</th><td>0.912</td>" in found
    assert "not measured: run make downstream (energy)" in found


def test_report_draws_sizes_cut_offs_and_differences(measured: Path) -> None:
    assert report(measured).count("<svg") == 3


def test_conclusions_follow_from_the_intervals() -> None:
    assert list(follows(GAINS)) == [
        "Words: against stripped, gain: a<b.",
        "Words: against stripped, lose: raw.",
        "Words: against stripped, no difference: hybrid.",
    ]


def test_nothing_follows_without_intervals() -> None:
    assert list(follows(SWEEP)) == []


def test_page_has_what_follows_and_the_first_table_of_every_part(measured: Path) -> None:
    found = page(measured, "tables.md")

    assert "| Words | a<b | raw | hybrid |" in found
    assert "| a<b | 0.912 |" in found
    assert "### Costs" not in found
    assert "(tables.md)" in found
    assert found.count("Not measured yet.") == 2
    assert found.endswith("\n")


def test_page_of_tables_has_all_with_their_command(measured: Path) -> None:
    found = all_tables(measured)

    assert [f"python -m winnow.lab.downstream.{part.name} " in found for part in PARTS] == [
        True
    ] * 5
    assert "### Search by title" in found
    assert "### Costs" in found
    assert found.count("Not measured yet.") == 2
    assert found.endswith("\n")


def test_a_note_is_printed_once_under_its_first_table(tmp_path: Path) -> None:
    tables = [Results(name, ("F",), (("x", ("1",)),), ("same note",)) for name in ("a", "b")]
    write_results(tmp_path, "tools", tables)

    assert all_tables(tmp_path).count("same note") == 1
