"""Processes that open one model share its memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared_memory import mapping_kilobytes
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.ngram.model import DATA

CHILD = """
import sys
from winnow.models.ngram import NgramModel
model = NgramModel.open(sys.argv[1])
model.read_ahead()
print(model.score_text("The of and to.")[0].perplexity, flush=True)
sys.stdin.read()
"""

THREADS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from winnow.models._kernel.lab import Importer
importer = Importer(1, sys.argv[1])
ngrams = [([f"w{number}"], -1.0, 0.0) for number in range(5_000)]
with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(importer.add, [ngrams] * 100)))
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


@pytest.mark.skipif(sys.platform != "linux", reason="smaps is Linux's")
def test_reading_ahead_brings_all_models_of_a_set_into_memory() -> None:
    models = LanguageModels.shipped()

    models.read_ahead()

    for language in models.languages:
        file = DATA / f"{language}.winnow"
        fields = mapping_kilobytes("self", file)
        assert fields["Rss"] >= file.stat().st_size // 1024
        assert fields["Private_Dirty"] == 0


def test_threads_that_share_an_importer_do_not_wait_for_each_other_for_ever(tmp_path: Path) -> None:
    child = [sys.executable, "-c", THREADS, str(tmp_path)]

    done = subprocess.run(child, capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout == "500000\n"


OPENED = """
import sys
from winnow.models.ngram import NgramModel
from tests.shared_memory import private_kilobytes
path, count = sys.argv[1], int(sys.argv[2])
first = NgramModel.open(path)
before = private_kilobytes()
models = [NgramModel.open(path) for _ in range(count)]
print(private_kilobytes() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="smaps is Linux's")
def test_an_unused_model_has_almost_no_private_memory() -> None:
    child = [sys.executable, "-c", OPENED, str(DATA / "boilerplate.winnow"), "50"]

    done = subprocess.run(child, capture_output=True, text=True, timeout=60, check=True)

    assert int(done.stdout) < 50 * 8  # filters and codebooks would take 136 kB each
