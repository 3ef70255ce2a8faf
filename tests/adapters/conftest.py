"""An archive with all kinds of records, and what `winnow clean` makes of it."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.archives import documents, mixed_archive
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.cli import main

# of `make test-adapters`, which installs them
ENGINES = {
    "test_spark.py": "pyspark",
    "test_ray.py": "ray",
    "test_nemo_curator.py": "nemo_curator",
}
collect_ignore = [name for name, package in ENGINES.items() if not find_spec(package)]


@pytest.fixture
def archives(tmp_path: Path) -> list[Path]:
    samples = [path.read_bytes() for path in sorted(SAMPLES.iterdir())]
    found = [tmp_path / f"{number}.warc.gz" for number in range(2)]
    for path in found:
        path.write_bytes(mixed_archive(samples * 2)[0])
    return found


@pytest.fixture
def wanted(tmp_path: Path, archives: list[Path]) -> list[tuple[str, str]]:
    """Return ids and texts, as `winnow clean` writes them."""
    arguments = ["clean", *map(str, archives), "-o", str(tmp_path / "ours"), "--format", "jsonl"]
    CliRunner().invoke(main, arguments)
    return sorted(
        (each["warc"]["record_id"], each["text"]) for each in documents(tmp_path / "ours")
    )
