"""Check the alignment of gold texts with CleanEval's blocks, which gives the engine's labels.

    python -m winnow.lab.train.web2text.alignment_check [--pages ../shared/pages/cleaneval.tar.zst]

Web2Text aligns the gold text with the page's source with masked tags; the engine aligns it with the
texts of the blocks, which needs no offsets. It prints the share of blocks with the same label,
counts of impossible alignments, and our processor time; the authors' program takes 65 s for the
same pages.
"""

import argparse
import itertools
import json
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np

from winnow.lab.sets.gold import web2text_text
from winnow.lab.sets.labelled import labelled_pages
from winnow.lab.train.web2text.alignment import TRIMMED, align, content_labels
from winnow.lab.train.web2text.cleaneval import LabelledLeaves, cleaneval_page
from winnow.lab.train.web2text.figures import Labels

CLEANEVAL: Final = Path("../shared/pages/cleaneval.tar.zst")
# invisible parts; each of their characters becomes one that no text has
_MASKED: Final = re.compile(
    r"<(head|script|style)\b.*?</\1\s*>|<!--.*?-->|&\w+;|<[^>]*>", re.DOTALL | re.IGNORECASE
)
_MASK: Final = "\0"


@dataclass(frozen=True, slots=True)
class PageCheck:
    """Figures of one page.

    Attributes:
        blocks, chars: blocks and characters, including white space.
        content: blocks with label 1.
        crosses: whether characters are matched in another order than in the gold text.
        unequal: matched characters that differ in more than case and kind of white space.
        unstable: blocks whose label changes if the blocks with label 1 become the gold text.
        agreeing, agreeing_chars: blocks with the same label from the masked source, and their
        characters.
        align_s: processor time to align the gold text with the blocks, in seconds.
    """

    blocks: int
    chars: int
    content: int
    crosses: bool
    unequal: int
    unstable: int
    agreeing: int
    agreeing_chars: int
    align_s: float


@dataclass(frozen=True, slots=True)
class Report:
    """All pages: totals, and shares of all blocks or characters."""

    pages: int
    blocks: int
    content_share: float
    crossing_pages: int
    unequal_chars: int
    unstable_pages: int
    unstable_share: float
    agreement: float
    agreement_by_chars: float
    align_s: float


def check_page(page: LabelledLeaves, cleaned: str) -> PageCheck:
    """Align the gold text with the blocks and with the masked source of one page."""
    sizes = np.array([len(text) for text in page.texts], dtype=np.int64)
    joined = _joined(page.texts)
    started = time.process_time()
    positions = align(joined, cleaned)
    align_s = time.process_time() - started
    matched = positions[positions >= 0]
    agrees = published_labels(page, cleaned) == page.labels
    return PageCheck(
        blocks=len(sizes),
        chars=int(sizes.sum()),
        content=int(page.labels.sum()),
        crosses=bool((np.diff(matched) <= 0).any()),
        unequal=sum(
            not _same(char, cleaned[at])
            for char, at in zip(joined, positions, strict=True)
            if at >= 0
        ),
        unstable=int((_labelled_again(page) != page.labels).sum()),
        agreeing=int(agrees.sum()),
        agreeing_chars=int(sizes[agrees].sum()),
        align_s=align_s,
    )


def published_labels(page: LabelledLeaves, cleaned: str) -> Labels:
    """Label the blocks like the authors: align gold text and masked source, count by offsets.

    The parser has no offsets, so the blocks are found in the source by aligning their texts.
    """
    source = _MASKED.sub(lambda found: _MASK * len(found[0]), page.markup)
    joined = _joined(page.texts)
    in_blocks = align(source, joined)
    offsets = np.full(len(joined), -1, np.int64)
    offsets[in_blocks[in_blocks >= 0]] = np.flatnonzero(in_blocks >= 0)
    kept = np.concatenate([[0], np.cumsum(align(source, cleaned) >= 0)])
    labels = np.zeros(len(page.texts), np.int8)
    start = 0
    for index, text in enumerate(page.texts):
        found = offsets[start : start + len(text)]
        found = found[found >= 0]
        start += len(text) + 1
        if len(found):
            size = max(len(text.strip(TRIMMED)), 1)
            labels[index] = kept[found[-1] + 1] - kept[found[0]] > 2 * size // 3
    return labels


def report(checks: Iterable[PageCheck]) -> Report:
    """Sum up pages; each block or character has the same weight.

    Raises:
        ValueError: no page has text.
    """
    found = list(checks)
    blocks, chars = sum(page.blocks for page in found), sum(page.chars for page in found)
    if not chars:
        raise ValueError("no page has text")
    return Report(
        pages=len(found),
        blocks=blocks,
        content_share=sum(page.content for page in found) / blocks,
        crossing_pages=sum(page.crosses for page in found),
        unequal_chars=sum(page.unequal for page in found),
        unstable_pages=sum(page.unstable > 0 for page in found),
        unstable_share=sum(page.unstable for page in found) / blocks,
        agreement=sum(page.agreeing for page in found) / blocks,
        agreement_by_chars=sum(page.agreeing_chars for page in found) / chars,
        align_s=sum(page.align_s for page in found),
    )


def check_pages(source: Path) -> Iterable[PageCheck]:
    """Yield every page of CleanEval."""
    for page in labelled_pages(source):
        yield check_page(cleaneval_page(page.html, page.gold), web2text_text(page.gold))


def _joined(texts: Sequence[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


def _labelled_again(page: LabelledLeaves) -> Labels:
    kept = "\n".join(itertools.compress(page.texts, page.labels))
    return content_labels(page.texts, kept)


def _same(a: str, b: str) -> bool:
    return a.lower() == b.lower() or (a.isspace() and b.isspace())


def main() -> None:
    """Print the report as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=Path, default=CLEANEVAL)
    print(json.dumps(asdict(report(check_pages(parser.parse_args().pages))), indent=2))


if __name__ == "__main__":
    main()
