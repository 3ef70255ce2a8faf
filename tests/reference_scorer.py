"""The oracle: tokens, sentences and scores in plain Python, written from the rules alone.

Slow, and free of everything that makes the kernel fast: no keys, no table, no codes. Tests and
benchmarks compare the kernel with it.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import regex
from nltk.tokenize.punkt import PunktSentenceTokenizer

from winnow.lab.train.language.punkt_training import parameters_of
from winnow.models.ngram.punkt import PunktLists

START: Final = "<s>"

_SOFT = r"\u00ad\u200c\u200d\u2060\ufeff\ufe00-\ufe0f"
_SKIP = r"\s\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069"
_SOLO = (
    r"\u0e01-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029"
    r"\u3031-\u3035\u3038-\u303c\u3041-\u312f\u31a0-\u31ff\u3400-\u9fff\uf900-\ufaff"
    r"\uff66-\uff9f\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
_NEVER = rf"[{_SOFT}{_SKIP}{_SOLO}\p{{Pc}}]"
_START = rf"[[\p{{XID_Start}}[\p{{XID_Continue}}&&\p{{N}}]]--{_NEVER}]"
_WORD = rf"[\p{{XID_Continue}}--{_NEVER}]"


def _token_pattern(joiner: str) -> regex.Pattern:
    word = rf"{_START}(?:[{_SOFT}]*{_WORD}{joiner})*"
    return regex.compile(rf"{word}|[^{_SOFT}{_SKIP}]", regex.V1)


_JOINED = _token_pattern(rf"|['’]{_START}")
_SPLIT = _token_pattern("")
_SOFT_CHARACTERS = {chr(c) for c in (0xAD, 0x200C, 0x200D, 0x2060, 0xFEFF, *range(0xFE00, 0xFE10))}
_VARIANTS = {
    **dict.fromkeys("‘’‚‛′", "'"),
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
_WIDE_ENDS = "。｡！？؟۔।॥"
_WIDE_CUT = regex.compile(
    rf"[{_WIDE_ENDS}]+[{_WIDE_ENDS}」』）】》〉〕］｝”’»)\]}}｣〗〙]*", regex.V1
)


def reference_tokens(text: str, tokeniser: int = 1) -> list[str]:
    """Return the normalised tokens of a text (rule in `kernel/src/ngram/tokens.rs`)."""
    pattern = _SPLIT if tokeniser == 3 else _JOINED
    return [_normal(token, cased=tokeniser == 2) for token in pattern.findall(text)]


def _normal(token: str, *, cased: bool) -> str:
    characters = [_VARIANTS.get(c, c) for c in token if c not in _SOFT_CHARACTERS]
    if cased:
        return "".join(characters)
    return "".join("σ" if c == "ς" else c.lower() for c in characters)


class ReferenceSplitter:
    """NLTK's splitter, and the rule for scripts whose full stop needs no space after it."""

    def __init__(self, punkt: PunktLists) -> None:
        self._punkt = PunktSentenceTokenizer(parameters_of(punkt))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the sentences of a text as spans of characters."""
        spans = []
        for start, end in _pieces(text):
            spans += [(start + s, start + e) for s, e in self._punkt.span_tokenize(text[start:end])]
        return spans

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a text."""
        return [text[start:end] for start, end in self.spans(text)]


def _pieces(text: str) -> Iterable[tuple[int, int]]:
    start = 0
    for cut in _WIDE_CUT.finditer(text):
        yield start, cut.end()
        start = cut.end() + len(text[cut.end() :]) - len(text[cut.end() :].lstrip())
    yield start, len(text)


@dataclass
class ReferenceModel:
    """Counts as dictionaries, and the interpolated probability straight from its formula.

    Attributes:
        weights: weights of the orders, unigrams first; the rest to 1 is the weight of chance.
        min_counts: n-grams met fewer times are treated as never met.
    """

    order: int
    weights: Sequence[float]
    min_counts: Sequence[int] = (1, 1, 1)
    tokeniser: int = 1
    counts: Counter[tuple[str, ...]] = field(default_factory=Counter)
    tokens: int = 0
    _vocabulary: int = 0

    def count(self, sentences: Iterable[str]) -> None:
        """Count the n-grams of sentences."""
        for sentence in sentences:
            tokens = reference_tokens(sentence, self.tokeniser)
            if tokens:
                padded = [START, START, *tokens]
                self.tokens += len(tokens)
                self.counts[START,] += 1
                self.counts[START, START] += 1
                for at in range(2, len(padded)):
                    for length in (1, 2, 3):
                        self.counts[tuple(padded[at + 1 - length : at + 1])] += 1

    @property
    def floor(self) -> float:
        """The probability of an unknown token."""
        if not self._vocabulary:
            words = (n for ngram, n in self.counts.items() if len(ngram) == 1 and ngram != (START,))
            self._vocabulary = sum(n >= self.min_counts[0] for n in words)
        return (1 - sum(self.weights)) / (self._vocabulary + 1)

    def probability(self, history: tuple[str, str], word: str) -> tuple[int, float]:
        """Return the order of the n-gram used (0: unknown) and P(word | history)."""
        terms = [0.0, 0.0, 0.0]
        used = 0
        for order in range(1, self.order + 1):
            ngram = (*history, word)[3 - order :]
            if self.counts[ngram] >= self.min_counts[order - 1]:
                whole = self.tokens if order == 1 else self.counts[ngram[:-1]]
                terms[order - 1] = self.weights[order - 1] * self.counts[ngram] / whole
                used = order
        return used, sum(terms) + self.floor

    def score(self, sentence: str) -> tuple[int, int, float]:
        """Return tokens, unknown tokens and the sum of log2 P of one sentence."""
        history = (START, START)
        oov, log2 = 0, 0.0
        tokens = reference_tokens(sentence, self.tokeniser)
        for word in tokens:
            used, probability = self.probability(history, word)
            oov += used == 0
            log2 += math.log2(probability)
            history = (history[1], word)
        return len(tokens), oov, log2


def perplexity(log2: float, tokens: int) -> float:
    """Return the perplexity per token of `tokens` tokens with this sum of log2 P."""
    return float(2.0 ** (-log2 / tokens))
