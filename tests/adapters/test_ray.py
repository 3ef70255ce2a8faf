"""Winnow as an actor of Ray Data, with the real package."""

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow.parquet import read_table

import winnow
from winnow.ray import CleanPages
from winnow.worker.batch.archives.tables import Columns
from winnow.worker.batch.inputs import SAMPLES

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.adapters, pytest.mark.timeout(1200)]


def test_a_batch_of_pages_gives_the_texts_of_winnow() -> None:
    page = (SAMPLES / "article.html").read_bytes()
    table = pa.Table.from_pylist([{"raw": page, "at": "https://a.invalid/"}, {"raw": b"%PDF-1.7"}])

    good, bad = CleanPages(Columns(body="raw", url="at"))(table).to_pylist()

    assert (good["text"], good["error"]) == (winnow.clean(page).text, None)
    assert bad["error"].startswith("not_html")


def test_a_batch_names_why_the_filter_dropped_a_document() -> None:
    page = (SAMPLES / "article.html").read_bytes()
    table = pa.Table.from_pylist([{"body": page, "url": "https://a.invalid/"}])
    wanted = winnow.DocumentFilter(min_words=100_000)

    (dropped,) = CleanPages(documents=wanted)(table).to_pylist()

    assert (dropped["text"], dropped["error"]) == (None, "dropped: words")


def test_the_job_gives_the_texts_of_winnow_clean(
    tmp_path: Path, archives: list[Path], wanted: list[tuple[str, str]]
) -> None:
    job = [sys.executable, str(ROOT / "docs/jobs/ray_job.py"), str(tmp_path / "out")]
    settings = {"PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}

    done = subprocess.run(
        [*job, *map(str, archives)],
        check=False, capture_output=True, text=True, env=os.environ | settings,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    shards = sorted((tmp_path / "out").glob("*.parquet"))
    rows = [row for path in shards for row in read_table(path).to_pylist()]
    found = [(row["warc"]["record_id"], row["text"]) for row in rows if not row["error"]]
    assert sorted(found) == wanted
