"""Labelled pages to trained weights."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from winnow.lab.sets.splits import Split
from winnow.lab.sets.tasks import set_name
from winnow.lab.train.web2text.cleaneval import LabelledLeaves
from winnow.lab.train.web2text.examples import joint_example, published_example, training_sites
from winnow.lab.train.web2text.joint import JointSchedule, fit
from winnow.lab.train.web2text.training import Schedule, fit_blocks, fit_edges
from winnow.lab.train.web2text.weights import JointWeights, PublishedWeights, Weights

# for 56 and for 531 training pages: docs/web2text.md says on which pages they were chosen
SCHEDULES: Final = {
    "cleaneval": JointSchedule(updates=240, keep_columns=0.6, content_bias=0.1),
    "web2text": JointSchedule(updates=1200),
}
# rounds over the pages of the engine's weights, which are far more: docs/decisions/0057
_ROUNDS: Final = 10

Pages = Mapping[str, LabelledLeaves]


def train_split(version: str, pages: Pages, split: Split, name: str, seed: int) -> Weights:
    """Train one feature version on the training pages of a split of CleanEval."""
    return VERSIONS[version](pages, split, name, seed)


def train_engine(sources: Sequence[Path], seed: int) -> JointWeights:
    """Train version 2 on the pages of the training sites of labelled sets."""
    sets = {set_name(source): list(training_sites(source)) for source in sources}
    counts = ", ".join(f"{name} ({len(found)} pages)" for name, found in sets.items())
    examples = [page for found in sets.values() for page in found]
    schedule = JointSchedule.rounds(_ROUNDS, len(examples))
    return fit(examples, schedule, seed, f"training sites of {counts}, seed {seed}")


def _train_published(pages: Pages, split: Split, name: str, seed: int) -> PublishedWeights:
    train, checks = (
        [published_example(pages[page_id]) for page_id in sorted(part)]
        for part in (split.train, split.validation)
    )
    for part, examples in (("train", train), ("validation", checks)):
        if not any(len(example.labels) for example in examples):
            raise ValueError(f"no {part} page has a block")
    return PublishedWeights(
        pairwise_weight=1.0,
        blocks=fit_blocks(train, checks, Schedule(), seed),
        edges=fit_edges(train, checks, Schedule(), seed),
        provenance=f"{_provenance(name, split, seed)}, "
        f"{len(checks)} validation pages chose the step",
    )


def _train_joint(pages: Pages, split: Split, name: str, seed: int) -> JointWeights:
    schedule = SCHEDULES.get(name, SCHEDULES["web2text"])
    train = [joint_example(pages[page_id]) for page_id in sorted(split.train)]
    return fit(train, schedule, seed, _provenance(name, split, seed))


def _provenance(name: str, split: Split, seed: int) -> str:
    return f"CleanEval, split {name}, {len(split.train)} training pages, seed {seed}"


VERSIONS: Final[dict[str, Callable[[Pages, Split, str, int], Weights]]] = {
    "1": _train_published,
    "2": _train_joint,
}
