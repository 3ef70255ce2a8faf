"""What documents say of how good they are."""

from pathlib import Path

import pytest

from tests.unit.models.engines.hybrid.parameter_file import a_file, constant, stump
from winnow.models._kernel import Blocks
from winnow.models._kernel.lab import hybrid_confidence_header, hybrid_confidence_names
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page
from winnow.models.engines.hybrid import MIXED, OPEN, HybridModel
from winnow.models.engines.hybrid.model import confidence_path
from winnow.models.errors import ModelError
from winnow.models.ngram import NgramModel
from winnow.models.options import CleanerOptions
from winnow.models.page import blocks_of

PROSE = "The first meeting was held in the back room of the bakery, and eleven people came. "
ARTICLE = f"<h1>The roof</h1><article><p>{PROSE * 3}</p><p>{PROSE * 5}</p></article>"
MENUS = "<a href='/'>Home</a> <p>12:30 <a href='/x'>More of it</a>" * 30


def blocks(markup: str) -> Blocks:
    return blocks_of(Page("https://roofs.invalid/", markup.encode(), "text/html"), wanted="every")


def sealed(forest: bytes) -> bytes:
    return hybrid_confidence_header(forest) + forest


def confidence(file: bytes, markup: str) -> float | None:
    (judgement,) = HybridModel(a_file(), file).judge([blocks(markup)])
    return judgement.confidence


def test_a_forest_corrects_the_f1_expected_from_probabilities() -> None:
    blocks_kept = hybrid_confidence_names().index("k_blocks")
    promised = confidence(sealed(constant(0.0)), ARTICLE)
    lower = confidence(sealed(stump(blocks_kept, 1.5, 0.0, -2.0)), ARTICLE)
    same = confidence(sealed(stump(blocks_kept, 99.0, 0.0, -2.0)), ARTICLE)

    assert promised is not None
    assert lower is not None
    assert 0 < lower < promised < 1
    assert same == promised


def test_a_model_without_confidence_gives_none() -> None:
    (judgement,) = HybridModel(a_file()).judge([blocks(ARTICLE)])

    assert judgement.confidence is None


def test_files_of_confidence_are_refused_when_they_are_of_something_else() -> None:
    good = sealed(constant(0.0))

    for bad in (b"", good[:-1], a_file(), good[:8] + bytes(8) + good[16:]):
        with pytest.raises(ModelError):
            HybridModel(a_file(), bad)
    with pytest.raises(ModelError):
        HybridModel(a_file(), sealed(stump(250, 0.5, 0.0, 1.0)))


@pytest.mark.parametrize("path", [MIXED, OPEN])
def test_the_shipped_engine_is_surer_of_an_article_than_of_menus(path: Path) -> None:
    model = HybridModel.load(path)

    article, menus = model.judge([blocks(ARTICLE), blocks(MENUS)])

    assert article.confidence is not None
    assert menus.confidence is not None
    assert 0 < menus.confidence < article.confidence < 1


def test_parameters_without_their_confidence_are_named(tmp_path: Path) -> None:
    (tmp_path / "some.bin").write_bytes(a_file())

    with pytest.raises(ModelError, match=r"some-confidence\.bin: No such file"):
        HybridModel.load(tmp_path / "some.bin")


def test_both_files_count_for_the_digest() -> None:
    files = [sealed(constant(value)) for value in (0.0, 1.0)]

    assert len({HybridModel(a_file(), file).digest for file in files}) == 2
    assert confidence_path(MIXED).name == "hybrid-confidence.bin"


def test_documents_of_the_default_engine_have_a_confidence_and_others_none(
    english: NgramModel,
) -> None:
    page = Page("https://roofs.invalid/", ARTICLE.encode())

    sure = Cleaner(CleanerOptions(), english).clean(page)
    other = Cleaner(CleanerOptions(engine="perplexity"), english).clean(page)

    assert sure.confidence is not None
    assert 0 < sure.confidence < 1
    assert other.confidence is None
