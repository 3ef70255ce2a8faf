"""How well SimHash finds near copies: edited copies, and near copies in labelled sets.

    python -m winnow.lab.measure.near_copies SET.tar.zst ...

Texts are the gold texts of the pages of all sets. A pair is a near copy if the sets of its
three-word shingles have a Jaccard index of at least 0.8; an edited copy always is one.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from winnow.lab.sets.tasks import Selection, gold_set_of, set_name, tasks
from winnow.models._kernel.lab import signal_words, text_signals

DISTANCES: Final = range(9)
SHINGLE: Final = 3
NEAR: Final = 0.8
# shorter texts have few shingles and are not typical
LEAST_WORDS: Final = 50
# a shingle in this many pages is a common phrase, and alone does not make near copies
MOST_OWNERS: Final = 200
_SEED: Final = 35

Edit = Callable[[list[str], Sequence[str], random.Random], list[str]]


@dataclass(frozen=True, slots=True)
class Found:
    """Pairs within a distance in bits: near copies among them, others, and all near copies."""

    right: int
    wrong: int
    all: int

    @property
    def precision(self) -> float:
        """Share of the found pairs that are near copies; 1 if no pair is found."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Share of the near copies that are found; 1 if there are no near copies."""
        return self.right / self.all if self.all else 1.0


def substituted(share: float) -> Edit:
    """Replace and leave out words, each half of `share`."""

    def edit(words: list[str], others: Sequence[str], rng: random.Random) -> list[str]:
        made = []
        for word in words:
            chance = rng.random()
            if chance >= share:
                made.append(word)
            elif chance < share / 2:
                made.append(rng.choice(others))
        return made

    return edit


def cut(share: float) -> Edit:
    """Leave out one stretch of words."""

    def edit(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
        size = int(len(words) * share)
        start = rng.randrange(len(words) - size + 1)
        return words[:start] + words[start + size :]

    return edit


def framed(share: float) -> Edit:
    """Add foreign words before and after the text, like kept boilerplate."""

    def edit(words: list[str], others: Sequence[str], rng: random.Random) -> list[str]:
        size = int(len(words) * share / 2)
        at = [rng.randrange(max(1, len(others) - size)) for _ in range(2)]
        return [*others[at[0] : at[0] + size], *words, *others[at[1] : at[1] + size]]

    return edit


EDITS: Final[dict[str, Edit]] = {
    "1 % of words": substituted(0.01),
    "3 % of words": substituted(0.03),
    "5 % of words": substituted(0.05),
    "10 % of words": substituted(0.1),
    "10 % cut": cut(0.1),
    "10 % around": framed(0.1),
    "30 % around": framed(0.3),
}


def near_pairs(shingles: Sequence[frozenset[int]]) -> set[tuple[int, int]]:
    """Return the pairs whose Jaccard index is at least `NEAR`."""
    owners: defaultdict[int, list[int]] = defaultdict(list)
    for page, own in enumerate(shingles):
        for shingle in own:
            owners[shingle].append(page)
    shared: defaultdict[tuple[int, int], int] = defaultdict(int)
    for pages in owners.values():
        if len(pages) <= MOST_OWNERS:
            for pair in combinations(pages, 2):
                shared[pair] += 1
    return {
        (left, right)
        for (left, right), both in shared.items()
        if both / (len(shingles[left]) + len(shingles[right]) - both) >= NEAR
    }


def pairs_found(prints: Sequence[int], near: set[tuple[int, int]]) -> list[Found]:
    """Return the figures for pairs of all pages at each of `DISTANCES`."""
    rows = np.array(prints, np.uint64)
    right, wrong = [0] * len(DISTANCES), [0] * len(DISTANCES)
    for page in range(len(rows)):
        differing = np.bitwise_count(rows[page + 1 :] ^ rows[page])
        for other in np.flatnonzero(differing <= DISTANCES[-1]):
            counts = right if (page, page + 1 + int(other)) in near else wrong
            for distance in DISTANCES[int(differing[other]) :]:
                counts[distance] += 1
    return [Found(right[each], wrong[each], len(near)) for each in DISTANCES]


def copies_found(texts: Sequence[list[str]], prints: Sequence[int], edit: Edit) -> list[Found]:
    """Return the figures for edited copies; each is searched for with only its copy."""
    rng = random.Random(_SEED)  # noqa: S311 - edits, the same in every run
    others = [word for words in texts for word in words[:200]]
    rows = np.array(prints, np.uint64)
    right, wrong = [0] * len(DISTANCES), [0] * len(DISTANCES)
    for page, words in enumerate(texts):
        differing = np.bitwise_count(rows ^ np.uint64(_print(edit(words, others, rng))))
        for distance in DISTANCES:
            is_found = bool(differing[page] <= distance)
            right[distance] += is_found
            wrong[distance] += int((differing <= distance).sum()) - is_found
    return [Found(right[each], wrong[each], len(texts)) for each in DISTANCES]


def _print(words: Sequence[str]) -> int:
    simhash = text_signals(" ".join(words))[0]
    return 0 if simhash is None else simhash


def _texts(path: Path) -> Iterator[list[str]]:
    for task in tasks(path, gold_set_of(path), Selection()):
        words = [word.lower() for word in signal_words(task.wanted.text) if word[0].isalnum()]
        if len(words) >= LEAST_WORDS:
            yield words


def _shingles(words: Sequence[str]) -> frozenset[int]:
    return frozenset(
        hash(tuple(words[at : at + SHINGLE])) for at in range(len(words) - SHINGLE + 1)
    )


def _line(name: str, found: Sequence[Found]) -> str:
    cells = (f"{each.precision:.3f} / {each.recall:.3f}" for each in found)
    return f"| {name} | {' | '.join(cells)} |"


def main(paths: Sequence[str]) -> None:
    """Print precision and recall at each distance, as a table in Markdown."""
    texts = [words for path in paths for words in _texts(Path(path))]
    prints = [_print(words) for words in texts]
    near = near_pairs([_shingles(words) for words in texts])
    names = ", ".join(set_name(Path(path)) for path in paths)
    print(f"{len(texts)} texts of {names}; {len(near)} pairs are near copies\n")
    print(f"| bits | {' | '.join(map(str, DISTANCES))} |\n|---|{'---|' * len(DISTANCES)}")
    print(_line("pages", pairs_found(prints, near)))
    for name, edit in EDITS.items():
        print(_line(name, copies_found(texts, prints, edit)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
