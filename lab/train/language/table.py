"""What the models that ship know, by language: the table of `make models`.

    python -m winnow.lab.train.language.table ../shared/pages/{daniel,fundus,recipes}.tar.zst

Of each model: the text that it was made of, its size, and what it makes of lines that were held out
of that text and of the content of labelled pages, which is of another kind. The area is the chance
that a sentence of boilerplate is stranger to the model than one of content, on these pages.
"""

import argparse
import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from winnow.lab.measure.garbled import ALIASES
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, tasks
from winnow.lab.train.web2text.alignment import matched_chars
from winnow.models.errors import InvalidPage
from winnow.models.ngram import NgramModel, ScoredSentence
from winnow.models.ngram.languages import SHIPPED
from winnow.models.page import blocks_of

# shares of a block in the gold text between which it is neither content nor boilerplate
UNDECIDED: Final = (0.2, 0.8)
LEAST_SENTENCES: Final = 100
LEAST_TOKENS: Final = 5


@dataclass(slots=True)
class Texts:
    """The blocks of the labelled pages in a language."""

    content: list[str] = field(default_factory=list)
    boilerplate: list[str] = field(default_factory=list)


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("sources", type=Path, nargs="+")
    texts = texts_of(arguments.parse_args().sources)
    print(
        "| language | tokens | 1-grams | 2-grams | bytes | held out: perplexity | unknown "
        "| pages: perplexity | unknown | area | of sentences |"
    )
    print("|---|" + "---:|" * 10)
    for language in SHIPPED:
        print(row_of(NgramModel.shipped(language), texts[language]))


def texts_of(sources: Sequence[Path]) -> defaultdict[str, Texts]:
    """Return the blocks of the pages of labelled sets, by language."""
    texts: defaultdict[str, Texts] = defaultdict(Texts)
    for source in sources:
        for task in tasks(source, gold_set_of(source), Selection()):
            language = task.wanted.language
            if language:
                _sort_blocks(task, texts[ALIASES.get(language, language)])
    return texts


def _sort_blocks(task: Task, texts: Texts) -> None:
    try:
        blocks = blocks_of(task.page).text.split("\n")[:-1]
        matched = matched_chars(blocks, task.wanted.text)
    except (InvalidPage, ValueError):  # no page, or a gold text of another one
        return
    low, high = UNDECIDED
    for text, chars in zip(blocks, matched, strict=True):
        share = float(chars) / max(1, len(text))
        if share >= high:
            texts.content.append(text)
        elif share <= low:
            texts.boilerplate.append(text)


def row_of(model: NgramModel, texts: Texts) -> str:
    """Return the row of a model."""
    info = model.info
    figures = info.figures
    unknown = figures.held_out_oov / max(1, figures.held_out_tokens)
    listed = " | ".join(f"{count:,}" for count in figures.listed[:2])
    known = (
        f"| {model.language} | {figures.training_tokens:,} | {listed} | {info.file_bytes:,} "
        f"| {info.held_out_perplexity:,.0f} | {unknown:.1%} "
    )
    good, bad = list(_scored(model, texts.content)), list(_scored(model, texts.boilerplate))
    if min(len(good), len(bad)) < LEAST_SENTENCES:
        return known + "| | | | |"
    tokens = sum(each.tokens for each in good)
    bits = math.fsum(each.tokens * math.log2(each.perplexity) for each in good)
    lacked = sum(each.oov for each in good) / tokens
    found = area([each.perplexity for each in good], [each.perplexity for each in bad])
    return (
        f"{known}| {2 ** (bits / tokens):,.0f} | {lacked:.1%} | {found:.3f} "
        f"| {len(good):,} and {len(bad):,} |"
    )


def _scored(model: NgramModel, texts: Sequence[str]) -> Iterator[ScoredSentence]:
    for text in dict.fromkeys(texts):
        yield from (each for each in model.score_text(text) if each.tokens >= LEAST_TOKENS)


def area(low: Sequence[float], high: Sequence[float]) -> float:
    """Return how often one of the second values is above one of the first; equal ones count half.

    This is the area under the curve of hits over false alarms.
    """
    ranked = sorted(high)
    last = len(ranked)
    above = sum(2 * last - bisect_left(ranked, one) - bisect_right(ranked, one) for one in low)
    return above / (2 * len(low) * last)


if __name__ == "__main__":
    main()
