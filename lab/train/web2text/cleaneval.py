"""Read and label pages of CleanEval like Web2Text."""

from dataclasses import dataclass

import numpy as np

from winnow.lab.sets.gold import web2text_text
from winnow.lab.train.web2text.alignment import content_labels
from winnow.lab.train.web2text.figures import Labels
from winnow.lab.train.web2text.network import Floats
from winnow.models._kernel.lab import Leaves, leaves, web2text_column_names
from winnow.models.page import tree_of


@dataclass(frozen=True, slots=True)
class LabelledLeaves:
    """The blocks of a page, and their labels from the gold text: 1 for content.

    Attributes:
        markup: the page itself, for systems that parse it themselves.
        leaves: the blocks.
    """

    markup: str
    leaves: Leaves
    labels: Labels

    @property
    def texts(self) -> list[str]:
        """The text of each block."""
        return self.leaves.texts


def labelled_leaves(markup: str, cleaned: str) -> LabelledLeaves:
    """Collapse a page and align its cleaned text with the blocks."""
    found = leaves(tree_of(markup))
    return LabelledLeaves(markup, found, content_labels(found.texts, cleaned))


def cleaneval_page(body: bytes, gold: str) -> LabelledLeaves:
    """Label the page inside the `<text>` wrapper, which is its first and last line.

    Like the authors, it reads every page as UTF-8 and drops invalid bytes.
    """
    text = body.decode("utf-8", errors="ignore").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.removesuffix("\n").split("\n")
    return labelled_leaves("\n".join(lines[1:-1]), web2text_text(gold))


def columns_of(found: Leaves) -> Floats:
    """Return the columns of the blocks, (blocks, columns)."""
    rows = np.frombuffer(found.columns, "<f4")
    return rows.reshape(len(found), len(web2text_column_names())).astype(np.float32)
