"""Train the contrast engine: count its boilerplate model, choose its parameters.

    python -m winnow.lab.train.contrast train WCXB.tar.zst -o models/data/boilerplate.winnow
    python -m winnow.lab.train.contrast tune ../shared/pages/*.tar.zst

`train` needs no labels: it treats blocks with more than half of their text in links as boilerplate.
Both commands use only sites of the training part.
"""

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.lab.measure.metrics import f_measure
from winnow.lab.measure.tokens import tokens
from winnow.lab.sets.parts import Part
from winnow.lab.sets.tasks import Selection, Task, gold_set_of, tasks
from winnow.lab.train.language.training import TrainingPlan, train_model
from winnow.models._kernel import Blocks, Sentences
from winnow.models._kernel.lab import judge_by_contrast
from winnow.models.engines.contrast import ContrastParameters
from winnow.models.errors import InvalidPage
from winnow.models.ngram import NgramModel
from winnow.models.ngram.model import DATA
from winnow.models.page import Wanted
from winnow.models.page import blocks_of as page_blocks

PLAN: Final = TrainingPlan(order=2, language="en", min_counts=(2, 2, 2), punkt_bytes=0)
# WCXB has seven page types and a weight of three; the four foreign sets of DAnIEL, with a small
# weight, show that length and links still work alone
WEIGHTS: Final = {"wcxb": 3.0, "cleaneval": 2.0, "dragnet": 1.0, "page-signal": 1.0}
ENGLISH_PRESS: Final = 1.0
FOREIGN_PRESS: Final = 0.4
PAGES_A_GROUP: Final = 110
FACTORS: Final = (0.5, 0.75, 1.25, 1.5, 2.0)
OFFSETS: Final = (-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0)
LEAST_GAIN: Final = 0.03


def blocks_of(task: Task, wanted: Wanted) -> Blocks | None:
    """Return the blocks of a page; None if it is refused."""
    try:
        return page_blocks(task.page, wanted=wanted)
    except InvalidPage:
        return None


def link_dense(source: Path) -> Iterator[str]:
    """Yield the text of visible blocks with more than half of it in links."""
    for task in tasks(source, gold_set_of(source), Selection(Part.TRAIN)):
        blocks = blocks_of(task, "shown")
        if blocks is None:
            continue
        for order in range(len(blocks)):
            block = blocks.block(order)
            if 2 * block.link_chars > len(block.text):
                yield block.text.replace("\n", " ")


def train(source: Path, target: Path) -> None:
    """Write the boilerplate model."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / f"{source.name.partition('.')[0]}-link-dense-blocks.txt"
        text.write_text("".join(f"{line}\n" for line in link_dense(source)), encoding="utf-8")
        facts = train_model([text], target, PLAN)
    print(f"{facts.training_tokens:,} tokens, {facts.listed[0]:,} words, {facts.listed[1]:,} pairs")


@dataclass(frozen=True, slots=True)
class Sample:
    """One scored page: the word numbers of its blocks, and their counts in the gold."""

    group: str
    content: Sentences
    boilerplate: Sentences
    owners: npt.NDArray[np.uint32]  # block of each sentence
    words: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]  # words of each block
    gold: npt.NDArray[np.int64]  # the last number is for words outside of all blocks


def sample(task: Task, content: NgramModel, boilerplate: NgramModel) -> Sample | None:
    """Score a page with both models; None for a page without blocks."""
    blocks = blocks_of(task, "uncovered")
    if not blocks or not len(blocks):
        return None
    numbers: dict[str, int] = {}
    texts = [blocks.block(order).text for order in range(len(blocks))]
    words = [tokens(text, task.wanted.language) for text in texts]
    flat = [numbers.setdefault(word, len(numbers)) for block in words for word in block]
    wanted = tokens(task.wanted.text, task.wanted.language)
    gold = [numbers.get(word, len(numbers)) for word in wanted]
    scored = content.score([blocks])[0]
    return Sample(
        group=task.wanted.group,
        content=scored,
        boilerplate=boilerplate.score_again([scored])[0],
        owners=np.frombuffer(scored.column("block"), np.uint32),
        words=np.array(flat, np.int64),
        lengths=np.array([len(block) for block in words], np.int64),
        gold=np.bincount(gold, minlength=len(numbers) + 1),
    )


def overlap(page: Sample, parameters: ContrastParameters) -> tuple[float, float]:
    """Return precision and recall of the kept text, on multisets of words."""
    (judgement,) = judge_by_contrast([page.content], [page.boilerplate], parameters)
    verdicts = page.content.verdicts(judgement)
    kept = np.zeros(len(page.lengths), bool)
    kept[page.owners[np.frombuffer(verdicts, np.uint8) == 0]] = True
    found = np.bincount(page.words[np.repeat(kept, page.lengths)], minlength=len(page.gold))
    hits = float(np.minimum(found, page.gold).sum())
    return hits / max(1, found.sum()), hits / max(1, page.gold.sum())


def scores(pages: list[Sample], parameters: ContrastParameters) -> dict[str, float]:
    """Return F x 100 by group."""
    groups: dict[str, list[tuple[float, float]]] = {}
    for page in pages:
        groups.setdefault(page.group, []).append(overlap(page, parameters))
    means = {group: np.mean(found, axis=0) for group, found in sorted(groups.items())}
    return {name: 100 * f_measure(float(p), float(r)) for name, (p, r) in means.items()}


def weight(group: str) -> float:
    """Return the weight of a group."""
    press = ENGLISH_PRESS if group.endswith("english") else FOREIGN_PRESS
    return WEIGHTS.get(group, press)


def aim(pages: list[Sample], parameters: ContrastParameters) -> float:
    """Return the weighted mean of F over the groups."""
    found = scores(pages, parameters)
    return sum(weight(name) * f for name, f in found.items()) / sum(map(weight, found))


def tune(pages: list[Sample]) -> ContrastParameters:
    """Change one parameter at a time, starting from the current values, while F rises."""
    best = ContrastParameters()
    reached, before = aim(pages, best), 0.0
    print(f"{reached:.2f} with the current values", flush=True)
    while reached > before:
        before = reached
        for name in (field.name for field in fields(ContrastParameters)):
            now = getattr(best, name)
            values = OFFSETS if name == "offset" else [now * factor for factor in FACTORS]
            for value in values:
                changed = replace(best, **{name: value})
                found = aim(pages, changed)
                if found > reached + LEAST_GAIN:
                    best, reached = changed, found
        print(f"{reached:.2f} {best}", flush=True)
    return best


def main() -> None:
    """Run a command."""
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train")
    training.add_argument("source", type=Path)
    training.add_argument("-o", "--output", type=Path, required=True)
    tuning = commands.add_parser("tune")
    tuning.add_argument("sources", type=Path, nargs="+")
    tuning.add_argument("--boilerplate", type=Path, default=DATA / "boilerplate.winnow")
    arguments = parser.parse_args()
    if arguments.command == "train":
        train(arguments.source, arguments.output)
        return
    models = (NgramModel.shipped(), NgramModel.open(arguments.boilerplate))
    chosen = Selection(Part.TRAIN, PAGES_A_GROUP)
    found = (
        sample(task, *models)
        for source in arguments.sources
        for task in tasks(source, gold_set_of(source), chosen)
    )
    pages = [page for page in found if page]
    print({name: round(f, 1) for name, f in scores(pages, tune(pages)).items()})


if __name__ == "__main__":
    main()
