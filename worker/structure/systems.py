"""The systems that `winnow structure evaluate` compares: each labels the blocks of a page."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from models.structure.alignment import content_labels
from models.structure.baselines import bte
from models.structure.cleaneval import LabelledPage
from models.structure.figures import Labels
from models.structure.labelling import page_tree, published_labels
from models.structure.model import StructureModel
from models.structure.weights import PublishedWeights, load
from worker.evaluation.outputs import read_outputs

System = Callable[[str, LabelledPage], Labels]


def systems(weights: Mapping[str, Path], outputs: Mapping[str, Path]) -> dict[str, System]:
    """Return the systems by name: weight files, outputs of other tools, BTE, everything.

    Raises:
        ModelError: a weight file cannot be used.
        ValueError: a file of outputs is none.
    """
    found = {name: _networks(path) for name, path in weights.items()}
    found |= {name: _tool(path) for name, path in outputs.items()}
    found["BTE"] = lambda _, page: content_labels(page.texts, bte(page.markup))
    found["keep everything"] = lambda _, page: np.ones_like(page.labels)
    return found


def _networks(path: Path) -> System:
    weights = load(path)
    if isinstance(weights, PublishedWeights):
        return lambda _, page: published_labels(page_tree(LexborHTMLParser(page.markup)), weights)
    model = StructureModel.of(weights)
    return lambda _, page: model.labels(page.leaves)


def _tool(path: Path) -> System:
    """Label what a tool kept: its text is aligned with the blocks as gold text is."""
    outputs = read_outputs(path)

    def label(page_id: str, page: LabelledPage) -> Labels:
        text = outputs[page_id].text if page_id in outputs else ""
        return content_labels(page.texts, text)

    return label
