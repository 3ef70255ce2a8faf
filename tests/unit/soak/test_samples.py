"""What a worker at work tells of itself."""

from typing import TYPE_CHECKING, cast

import pytest

from tests.soak.samples import reported

if TYPE_CHECKING:
    from tests.services.processes import ServerProcess


class Written:
    """A process that has written this."""

    def __init__(self, words: str) -> None:
        self._words = words

    def output(self) -> str:
        return self._words


@pytest.mark.parametrize(
    ("name", "value"), [("tasks", 12.0), ("blocks", 400.0), ("used", 7.0), ("free", 9.0)]
)
def test_the_last_line_counts(name: str, value: float) -> None:
    first, last = "tasks 1 blocks 2 used 3 free 4\n", "tasks 12 blocks 400 used 7 free 9\n"
    process = cast("ServerProcess", Written(f"{first}{{}}\n{last}{{}}\n"))

    assert reported(process, name) == value


def test_a_value_is_zero_before_the_first_line() -> None:
    assert reported(cast("ServerProcess", Written("")), "used") == 0
