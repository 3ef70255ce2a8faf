"""Labelled pages -> inputs of training and evaluation."""

from collections.abc import Iterator
from pathlib import Path

from winnow.lab.sets.labelled import LabelledError, labelled_pages
from winnow.lab.sets.parts import Part
from winnow.lab.sets.tasks import Selection, gold_set_of, tasks
from winnow.lab.train.web2text.cleaneval import (
    LabelledLeaves,
    cleaneval_page,
    columns_of,
    labelled_leaves,
)
from winnow.lab.train.web2text.joint import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import decode


def cleaneval_pages(source: Path, wanted: frozenset[str]) -> Iterator[tuple[str, LabelledLeaves]]:
    """Yield pages of CleanEval with their ids, ordered by id.

    Raises:
        LabelledError: `source` cannot be read, or a page is missing or cannot be aligned.
    """
    pages = [page for page in labelled_pages(source) if page.page_id in wanted]
    if missing := sorted(wanted - {page.page_id for page in pages}):
        raise LabelledError(f"{source}: splits.json names missing pages: {', '.join(missing)}")
    for page in pages:
        try:
            yield page.page_id, cleaneval_page(page.html, page.gold)
        except ValueError as error:
            raise LabelledError(f"{source}: page {page.page_id}: {error}") from error


def joint_example(page: LabelledLeaves) -> Page:
    """Return the columns with the labels."""
    return columns_of(page.leaves), page.labels


def training_sites(source: Path) -> Iterator[Page]:
    """Yield the examples of the training sites of a labelled set.

    Pages are left out if they cannot be cleaned, or if their text and gold are too long and too
    different to align.
    """
    for task in tasks(source, gold_set_of(source), Selection(part=Part.TRAIN)):
        try:
            markup = decode(task.page).markup
            yield joint_example(labelled_leaves(markup.decode(), task.wanted.text))
        except (InvalidPage, ValueError):
            continue
