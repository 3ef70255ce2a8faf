"""docs/archives.md: shards of documents in pandas, polars, DuckDB and datasets."""

import os
import re
import subprocess
from pathlib import Path

from click.testing import CliRunner

from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.cli import main

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "build" / "recipes" / "bin" / "python"
PAGE = (ROOT / "docs" / "archives.md").read_text(encoding="utf-8")


def program(name: str) -> str:
    found = re.search(rf"```python\n# {name}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


def shards(folder: Path, form: str, *options: str) -> Path:
    """Clean the samples to several shards, some of them with crawlers' own members."""
    lines = folder / "more.jsonl"
    lines.write_text(
        '{"url": "https://a.invalid/1", "html": "<p>The bees.</p>", "meta": {"crawl": 7}}\n'
        '{"url": "https://a.invalid/2", "html": "<p>The hives.</p>", "meta": {"x": ["y"]}}\n'
    )
    out = folder / form
    arguments = ["clean", str(lines), str(SAMPLES), "-o", str(out), "--format", form]
    CliRunner().invoke(main, [*arguments, "--shard-size", "0.01", *options])
    assert len(list(out.glob("part-*"))) > 1
    return out


def test_shards_are_read_by_the_programs_that_the_page_names(tmp_path: Path) -> None:
    tables = shards(tmp_path, "parquet", "--option", "quality=yes", "--option", "sources=yes")
    lines = shards(tmp_path, "jsonl")

    done = subprocess.run(
        [PYTHON, "-c", program("read_shards.py"), tables, lines],
        check=False, capture_output=True, text=True, env=os.environ | {"HF_HOME": str(tmp_path)},
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    frame, long, by_sql, dataset, packed = done.stdout.splitlines()[-5:]
    documents = len(list(SAMPLES.iterdir())) + 1  # one of them is a PDF
    assert frame.split()[0] == dataset == packed == str(documents)
    assert long == by_sql
    assert 0 < int(long) < documents
