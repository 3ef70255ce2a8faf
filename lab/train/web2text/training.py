"""Labelled pages -> trained weights."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from winnow.lab.sets.splits import Split
from winnow.lab.sets.tasks import set_name
from winnow.lab.train.web2text.cleaneval import LabelledLeaves
from winnow.lab.train.web2text.examples import joint_example, training_sites
from winnow.lab.train.web2text.joint import JointSchedule, fit
from winnow.lab.train.web2text.weights import JointWeights

# for 56 and for 531 training pages: docs/web2text.md names the pages of their choice
SCHEDULES: Final = {
    "cleaneval": JointSchedule(updates=240, keep_columns=0.6, content_bias=0.1),
    "web2text": JointSchedule(updates=1200),
}
# rounds for the engine's weights, which have far more pages (docs/decisions/web2text-engine.md)
_ROUNDS: Final = 10

Pages = Mapping[str, LabelledLeaves]


def train_split(pages: Pages, split: Split, name: str, seed: int) -> JointWeights:
    """Train on the training pages of a split of CleanEval."""
    schedule = SCHEDULES.get(name, SCHEDULES["web2text"])
    train = [joint_example(pages[page_id]) for page_id in sorted(split.train)]
    provenance = f"CleanEval, split {name}, {len(train)} training pages, seed {seed}"
    return fit(train, schedule, seed, provenance)


def train_engine(sources: Sequence[Path], seed: int) -> JointWeights:
    """Train on the pages of the training sites of labelled sets."""
    sets = {set_name(source): list(training_sites(source)) for source in sources}
    counts = ", ".join(f"{name} ({len(found)} pages)" for name, found in sets.items())
    examples = [page for found in sets.values() for page in found]
    schedule = JointSchedule.rounds(_ROUNDS, len(examples))
    return fit(examples, schedule, seed, f"training sites of {counts}, seed {seed}")
