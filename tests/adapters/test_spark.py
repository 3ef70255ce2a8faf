"""Winnow as a map over data frames, with the real Spark on two cores."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyarrow.parquet import read_table
from pyspark.sql import SparkSession

import winnow
from winnow.spark import clean
from winnow.worker.batch.inputs import SAMPLES

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.adapters, pytest.mark.timeout(1200)]


@pytest.fixture
def spark(monkeypatch: pytest.MonkeyPatch) -> Iterator[SparkSession]:
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    yield (started := session.getOrCreate())
    started.stop()


# Spark says so when it makes a frame; nothing here is a frame of pandas
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_a_frame_of_pages_gives_the_texts_of_winnow(spark: SparkSession) -> None:
    pages = [(path.as_uri(), path.read_bytes()) for path in sorted(SAMPLES.iterdir())]
    frame = spark.createDataFrame(pages, "url string, body binary")

    rows = [row.asDict() for row in clean(frame.repartition(2)).collect()]

    assert len(rows) == len(pages)
    for row in rows:
        body = dict(pages)[row["url"]] if row["url"] else b"%PDF"
        if row["error"]:
            with pytest.raises(winnow.InvalidPage):
                winnow.clean(body)
        else:
            assert row["text"] == winnow.clean(body, url=row["url"]).text


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_a_frame_names_why_the_filter_dropped_a_document(spark: SparkSession) -> None:
    page = (SAMPLES / "article.html").read_bytes()
    frame = spark.createDataFrame([("https://a.invalid/", page)], "url string, body binary")

    (kept,) = clean(frame, documents=winnow.DocumentFilter(min_words=10)).collect()
    (dropped,) = clean(frame, documents=winnow.DocumentFilter(min_words=100_000)).collect()

    assert (kept["text"], kept["error"]) == (winnow.clean(page).text, None)
    assert (dropped["text"], dropped["error"]) == (None, "dropped: words")


def test_the_job_gives_the_texts_of_winnow_clean(
    tmp_path: Path, archives: list[Path], wanted: list[tuple[str, str]]
) -> None:
    job = [sys.executable, str(ROOT / "docs/jobs/spark_job.py"), str(tmp_path / "out")]
    settings = {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}

    done = subprocess.run(
        [*job, *map(str, archives)],
        check=False, capture_output=True, text=True, env=os.environ | settings,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    shards = sorted((tmp_path / "out").glob("*.parquet"))
    rows = [row for path in shards for row in read_table(path).to_pylist()]
    found = [(row["warc"]["record_id"], row["text"]) for row in rows if not row["error"]]
    assert sorted(found) == wanted
