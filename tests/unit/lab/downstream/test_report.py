from pathlib import Path

from lab.downstream.report import report
from lab.downstream.tables import Results, write_results


def test_report_shows_what_was_measured_and_names_what_was_not(tmp_path: Path) -> None:
    ranks = Results("Search by title", ("MRR",), (("a<b", ("0.912",)), ("raw", ("0.8",))), ("n",))
    costs = Results("Costs", ("index MB",), (("a<b", ("5.0",)), ("raw", ("50.0",))))
    write_results(tmp_path, "search", [ranks, costs])

    page = report(tmp_path)

    assert "<th>a&lt;b</th><td>0.912</td>" in page
    assert "not measured: run make downstream (energy)" in page
    assert "<svg" in page
