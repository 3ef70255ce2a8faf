"""List what is doubtful about the gold texts of the development pages.

python -m lab.train.hybrid.doubts ../shared/pages            # a row a set
python -m lab.train.hybrid.doubts ../shared/pages --list     # and a line a page
"""

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Final

from lab.train.hybrid.corpus import Sample, samples
from lab.train.hybrid.hygiene import Doubts
from lab.train.hybrid.matrix import corpus_of

# share of a gold text that may be missing from its page: spellings differ
_USUAL: Final = 0.1


def main() -> None:
    """Print a table by set, and the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path, help="folder of the development pages")
    parser.add_argument("--list", action="store_true", help="print every page with a doubt")
    told = parser.parse_args()
    corpus = corpus_of(tuple(samples(told.pages)))
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
    if told.list:
        for sample, found in zip(corpus.samples, corpus.doubts, strict=True):
            _print(sample, found)


def _print(sample: Sample, found: Doubts) -> None:
    reasons = []
    if found.missing > _USUAL:
        reasons.append(f"{found.missing:.0%} of the gold is not on the page")
    if halves := int(found.halves.sum()):
        reasons.append(f"half blocks: {halves}")
    if tails := int(found.tails.sum()):
        reasons.append(f"paragraphs behind the end of the gold: {tails}")
    if reasons:
        print(f"{sample.group} {sample.page_id}: {'; '.join(reasons)}")


if __name__ == "__main__":
    main()
