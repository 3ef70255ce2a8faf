"""Of which sentences a document and its statistics tell the perplexity."""

import statistics
from dataclasses import replace
from pathlib import Path

import pytest

import winnow.worker
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page, Verdict
from winnow.models.engines.choice import ENGINES
from winnow.models.ngram import NgramModel
from winnow.models.options import CleanerOptions

ARTICLE = Path(winnow.worker.__file__).with_name("samples") / "article.html"


@pytest.mark.parametrize("engine", ENGINES)
def test_statistics_have_the_perplexity_of_kept_sentences_only(
    english: NgramModel, engine: str
) -> None:
    page, options = Page("", ARTICLE.read_bytes()), CleanerOptions(engine=engine)

    shown = Cleaner(replace(options, spans=True), english).clean(page)

    kept = [each for each in shown.sentences if each.verdict is Verdict.KEPT]
    median = shown.stats.perplexity_quantiles[2]
    assert median == pytest.approx(statistics.median(each.perplexity for each in kept))
    assert shown.stats.oov_rate == sum(each.oov for each in kept) / shown.stats.tokens_kept
    assert len(kept) < len(shown.sentences)
    assert Cleaner(options, english).clean(page).stats == shown.stats


@pytest.mark.parametrize("engine", ENGINES)
def test_dropped_sentences_that_are_shown_are_scored(english: NgramModel, engine: str) -> None:
    page, options = Page("", ARTICLE.read_bytes()), CleanerOptions(engine=engine)

    spans = Cleaner(replace(options, spans=True), english).clean(page).sentences
    explained = Cleaner(options, english).explain(page).blocks
    marked = Cleaner(replace(options, mark=True), english).clean(page).text

    assert all(sentence.perplexity > 1 for sentence in spans)
    assert [each for block in explained for each in block.sentences] == list(spans)
    assert "<ppl 0" not in marked
    assert "<ppl " in marked
