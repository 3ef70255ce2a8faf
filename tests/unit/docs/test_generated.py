"""Generated parts of the documentation are complete and fresh."""

import json
from pathlib import Path

import pytest

from docs.site.generated import LLMS, PARTS, llms, pages, with_generated
from winnow.models.engines.choice import ENGINES
from winnow.models.errors import Reason
from winnow.models.options import OPTION_NAMES
from winnow.worker.cli.main import COMMANDS
from winnow.worker.service.metrics import ALL_METRICS
from winnow.worker.settings_help import help_lines

DOCS = Path(__file__).resolve().parents[3] / "docs"
DASHBOARD = DOCS.parent / "helm" / "winnow" / "dashboards" / "winnow.json"


@pytest.mark.parametrize(
    ("part", "names"),
    [
        ("settings", [each.variable for each in help_lines()]),
        ("metrics", [each.name for each in ALL_METRICS]),
        ("dashboard", [each["title"] for each in json.loads(DASHBOARD.read_text())["panels"]]),
        ("options", list(OPTION_NAMES)),
        ("engines", list(ENGINES)),
        ("reasons", [f"`{reason.value}`" for reason in Reason]),
        ("commands", [f"## winnow {each.name}\n" for each in COMMANDS]),
    ],
)
def test_a_part_names_all_that_the_code_has(part: str, names: list[str]) -> None:
    text = PARTS[part]()

    assert [name for name in names if name not in text] == []


def test_each_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    tables = (
        PARTS[name]()
        for name in (
            "settings",
            "metrics",
            "dashboard",
            "options",
            "reasons",
            "example",
        )
    )
    rows = [[line.replace("\\|", "").count("|") for line in text.splitlines()] for text in tables]

    assert all(len(set(counts)) == 1 and len(counts) > 5 for counts in rows)


def test_the_index_of_decisions_leads_to_each_note() -> None:
    index = (DOCS / "decisions" / "index.md").read_text(encoding="utf-8")

    notes = {path.name for path in DOCS.glob("decisions/*.md")} - {"index.md"}
    assert {name for name in notes if f"]({name})" not in index} == set()


def test_an_option_is_described_as_in_its_class() -> None:
    assert (
        "| `images` | whether images are included; only in Markdown. | `drop` |"
        in PARTS["options"]()
    )


def test_subcommands_are_listed_below_their_command() -> None:
    assert "### winnow dead replay\n" in PARTS["commands"]()


def test_the_example_shows_what_is_kept_and_what_is_dropped() -> None:
    text = PARTS["example"]()

    assert "| kept 0." in text
    assert "| <del>" in text


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.name)
def test_generated_parts_of_a_page_are_fresh(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert text == with_generated(text), "run `make generated`"


def test_the_list_of_pages_for_language_models_is_fresh() -> None:
    assert LLMS.read_text(encoding="utf-8") == llms(), "run `make generated`"


def test_the_list_of_pages_names_each_page_and_what_it_says() -> None:
    lines = [line for line in llms().splitlines() if line.startswith("- ")]

    listed = {line.partition("](")[2].partition(")")[0] for line in lines}
    assert {path.name for path in DOCS.glob("*.md")} <= listed
    assert [line for line in lines if not line.endswith(".")] == []


def test_a_page_that_asks_for_an_unknown_part_is_an_error() -> None:
    with pytest.raises(KeyError, match="no-such-part"):
        with_generated("a\n\n<!-- generated: no-such-part -->\n<!-- end -->\n")


def test_every_part_is_on_a_page() -> None:
    pages_of_docs = [DOCS.parent / "README.md", *DOCS.rglob("*.md")]
    pages = "\n".join(path.read_text(encoding="utf-8") for path in pages_of_docs)

    assert [name for name in PARTS if f"<!-- generated: {name} -->" not in pages] == []
