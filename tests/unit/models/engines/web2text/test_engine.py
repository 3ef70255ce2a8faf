import time
from pathlib import Path

import numpy as np
import pytest

from tests.unit.lab.train.web2text.builders import ARTICLE, MENU, joint_weights, link_weights
from winnow.lab.train.web2text.kernel import model_of
from winnow.lab.train.web2text.weights import pack
from winnow.models._kernel import VERDICTS, Blocks, Rule
from winnow.models.document import Page, Verdict
from winnow.models.engines.web2text.model import Web2TextModel
from winnow.models.page import Limits, blocks_of


@pytest.fixture
def model() -> Web2TextModel:
    return model_of(joint_weights())


def walked(model: Web2TextModel, markup: str) -> Blocks:
    rule = Rule.web2text(model.networks)
    return blocks_of(Page("", markup.encode(), "text/html"), wanted=rule)


def content(blocks: Blocks) -> list[int]:
    assert blocks.judgement is not None
    return [int(VERDICTS[code] == Verdict.KEPT) for code in blocks.judgement.verdicts]


def test_concealed_blocks_are_labelled_when_a_page_shows_almost_nothing(
    model: Web2TextModel,
) -> None:
    hidden = "<p hidden>x</p><dialog>z</dialog>"
    concealed = f"{hidden}<noscript><p>y {ARTICLE}</noscript>"

    every = walked(model, f"<p>Wax.{concealed}")

    page = Page("", f"<p>Wax.{concealed}".encode(), "text/html")
    assert every.text == blocks_of(page, wanted="every").text
    assert len(content(every)) == 4
    assert len(content(walked(model, f"<p>{ARTICLE * 10}{concealed}"))) == 1


def test_blocks_in_noscript_get_labels_of_their_own() -> None:
    keep_all = model_of(joint_weights(content_bias=1000.0))

    assert content(walked(keep_all, f"<noscript><p>{ARTICLE}</noscript>")) == [1]


@pytest.mark.parametrize(
    ("bias", "kept"), [(0.5, 20), (-0.5, 20), (-3.5, 20), (-7.5, 20), (-8.5, 0), (-1000.0, 0)]
)
def test_the_threshold_is_lowered_for_a_page_that_would_be_empty(bias: float, kept: int) -> None:
    markup = f"<p>{ARTICLE}</p>" * 20

    labels = content(walked(model_of(link_weights(bias)), markup))

    assert sum(labels) == kept


@pytest.mark.parametrize(("paragraphs", "kept"), [(1, 1), (0, 20)])
def test_the_threshold_stays_for_a_page_that_keeps_something(paragraphs: int, kept: int) -> None:
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


def test_blocks_are_the_same_as_without_networks(model: Web2TextModel) -> None:
    markup = f"<nav>{MENU}</nav><p>{ARTICLE}<p hidden>x<ul><li>one <b>two</b><li>three</ul>"
    page = Page("", markup.encode(), "text/html")

    assert walked(model, markup).text == blocks_of(page).text


def test_a_block_gets_the_label_of_most_of_its_characters() -> None:
    keep_all = model_of(joint_weights(content_bias=1000.0))
    drop_all = model_of(joint_weights(content_bias=-1000.0))
    markup = f"<p>{ARTICLE} <b>x</b></p><table><tr><td>a<td>b</table>"

    assert set(content(walked(keep_all, markup))) == {1}
    assert set(content(walked(drop_all, markup))) == {0}


def test_a_page_of_fifty_thousand_leaves_is_labelled(model: Web2TextModel) -> None:
    labels = walked(model, "<p>some words <b>and more</b></p>" * 25_000)

    assert len(content(labels)) == 25_000


@pytest.mark.parametrize("nested", ["<div>a", "<b>a<i>", "<ul><li>a", "<table><td>a"])
def test_deep_nesting_is_labelled_in_linear_time(model: Web2TextModel, nested: str) -> None:
    def seconds(depth: int) -> float:
        start = time.thread_time()
        blocks_of(
            Page("", (nested * depth).encode(), "text/html"), Limits(depth=10_000), wanted=rule
        )
        return time.thread_time() - start

    rule = Rule.web2text(model.networks)
    short, long = min(seconds(400) for _ in range(5)), min(seconds(1600) for _ in range(3))

    assert long < 40 * short  # four times the page; quadratic growth would be 16 times and more


def test_the_networks_can_be_loaded_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "small.weights"
    path.write_bytes(pack(joint_weights()))
    page = f"<div>{MENU}</div><p>{ARTICLE}"

    loaded = Web2TextModel.load(path)

    assert content(walked(loaded, page)) == content(walked(model_of(joint_weights()), page))


def test_labels_are_the_same_on_every_run(model: Web2TextModel) -> None:
    markup = f"<div>{MENU}</div>" + f"<p>{ARTICLE}</p>" * 5

    runs = [content(walked(model, markup)) for _ in range(3)]

    assert np.all(np.array(runs) == np.array(runs[0]))
