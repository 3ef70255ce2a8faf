"""Why the blocks of a page stay or go: what `Cleaner.explain` returns."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress, groupby, pairwise
from operator import not_
from typing import Final

from winnow.models.document import Block, Document, Sentence, Verdict
from winnow.models.engines.choice import ENGINES

PERPLEXITY_BARS: Final = 40
PERPLEXITY_DECADES: Final = 7
_BAR_STARTS: Final = tuple(
    10 ** (bar * PERPLEXITY_DECADES / PERPLEXITY_BARS) for bar in range(PERPLEXITY_BARS)
)
_WITHOUT_WORDS: Final = "no word in it to judge"
_SEEN: Final = "other pages of the host show the same block"


@dataclass(frozen=True, slots=True)
class ExplainedBlock:
    """One block, what became of its sentences, and why.

    Attributes:
        sentences: those with a token; none in a block of signs alone.
        verdict: that of most of its sentences; None for a block without any.
        kept: how many of its sentences are kept.
        probability: that it is content; None when the engine works none out.
        reason: why, in words.
    """

    block: Block
    sentences: tuple[Sentence, ...]
    verdict: Verdict | None
    kept: int
    probability: float | None
    reason: str


class InfluenceKind(StrEnum):
    """What was left out of a page to see what it weighed."""

    WORD = "word"  # of the text of the block, lower-case
    LABEL = "label"  # of class, id, role, itemprop or itemtype of the elements around
    ELEMENT = "element"  # the name of elements around
    BLOCK = "block"  # another block, by its number


@dataclass(frozen=True, slots=True)
class Influence:
    """One thing that the probability of a block was read from, and what it weighed.

    Attributes:
        name: the word, or the number of the block.
        log_odds: natural log-odds of content with it less those without it: above 0 it speaks for
            keeping the block.
    """

    kind: InfluenceKind
    name: str
    log_odds: float


@dataclass(frozen=True, slots=True)
class Most:
    """What of a page is explained: its first blocks, and of these the first sentences."""

    blocks: int | None = None
    sentences: int | None = None


ALL: Final = Most()


@dataclass(frozen=True, slots=True)
class PerplexityCounts:
    """How many sentences of a page have which perplexity, on a scale of powers of ten.

    Bar i of `PERPLEXITY_BARS` counts perplexities from 10^(i * d / bars) to the next, where d is
    `PERPLEXITY_DECADES`; the last bar also counts all above. What was not scored is not counted.

    Attributes:
        kept, dropped: sentences by bar.
    """

    kept: tuple[int, ...]
    dropped: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A document and how it came about.

    Attributes:
        document: without blocks and sentences, which stand in `blocks`.
        blocks: in the order of the page.
        perplexities: of all sentences of the page.
        page_types: how likely each page type is; empty when the engine does not tell them apart.
        blocks_left_out: how many more blocks the page has.
        sentences_left_out: how many more sentences, of these and of the last block that is here.
    """

    document: Document
    blocks: tuple[ExplainedBlock, ...]
    perplexities: PerplexityCounts
    page_types: Mapping[str, float]
    blocks_left_out: int = 0
    sentences_left_out: int = 0


def perplexity_counts(perplexities: Sequence[float], is_kept: Sequence[bool]) -> PerplexityCounts:
    """Count sentences by perplexity, given that of each and whether it is kept; 0 is unscored."""
    kept = sorted(compress(perplexities, is_kept))
    dropped = sorted(compress(perplexities, map(not_, is_kept)))
    return PerplexityCounts(_by_bar(kept), _by_bar(dropped))


def _by_bar(in_order: Sequence[float]) -> tuple[int, ...]:
    starts = [bisect_left(in_order, start) for start in _BAR_STARTS]
    return tuple(after - start for start, after in pairwise([*starts, len(in_order)]))


def explained_blocks(
    document: Document,
    blocks: Sequence[Block],
    sentences: Sequence[Sentence],
    probabilities: Sequence[float],
) -> tuple[ExplainedBlock, ...]:
    """Join the blocks of a document with their sentences and probabilities, and say why.

    Args:
        document: names the engine and the threshold.
        blocks: all blocks of the page.
        sentences: all sentences, in the order of their blocks.
        probabilities: of each block, that it is content; may be empty.
    """
    of_block = {
        order: tuple(each) for order, each in groupby(sentences, lambda sentence: sentence.block)
    }
    return tuple(
        _explained(
            document,
            block,
            of_block.get(block.order, ()),
            probabilities[block.order] if probabilities else None,
        )
        for block in blocks
    )


def _explained(
    document: Document,
    block: Block,
    sentences: tuple[Sentence, ...],
    probability: float | None,
) -> ExplainedBlock:
    verdicts = [sentence.verdict for sentence in sentences]
    of_each = {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)}
    verdict = max(of_each, key=of_each.__getitem__, default=None)
    return ExplainedBlock(
        block,
        sentences,
        verdict,
        of_each.get(Verdict.KEPT, 0),
        probability,
        _reason(document, verdict, sentences, probability),
    )


def _reason(
    document: Document,
    verdict: Verdict | None,
    sentences: Sequence[Sentence],
    probability: float | None,
) -> str:
    if verdict is None:
        return _WITHOUT_WORDS
    if verdict is Verdict.SEEN:
        return _SEEN
    if document.engine == "perplexity":
        return _by_perplexity(document, sentences)
    if probability is None:
        return ENGINES[document.engine].reasons.get(verdict, "the page is kept whole")
    return _by_probability(verdict, probability, document.threshold)


def _by_perplexity(document: Document, sentences: Sequence[Sentence]) -> str:
    if not document.stats.model_language:
        return "no language model knows the language of the page, which is kept whole"
    above = sum(sentence.verdict is Verdict.PERPLEXITY for sentence in sentences)
    if len(sentences) == 1:
        many = f"its sentence is {'' if above else 'not '}"
    else:
        many = f"{above or 'none'} of {len(sentences)} sentences {'is' if above < 2 else 'are'} "  # noqa: PLR2004 - the plural
    return f"{many}above the perplexity of {document.threshold:g}"


def _by_probability(verdict: Verdict, probability: float, threshold: float) -> str:
    is_above = probability > threshold
    compared = (
        f"probability {probability:.3f} is {'' if is_above else 'not '}above the "
        f"threshold of {threshold:.3f}"
    )
    if verdict is Verdict.COMMENT:
        return f"a reader's comment; {compared}"
    if verdict is Verdict.KEPT and not is_above:
        return f"{compared}; kept as a comment, or as the likeliest block of an empty page"
    return compared
