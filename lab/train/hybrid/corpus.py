"""The development pages as the kernel sees them: blocks, labels, sites."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from winnow.lab.sets.conventions import CONVENTIONS, told_type
from winnow.lab.sets.gold import GoldSet, comment_text, gold_text, page_bytes
from winnow.lab.sets.labelled import LabelledPage, labelled_pages
from winnow.lab.sets.parts import site_of
from winnow.lab.sets.patches import Patches
from winnow.lab.train.hybrid.align import Labels, align
from winnow.lab.train.hybrid.transliteration import Script, transliterated
from winnow.models._kernel import Blocks
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import blocks_of

ARCHIVES: Final = {name: convention.gold for name, convention in CONVENTIONS.items()}
# folders of DAnIEL
_LANGUAGES: Final = {"chinese": "zh"}
# written without blanks between words: aligned by characters
_UNSPACED: Final = frozenset({"ja", "th", "zh"})


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled page.

    Attributes:
        family: set of pages that share a convention of what content is.
        group: finer than the family: the language of a DAnIEL page.
        site: pages of one site never stand on both sides of a split.
        page_type: one of the types that the engine tells, as WCXB says or, of pages that are no
            articles, other sets do; else empty.
    """

    family: str
    group: str
    page_id: str
    site: str
    page_type: str
    blocks: Blocks
    labels: Labels


def samples(
    pages: Path, script: Script | None = None, patches: Patches | None = None
) -> Iterator[Sample]:
    """Yield all labelled pages that have both text and gold text, mended by patches if given.

    With a script their words are written in it, but for the few pages that fall into other blocks
    then. Labels are those of the page as it is.
    """
    for name, gold_set in ARCHIVES.items():
        for page in labelled_pages(pages / f"{name}.tar.zst"):
            sample = _sample(name, gold_set, page, patches)
            if sample and script:
                found = _blocks(page, transliterated(page_bytes(gold_set, page.html), script))
                if found and len(found) == len(sample.blocks):
                    sample = replace(sample, blocks=found)
            if sample:
                yield sample


def _blocks(page: LabelledPage, body: bytes) -> Blocks | None:
    try:
        return blocks_of(Page(page.facts.url or "", body, "text/html"), wanted="every")
    except InvalidPage:
        return None


def _sample(
    name: str, gold_set: GoldSet, page: LabelledPage, patches: Patches | None
) -> Sample | None:
    content = gold_text(gold_set, page.gold)
    body = page_bytes(gold_set, page.html)
    blocks = _blocks(page, body)
    if patches:
        content = patches.text(name, page.page_id, body, content)
    if not blocks or not content:
        return None
    folder, _, _ = page.page_id.rpartition("/")
    return Sample(
        family=name,
        group=f"{name}/{folder}" if folder else name,
        page_id=page.page_id,
        site=site_of(page.page_id, page.html, page.facts.url or ""),
        page_type=told_type(name, page.facts.page_type),
        blocks=blocks,
        labels=align(
            [blocks.block(order).text for order in range(len(blocks))],
            content,
            comment_text(gold_set, page.gold),
            by_character=_LANGUAGES.get(folder, page.facts.language) in _UNSPACED,
        ),
    )
