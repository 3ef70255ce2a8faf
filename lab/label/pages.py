"""Choose the pages to check: least agreement between the default engine and the gold text."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from winnow.lab.measure.engines import build_engine
from winnow.lab.measure.metrics import occ_overlap
from winnow.lab.measure.tokens import tokens
from winnow.lab.sets.parts import Part
from winnow.lab.sets.patches import Laid, page_outline
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, set_name, tasks
from winnow.models._kernel.lab import hybrid_roles
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.ngram import LanguageModels
from winnow.models.options import CleanerOptions

# roles of a block; the first ones are found by the kernel's rules
ROLES: Final = ("other", "title", "byline", "caption", "standfirst", "comment")


@dataclass(frozen=True, slots=True)
class LabelledBlocks:
    """A page cut into blocks, with the verdicts of gold text and engine.

    Attributes:
        f1: F1 of the engine on multisets of tokens.
        shares: per block, the share of its words that is in the gold text.
        kept: per block, whether the engine keeps it.
        roles: per block, its role by the kernel's rules.
    """

    set_name: str
    page_id: str
    url: str
    body: bytes
    gold: str
    f1: float
    texts: tuple[str, ...]
    shares: tuple[float, ...]
    kept: tuple[bool, ...]
    roles: tuple[str, ...]

    @property
    def name(self) -> str:
        """The page's id, unique over all sets."""
        return f"{self.set_name}/{self.page_id}"


def worst_pages(sources: Sequence[Path], part: Part | None, count: int) -> list[LabelledBlocks]:
    """Return the pages with the lowest F1 of the default engine, the lowest first.

    Raises:
        LabelledError: a source cannot be read, or has no labelled page.
    """
    engine = build_engine(CleanerOptions().engine)
    ranked: list[tuple[float, str, Task]] = []
    for source in sources:
        for task in tasks(source, gold_set_of(source), Selection(part=part)):
            try:
                text = engine.clean_text(task.page)
            except InvalidPage:
                continue  # it has no blocks to mark
            language = task.wanted.language
            found = occ_overlap(tokens(text, language), tokens(task.wanted.text, language))
            ranked.append((found.f1, set_name(source), task))
            ranked.sort(key=lambda each: (each[0], each[2].wanted.page_id))
            del ranked[count:]
    cleaner = Cleaner(CleanerOptions(), LanguageModels.shipped())
    return [_laid(cleaner, name, task, f1) for f1, name, task in ranked]


def _laid(cleaner: Cleaner, name: str, task: Task, f1: float) -> LabelledBlocks:
    body = task.page.body
    blocks = page_outline(body)
    texts = [blocks.block(order).text for order in range(len(blocks))]
    explained = cleaner.explain(Page(task.page.url, body, "text/html")).blocks
    return LabelledBlocks(
        set_name=name,
        page_id=task.in_set,
        url=task.page.url,
        body=body,
        gold=task.wanted.text,
        f1=f1,
        texts=tuple(texts),
        shares=tuple(Laid(texts, task.wanted.text).shares),
        kept=tuple(block.kept > 0 for block in explained),
        roles=tuple(ROLES[role] for role in hybrid_roles(blocks)),
    )
