"""What an engine is given and what it gives back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from models._kernel import Sentences
from models.page import PageBlocks


@dataclass(frozen=True, slots=True)
class ScoredPage:
    """The blocks of one page with the scores of their sentences."""

    page: PageBlocks
    sentences: Sentences


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an engine makes of one page.

    Attributes:
        verdicts: one code a sentence, the position of its verdict in `models.document.Verdict`.
        language: BCP 47 primary subtag that the engine is sure of, else empty.
        page_type: what the page is taken for; empty when the engine does not tell types apart.
    """

    verdicts: bytes
    language: str
    page_type: str = ""


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
    def reads_elements(self) -> bool:
        """Whether pages are to be cut with the elements around their blocks."""
        ...

    def judge(self, pages: Sequence[ScoredPage]) -> list[Judgement]:
        """Return one judgement a page, in order."""
        ...
