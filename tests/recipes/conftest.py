"""What the recipes of docs/recipes.md say, in files."""

import re
from pathlib import Path

import pytest

from tests.messages.pages import DOCS

_FILE = re.compile(r"```(?:python|properties)\n# (\S+)\n(.*?)```", re.DOTALL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.recipes)
            item.add_marker(pytest.mark.timeout(300))


@pytest.fixture
def recipes() -> dict[str, str]:
    """The files of the page by name."""
    return dict(_FILE.findall((DOCS / "recipes.md").read_text(encoding="utf-8")))
