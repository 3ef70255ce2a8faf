"""What an engine is given and what it gives back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from models._kernel import Blocks, Sentences
from models._kernel import Judgement as BlockJudgement
from models.ngram import ModelPair, PageScores
from models.page import PageBlocks, ParsedPage


@dataclass(frozen=True, slots=True)
class ScoredPage:
    """The blocks of one page with the scores of their sentences."""

    page: PageBlocks
    scores: PageScores

    @property
    def sentences(self) -> Sentences:
        """The sentences with their scores."""
        return self.scores.sentences


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an engine makes of one page.

    Attributes:
        verdicts: for each sentence the position of its verdict in `models._kernel.VERDICTS`.
        threshold: what this page was compared with, when that differs from the engine's.
        sure: by sentence, 1 where the engine holds it for content by a wide margin; empty when the
            engine does not say how sure it is.
        blocks: what the kernel made of the blocks; None when the engine judges sentences. Lists of
            numbers are made when they are asked for: most documents have none of them.
    """

    verdicts: bytes
    threshold: float | None = None
    sure: bytes = b""
    blocks: BlockJudgement | None = None

    @property
    def page_type(self) -> str:
        """What the page is taken for; empty when the engine does not tell types apart."""
        return "" if self.blocks is None else self.blocks.page_type

    @property
    def page_type_probability(self) -> float:
        """How likely that is."""
        return 0.0 if self.blocks is None else self.blocks.page_type_probability

    @property
    def page_types(self) -> Sequence[float]:
        """How likely each of `models._kernel.PAGE_TYPES` is; empty as `page_type`."""
        return () if self.blocks is None else self.blocks.page_types

    @property
    def confidence(self) -> float | None:
        """Estimate of the F1 of the verdicts, 0 to 1; None when the engine has none."""
        return None if self.blocks is None else self.blocks.confidence

    @property
    def probabilities(self) -> Sequence[float]:
        """Of each block, that it is content; empty when the engine has none."""
        return () if self.blocks is None else self.blocks.probabilities


class Engine(Protocol):
    """Turns scored pages into verdicts. Implementations are immutable and thread-safe."""

    @property
    def name(self) -> str:
        """The name on the command line and in documents."""
        ...

    @property
    def threshold(self) -> float:
        """What the engine compares with; the meaning is the engine's own."""
        ...

    @property
    def digest(self) -> str:
        """Hex SHA-256 of the engine's own parameters; empty if it has none."""
        ...

    @property
    def content(self) -> ModelPair | None:
        """The only models whose scores it reads; None for that of the language of each page."""
        ...

    def cut(self, page: ParsedPage) -> Blocks:
        """Cut a page into the blocks that `judge` reads."""
        ...

    def judge(self, pages: Sequence[ScoredPage]) -> list[Judgement]:
        """Return one judgement a page, in order."""
        ...
