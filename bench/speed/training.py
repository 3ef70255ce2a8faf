"""Training on the open English corpus in a separate process: speed by stage, and memory."""

import itertools
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.speed.rows import Row, at_least, at_most
from winnow.lab.train.language.corpus import text_bytes
from winnow.lab.train.language.training import PUNKT_SAMPLE_BYTES, Stages, TrainingPlan, train_model

# files with licences that the shipped model does not use
CLOSED: Final = ("gum-mixed", "nltk-abc-news", "nltk-brown")
PEAK: Final = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)


def rows(corpus: Path) -> Iterator[Row]:
    """Train with the command of the shipped model, and measure its process."""
    files = open_files(corpus / "en")
    text_mb = sum(map(text_bytes, files)) / 1e6
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", __name__, f"{folder}/model.winnow", *map(str, files)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = json.loads(output)
    punkt_s, counting_s = found["learning sentence ends"], found["counting"] + found["writing"]
    what = f"training on {text_mb:.0f} MB, counting and writing: MB per CPU second here"
    yield at_least(what, text_mb / counting_s, 30, "{:.0f}")
    sample_mb = PUNKT_SAMPLE_BYTES / 1e6
    what = f"training: NLTK's PunktTrainer on {sample_mb:.0f} MB of it: CPU s here"
    yield Row(what, f"{punkt_s:.0f}")
    what = "training, the whole command with sentence ends: MB per CPU second here"
    yield Row(what, f"{text_mb / (punkt_s + counting_s):.1f}")
    yield at_most("training, all stages: peak memory (VmHWM), MB", found["peak_mb"], 256, "{:.0f}")


def open_files(folder: Path) -> list[Path]:
    """Return the files of the shipped model."""
    files = sorted(folder.glob("*.txt.zst"))
    return [file for file in files if not file.name.startswith(CLOSED)]


def _train(target: Path, files: list[Path]) -> dict[str, float]:
    """Train, and return CPU seconds by stage and the peak of this process's memory."""
    begun: list[tuple[str, float]] = []

    def begin(name: str, _file_bytes: int) -> None:
        begun.append((name, time.process_time()))

    plan = TrainingPlan(order=2, language="en", min_counts=(2, 2, 2))
    train_model(files, target, plan, Stages(begin))
    begin("end", 0)
    laps = itertools.pairwise(begun)
    seconds = {name: end - start for (name, start), (_, end) in laps}
    peak = PEAK.search(Path("/proc/self/status").read_text(encoding="ascii"))
    if peak is None:
        sys.exit("the kernel does not report peak memory")
    return {**seconds, "peak_mb": int(peak[1]) / 1000}


if __name__ == "__main__":
    print(json.dumps(_train(Path(sys.argv[1]), [Path(file) for file in sys.argv[2:]])))
