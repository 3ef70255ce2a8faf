"""What an engine is given and what it gives back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from selectolax.lexbor import LexborHTMLParser

from models._kernel import Blocks, Prepared, Sentences
from models.ngram import ModelPair, PageScores
from models.page import PageBlocks


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
        page_type: what the page is taken for; empty when the engine does not tell types apart.
        page_type_probability: how likely that is.
        threshold: what this page was compared with, when that differs from the engine's.
        confidence: estimate of the F1 of the verdicts, 0 to 1; None when the engine has none.
        sure: by sentence, 1 where the engine holds it for content by a wide margin; empty when the
            engine does not say how sure it is.
        probabilities: of each block, that it is content; empty when the engine has none.
        page_types: how likely each of `models._kernel.PAGE_TYPES` is; empty as `page_type`.
    """

    verdicts: bytes
    page_type: str = ""
    page_type_probability: float = 0.0
    threshold: float | None = None
    confidence: float | None = None
    sure: bytes = b""
    probabilities: Sequence[float] = ()
    page_types: Sequence[float] = ()


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

    def cut(self, prepared: Prepared, tree: LexborHTMLParser | None) -> Blocks:
        """Cut a page into the blocks that `judge` reads; `tree` is freed afterwards.

        `tree` is what `models.page.parse` made of the page, and in no other hands.
        """
        ...

    def judge(self, pages: Sequence[ScoredPage]) -> list[Judgement]:
        """Return one judgement a page, in order."""
        ...
