"""Ablation of the web2text engine's networks: alternatives, and limits.

    python -m winnow.lab.train.web2text.ablation [--pages ../shared/pages/cleaneval.tar.zst]

Cross-validation on the training and validation pages of the `web2text` split; test pages are not
read. Each row has its gain over the chosen training. Below the table are the share of errors on
the worst pages, and the F1 of one right label per paragraph.
"""

import argparse
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console

from winnow.lab.sets.splits import read_splits
from winnow.lab.train.web2text.baselines import paragraphs_of
from winnow.lab.train.web2text.cleaneval import LabelledLeaves
from winnow.lab.train.web2text.examples import cleaneval_pages, joint_example
from winnow.lab.train.web2text.figures import Labels, PageCounts, f1_gain, figures, page_counts
from winnow.lab.train.web2text.joint import JointSchedule, fit
from winnow.lab.train.web2text.kernel import leaf_labels, model_of
from winnow.lab.train.web2text.printing import Row, print_rows
from winnow.lab.train.web2text.training import SCHEDULES

CLEANEVAL: Final = Path("../shared/pages/cleaneval.tar.zst")
SPLIT: Final = "web2text"
FOLDS: Final = 5
WORST_PAGES: Final = 25
CHOSEN: Final = "chosen"
_BEST: Final = SCHEDULES[SPLIT]
_SMALL: Final = dataclasses.replace(
    _BEST, updates=640, filters=(24, 24), widths=(1, 3), keep_columns=0.5, agreement=0.0
)
WAYS: Final = {
    CHOSEN: _BEST,
    "first member alone": dataclasses.replace(_BEST, members=1),
    "no agreement": dataclasses.replace(_BEST, agreement=0.0),
    "two layers of 24": _SMALL,
    "those, bias 0.15": dataclasses.replace(_SMALL, content_bias=0.15),
}

Pages = Mapping[str, LabelledLeaves]


def folds(ids: Sequence[str], seed: int = 5) -> Iterator[tuple[list[str], list[str]]]:
    """Yield training and test pages, so that every page is tested once."""
    order = np.random.default_rng(seed).permutation(len(ids))
    for fold in range(FOLDS):
        test = {ids[at] for at in order[fold::FOLDS]}
        yield [page for page in ids if page not in test], sorted(test)


def cross_validated(pages: Pages, ways: Mapping[str, JointSchedule]) -> dict[str, list[PageCounts]]:
    """Return the counts of each page for each alternative, with pages in the same order."""
    counts: dict[str, list[PageCounts]] = {way: [] for way in ways}
    most = max(schedule.members for schedule in ways.values())
    for train, test in folds(sorted(pages)):
        examples = [joint_example(pages[page_id]) for page_id in train]
        learning = {_learning(schedule, most) for schedule in ways.values()}
        trained = {each: fit(examples, each, 1, SPLIT) for each in learning}
        for way, schedule in ways.items():
            learnt = trained[_learning(schedule, most)]
            model = model_of(
                dataclasses.replace(
                    learnt,
                    content_bias=schedule.content_bias,
                    agreement=schedule.agreement,
                    members=learnt.members[: schedule.members],
                )
            )
            tested = [pages[page_id] for page_id in test]
            counts[way] += [
                page_counts(leaf_labels(model, page.leaves), page.labels) for page in tested
            ]
    return counts


def _learning(schedule: JointSchedule, members: int) -> JointSchedule:
    """Return the schedule without settings that have no effect on training."""
    return dataclasses.replace(schedule, content_bias=0.0, agreement=0.0, members=members)


def one_label_a_paragraph(page: LabelledLeaves) -> Labels:
    """Return for each block the majority label of its paragraph; content on a tie."""
    paragraphs = paragraphs_of(page.leaves)
    share = np.bincount(paragraphs, weights=page.labels) / np.bincount(paragraphs)
    return np.asarray(share[paragraphs] >= 0.5, np.int8)  # noqa: PLR2004 - most


def share_of_errors(counts: Sequence[PageCounts], pages: int) -> float:
    """Return the share of all errors on the pages with the most errors."""
    errors = sorted((false + missed for _, false, missed, _ in counts), reverse=True)
    return sum(errors[:pages]) / max(sum(errors), 1)


def main() -> None:
    """Print the table and the limits of the chosen training."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=Path, default=CLEANEVAL)
    source = parser.parse_args().pages
    split = read_splits(source)[SPLIT]
    pages = dict(cleaneval_pages(source, split.train | split.validation))
    counts = cross_validated(pages, WAYS)
    base = counts[CHOSEN]
    rows = [Row(way, figures(found), *f1_gain(found, base)) for way, found in counts.items()]
    print_rows(f"{SPLIT}, cross-validation without its test pages", rows, Console())
    ceiling = [page_counts(one_label_a_paragraph(page), page.labels) for page in pages.values()]
    print(f"errors on the {WORST_PAGES} worst pages: {share_of_errors(base, WORST_PAGES):.1%}")
    print(f"F1 of one right label for each paragraph: {figures(ceiling).f1:.4f}")


if __name__ == "__main__":
    main()
