"""Compare the kernel's quality signals with datatrove's, and measure their cost.

    python -m winnow.lab.measure.signals PYTHON SET.tar.zst [PAGES]

cleans pages of a labelled set, gets the same figures from the datatrove of the interpreter PYTHON,
and names every signal that differs (exit code 1). It also prints the CPU for all members of a
document except its text, relative to the parse of the same pages, measured in turns.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from winnow.lab.measure.interleave import run
from winnow.lab.sets.labelled import labelled_pages
from winnow.models import Cleaner, Page
from winnow.models._kernel.lab import signal_words, text_signals
from winnow.models.errors import InvalidPage
from winnow.models.page import blocks_of, decode

PAGES: Final = 1200
# sums in a different order differ in the last digits
TOLERANCE: Final = 1e-9
TIMED_PAGES: Final = 200


def kept_texts(pages: Sequence[Page]) -> Iterator[str]:
    """Yield the texts of pages that have one."""
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
        [python, "-m", "winnow.lab.measure.peers.signals"],
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


def cost_lines(pages: Sequence[Page]) -> Iterator[str]:
    """Yield a table of a document's other members: CPU relative to the parse of its page."""
    cleaner = Cleaner()
    read = []
    for page in pages:
        (document,) = cleaner.clean_batch([page])
        if not isinstance(document, InvalidPage):
            read.append((document, decode(page).markup, blocks_of(page, wanted="every")))
    texts = [document.text for document, _, _ in read]
    carried: dict[str, Callable[[], object]] = {
        "metadata": lambda: [
            blocks.metadata(document.url, document.page_type) for document, _, blocks in read
        ],
        "wishes": lambda: [blocks.wishes for _, _, blocks in read],
        "fingerprint": lambda: [text_signals(text, with_quality=False) for text in texts],
        "digest of the text": lambda: [sha256(text.encode()).hexdigest() for text in texts],
    }
    rounds = run(
        {
            "parse": lambda: [LexborHTMLParser(markup) for _, markup, _ in read],
            **carried,
            "all of these": lambda: [each() for each in carried.values()],
            "fingerprint and quality, on request": lambda: [text_signals(text) for text in texts],
        }
    )
    yield f"\n| on {len(read)} pages | CPU in parses |\n|---|---:|"
    for name in (*carried, "all of these", "fingerprint and quality, on request"):
        yield f"| {name} | {rounds.ratio(name, 'parse')} |"


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
    print("\n".join(cost_lines(read[:TIMED_PAGES])))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
