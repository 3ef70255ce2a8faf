"""PyPlexity's scoring in plain Python dictionaries, for comparison.

As in the package, bigrams are tuples of strings in a dictionary, and their probability is mixed
with the probability of the *first* word; docs/decisions explains the error in this.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

WORD = re.compile(r"\w+|[^\w\s]")
FLOOR = 1e-6


class DictionaryModel:
    """Bigram and unigram probabilities in two dictionaries."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Count the words and pairs of words of the lines."""
        words: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for line in lines:
            found = WORD.findall(line.lower())
            words.update(found)
            pairs.update(pairwise(found))
        total = words.total()
        self._word = {word: count / total for word, count in words.items()}
        self._pair = {pair: count / words[pair[0]] for pair, count in pairs.items()}

    def perplexity(self, sentence: str) -> float:
        """Return the perplexity of a sentence by the package's formula."""
        found = WORD.findall(sentence.lower())
        if not found:
            return 0.0
        bits = 0.0
        for pair in pairwise(found):
            likely = 0.6 * self._pair.get(pair, 0.0) + 0.4 * self._word.get(pair[0], 0.0)
            bits -= math.log2(likely + FLOOR)
        return float(2 ** (bits / len(found)))
