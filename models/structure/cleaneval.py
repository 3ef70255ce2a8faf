"""Pages of CleanEval as Web2Text reads them."""

from dataclasses import dataclass

from models.structure.alignment import content_labels
from models.structure.figures import Labels
from models.structure.gold import cleaneval_text
from models.structure.labelling import page_tree
from models.structure.tree import Tree


@dataclass(frozen=True, slots=True)
class LabelledTree:
    """The blocks of a page with their labels, 1 for content.

    Attributes:
        markup: what was parsed, for other cleaners.
    """

    markup: str
    tree: Tree
    labels: Labels


def cleaneval_markup(body: bytes) -> str:
    """Return the page inside the `<text>` wrapper, its first and its last line.

    Read as UTF-8 whatever the page says; what is none is dropped, as the authors do.
    """
    text = body.decode("utf-8", errors="ignore").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.removesuffix("\n").split("\n")
    return "\n".join(lines[1:-1])


def labelled_tree(body: bytes, gold: str) -> LabelledTree:
    """Label the blocks of a page by its gold file."""
    markup = cleaneval_markup(body)
    tree = page_tree(markup)
    return LabelledTree(markup, tree, content_labels(tree.texts, cleaneval_text(gold)))
