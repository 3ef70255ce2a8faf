"""One broker and its workers per test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.embedded.harness import Bench
from winnow.worker.demo.embedded import EmbeddedBroker


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with EmbeddedBroker() as broker:
        bench = Bench(broker, tmp_path)
        yield bench
        bench.close()
