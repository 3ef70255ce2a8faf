"""What `make compare` keeps of an evaluation, and how it finds blocks in the text of a tool."""

from bench.compare.integrity import kept_by, rows
from bench.compare.quality import kept, pages_of
from winnow.lab.measure.faults import Counts, Fault
from winnow.models import Cleaner, Page

FIGURES = {
    "pages": 3,
    "occ_f": 0.912345,
}
EVALUATION = {"engines": {"hybrid": {"groups": {"dragnet": FIGURES, "turing": FIGURES}}}}


def test_the_figures_of_each_set_are_kept() -> None:
    assert pages_of(EVALUATION) == {"dragnet": 3, "turing": 3}
    assert kept(EVALUATION)["hybrid"]["sets"] == {"dragnet": 0.9123, "turing": 0.9123}


def test_a_block_is_kept_when_the_text_holds_half_of_its_words() -> None:
    body = b"<h1>Bees</h1><p>The bees find more flowers in the city.</p><p>Sign up for news.</p>"
    explanation = Cleaner().explain(Page("https://example.org/", body))

    found = kept_by(explanation, "# Bees\n\nThe bees find flowers in a city")

    assert found == (True, True, False)
    assert kept_by(explanation, "") == (False, False, False)


def test_faults_of_all_sets_are_counted_together() -> None:
    first, second = Counts(documents=10), Counts(documents=30)
    second.faults.update([Fault.TABLE, Fault.TABLE])

    ((tool, figures),) = rows([{"a tool": first}, {"a tool": second}])

    assert tool == "a tool"
    assert figures["documents"] == 40
    assert figures["tables with holes"] == 50.0
