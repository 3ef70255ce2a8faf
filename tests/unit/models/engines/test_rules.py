"""Rules of engines as the kernel applies them, and what it refuses."""

import pytest

from winnow.models import _kernel
from winnow.models._kernel import JudgedPage
from winnow.models.document import Page
from winnow.models.engines.hybrid import HybridModel
from winnow.models.engines.perplexity import PerplexityEngine
from winnow.models.ngram import LanguageModels, NgramModel
from winnow.models.page import blocks_of

PAGE = Page("https://bees.invalid/", b"<p>The bees fly. They find flowers.<p>Log in")


@pytest.fixture
def judged(english: NgramModel) -> JudgedPage:
    rule = PerplexityEngine(1e30).rule
    (page,) = LanguageModels([english]).judge(rule, [blocks_of(PAGE)])
    return page


def test_a_rule_for_sentences_gives_no_block_probabilities(judged: JudgedPage) -> None:
    assert (judged.probabilities, judged.page_types) == ([], [])
    assert (judged.page_type, judged.page_type_probability, judged.confidence) == ("", 0.0, None)
    assert judged.threshold == 1e30


def test_only_the_rule_of_hybrid_says_what_weighed_in_a_block() -> None:
    assert HybridModel.load().rule().has_probabilities
    rule = PerplexityEngine().rule
    assert not rule.has_probabilities
    with pytest.raises(ValueError, match="no probabilities"):
        rule.influences(blocks_of(PAGE), 0)


def test_the_rule_of_hybrid_refuses_blocks_without_elements(english: NgramModel) -> None:
    blocks = blocks_of(PAGE, wanted="shown")

    with pytest.raises(ValueError, match="without elements"):
        LanguageModels([english]).judge(HybridModel.load().rule(), [blocks])


def test_the_kernel_takes_at_least_one_language_model() -> None:
    with pytest.raises(ValueError, match="no language model"):
        _kernel.LanguageModels([])
