"""Split the loss of each set by kinds of wrongly judged blocks."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final

import numpy as np

from winnow.lab.sets.conventions import MODERN
from winnow.lab.train.hybrid.corpus import Sample
from winnow.lab.train.hybrid.fit import Predicted
from winnow.lab.train.hybrid.hygiene import Doubts
from winnow.lab.train.hybrid.matrix import Choice, Corpus
from winnow.lab.train.hybrid.score import Cut, kept_blocks
from winnow.models._kernel.lab import HYBRID_ROLES, hybrid_roles
from winnow.models.engines.hybrid import PageType

# minimum words of copies, and of paragraphs
_COPIED_WORDS: Final = 4
_LONG_WORDS: Final = 15
# shares of a block in the gold: nearly nothing, or nearly all
_HALF: Final = (0.2, 0.8)

# (kept, class of the block)
Loss = tuple[bool, str]


def losses(
    corpus: Corpus, tested: Choice, predicted: Predicted, cut: Cut
) -> dict[str, tuple[int, Mapping[Loss, float]]]:
    """Return the number of tested pages per set, and the loss from wrong blocks of each class.

    The loss is the words of such blocks over the words of gold and kept text, summed over pages. If
    no word occurs twice on a page it equals the loss of F1. It is at most 1 per block.
    """
    pages: Counter[str] = Counter()
    found: dict[str, dict[Loss, float]] = defaultdict(lambda: defaultdict(float))
    for number, kept in kept_blocks(corpus, tested, predicted, cut):
        sample = corpus.samples[number]
        words = sample.labels.words.astype(np.float32)
        content = sample.labels.content > 1 / 2
        of_set = _name(sample)
        pages[of_set] += 1
        both = max(1.0, float((words * content).sum() + (words * kept).sum()))
        classes = _classes(sample, corpus.doubts[number])
        for block in np.nonzero((kept != content) & (words > 0))[0]:
            cost = min(1.0, float(words[block]) / both)
            found[of_set][bool(kept[block]), classes[block]] += cost
    return {name: (pages[name], found[name]) for name in pages}


def table_of(found: Mapping[str, tuple[int, Mapping[Loss, float]]]) -> list[str]:
    """Return rows of a table: points of F1 per page by set, ordered by their mean."""
    classes: dict[Loss, float] = defaultdict(float)
    for pages, of_set in found.values():
        for loss, cost in of_set.items():
            classes[loss] += cost / pages
    rows = [f"| blocks | {' | '.join(found)} |", f"|---|{'---:|' * len(found)}"]
    for is_kept, name in sorted(classes, key=lambda loss: -classes[loss]):
        cells = [
            f"{100 * of_set.get((is_kept, name), 0) / pages:.2f}"
            for pages, of_set in found.values()
        ]
        rows.append(f"| {'kept' if is_kept else 'dropped'}: {name} | {' | '.join(cells)} |")
    return rows


def _name(sample: Sample) -> str:
    if sample.family in MODERN:
        return "modern"
    if sample.family != "wcxb":
        return sample.family
    return "wcxb, articles" if sample.page_type == PageType.ARTICLE else "wcxb, others"


def _classes(sample: Sample, doubts: Doubts) -> list[str]:
    labels = sample.labels
    content = np.nonzero(labels.content > 1 / 2)[0]
    first, last = (content[0], content[-1]) if len(content) else (0, 0)
    roles = np.frombuffer(hybrid_roles(sample.blocks), np.uint8)
    seen: set[str] = set()
    classes = []
    for block, words in enumerate(labels.words):
        text = sample.blocks.block(block).text
        is_copy = words >= _COPIED_WORDS and text in seen
        seen.add(text)
        if labels.comment[block] > 1 / 2:
            name = "readers' comments"
        elif roles[block]:
            name = HYBRID_ROLES[roles[block]]
        elif is_copy:
            name = "copies"
        elif _HALF[0] < labels.content[block] < _HALF[1]:
            name = "half content"
        elif doubts.tails[block]:
            name = "after gold that stops in a run"
        else:
            place = "before" if block < first else "after" if block > last else "inside"
            name = f"{place} the text, {'paragraphs' if words >= _LONG_WORDS else 'short'}"
        classes.append(name)
    return classes
