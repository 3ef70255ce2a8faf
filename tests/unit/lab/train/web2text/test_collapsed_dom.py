import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.unit.lab.train.web2text.reference_cdom import CdomNode, collapse
from tests.unit.lab.train.web2text.reference_dom import dom_of
from tests.unit.lab.train.web2text.reference_tree import common_ancestors, page_tree
from winnow.models._kernel.lab import leaves
from winnow.models.page import Limits, tree_of


def collapsed(markup: str) -> CdomNode:
    root = collapse(dom_of(LexborHTMLParser(markup)))
    assert root is not None
    return root


def texts(markup: str) -> list[str]:
    return page_tree(LexborHTMLParser(markup)).texts


def test_a_chain_of_only_children_becomes_one_block() -> None:
    root = collapsed("<div class='x y'><p id=z><a>news</a></p></div>")

    assert root.tags == ("body", "div", "p", "a", "#text")
    assert root.classes == ("x", "y")
    assert root.ids == ("z",)
    assert root.text == "news"
    assert root.in_link


def test_an_element_with_two_texts_stays_an_inner_node() -> None:
    root = collapsed("<p>one <b>two</b></p>")

    assert root.tags == ("body", "p")
    assert [child.text for child in root.children] == ["one ", "two"]


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x</script>",
        "<noscript><p>x</p></noscript>",
        "<select><option>x</select>",
        "<!--x-->",
    ],
)
def test_invisible_elements_leave_no_block(hidden: str) -> None:
    assert texts(f"<p>one</p>{hidden}<p>two</p>") == ["one", "two"]


def test_white_space_is_one_space_and_a_blank_text_is_not_a_block() -> None:
    assert texts("<p> a\n\t b </p><p>\u00a0 \u2003</p><p>c</p>") == [" a b ", "c"]


def test_a_block_breaks_where_a_block_element_begins_or_ends() -> None:
    paragraph, last = collapsed("<p>one <a>two</a></p>three").children

    first, link = paragraph.children

    assert (first.breaks_before, first.breaks_after) == (True, False)
    assert (link.breaks_before, link.breaks_after) == (False, True)
    assert last.breaks_before


def test_a_line_break_separates_texts_of_one_paragraph() -> None:
    one, two = collapsed("<p>one<br>two</p>").children

    assert one.breaks_after
    assert two.breaks_before


def test_an_ancestor_of_an_input_has_a_form() -> None:
    form, other = collapsed("<form><p>a</p><p>b<input></p></form><div>c<b>d</b></div>").children

    assert form.has_form
    assert not other.has_form


@pytest.mark.parametrize(
    "markup", ["", "<p> </p>", "<frameset><frame></frameset>", "<!doctype html>"]
)
def test_a_page_without_text_has_no_blocks(markup: str) -> None:
    assert page_tree(LexborHTMLParser(markup)).texts == []
    assert len(leaves(tree_of(markup))) == 0


BROKEN = [
    "<table><tr><td>a<td>b<p>c</table>d",
    "<table><p>stray</p><tr>x<td>y</table>",
    "<ul><li>a<ul><li>b</ul>c<li>d",
    "<b><p>a</b>b</p><i><div>c</i>d</div>",
    "<a>one<a>two</a></a><form><form>x</form></form>",
    "text<svg><p>x</p><title>t</title></svg><math><mi>y</mi></math>",
    "<div class>a</div><div class='  '>b</div><checkbox>c</checkbox>",
]


@pytest.mark.parametrize("markup", BROKEN)
def test_kernel_finds_the_same_blocks_in_broken_markup(markup: str) -> None:
    assert leaves(tree_of(markup)).texts == page_tree(LexborHTMLParser(markup)).texts


def test_common_ancestors_are_the_lowest_and_hops_count_both_ways() -> None:
    tree = page_tree(LexborHTMLParser("<div><p>a<b>b</b></p><p>c</p></div><p>d</p>"))

    ancestors, hops = common_ancestors(tree)

    assert [tree.nodes[row].tags[0] for row in ancestors] == ["p", "div", "body"]
    assert hops.tolist() == [2, 3, 3]


def test_a_deeply_nested_page_collapses_without_recursion() -> None:
    markup = "<div>a<p>" * 3000
    texts = page_tree(LexborHTMLParser(markup)).texts

    assert leaves(tree_of(markup, Limits(depth=10_000))).texts == texts == ["a"] * 3000
