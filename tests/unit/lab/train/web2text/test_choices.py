import pytest

from winnow.lab.train.web2text.ablation import (
    FOLDS,
    cross_validated,
    folds,
    one_label_a_paragraph,
    share_of_errors,
)
from winnow.lab.train.web2text.cleaneval import labelled_leaves
from winnow.lab.train.web2text.joint import JointSchedule

MARKUP = "<p>A <b>long</b> word of <i>content</i> here.</p><ul><li>menu<li>home</ul>"


def test_folds_test_every_page_once_and_never_train_on_it() -> None:
    ids = [str(number) for number in range(13)]

    cut = list(folds(ids))

    assert len(cut) == FOLDS
    assert sorted(page for _, test in cut for page in test) == sorted(ids)
    assert all(sorted(train + test) == sorted(ids) for train, test in cut)


def test_ways_that_differ_only_in_bias_are_counted_on_the_same_pages() -> None:
    page = labelled_leaves(MARKUP, "A long word of content here.")
    pages = {str(number): page for number in range(FOLDS)}
    short = JointSchedule(updates=1, members=1, filters=(2,), widths=(1,))
    ways = {"none": short, "all": JointSchedule(1, 1, filters=(2,), widths=(1,), content_bias=1e3)}

    counts = cross_validated(pages, ways)

    kept = int(page.labels.sum())
    assert counts["all"] == [(kept, len(page.labels) - kept, 0, 0)] * FOLDS
    assert len(counts["none"]) == FOLDS


def test_a_paragraph_takes_the_label_of_most_of_its_blocks() -> None:
    page = labelled_leaves(MARKUP, "A word of here. menu")

    found = one_label_a_paragraph(page)

    assert page.texts == ["A ", "long", " word of ", "content", " here.", "menu", "home"]
    assert page.labels.tolist() == [1, 0, 1, 0, 1, 1, 0]
    assert found.tolist() == [1, 1, 1, 1, 1, 1, 0]


def test_share_of_errors_takes_the_pages_with_most_of_them() -> None:
    counts = [(9, 1, 0, 9), (0, 3, 3, 0), (5, 0, 1, 5)]

    assert share_of_errors(counts, 1) == pytest.approx(6 / 8)
    assert share_of_errors([(1, 0, 0, 1)], 1) == 0
