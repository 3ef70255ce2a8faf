"""Processes that open one model share its memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from models.ngram import NgramModel
from tests.shared_memory import mapping_kilobytes

CHILD = """
import sys
from models.ngram import NgramModel
model = NgramModel.open(sys.argv[1])
model.read_ahead()
print(model.score_text("The of and to.")[0].perplexity, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="smaps is Linux's")
def test_a_second_process_adds_no_private_memory(model_file: Path) -> None:
    model = NgramModel.open(model_file)
    model.read_ahead()
    expected = model.score_text("The of and to.")[0].perplexity

    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(model_file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout
        scored = float(child.stdout.readline())
        memory = [mapping_kilobytes(process, model_file) for process in (child.pid, "self")]
        child.communicate("")

    assert scored == expected
    for fields in memory:
        assert fields["Private_Clean"] == fields["Private_Dirty"] == 0
        assert fields["Rss"] >= model_file.stat().st_size // 1024
        assert fields["Pss"] <= fields["Rss"] // 2 + 4
