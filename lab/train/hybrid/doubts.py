"""List doubtful gold texts of the development pages, and count the roles of their blocks.

python -m winnow.lab.train.hybrid.doubts ../shared/pages            # one row per set
python -m winnow.lab.train.hybrid.doubts ../shared/pages --list     # and one line per page
"""

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Final

import numpy as np

from winnow.lab.train.hybrid.corpus import Sample, samples
from winnow.lab.train.hybrid.hygiene import Doubts
from winnow.lab.train.hybrid.matrix import Corpus, corpus_of
from winnow.models._kernel.lab import HYBRID_ROLES, hybrid_roles

# share of a gold text that may be missing on its page: spellings differ
_USUAL: Final = 0.1
# content blocks mark the begin and end of the text; this many blocks before and after belong to it
_TEXT_WORDS: Final = 8
_BEFORE: Final = 15
_AFTER: Final = 2


def main() -> None:
    """Print a table by set, and the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path, help="folder of the development pages")
    parser.add_argument("--list", action="store_true", help="print every page with a doubt")
    arguments = parser.parse_args()
    corpus = corpus_of(tuple(samples(arguments.pages)))
    by_set: dict[str, list[Doubts]] = defaultdict(list)
    for sample, found in zip(corpus.samples, corpus.doubts, strict=True):
        by_set[sample.family].append(found)
    print("| set | pages | gold not on the page | half blocks | gold stops in a run |")
    print("|---|---:|---:|---:|---:|")
    for name, pages in by_set.items():
        cells = (
            sum(page.missing > _USUAL for page in pages),
            sum(bool(page.halves.any()) for page in pages),
            sum(bool(page.tails.any()) for page in pages),
        )
        print(f"| {name} | {len(pages)} | {' | '.join(map(str, cells))} |")
    _print_roles(corpus)
    if arguments.list:
        for sample, found in zip(corpus.samples, corpus.doubts, strict=True):
            _print(sample, found)


def _print_roles(corpus: Corpus) -> None:
    """Print the number of blocks of each role at the text, and their share in the gold."""
    held: dict[str, list[list[bool]]] = {}
    for sample in corpus.samples:
        roles = np.frombuffer(hybrid_roles(sample.blocks), np.uint8)
        content = sample.labels.content > 1 / 2
        text = np.nonzero(content & (sample.labels.words > _TEXT_WORDS))[0]
        near = np.zeros(len(roles), bool)
        if len(text):
            near[max(0, text[0] - _BEFORE) : text[-1] + _AFTER + 1] = True
        of_set = held.setdefault(sample.family, [[] for _ in HYBRID_ROLES[1:]])
        for role, blocks in enumerate(of_set, 1):
            blocks.extend(content[near & (roles == role)].tolist())
    print(f"\n| set | {' | '.join(HYBRID_ROLES[1:])} |\n|---|{'---:|' * len(HYBRID_ROLES[1:])}")
    for name, of_set in held.items():
        cells = [f"{np.mean(b):.2f} of {len(b)}" if b else "" for b in of_set]
        print(f"| {name} | {' | '.join(cells)} |")


def _print(sample: Sample, found: Doubts) -> None:
    reasons = []
    if found.missing > _USUAL:
        reasons.append(f"{found.missing:.0%} of the gold is not on the page")
    if halves := int(found.halves.sum()):
        reasons.append(f"half blocks: {halves}")
    if tails := int(found.tails.sum()):
        reasons.append(f"paragraphs after the end of the gold: {tails}")
    if reasons:
        print(f"{sample.group} {sample.page_id}: {'; '.join(reasons)}")


if __name__ == "__main__":
    main()
