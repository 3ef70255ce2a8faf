import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.unit.lab.train.web2text.builders import ARTICLE, published_weights
from winnow.lab.train.web2text.counters import Count, counts_of
from winnow.lab.train.web2text.labelling import page_tree, published_labels
from winnow.lab.train.web2text.published import (
    BLOCK_COLUMNS,
    BLOCK_TAGS,
    EDGE_COLUMNS,
    block_features,
    edge_features,
)
from winnow.lab.train.web2text.tree import Tree, common_ancestors


def a_tree(markup: str) -> Tree:
    return page_tree(LexborHTMLParser(markup))


def test_counts_are_those_of_the_published_code() -> None:
    counts = counts_of(" The editor wrote to us@paper.org in 2007. Why? I know: it is fun. ")

    assert counts[Count.CHARS] == 65
    assert counts[Count.WORDS] == 15
    assert counts[Count.SENTENCES] == 3
    assert counts[Count.PUNCTUATION] == 5
    assert counts[Count.DIGITS] == 4
    assert counts[Count.STOPWORDS] == 4  # to, in, it, is; "The" and "I" are no stop words
    assert counts[Count.CAPITALS] == 3
    assert counts[Count.EMAIL] == counts[Count.YEAR] == counts[Count.ENDS_PUNCTUATION] == 1
    assert counts[Count.URL] == counts[Count.COPYRIGHT] == counts[Count.ENDS_QUESTION] == 0


@pytest.mark.parametrize(
    ("text", "count"),
    [("ftp://a.org/x", Count.URL), ("\u00a9 A", Count.COPYRIGHT), ("why?", Count.ENDS_QUESTION)],
)
def test_signs_in_a_text_are_counted(text: str, count: Count) -> None:
    assert counts_of(text)[count] == 1


def test_counts_of_a_node_add_up_and_its_end_is_that_of_the_last_block() -> None:
    tree = a_tree("<p>one two. <a>three four</a> five?</p>")

    assert tree.counts[0, Count.WORDS] == 5
    assert tree.link_chars.tolist() == [10, 0, 10, 0]
    assert tree.counts[0, Count.ENDS_QUESTION] == 1


def test_common_ancestors_are_the_lowest_and_hops_count_both_ways() -> None:
    tree = a_tree("<div><p>a<b>b</b></p><p>c</p></div><p>d</p>")

    ancestors, hops = common_ancestors(tree)

    assert [tree.nodes[row].tags[0] for row in ancestors] == ["p", "div", "body"]
    assert hops.tolist() == [2, 3, 3]


def test_columns_have_the_published_shape_and_values() -> None:
    tree = a_tree(f"<td><p>{ARTICLE}</p><a>Home</a></td>" * 2)

    blocks, edges = block_features(tree), edge_features(tree)

    assert blocks.shape == (4, BLOCK_COLUMNS)
    assert edges.shape == (3, EDGE_COLUMNS)
    assert blocks[:, 0].tolist() == [1, 1, 1, 1]  # every text stands twice
    assert blocks[0, 3] == pytest.approx((1 - 0.8255) / 0.5643817)
    assert blocks[:, 109 + BLOCK_TAGS.index("a")].tolist() == [-1, 1, -1, 1]
    assert edges[0, :5].tolist() == [1, -1, -1, -1, 1]


def test_a_page_of_one_block_has_no_parent_and_no_edge() -> None:
    tree = a_tree(ARTICLE)

    assert not block_features(tree)[0, 27:89].any()
    assert edge_features(tree).shape == (0, EDGE_COLUMNS)
    assert published_labels(tree, published_weights()).shape == (1,)


def test_a_page_without_blocks_has_no_labels() -> None:
    tree = a_tree("<p> </p>")

    assert block_features(tree).shape == (0, BLOCK_COLUMNS)
    assert published_labels(tree, published_weights()).tolist() == []


def test_columns_are_finite_on_odd_texts() -> None:
    tree = a_tree("<p>...</p><p>\u00ad</p><p>\u65b0\u805e</p><p>1</p>")

    assert np.isfinite(block_features(tree)).all()
