"""A parameter file and the blocks of pages to verdicts."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from models import _kernel
from models._kernel import Blocks, Judgement
from models.errors import ModelError
from models.hybrid.options import HybridOptions, PageType

_DATA: Final = Path(__file__).resolve().parents[1] / "data"
# trained on all development sets, and on the openly licensed WCXB alone
MIXED: Final = _DATA / "hybrid.bin"
OPEN: Final = _DATA / "hybrid-wcxb.bin"

_TYPES: Final = tuple(PageType)
_DEFAULT_OPTIONS: Final = HybridOptions()


@dataclass(frozen=True, slots=True)
class PageJudgement:
    """What the engine makes of one page.

    Attributes:
        verdicts: one code of `Verdict` (its position) a block.
        page_type: the likeliest type.
        page_type_probability: how likely it is, 0 to 1.
        threshold: probability above which blocks of this page were kept.
        details: probabilities of blocks and types, made values on request.
    """

    verdicts: bytes
    page_type: PageType
    page_type_probability: float
    threshold: float
    details: Judgement


class HybridModel:
    """A network over a page, and trees that see what it thinks. Safe to share between threads."""

    def __init__(self, file: bytes) -> None:
        """Read a parameter file.

        Raises:
            ModelError: it is foreign, of other features, truncated or corrupt.
        """
        self._model = _kernel.HybridModel(file)
        self.digest: Final = hashlib.sha256(file).hexdigest()

    @classmethod
    def load(cls, path: Path = MIXED) -> Self:
        """Read the parameter file at `path`.

        Raises:
            ModelError: it cannot be read or used.
        """
        try:
            file = path.read_bytes()
        except OSError as error:
            raise ModelError(f"{path}: {error.strerror}") from error
        return cls(file)

    def judge(
        self, pages: Sequence[Blocks], options: HybridOptions = _DEFAULT_OPTIONS
    ) -> list[PageJudgement]:
        """Judge a batch of pages in one call of the kernel, which releases the GIL.

        Raises:
            ValueError: the blocks were cut without their elements (`models.page.outline`).
        """
        judgements = self._model.judge(pages, options.comments.value, options.threshold)
        return [_page_judgement(judgement) for judgement in judgements]


def _page_judgement(judgement: Judgement) -> PageJudgement:
    likeliest = max(range(len(_TYPES)), key=judgement.page_types.__getitem__)
    return PageJudgement(
        verdicts=judgement.verdicts,
        page_type=_TYPES[likeliest],
        page_type_probability=judgement.page_types[likeliest],
        threshold=judgement.threshold,
        details=judgement,
    )
