"""Every block of docs/cookbook.md runs as it is printed, and prints what it is for."""

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.archives import a_record, gzipped

# programs that start while other tests run
pytestmark = pytest.mark.timeout(300)

ROOT: Final = Path(__file__).resolve().parents[3]
COOKBOOK: Final = (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8")
TASK: Final = re.compile(r"^### ([^\n]+)\n(.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)
BLOCK: Final = re.compile(r"^```(sh|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TASKS: Final = {title: BLOCK.findall(body) for title, body in TASK.findall(COOKBOOK)}

# a part of what each task prints
PRINTS: Final = {
    "Get the text of a page": "When the national authority announced",
    "Get Markdown with links and images": "## A roof before winter",
    "Read title, author, date and language": (
        "How the harbour town saved its lighthouse | Features desk | 2024-03-18T07:30:00Z | en"
    ),
    "Write a document as JSON": '"site_name":"Coastal Gazette"',
    "Drop or keep readers' comments": " ",
    "Keep bylines and captions, or leave them out": "False",
    "Tell Winnow the charset that the server sent": "ru windows-1251",
    "Find out why a page was refused": "not_html",
    "See why a block was dropped": "- engine We value your privacy",
    "Use the calls of trafilatura": "## A roof before winter",
    "Clean a batch, and keep going when a page is bad": "mislabelled-pdf.html not_html",
    "Use all cores": "12",
    "Keep only documents you trust": "pages/polish.html language",
    "Cut documents into chunks for retrieval": "A roof before winter",
    "Compute quality signals (Gopher, C4, FineWeb)": ".0",
    "Find near-duplicates": "False ",
    "Drop what all pages of a site repeat": "Offer number 3 of many.",
    "Give no text of pages that ask not to be indexed": "('noindex',) 0",
    "Refuse pages above a size": "too_large",
    "Clean a page that another program prints": "# How the harbour town",
    "Clean a folder to Markdown files": "article.html.md",
    "Clean a WARC archive to JSON lines": '"url":"https://a.invalid/0"',
    "Write Parquet for DuckDB, Polars or pandas": "",
    "Keep one language, good documents, and one copy of each text": "",
    "List what could not be read, and why": '"not_html"',
    "Clean JSON lines from another program": "The bees find more flowers in the city.",
    "Print why each block stays or goes": "log-odds",
    "Compare two engines on a page": "",
    "Keep only the words, and all of them": "We value your privacy",
    "Ask the language model how strange a sentence is": "perplexity",
    "Train a language model of your own": "perplexity",
    "Try the Kafka job without a Kafka": '"documents"',
    "See the settings that a worker would use": "WINNOW_KAFKA_BOOTSTRAP",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the first block of the page makes, and an archive."""
    folder = tmp_path_factory.mktemp("cookbook")
    language, first = BLOCK.findall(COOKBOOK)[0]
    assert language == "sh"
    (folder / "worker").symlink_to(ROOT / "worker")
    shell(first, folder)
    (folder / "crawl.warc.gz").write_bytes(gzipped(a_record(number) for number in range(3)))
    return folder


def test_every_task_is_known_here() -> None:
    assert list(PRINTS) == list(TASKS)
    assert len(TASKS) >= 30
    assert [title for title, blocks in TASKS.items() if len(blocks) != 1] == []


def test_tasks_have_at_most_ten_lines() -> None:
    lengths = {title: len(blocks[0][1].splitlines()) for title, blocks in TASKS.items()}

    assert {title: length for title, length in lengths.items() if length > 10} == {}


@pytest.mark.parametrize("title", TASKS)
def test_a_task_prints_what_it_is_for(
    title: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    language, block = TASKS[title][0]
    monkeypatch.chdir(folder)

    printed = shell(block, folder) if language == "sh" else python(block)

    assert PRINTS[title] in printed


def python(block: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(block, "cookbook.md", "exec"), {})
    return out.getvalue()


def shell(block: str, folder: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        cwd=folder,
        env=os.environ | {"PATH": path, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
