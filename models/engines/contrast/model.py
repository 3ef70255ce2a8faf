"""The scores of a page and a model of boilerplate to verdicts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Self

from models._kernel import Sentences, judge_by_contrast
from models.engines.contrast.parameters import ContrastParameters
from models.ngram import NgramModel
from models.ngram.model import DATA

BOILERPLATE: Final = DATA / "boilerplate.winnow"

_DEFAULTS: Final = ContrastParameters()


class BoilerplateModel:
    """A language model of menus, links and notices. Safe to share between threads."""

    def __init__(self, model: NgramModel) -> None:
        """Take an open model, in the same format as one of content."""
        self.model: Final = model
        self.digest: Final = model.digest

    @classmethod
    def load(cls, path: Path = BOILERPLATE) -> Self:
        """Map the model file at `path`.

        Raises:
            ModelError: it is missing, truncated, corrupt, foreign or of another version.
        """
        return cls(NgramModel.open(path))

    def judge(
        self, pages: Sequence[Sentences], parameters: ContrastParameters = _DEFAULTS
    ) -> list[bytes]:
        """Return a verdict code a sentence for each page, in order; releases the GIL."""
        boilerplate = self.model.score_again(pages)
        judgements = judge_by_contrast(pages, boilerplate, parameters)
        scored = zip(judgements, pages, strict=True)
        return [page.verdicts(judgement) for judgement, page in scored]
