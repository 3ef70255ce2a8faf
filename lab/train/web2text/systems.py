"""The systems that `winnow web2text evaluate` compares: each labels the blocks of a page."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from winnow.lab.measure.outputs import read_outputs
from winnow.lab.train.web2text.alignment import content_labels
from winnow.lab.train.web2text.baselines import bte, word_rules
from winnow.lab.train.web2text.cleaneval import LabelledLeaves
from winnow.lab.train.web2text.figures import Labels
from winnow.lab.train.web2text.kernel import leaf_labels, model_of
from winnow.lab.train.web2text.weights import JointWeights

System = Callable[[str, LabelledLeaves], Labels]

BASELINES: Final[Mapping[str, System]] = {
    "BTE": lambda _, page: content_labels(page.texts, bte(page.markup)),
    "word rules": lambda _, page: word_rules(page.leaves),
    "keep everything": lambda _, page: np.ones_like(page.labels),
}


def systems(weights: Mapping[str, JointWeights], outputs: Mapping[str, Path]) -> dict[str, System]:
    """Return the systems by name: networks, outputs of other tools, then the baselines.

    Raises:
        ModelError: the weights do not fit the columns.
        OutputsError: an output file is malformed.
    """
    networks = {name: _networks(each) for name, each in weights.items()}
    tools = {name: _tool(path) for name, path in outputs.items()}
    return {**networks, **tools, **BASELINES}


def _networks(weights: JointWeights) -> System:
    model = model_of(weights)
    return lambda _, page: leaf_labels(model, page.leaves)


def _tool(path: Path) -> System:
    """Label blocks by a tool's text, which is aligned with the blocks like a gold text."""
    outputs = read_outputs(path)

    def label(page_id: str, page: LabelledLeaves) -> Labels:
        text = outputs[page_id].text if page_id in outputs else ""
        return content_labels(page.texts, text)

    return label
