"""How well the shipped models detect languages, on lines held out of their training.

    python -m winnow.lab.train.language.lines ../shared/corpus [--lines 100] [--peers]

Prints how many lines of 50, 100 and 200 characters are taken for their language, by language, and
which languages are taken for which. The lines are pages that declare nothing. With `--peers` other
detectors (see `peers.py`) get the same lines.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from winnow.lab.train.language.corpus import text_chunks
from winnow.lab.train.language.peers import PEERS, Detector
from winnow.lab.train.language.training import held_out_every
from winnow.models import Page
from winnow.models._kernel import JudgedPage
from winnow.models.engines.perplexity import PerplexityEngine
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.ngram.languages import SHIPPED
from winnow.models.page import blocks_of

LENGTHS: Final = (50, 100, 200)
# languages that short lines are taken for each other
PAIRS: Final = ("da nb sv", "es pt ca gl", "ru uk bg", "ar fa", "cs pl")

Lines = dict[tuple[str, int], list[str]]
Found = dict[tuple[str, int], Counter[str]]


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("--lines", type=int, default=400, help="of each language and length")
    arguments.add_argument("--peers", action="store_true", help="ask other detectors too")
    chosen = arguments.parse_args()
    lines = cut_lines(chosen.corpus, chosen.lines)
    models = LanguageModels.shipped()
    found = counted(lines, lambda texts: [page.language for page in judged(models, texts)])
    _print(found)
    _print_summary("winnow", found)
    for name, make in PEERS.items() if chosen.peers else ():
        _print_summary(name, counted(lines, _of_each(make())))


def _of_each(detect: Detector) -> Callable[[list[str]], list[str]]:
    return lambda texts: list(map(detect, texts))


def cut_lines(corpus: Path, most: int) -> Lines:
    """Return at most `most` lines of each language and length."""
    lines: Lines = {}
    for language in SHIPPED:
        whole = list(held_out(corpus / language, language))
        for length in LENGTHS:
            cut = (line[:length] for line in whole if len(line) >= length)
            lines[language, length] = list(islice(cut, most))
    return lines


def counted(lines: Lines, detect: Callable[[list[str]], list[str]]) -> Found:
    """Return which languages the lines are taken for."""
    return {key: Counter(name or "none" for name in detect(texts)) for key, texts in lines.items()}


def held_out(folder: Path, language: str) -> Iterator[str]:
    """Yield the held-out lines of a shipped model's training."""
    info = NgramModel.shipped(language).info
    every = held_out_every(sum(file["text_bytes"] for file in info.made_from))
    number = 0
    for file in info.made_from:
        text = b"".join(text_chunks(folder / file["name"])).decode("utf-8", errors="replace")
        for line in text.split("\n"):  # also counts the empty line after the last line feed
            number += 1
            if number % every == 0 and line:
                yield line


def judged(models: LanguageModels, lines: list[str]) -> list[JudgedPage]:
    """Return the detected languages of lines, each as a page."""
    pages = [Page("https://line.invalid/", f"<p>{line}</p>".encode()) for line in lines]
    return models.judge(PerplexityEngine().rule, [blocks_of(page) for page in pages])


def _print(found: Found) -> None:
    header = " | ".join(f"{length} characters" for length in LENGTHS)
    print(f"| language | {header} | taken for |\n|---|---:|---:|---:|---|")
    for language in SHIPPED:
        counts = [found[language, length] for length in LENGTHS]
        shares = " | ".join(_share(each, language) for each in counts)
        wrong = sum(counts, Counter[str]())
        del wrong[language]
        taken = ", ".join(f"{name} {count}" for name, count in wrong.most_common(3))
        print(f"| {language} | {shares} | {taken} |")
    print()


def _print_summary(detector: str, found: Found) -> None:
    for name in ("all", *PAIRS):
        row = SHIPPED if name == "all" else tuple(name.split())
        means = " | ".join(_mean(found, row, each) for each in LENGTHS)
        print(f"| {detector} | {name} | {means} |")


def _share(counts: Counter[str], language: str) -> str:
    total = counts.total()
    return f"{counts[language] / total:.1%} of {total}" if total else "no line"


def _mean(found: Found, languages: tuple[str, ...], length: int) -> str:
    right = sum(found[language, length][language] for language in languages)
    total = sum(found[language, length].total() for language in languages)
    return f"{right / max(1, total):.2%}"


if __name__ == "__main__":
    main()
