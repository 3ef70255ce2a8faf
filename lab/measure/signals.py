"""The kernel's signals of quality beside datatrove's, and what they cost.

    python -m lab.measure.signals PYTHON SET.tar.zst [PAGES]

cleans pages of a labelled set, asks the datatrove of the interpreter PYTHON for the same numbers,
and names every signal that differs; ends with 1 if any does. The CPU of the signals is given in
terms of the parse of the same pages, taken in turns.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from lab.measure.interleave import run
from lab.sets.labelled import labelled_pages
from models import Cleaner, Page
from models._kernel import signal_words, text_signals
from models.errors import InvalidPage
from models.page import parse, prepare

PAGES: Final = 1200
# sums in another order differ in the last digits
TOLERANCE: Final = 1e-9
TIMED_PAGES: Final = 200


def kept_texts(pages: Sequence[Page]) -> Iterator[str]:
    """Yield the texts of pages, but for those without any."""
    cleaner = Cleaner()
    for page in pages:
        (document,) = cleaner.clean_batch([page])
        if not isinstance(document, InvalidPage) and document.text:
            yield document.text


def differing(python: str, texts: Sequence[str]) -> dict[str, float]:
    """Return the largest difference of each signal that both programs have.

    Raises:
        RuntimeError: datatrove did not answer for every text.
    """
    asked = "".join(
        json.dumps({"text": text, "words": signal_words(text)}) + "\n" for text in texts
    )
    answered = subprocess.run(  # noqa: S603 - the interpreter that the caller names
        [python, "-m", "lab.measure.peers.signals"],
        input=asked, capture_output=True, text=True, check=True,
    )  # fmt: skip
    answers = [json.loads(line) for line in answered.stdout.splitlines()]
    if len(answers) != len(texts):
        raise RuntimeError(f"datatrove answered {len(answers)} of {len(texts)} texts")
    most: dict[str, float] = {}
    for text, answer in zip(texts, answers, strict=True):
        own = dict(text_signals(text)[1])
        for name, value in answer.items():
            most[name] = max(most.get(name, 0.0), abs(own[name] - value))
    return most


def main(python: str, archive: str, pages: str = str(PAGES)) -> int:
    """Print the largest difference of each signal, and the cost; return the exit status."""
    labelled = islice(labelled_pages(Path(archive)), int(pages))
    read = [Page("", page.html, "") for page in labelled]
    texts = list(kept_texts(read))
    most = differing(python, texts)
    for name, value in sorted(most.items()):
        print(f"{name:<36}{value:.3g}{'' if value <= TOLERANCE else '  DIFFERS'}")
    wrong = sum(value > TOLERANCE for value in most.values())
    print(f"{len(texts)} texts, {len(most)} signals, {wrong} differ")
    prepared = [prepare(page) for page in read[:TIMED_PAGES]]
    timed = list(kept_texts(read[:TIMED_PAGES]))
    rounds = run(
        {
            "parse": lambda: [parse(each) for each in prepared],
            "signals": lambda: [text_signals(text) for text in timed],
        }
    )
    print(f"CPU of fingerprint and signals / parse: {rounds.ratio('signals', 'parse')}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
