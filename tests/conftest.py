"""Fixtures for all tests: where the development pages are, if they are there."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# the time of an example means nothing on a shared machine
settings.register_profile("winnow", deadline=None)
settings.load_profile("winnow")

# what `make services` has one export is for programs that are run by hand
for name in [each for each in os.environ if each.startswith("WINNOW_")]:
    del os.environ[name]

pytest_plugins = [
    "tests.services.fixtures",  # real Kafka and Redis, started when asked for
    "tests.unit.small_models",
]

ROOT = Path(__file__).resolve().parents[1]
_GZIP_MAGIC = b"\x1f\x8b"


def pytest_make_parametrize_id(val: object) -> str | None:
    """Give compressed bytes the same test name in every process: gzip writes the time into them."""
    return "packed" if isinstance(val, bytes) and _GZIP_MAGIC in val else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder `shared` next to the project: development pages and training text."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs the development data in ../shared, which a clone alone does not have")
    return folder
