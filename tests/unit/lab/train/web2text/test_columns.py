from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from tests.unit.lab.train.web2text import reference_columns
from tests.unit.lab.train.web2text.reference_tree import page_tree
from winnow.lab.train.web2text.cleaneval import columns_of
from winnow.models._kernel.lab import leaves, web2text_column_names
from winnow.models.page import tree_of

TEXTS = st.sampled_from(
    [
        "The committee met on Monday. It adjourned.",
        "Home | Login",
        "Copyright © 2007 Example",
        "write to me@example.org or www.example.org",
        "http://example.org/?a=1",
        "WHO, WHAT: WHEN?",
        "état Ünïcode 12,5",
        "新闻、体育。",
        "a",
        "...",
        "and so it goes on, and on, and on, for more than a dozen words in all, you see.",
    ]
)
TAGS = st.sampled_from(
    ["p", "div", "a", "li", "b", "h2", "td", "table", "form", "ul", "nav", "span"]
)
NAMES = st.sampled_from(["", " class=content", " id=footer", " class='comment x'", " class=y"])
FILLERS = st.sampled_from(["", " ", "<br>", "<input>", "<script>x</script>", "<!-- c -->"])
ELEMENTS = st.recursive(
    TEXTS,
    lambda inner: st.tuples(TAGS, NAMES, st.lists(inner, max_size=4), FILLERS).map(
        lambda parts: f"<{parts[0]}{parts[1]}>{parts[3].join(parts[2])}</{parts[0]}>"
    ),
    max_leaves=25,
)


def assert_kernel_agrees(markup: str) -> None:
    expected = reference_columns.columns(page_tree(LexborHTMLParser(markup)))

    found = columns_of(leaves(tree_of(markup)))

    names = web2text_column_names()
    assert all(set(row) == set(names) for row in expected)
    table = np.array([[row[name] for name in names] for row in expected])
    worst = np.abs(found - table.reshape(found.shape))
    assert worst.max(initial=0) < 1e-4, names[int(worst.max(axis=0).argmax())]


@given(st.lists(ELEMENTS, max_size=6).map("".join))
def test_kernel_computes_the_columns_of_the_reference(markup: str) -> None:
    assert_kernel_agrees(f"<body>{markup}</body>")


@pytest.mark.parametrize("markup", ["one leaf", "<p>a</p>" * 60, "<h1>t</h1>" + "<a>b</a> c" * 40])
def test_columns_agree_on_pages_that_are_all_alike(markup: str) -> None:
    assert_kernel_agrees(markup)


def test_columns_agree_on_the_sample_pages() -> None:
    folder = Path(__file__).parents[5] / "worker" / "samples"
    pages = sorted(folder.rglob("*.html"))

    for path in pages:
        assert_kernel_agrees(path.read_text(errors="replace"))

    assert pages


def test_every_column_has_its_own_name() -> None:
    assert len(set(web2text_column_names())) == len(web2text_column_names())
