"""The development pages in the kernel's form: blocks, labels, sites."""

import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from winnow.lab.sets.conventions import CONVENTIONS, engine_type
from winnow.lab.sets.gold import GoldSet, comment_text, gold_text, page_bytes
from winnow.lab.sets.labelled import LabelledPage, labelled_pages
from winnow.lab.sets.parts import site_of
from winnow.lab.sets.patches import Patches
from winnow.lab.train.hybrid.align import Labels, align
from winnow.lab.train.hybrid.transliteration import SCRIPTS, Script, transliterated
from winnow.models._kernel import Blocks
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import blocks_of

ARCHIVES: Final = {name: convention.gold for name, convention in CONVENTIONS.items()}
# folders of DAnIEL
_LANGUAGES: Final = {"chinese": "zh"}
# languages without blanks between words: aligned by characters
_UNSPACED: Final = frozenset({"ja", "th", "zh"})


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled page.

    Attributes:
        family: set of pages with the same convention for content.
        group: part of a family: the language of a DAnIEL page.
        site: pages of one site are always on the same side of a split.
        page_type: one of the engine's types, from WCXB or, for other pages than articles, from
        other sets; else empty.
        is_copy: the texts are transliterated to an artificial language.
    """

    family: str
    group: str
    page_id: str
    site: str
    page_type: str
    blocks: Blocks
    labels: Labels
    is_copy: bool = False


def samples(
    pages: Path, script: Script | None = None, patches: Patches | None = None
) -> Iterator[Sample]:
    """Yield all labelled pages with both text and gold text, corrected by patches if given.

    With a script, their words are transliterated, except on the few pages whose blocks change by
    that. Labels come from the original page.
    """
    for name in ARCHIVES:
        for page, sample in _labelled(pages, name, patches):
            yield (_rewritten(page, sample, script) if script else None) or sample


def copies(pages: Path, names: Collection[str], patches: Patches | None = None) -> Iterator[Sample]:
    """Yield a copy of each page of these sets, in an artificial language.

    The name of the page chooses the script. Pages whose blocks change by that are left out.
    """
    scripts = list(SCRIPTS.values())
    for name in names:
        for page, sample in _labelled(pages, name, patches):
            script = scripts[zlib.crc32(page.page_id.encode()) % len(scripts)]
            if rewritten := _rewritten(page, sample, script):
                yield replace(rewritten, is_copy=True)


def _labelled(
    pages: Path, name: str, patches: Patches | None
) -> Iterator[tuple[LabelledPage, Sample]]:
    for page in labelled_pages(pages / f"{name}.tar.zst"):
        if sample := _sample(name, ARCHIVES[name], page, patches):
            yield page, sample


def _rewritten(page: LabelledPage, sample: Sample, script: Script) -> Sample | None:
    body = page_bytes(ARCHIVES[sample.family], page.html)
    found = _blocks(page, transliterated(body, script))
    return replace(sample, blocks=found) if found and len(found) == len(sample.blocks) else None


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
        page_type=engine_type(name, page.facts.page_type),
        blocks=blocks,
        labels=align(
            [blocks.block(order).text for order in range(len(blocks))],
            content,
            comment_text(gold_set, page.gold),
            by_character=_LANGUAGES.get(folder, page.facts.language) in _UNSPACED,
        ),
    )
