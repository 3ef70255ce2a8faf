"""Documents of sites that training did not see."""

import pickle
from pathlib import Path

import pytest

from tests.unit.models.engines.hybrid.parameter_file import a_file
from winnow.lab.measure.integrity import WHOLE
from winnow.lab.measure.unseen import Unseen, cleaners_of
from winnow.lab.sets.gold import GoldPage
from winnow.lab.sets.tasks import Task
from winnow.models import Cleaner, Page

TEXT = "Three masons work on the roof of the old lighthouse since the storm of last winter."


def a_task(body: bytes) -> Task:
    wanted = GoldPage(page_id="roofs/a", group="roofs", text=TEXT, language="", page_type="")
    return Task(Page(url="", body=body), wanted, in_set="a", site="roofs.invalid")


def test_faults_and_f1_are_of_the_documents() -> None:
    found, cleaner = Unseen(), Cleaner()

    found.add("roofs", a_task(f"<p>{TEXT}</p>".encode()), cleaner)
    found.add("roofs", a_task(f"<p>{TEXT}</p><ul><li>a<li>b</ul>".encode()), cleaner)
    found.add("roofs", a_task(b"%PDF-1.7"), cleaner)

    assert found.counts[WHOLE].documents == 2
    assert found.scores["roofs"][0] == 1
    assert found.scores["roofs"][2] == 0
    assert next(reversed([*found.f1_table()])).startswith("| roofs | 3 | 6")


def test_each_part_of_the_sites_has_its_own_parameters(tmp_path: Path) -> None:
    (tmp_path / "0.bin").write_bytes(a_file())
    (tmp_path / "1.bin").write_bytes(a_file())

    first, second = cleaners_of(tmp_path)

    assert first.fingerprint == second.fingerprint != Cleaner().fingerprint
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(first)


def test_a_part_without_parameters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        cleaners_of(tmp_path)
    (tmp_path / "1.bin").write_bytes(a_file())

    with pytest.raises(FileNotFoundError):
        cleaners_of(tmp_path)
