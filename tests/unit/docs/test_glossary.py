"""The glossary names what the code has."""

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[3]
PLACES: Final = re.findall(
    r"^\| [^|]+ \| [^|]+ \| `([^`]+)`(?: `(\w+)`)? \|$",
    (ROOT / "docs/glossary.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize(("path", "name"), PLACES)
def test_a_term_is_defined_where_the_glossary_says(path: str, name: str) -> None:
    assert re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8"))
