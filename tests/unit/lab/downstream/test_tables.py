import json
from pathlib import Path

import pytest

from winnow.lab.downstream.tables import Results, write_results


def test_results_are_printed_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Results("Search", ("MRR",), (("hybrid", ("0.9",)),), ("a note",))

    write_results(tmp_path / "new", "search", [table])

    printed = capsys.readouterr().out
    assert printed == "### Search\n\n| | MRR |\n|---|---:|\n| hybrid | 0.9 |\n\na note\n\n"
    (kept,) = json.loads((tmp_path / "new" / "search.json").read_text())
    assert kept["rows"] == [["hybrid", ["0.9"]]]
