"""Keep the blocks that trees and a network call content: the hybrid engine."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from models._kernel import Blocks
from models._kernel import Judgement as BlockJudgement
from models.engines.engine import Judgement, ScoredPage
from models.engines.hybrid import HybridModel, HybridOptions
from models.page import PageBlocks, ParsedPage, outline

# Probability from which a block is content by a wide margin.
SURE: Final = 0.9


@dataclass(frozen=True, slots=True)
class HybridEngine:
    """Judges blocks in one call a batch; a sentence shares the verdict of its block."""

    model: HybridModel
    options: HybridOptions

    name: Final = "hybrid"
    content: Final[None] = None

    @property
    def threshold(self) -> float:
        """The probability of the options; 0 when each page has its own."""
        return self.options.threshold or 0.0

    @property
    def digest(self) -> str:
        """That of the parameter file."""
        return self.model.digest

    def cut(self, page: ParsedPage) -> Blocks:
        """Cut a page into blocks with the elements around them."""
        return outline(page)

    def judge(self, pages: Sequence[ScoredPage]) -> list[Judgement]:
        """Return one judgement a page, in order."""
        judged = self.model.judge([scored.page.blocks for scored in pages], self.options)
        return [_judgement(scored, page) for scored, page in zip(pages, judged, strict=True)]

    def influences(self, page: PageBlocks, block: int) -> list[tuple[str, str, float]]:
        """Return what weighed in the probability of a block: kind, name and log-odds."""
        return self.model.influences(page.blocks, block)


def _judgement(scored: ScoredPage, blocks: BlockJudgement) -> Judgement:
    sentences = scored.sentences
    return Judgement(
        sentences.verdicts(blocks), blocks.threshold, sentences.sure(blocks, SURE), blocks
    )
