"""Gold texts lie over the blocks of real pages as the labels of the web2text engine need it."""

from pathlib import Path

import pytest

from tests.unit.lab.train.web2text import reference_alignment
from winnow.lab.sets.gold import web2text_text
from winnow.lab.sets.labelled import labelled_pages
from winnow.lab.train.web2text.alignment import align
from winnow.lab.train.web2text.alignment_check import check_pages, report
from winnow.lab.train.web2text.cleaneval import cleaneval_page

# what the authors' program takes over the same pages
PUBLISHED_S = 65
# the plain oracle needs a second for a million pairs of characters
ORACLE_PAGES = 300


@pytest.mark.quality
@pytest.mark.timeout(1200)
def test_labels_agree_with_the_published_ones_when_gold_meets_real_pages(shared: Path) -> None:
    found = report(check_pages(shared / "pages" / "cleaneval.tar.zst"))

    assert (found.crossing_pages, found.unequal_chars) == (0, 0)
    assert found.agreement >= 0.994
    assert found.agreement_by_chars >= 0.998
    assert found.unstable_share <= 0.001
    assert abs(found.content_share - 0.581) <= 0.003
    assert found.align_s < PUBLISHED_S


@pytest.mark.quality
@pytest.mark.timeout(1200)
def test_kernel_aligns_real_pages_as_the_reference_does(shared: Path) -> None:
    pages = [
        ("".join(f"{text}\n" for text in cleaneval_page(page.html, page.gold).texts), gold)
        for page in labelled_pages(shared / "pages" / "cleaneval.tar.zst")
        if (gold := web2text_text(page.gold))
    ]
    shortest = sorted(pages, key=lambda page: len(page[0]) * len(page[1]))[:ORACLE_PAGES]

    differing = [
        source
        for source, gold in shortest
        if align(source, gold).tolist() != reference_alignment.align(source, gold)
    ]

    assert len(shortest) == ORACLE_PAGES
    assert differing == []
