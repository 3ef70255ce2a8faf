"""Units of a page that readers see as one thing, and that a document has only in part.

Only the rules of this module say when a unit is broken; they are independent of the kernel's rules.
Broken are: a table, list or series that is kept in part, except items that the engine judges as
boilerplate by a wide margin, that are unlike the others, promotion or printed elsewhere; notes that
are dropped although the text before them is kept; a kept heading of a dropped section; text that is
printed twice, unless it is a quote, a refrain or in a list of contents, or the gold text has it
twice too; lines of promotion, consent and unfilled templates.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from operator import mul
from statistics import mean
from typing import Final

from winnow.lab.measure.choice import IN_GOLD, LEAST_WORDS, LINKED, Choice, linked_share
from winnow.lab.measure.copies import copied_blocks, is_long
from winnow.lab.measure.tokens import lowered_words
from winnow.models.document import Block, BlockKind
from winnow.models.explanation import ExplainedBlock, Unit, UnitKind

LEAST_MEMBERS: Final = 3
# fewest rows with words of a table of the gold text
LEAST_ROWS: Final = 2
# log-odds below the threshold from which an item is boilerplate by a wide margin
WIDE: Final = 3.0
# blocks before notes among which the text that they belong to is kept
BEFORE: Final = 12
MOST_LINE_WORDS: Final = 30
# most words of a byline, of a price, a rating and a name together
MOST_DETAILS: Final = 24
# kept blocks after them among which text is
NEAR: Final = 12
# levels of headings that have sections, most words of a heading and least of a section
SECTION_LEVELS: Final = range(2, 5)
MOST_HEADING: Final = 12
LEAST_BELOW: Final = 3
_PROMOTION: Final = re.compile(
    r"^\W*(?:read (?:more|also|next)|also read|see also|related(?: \w+)?|more on this"
    r"|lesen sie auch|mehr zum thema|lesen sie mehr|(?:à )?lire aussi|voir aussi|le[ae] también"
    r"|te puede interesar|leia (?:também|mais)|veja também|leggi anche|lees ook|lees meer|läs också"
    r"|les også"
    r"|læs også|lue myös|czytaj (?:też|także|również)|čtěte také|читайте также|читайте також"
    r"|διαβάστε επίσης|baca juga|xem thêm|関連記事|관련 ?기사|相关阅读|اقرأ أيضا)"
    r"\s*[:|»\uff1a\u2013]",
    re.IGNORECASE,
)
# the line below the headline of a picture
_BYLINE: Final = re.compile(
    r"(?:(?:posted|published|written|shared) )?(?:by|von|par|por|di|da|door|av|af)\s\S+",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(
    r"\{\{[^{}]*\}\}|\{%[^{}]*%\}|<%[^<>]*%>|\[/?(?:vc|et_pb)_\w+[^\]]*\]|%%\w+%%|\$\{[\w.]+\}"
)
_CONSENT: Final = re.compile(
    r"\b(?:we|our|its|this (?:web)?site|partners)\b.{0,60}\b(?:use|uses|use of)\b.{0,20}\bcookies\b"
    r"|(?:accept|reject)\w* (?:all|non-essential) cookies|verwende[nt] cookies"
    r"|utilis\w+ des cookies|utiliza\w* cookies|utilizz\w+ (?:i )?cookie"
    r"|gebruik\w* (?:van )?cookies",
    re.IGNORECASE,
)
_CONSENT_TITLE: Final = re.compile(r"cookie|privacy|gdpr", re.IGNORECASE)


class Fault(StrEnum):
    """What is broken."""

    TABLE = "tables with holes"
    LIST = "lists cut inside"
    SERIES = "series and threads cut inside"
    NOTES = "notes dropped, text kept"
    HEADING = "headings without content"
    COPY = "passages printed twice"
    PROMOTION = "lines of promotion"
    PLACEHOLDER = "placeholders"
    CONSENT = "notices of consent"


_CUT: Final = {
    UnitKind.TABLE: Fault.TABLE,
    UnitKind.LIST: Fault.LIST,
    UnitKind.DEFINITIONS: Fault.LIST,
    UnitKind.SERIES: Fault.SERIES,
    UnitKind.THREAD: Fault.SERIES,
}


@dataclass(slots=True)
class Counts:
    """Faults of documents, and their tables; the tables of the gold count on all pages."""

    documents: int = 0
    tables: int = 0  # of which something is kept
    gold_tables: int = 0  # that the gold text holds
    whole_tables: int = 0  # of which all is kept
    faults: Counter[Fault] = field(default_factory=Counter)

    def add(self, choice: Choice) -> None:
        """Count the faults of one page."""
        tables = [unit for unit in choice.explanation.units if unit.kind is UnitKind.TABLE]
        wanted = [
            choice.states(unit.first, unit.end) for unit in tables if is_in_gold(choice, unit)
        ]
        self.gold_tables += len(wanted)
        self.whole_tables += wanted.count({True})
        if not any(choice.kept):
            return
        self.documents += 1
        self.tables += sum(True in choice.states(unit.first, unit.end) for unit in tables)
        self.faults.update(faults_of(choice))

    def per_thousand(self, fault: Fault) -> float:
        """Return how many faults 1,000 documents have."""
        return 1000 * self.faults[fault] / max(self.documents, 1)


def faults_of(choice: Choice) -> Iterator[Fault]:
    """Yield the faults of a page, one each time."""
    for unit in choice.explanation.units:
        if unit.kind in _CUT and is_cut(choice, unit):
            yield _CUT[unit.kind]
        elif unit.kind is UnitKind.NOTES and are_dangling(choice, unit):
            yield Fault.NOTES
        elif unit.kind is UnitKind.SECTION and is_empty(choice, unit):
            yield Fault.HEADING
    yield from (Fault.COPY for _ in copied_blocks(choice))
    is_about_consent = bool(_CONSENT_TITLE.search(choice.explanation.document.title))
    prose = (each.block.text for each in choice.texts() if is_prose(each.block))
    is_about_templates = any(map(_PLACEHOLDER.search, prose))
    for each in choice.texts():
        found = lines(each)
        yield from (
            fault for fault in found if not (is_about_templates and fault is Fault.PLACEHOLDER)
        )
        if _CONSENT.search(each.block.text) and not is_about_consent:
            yield Fault.CONSENT


def lines(explained: ExplainedBlock) -> Iterator[Fault]:
    """Yield what is wrong with a short block by its words alone."""
    block = explained.block
    if is_prose(block):
        return
    if _PROMOTION.match(block.text) and block.link_chars:
        yield Fault.PROMOTION
    if _PLACEHOLDER.fullmatch(_PLACEHOLDER.sub("{{}}", block.text).strip()):
        yield Fault.PLACEHOLDER


def is_prose(block: Block) -> bool:
    """Whether a block is a listing or a longer text."""
    return block.kind is BlockKind.CODE or len(block.text.split()) > MOST_LINE_WORDS


def is_cut(choice: Choice, unit: Unit) -> bool:
    """Whether a part of a unit is kept and a part is not.

    Tables are compared by blocks, all others by members: an item is kept when
    something of it is. One does not count that is boilerplate by a wide margin, that has no block
    in the same elements as what is kept of others, such as a form below posts, or that, without
    headings of sections that are dropped too, is printed elsewhere, promotes another page, or is
    only a link among texts. Headlines and bylines are dropped by options.
    """
    states = [choice.states(*member) for member in unit.members]
    if unit.kind is UnitKind.TABLE:
        return len(set().union(*states)) > 1
    members = [each for each, state in zip(unit.members, states, strict=True) if state]
    kept = [member for member in members if True in choice.states(*member)]
    paths = {each.block.tag_path for member in kept for each in choice.texts(*member)}
    linked = mean(linked_share(choice.texts(*member)) for member in kept) if kept else 0
    printed = printed_in(choice)
    empty = empty_headings(choice)

    def is_missing(member: tuple[int, int]) -> bool:
        blocks = [each for each in choice.blocks(*member) if each.decider != "role"]
        texts = [each for each in blocks if each.block.order not in empty]
        alike = [each for each in texts if each.block.tag_path in paths]
        return (
            bool(alike)
            and not is_clearly_boilerplate(choice, blocks)
            and not is_clearly_boilerplate(choice, alike)
            and not all(printed(each.block.text) for each in alike)
            and not all(Fault.PROMOTION in lines(each) for each in alike)
            and not (linked_share(alike) >= LINKED and linked < LINKED / 2)
        )

    missing = [member for member in members if member not in kept and is_missing(member)]
    return bool(kept) and bool(missing) and len(kept) + len(missing) >= LEAST_MEMBERS


def printed_in(choice: Choice) -> Callable[[str], bool]:
    """Return whether a kept block has a text, or a longer one with all its words."""
    lines = {each.block.text for each in choice.texts()}
    texts = "\n".join(lines)
    return lambda text: text in lines or (is_long(text) and text in texts)


def empty_headings(choice: Choice) -> set[int]:
    """Return the numbers of headings whose sections are dropped."""
    units = choice.explanation.units
    sections = (unit for unit in units if unit.kind is UnitKind.SECTION)
    return {each.first for each in sections if True not in choice.states(*each.members[0])}


def is_in_gold(choice: Choice, table: Unit) -> bool:
    """Whether the gold text holds four fifths of the rows of a table, word for word."""
    rows = [
        [word for each in choice.blocks(*row) for word in lowered_words(each.block.text)]
        for row in table.members
    ]
    found = [f" {' '.join(row)} " in f" {choice.gold} " for row in rows if row]
    return len(found) >= LEAST_ROWS and mean(found) >= IN_GOLD


def is_clearly_boilerplate(choice: Choice, blocks: Sequence[ExplainedBlock]) -> bool:
    """Whether the engine holds the words of some blocks for boilerplate by a wide margin."""
    least = _log_odds(choice.explanation.document.threshold) - WIDE
    odds = [_log_odds(each.probability) for each in blocks if each.probability is not None]
    words = [len(each.block.text.split()) for each in blocks]
    is_known = len(odds) == len(blocks)
    return is_known and sum(map(mul, odds, words)) < least * sum(words)


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))


def are_dangling(choice: Choice, unit: Unit) -> bool:
    """Whether notes that are not printed elsewhere are dropped, and the text before them is not."""
    before = [
        choice.kept[each.block.order]
        for each in choice.blocks(max(0, unit.first - BEFORE), unit.first)
        if len(each.block.text.split()) >= LEAST_WORDS
    ]
    printed = {each.block.text for each in choice.texts()}
    lost = {each.block.text for each in choice.blocks(*unit.members[0])} - printed
    return any(before[-2:]) and bool(lost) and choice.states(*unit.members[0]) == {False}


def is_empty(choice: Choice, unit: Unit) -> bool:
    """Whether a heading is kept of a section that is not.

    No such heading is a title, of level 1 or with words of the page's title; one deeper than
    the fourth level, which is as often a credit or a date; one of a sentence, such as a standfirst;
    one with fewer than three words below it in its element, or with one link, such as a link to
    the top or to the whole text: its text is elsewhere. The same holds for a heading that is a link
    itself, above no more than details, and for one above a byline, or details if text follows.
    Headlines and bylines are dropped by options.
    """
    governed = unit.members[0]
    heading = choice.explanation.blocks[unit.first]
    below = [each for each in choice.blocks(*governed) if each.decider != "role"]
    words = heading.block.text.split()
    title = choice.explanation.document.title.lower()
    is_title = len(words) > 1 and heading.block.text.lower() in title
    is_link = len(below) == 1 and linked_share(below) == 1
    is_of_picture = len(below) == 1 and is_byline(below[0])
    below_words = sum(len(lowered_words(each.block.text)) for each in below)
    is_above = (
        are_details(below)
        and linked_share(below) < LINKED
        and is_above_text(choice, governed[1], heading.block.level)
    )
    return (
        choice.kept[unit.first]
        and heading.block.level in SECTION_LEVELS
        and len(words) <= MOST_HEADING
        and not is_title
        and not is_link
        and not is_of_picture
        and not (are_details(below) and linked_share([heading]) >= LINKED)
        and not is_above
        and below_words >= LEAST_BELOW
        and choice.states(*governed) == {False}
    )


def is_byline(explained: ExplainedBlock) -> bool:
    """Whether a line says who wrote a text, and when."""
    text = explained.block.text
    is_dated = any(map(str.isdigit, text)) and len(lowered_words(text)) < MOST_DETAILS
    return is_dated and bool(_BYLINE.match(text))


def are_details(blocks: Sequence[ExplainedBlock]) -> bool:
    """Whether blocks are a few short lines, or one with a number such as the date of a byline."""
    texts = [each.block.text for each in blocks]
    words = [len(lowered_words(text)) for text in texts]
    are_lines = all(
        count < LEAST_WORDS or any(map(str.isdigit, text))
        for count, text in zip(words, texts, strict=True)
    )
    return are_lines and sum(words) < MOST_DETAILS


def is_above_text(choice: Choice, end: int, level: int) -> bool:
    """Whether the words of a text follow soon, before the next heading that is not deeper."""
    words = 0
    for each in islice(choice.texts(end), NEAR):
        if each.block.kind is not BlockKind.HEADING:
            words += len(each.block.text.split())
        elif each.block.level <= level:
            break
    return words >= LEAST_WORDS
