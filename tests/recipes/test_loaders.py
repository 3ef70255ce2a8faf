"""Winnow's loaders with LangChain and LlamaIndex themselves."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from winnow.retrieval import chunks_in
from winnow.worker.batch.inputs import SAMPLES

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "build" / "recipes" / "bin" / "python"
PROGRAMS = {
    "langchain": """
from langchain_core.document_loaders import BaseLoader
from winnow.langchain import WinnowLoader
loader = WinnowLoader(sys.argv[1:])
assert isinstance(loader, BaseLoader)
found = [(each.page_content, each.metadata) for each in loader.load()]
""",
    "llamaindex": """
from llama_index.core.readers.base import BaseReader
from winnow.llamaindex import WinnowReader
reader = WinnowReader()
assert isinstance(reader, BaseReader)
found = [(each.text, each.metadata) for each in reader.load_data(sys.argv[1:])]
""",
}


@pytest.mark.parametrize("framework", PROGRAMS)
def test_a_framework_gets_the_chunks_of_pages(framework: str) -> None:
    pages = [str(SAMPLES / "article.html"), str(SAMPLES / "documentation.html")]
    program = f"import json, sys{PROGRAMS[framework]}json.dump(found, sys.stdout)"

    done = subprocess.run(
        [PYTHON, "-c", program, *pages],
        check=False, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    found: list[list[Any]] = json.loads(done.stdout)
    assert found == [list(each) for each in chunks_in(pages)]
    assert len(found) > 2
