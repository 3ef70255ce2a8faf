import time
from pathlib import Path

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.unit.lab.train.web2text.builders import ARTICLE, MENU, joint_weights, link_weights
from winnow.lab.train.web2text.kernel import model_of
from winnow.lab.train.web2text.weights import pack
from winnow.models._kernel import VERDICTS, Blocks, walk, walk_with_elements
from winnow.models.document import Page, Verdict
from winnow.models.engines.web2text.model import Web2TextModel
from winnow.models.page import parse, prepare


@pytest.fixture
def model() -> Web2TextModel:
    return model_of(joint_weights())


def walked(model: Web2TextModel, markup: str) -> Blocks:
    tree = parse(prepare(Page(url="", body=markup.encode()))).tree
    assert tree is not None
    return model.walk(tree)


def content(blocks: Blocks) -> list[int]:
    assert blocks.judgement is not None
    return [int(VERDICTS[code] == Verdict.KEPT) for code in blocks.judgement.verdicts]


def test_concealed_blocks_are_labelled_on_demand(model: Web2TextModel) -> None:
    hidden = "<p hidden>x</p><dialog>z</dialog>"
    markup = f"<p>{ARTICLE}{hidden}<noscript><p>y {ARTICLE}</noscript>"
    tree = parse(prepare(Page(url="", body=markup.encode()))).tree
    assert tree is not None

    every = model.walk(tree, with_concealed=True)

    assert every.text == walk_with_elements(tree).text
    assert len(content(every)) == 4
    assert len(content(model.walk(tree))) == 1


def test_blocks_in_noscript_get_labels_of_their_own() -> None:
    keep_all = model_of(joint_weights(content_bias=1000.0))
    tree = LexborHTMLParser(f"<noscript><p>{ARTICLE}</noscript>")

    assert content(keep_all.walk(tree, with_concealed=True)) == [1]


@pytest.mark.parametrize(
    ("bias", "kept"), [(0.5, 20), (-0.5, 20), (-3.5, 20), (-7.5, 20), (-8.5, 0), (-1000.0, 0)]
)
def test_less_is_asked_of_a_page_that_would_be_left_empty(bias: float, kept: int) -> None:
    markup = f"<p>{ARTICLE}</p>" * 20

    labels = content(walked(model_of(link_weights(bias)), markup))

    assert sum(labels) == kept


@pytest.mark.parametrize(("paragraphs", "kept"), [(1, 1), (0, 20)])
def test_as_much_is_asked_of_a_page_that_keeps_something(paragraphs: int, kept: int) -> None:
    """Links score 2 below the bar: they stay out unless the page would be empty."""
    links = "".join(f"<p><a href=/{number}>{ARTICLE}</a></p>" for number in range(18))
    markup = f"<p>{ARTICLE} {ARTICLE}</p>" * paragraphs + links + "<p>x</p>" * 2

    labels = content(walked(model_of(link_weights(1.0)), markup))

    assert sum(labels) == kept + 2 * paragraphs


def test_hidden_content_does_not_leave_a_page_empty() -> None:
    hidden = f"<div hidden>{f'<p>{ARTICLE}</p>' * 20}</div>"
    links = f"<p><a href=/>{ARTICLE}</a></p>" * 18

    labels = content(walked(model_of(link_weights(1.0)), hidden + links))

    assert labels == [1] * 18


@pytest.mark.parametrize("markup", ["<html><frameset><frame>", "<p> </p>", "<script>x</script>"])
def test_a_page_without_text_has_no_blocks(model: Web2TextModel, markup: str) -> None:
    assert content(walked(model, markup)) == []


def test_a_page_of_one_leaf_has_one_label(model: Web2TextModel) -> None:
    assert len(content(walked(model, f"<p>{ARTICLE}"))) == 1


def test_blocks_are_those_of_a_walk_without_networks(model: Web2TextModel) -> None:
    markup = f"<nav>{MENU}</nav><p>{ARTICLE}<p hidden>x<ul><li>one <b>two</b><li>three</ul>"
    tree = parse(prepare(Page(url="", body=markup.encode()))).tree
    assert tree is not None
    assert model.walk(tree).text == walk(tree).text


def test_a_block_gets_the_label_of_most_of_its_characters() -> None:
    keep_all = model_of(joint_weights(content_bias=1000.0))
    drop_all = model_of(joint_weights(content_bias=-1000.0))
    markup = f"<p>{ARTICLE} <b>x</b></p><table><tr><td>a<td>b</table>"

    assert set(content(walked(keep_all, markup))) == {1}
    assert set(content(walked(drop_all, markup))) == {0}


def test_a_page_of_fifty_thousand_leaves_is_labelled(model: Web2TextModel) -> None:
    tree = LexborHTMLParser("<p>some words <b>and more</b></p>" * 25_000)

    labels = model.walk(tree)

    assert len(content(labels)) == 25_000


@pytest.mark.parametrize("nested", ["<div>a", "<b>a<i>", "<ul><li>a", "<table><td>a"])
def test_deep_nesting_is_labelled_in_linear_time(model: Web2TextModel, nested: str) -> None:
    def seconds(depth: int) -> float:
        tree = LexborHTMLParser(nested * depth)
        start = time.thread_time()
        model.walk(tree)
        return time.thread_time() - start

    short, long = min(seconds(400) for _ in range(5)), min(seconds(1600) for _ in range(3))

    assert long < 40 * short  # four times the page; quadratic growth would be 16 times and more


def test_the_networks_can_be_loaded_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "small.weights"
    path.write_bytes(pack(joint_weights()))
    tree = LexborHTMLParser(f"<div>{MENU}</div><p>{ARTICLE}")

    loaded = Web2TextModel.load(path)

    expected = model_of(joint_weights()).walk(tree)
    assert content(loaded.walk(tree)) == content(expected)


def test_walk_takes_nothing_but_a_parsed_page(model: Web2TextModel) -> None:
    with pytest.raises(TypeError, match="LexborHTMLParser"):
        model.walk("<p>text")  # type: ignore[arg-type]  # the wrong type is the point


def test_labels_are_the_same_on_every_run(model: Web2TextModel) -> None:
    markup = f"<div>{MENU}</div>" + f"<p>{ARTICLE}</p>" * 5

    runs = [content(walked(model, markup)) for _ in range(3)]

    assert np.all(np.array(runs) == np.array(runs[0]))
