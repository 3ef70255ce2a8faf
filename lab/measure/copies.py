"""Passages that a document has twice although readers need them once."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from statistics import mode
from typing import Final

from winnow.lab.measure.choice import LEAST_WORDS, LINKED, Choice, linked_share
from winnow.lab.measure.tokens import lowered_words
from winnow.models.document import BlockKind
from winnow.models.explanation import ExplainedBlock, UnitKind

# a line above what a post quotes of another, and blocks before it among which it is
_QUOTE: Final = re.compile(
    r"^(?:quote|zitat|citation|cita|citaat|cytat|цитата|引用)\W*$"
    r"|^(?:originally posted by|quoted from|zitat von|citaat van)\b"
    r"|\b(?:wrote|said|schrieb|schreef|écrit|escribió|escreveu|napisał|пишет|писал)\s*:$",
    re.IGNORECASE,
)
_BEFORE: Final = 3
_ADDRESS: Final = re.compile(r"https?://\S+")
# words of runs that a copy and its source have, and their share in the copy; a shorter text is a
# copy if it has no others
RUN: Final = 8
COPIED: Final = 0.8
LEAST_CHANGED: Final = 20
# an amount at the beginning of an ingredient, blocks after a summary among which the first is, and
# how many of them begin so
_AMOUNT: Final = re.compile(r"\W*[\d\u00bc-\u00be\u2150-\u215e]")
_BELOW: Final = 24
_INGREDIENTS: Final = 3


def is_passage(explained: ExplainedBlock) -> bool:
    """Whether a block is text that is written once: no quote, no cell and no code."""
    block = explained.block
    is_quote = block.kind is BlockKind.QUOTE or "/blockquote" in block.tag_path
    return not is_quote and block.kind not in {BlockKind.CODE, BlockKind.TABLE_CELL}


def runs_of(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the runs of words of a text."""
    words = lowered_words(text)
    return (tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


def held_twice(gold: str) -> frozenset[tuple[str, ...]]:
    """Return the runs of words that occur more than once in a gold text."""
    return frozenset(run for run, count in Counter(runs_of(gold)).items() if count > 1)


def sources(
    texts: Iterable[str], twice: frozenset[tuple[str, ...]] = frozenset()
) -> Iterator[tuple[int, int]]:
    """Yield the numbers of texts whose words occur in earlier ones, and of these the likeliest."""
    known: dict[tuple[str, ...], int] = {}
    for number, text in enumerate(texts):
        runs = set(runs_of(text))
        copied = [run for run in runs if run in known and run not in twice]
        share = COPIED if len(lowered_words(text)) >= LEAST_CHANGED else 1
        if is_long(text) and len(copied) >= share * len(runs):
            yield number, mode(known[run] for run in copied)
        for run in runs:
            known.setdefault(run, number)


def is_long(text: str) -> bool:
    """Whether a text has enough words; numbers, such as a rating, and addresses do not count."""
    words = (word for word in lowered_words(_ADDRESS.sub("", text)) if any(map(str.isalpha, word)))
    return sum(1 for _ in words) >= LEAST_WORDS


def copied_blocks(choice: Choice) -> Iterator[ExplainedBlock]:
    """Yield the passages that a document has twice although readers need them once.

    They need twice what a list of contents announces, what posts quote of others, the summary of a
    recipe that is complete without its story, and a refrain.
    """
    kept = list(choice.texts())
    place = {each.block.order: at for at, each in enumerate(kept)}
    passages = [each for each in kept if is_passage(each)]
    posts = posts_of(choice)
    pairs = list(sources((each.block.text for each in passages), choice.twice))
    copied = {passages[copy].block.order for copy, _ in pairs}

    def is_of_another(copy: int, source: int) -> bool:
        return source in posts and source not in posts.get(copy, ())

    def has_own(copy: int) -> bool:
        return any(choice.kept[order] and order not in copied for order in posts.get(copy, ()))

    for number, first in pairs:
        copy, source = passages[number], passages[first]
        at, before = place[copy.block.order], place[source.block.order]
        is_next = at == before + 1
        is_said_twice = (
            has_own(copy.block.order)
            if is_of_another(copy.block.order, source.block.order)
            else not is_next and is_refrain(kept, at, before)
        )
        is_said_twice = is_said_twice or is_quoted(choice, copy.block.order)
        is_said_twice = is_said_twice or (is_of_recipe(kept, at) and not is_of_recipe(kept, before))
        if not is_said_twice and not is_announced(copy, source, is_next=is_next):
            yield copy


def is_quoted(choice: Choice, order: int) -> bool:
    """Whether a line right above a passage says that it quotes another."""
    before = choice.explanation.blocks[max(0, order - _BEFORE) : order]
    return any(not is_long(each.block.text) and _QUOTE.search(each.block.text) for each in before)


def is_of_recipe(kept: Sequence[ExplainedBlock], place: int) -> bool:
    """Whether a text is right above ingredients: most items of a list begin with an amount."""
    below = kept[place + 1 : place + 1 + _BELOW]
    lines = list(takewhile(lambda each: not is_long(each.block.text) or is_item(each), below))
    items = [each.block.text for each in lines if is_item(each)][: 2 * _INGREDIENTS]
    amounts = sum(1 for text in items if _AMOUNT.match(text))
    return amounts >= max(_INGREDIENTS, (len(items) + 1) // 2)


def is_item(explained: ExplainedBlock) -> bool:
    """Whether a block is an item of a list."""
    return explained.block.kind is BlockKind.LIST_ITEM


def posts_of(choice: Choice) -> dict[int, range]:
    """Return the blocks of the innermost post around each block of a thread."""
    threads = (unit for unit in choice.explanation.units if unit.kind is UnitKind.THREAD)
    posts = (range(*member) for unit in threads for member in unit.members)
    return {order: post for post in posts for order in post}


def is_announced(copy: ExplainedBlock, source: ExplainedBlock, *, is_next: bool) -> bool:
    """Whether a text or its heading repeats an entry of a list of contents."""
    if source.block.kind is BlockKind.HEADING:
        return False
    is_heading = copy.block.kind is BlockKind.HEADING and not is_next
    return is_heading or linked_share([source]) >= LINKED > linked_share([copy])


def is_refrain(kept: Sequence[ExplainedBlock], copy: int, source: int) -> bool:
    """Whether a text is between texts of its own elements, other ones at each of its places."""

    def at(place: int) -> ExplainedBlock | None:
        return kept[place] if 0 <= place < len(kept) else None

    path = kept[copy].block.tag_path
    around = [(at(copy + step), at(source + step)) for step in (-1, 1)]
    is_alone = all(
        one is None or two is None or one.block.text != two.block.text for one, two in around
    )
    is_between = any(one is not None and one.block.tag_path == path for one, _ in around)
    return is_alone and is_between and kept[source].block.tag_path == path
