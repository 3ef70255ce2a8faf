"""Why blocks of a page are kept or dropped: the result of `Cleaner.explain`."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress, groupby, pairwise
from operator import not_
from typing import Final

from winnow.models._kernel import DECIDERS, Blocks
from winnow.models.document import Block, Document, Sentence, Verdict
from winnow.models.engines.choice import ENGINES

PERPLEXITY_BARS: Final = 40
PERPLEXITY_DECADES: Final = 7
_BAR_STARTS: Final = tuple(
    10 ** (bar * PERPLEXITY_DECADES / PERPLEXITY_BARS) for bar in range(PERPLEXITY_BARS)
)
# by decider: why a verdict differs from the probability of the block
_BY_UNIT: Final = {
    "table": ("kept with its table", "dropped with its table"),
    "list": ("kept with its list", "dropped with its list"),
    "thread": ("kept with the other posts", "dropped with the other posts"),
    "series": ("kept with its series", "dropped with its series"),
    "notes": ("kept with the text before these notes", "dropped with the text before these notes"),
    "mark": ("kept with the mark that links to this note", "no mark that links to it is kept"),
    "heading": ("kept as a heading", "its whole section is dropped"),
    "copy": ("kept as a copy", "a copy of words that other blocks keep"),
    "promotion": ("kept as promotion", "promotes another page, or is a control"),
    "link": ("a link between paragraphs of the text", "dropped as a link"),
    "listing": ("code between blocks of the text", "dropped as code"),
    "placeholder": ("kept as a placeholder", "unfilled template code"),
    "consent": ("kept as a notice", "a consent notice"),
    "container": (
        "in the best container of a page without kept blocks",
        "outside the best container",
    ),
    "role": (
        "kept as a headline or byline",
        "a headline or byline of an article with a viewport",
    ),
}
_WITHOUT_WORDS: Final = "has no words to judge"
_SEEN: Final = "other pages of the host show the same block"


@dataclass(frozen=True, slots=True)
class ExplainedBlock:
    """One block, the verdicts of its sentences, and the reason.

    Attributes:
        sentences: its sentences; empty for a block of signs only.
        verdict: of most of its sentences; None for a block without sentences.
        kept: how many of its sentences are kept.
        probability: of being content; None if the engine has no probabilities.
        decider: what made the final decision, of `DECIDERS`: `engine`, or a unit such as `table`.
        reason: the reason as text.
    """

    block: Block
    sentences: tuple[Sentence, ...]
    verdict: Verdict | None
    kept: int
    probability: float | None
    decider: str
    reason: str


class UnitKind(StrEnum):
    """Something that a reader sees as one thing."""

    SECTION = "section"  # a heading and its section
    NOTES = "notes"  # footnotes, endnotes or references
    THREAD = "thread"  # posts that follow each other
    SERIES = "series"  # siblings of one element name and class
    DEFINITIONS = "definitions"
    LIST = "list"
    FIGURE = "figure"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Unit:
    """A table, a list, a section or another unit that is kept or dropped as a whole.

    first, end: its blocks, half open.
        first, end: its blocks, half open.
        parent: the number of the smallest unit around it, or None.
        members: first block and end of each of its rows, items or posts.
    """

    kind: UnitKind
    first: int
    end: int
    parent: int | None
    members: tuple[tuple[int, int], ...]


class InfluenceKind(StrEnum):
    """What was removed from a page to measure its contribution."""

    WORD = "word"  # in the text of the block, lower-case
    LABEL = "label"  # of class, id, role, itemprop or itemtype of the elements around it
    ELEMENT = "element"  # the name of an element around it
    BLOCK = "block"  # another block, by its number


@dataclass(frozen=True, slots=True)
class Influence:
    """One feature that the probability of a block depends on, and its contribution.

    Attributes:
        name: the word, or the number of the block.
        log_odds: natural log-odds of content with it minus without it: above 0 it favours
            keeping the block.
    """

    kind: InfluenceKind
    name: str
    log_odds: float


@dataclass(frozen=True, slots=True)
class Most:
    """Limits of an explanation: the first blocks, and the first sentences of these."""

    blocks: int | None = None
    sentences: int | None = None


ALL: Final = Most()


@dataclass(frozen=True, slots=True)
class PerplexityCounts:
    """Counts of sentences by perplexity, on a logarithmic scale.

    Bar i of `PERPLEXITY_BARS` counts perplexities from 10^(i * d / bars) to the next, where d is
    `PERPLEXITY_DECADES`; the last bar also counts all higher ones. Unscored sentences are not
    counted.

    Attributes:
        kept, dropped: sentences by bar.
    """

    kept: tuple[int, ...]
    dropped: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A document and how it was made.

    Attributes:
        document: without blocks and sentences, which are in `blocks`.
        blocks: in the order of the page.
        perplexities: of all sentences of the page.
        page_types: the probability of each page type; empty if the engine has none.
        units: of the whole page, outer ones before those inside.
        blocks_left_out: how many more blocks the page has.
        sentences_left_out: how many more sentences there are, in these blocks and the last one.
    """

    document: Document
    blocks: tuple[ExplainedBlock, ...]
    perplexities: PerplexityCounts
    page_types: Mapping[str, float]
    units: tuple[Unit, ...] = ()
    blocks_left_out: int = 0
    sentences_left_out: int = 0


def perplexity_counts(perplexities: Sequence[float], is_kept: Sequence[bool]) -> PerplexityCounts:
    """Count sentences by perplexity, given each value and whether it is kept; 0 is unscored."""
    kept = sorted(compress(perplexities, is_kept))
    dropped = sorted(compress(perplexities, map(not_, is_kept)))
    return PerplexityCounts(_by_bar(kept), _by_bar(dropped))


def page_units(blocks: Blocks) -> tuple[Unit, ...]:
    """Return the units of a page as values."""
    return tuple(
        Unit(UnitKind(kind), first, end, parent, tuple(members))
        for kind, first, end, parent, members in blocks.units()
    )


def _by_bar(in_order: Sequence[float]) -> tuple[int, ...]:
    starts = [bisect_left(in_order, start) for start in _BAR_STARTS]
    return tuple(after - start for start, after in pairwise([*starts, len(in_order)]))


def explained_blocks(
    document: Document,
    blocks: Sequence[Block],
    sentences: Sequence[Sentence],
    probabilities: Sequence[float],
    deciders: Sequence[int] = (),
) -> tuple[ExplainedBlock, ...]:
    """Join the blocks of a document with their sentences, probabilities and reasons.

    Args:
        document: names the engine and the threshold.
        blocks: all blocks of the page.
        sentences: all sentences, in the order of their blocks.
        probabilities: of each block being content; may be empty.
        deciders: of each block, an index into `DECIDERS`; empty if the engine decided all.
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
            DECIDERS[deciders[block.order] if deciders else 0],
        )
        for block in blocks
    )


def _explained(
    document: Document,
    block: Block,
    sentences: tuple[Sentence, ...],
    probability: float | None,
    decider: str,
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
        decider,
        _reason(document, verdict, sentences, probability, decider),
    )


def _reason(
    document: Document,
    verdict: Verdict | None,
    sentences: Sequence[Sentence],
    probability: float | None,
    decider: str,
) -> str:
    if verdict is None:
        return _WITHOUT_WORDS
    if verdict is Verdict.SEEN:
        return _SEEN
    if document.engine == "perplexity":
        return _by_perplexity(document, sentences)
    if probability is None:
        return ENGINES[document.engine].reasons.get(verdict, "the page is kept whole")
    return _by_probability(verdict, probability, document.threshold, decider)


def _by_perplexity(document: Document, sentences: Sequence[Sentence]) -> str:
    if not document.stats.model_language:
        return "no model for the language of the page, so it is kept whole"
    above = sum(sentence.verdict is Verdict.PERPLEXITY for sentence in sentences)
    if len(sentences) == 1:
        many = f"its sentence is {'' if above else 'not '}"
    else:
        many = f"{above or 'none'} of {len(sentences)} sentences {'is' if above < 2 else 'are'} "  # noqa: PLR2004 - the plural
    return f"{many}above the perplexity of {document.threshold:g}"


def _by_probability(verdict: Verdict, probability: float, threshold: float, decider: str) -> str:
    is_above = probability > threshold
    compared = (
        f"probability {probability:.3f} is {'' if is_above else 'not '}above the "
        f"threshold of {threshold:.3f}"
    )
    if decider in _BY_UNIT:
        return f"{_BY_UNIT[decider][verdict is not Verdict.KEPT]}; {compared}"
    if verdict is Verdict.COMMENT:
        return f"a reader's comment; {compared}"
    if verdict is Verdict.KEPT and not is_above:
        return f"{compared}; kept as a comment, by an option, or as the only text of the page"
    return compared
