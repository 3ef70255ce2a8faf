"""Keep the blocks that networks on the collapsed DOM call content: the web2text engine."""

from dataclasses import dataclass
from typing import Final

from winnow.models._kernel import Blocks, Rule
from winnow.models.engines.web2text.model import Web2TextModel
from winnow.models.page import ParsedPage, cut, uncovered


@dataclass(frozen=True, slots=True)
class Web2TextEngine:
    """A sentence shares the verdict of its block; text without markup is kept whole.

    Attributes:
        threshold: what the model was built with: natural log-odds that a block must have beyond
            those it was trained to need; more keeps less.
    """

    model: Web2TextModel
    threshold: float = 0.0

    name: Final = "web2text"

    @property
    def digest(self) -> str:
        """That of the weight file."""
        return self.model.digest

    @property
    def rule(self) -> Rule:
        """As the blocks are labelled when they are cut."""
        return Rule.labelled()

    def cut(self, page: ParsedPage) -> Blocks:
        """Cut a page into blocks and label them while its tree is there.

        Concealed blocks are among them if the page shows next to nothing.
        """
        if page.tree is None:
            return cut(page)
        shown = self.model.walk(page.tree)
        if uncovered(shown, page) is shown:
            return shown
        return self.model.walk(page.tree, with_concealed=True)
