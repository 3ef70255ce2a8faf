"""How well the models that ship tell languages apart, on lines that their training held out.

    python -m winnow.lab.train.language.lines ../shared/corpus

Prints how many lines of 50, 100 and 200 characters are taken for their language, by language, and
which languages are taken for which. The lines are pages that declare nothing.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from winnow.lab.train.language.corpus import text_chunks
from winnow.lab.train.language.training import held_out_every
from winnow.models import Page
from winnow.models._kernel import JudgedPage
from winnow.models.engines.perplexity import PerplexityEngine
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.ngram.languages import SHIPPED
from winnow.models.page import blocks_of

LENGTHS: Final = (50, 100, 200)
LINES: Final = 400
# languages that short lines are taken for each other
PAIRS: Final = ("da nb sv", "es pt ca gl", "ru uk bg", "ar fa", "cs pl")


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("corpus", type=Path)
    corpus: Path = arguments.parse_args().corpus
    models = LanguageModels.shipped()
    found: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for language in SHIPPED:
        lines = list(held_out(corpus / language, language))
        for length in LENGTHS:
            cut = (line[:length] for line in lines if len(line) >= length)
            for page in judged(models, list(islice(cut, LINES))):
                found[language, length][page.language or "none"] += 1
    _print(found)


def held_out(folder: Path, language: str) -> Iterator[str]:
    """Yield the lines that the training of a shipped model kept apart."""
    info = NgramModel.shipped(language).info
    every = held_out_every(sum(file["text_bytes"] for file in info.made_from))
    number = 0
    for file in info.made_from:
        text = b"".join(text_chunks(folder / file["name"])).decode("utf-8", errors="replace")
        for line in text.split("\n"):  # the empty one after the last line feed counts too
            number += 1
            if number % every == 0 and line:
                yield line


def judged(models: LanguageModels, lines: list[str]) -> list[JudgedPage]:
    """Return what the models make of lines, each a page."""
    pages = [Page("https://line.invalid/", f"<p>{line}</p>".encode()) for line in lines]
    return models.judge(PerplexityEngine().rule, [blocks_of(page) for page in pages])


def _print(found: dict[tuple[str, int], Counter[str]]) -> None:
    header = " | ".join(f"{length} characters" for length in LENGTHS)
    print(f"| language | {header} | taken for |\n|---|---:|---:|---:|---|")
    for language in SHIPPED:
        counts = [found[language, length] for length in LENGTHS]
        shares = " | ".join(_share(each, language) for each in counts)
        wrong = sum(counts, Counter[str]())
        del wrong[language]
        taken = ", ".join(f"{name} {count}" for name, count in wrong.most_common(3))
        print(f"| {language} | {shares} | {taken} |")
    for name in ("all", *PAIRS):
        row = SHIPPED if name == "all" else name.split()
        print(f"| {name} | " + " | ".join(_mean(found, row, each) for each in LENGTHS) + " | |")


def _share(counts: Counter[str], language: str) -> str:
    total = counts.total()
    return f"{counts[language] / total:.1%} of {total}" if total else "no line"


def _mean(
    found: dict[tuple[str, int], Counter[str]], languages: tuple[str, ...] | list[str], length: int
) -> str:
    right = sum(found[language, length][language] for language in languages)
    total = sum(found[language, length].total() for language in languages)
    return f"{right / max(1, total):.2%}"


if __name__ == "__main__":
    main()
