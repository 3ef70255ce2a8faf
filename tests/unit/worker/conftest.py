"""What a command sets for its whole process is taken back after each test."""

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """Forget the level that a command has chosen for the log."""
    yield
    structlog.reset_defaults()
