"""Sentences with a too high perplexity are dropped, with any engine."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.small_models import made_up_text
from winnow.models import Cleaner, CleanerOptions, Page
from winnow.models.document import Document, Verdict
from winnow.models.engines.choice import ENGINES
from winnow.models.errors import OptionsError
from winnow.models.ngram import LanguageModels, NgramModel

GOOD = (
    "The bees find more flowers in the city than in the fields around it. "
    "Every spring the keepers carry their hives up to the roofs of the old town."
)
GARBLED = "Around bees in city it fields flowers hive keepers more of roofs spring than up."
NAMES = "Mielikki Tuonetar Ilmatar Kalevatar Louhi Vellamo Tapio Ahti Pellervo"
GREEK = "Ύστερα από σαράντα χρόνια το παλιό ελαιοτριβείο του χωριού άνοιξε τις πόρτες του."
GARBLED_GREEK = "Ελαιοτριβείο το από του πόρτες ύστερα τις σαράντα χωριού παλιό του χρόνια άνοιξε."


@pytest.fixture(scope="module")
def shipped() -> LanguageModels:
    return LanguageModels.shipped()


@pytest.fixture
def with_quantiles(train: Callable[..., Path], tmp_path: Path) -> NgramModel:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(made_up_text(6000), encoding="utf-8")
    return NgramModel.open(train(corpus, order=2, weights=None))


def clean(models: LanguageModels, body: str, **options: object) -> Document:
    html = f"<article><h1>Bees in the city</h1>{body}</article>"
    chosen = CleanerOptions().with_values(options)
    return Cleaner(chosen, models).clean(Page("https://bees.invalid/", html.encode()))


@pytest.mark.parametrize("engine", ENGINES)
def test_strange_sentences_of_kept_blocks_go_in_every_engine(
    shipped: LanguageModels, engine: str
) -> None:
    body = f"<p>{GOOD} {GARBLED} {GOOD}</p>" * 4

    whole = clean(shipped, body, engine=engine)
    limited = clean(shipped, body, engine=engine, max_perplexity=2500)

    assert GARBLED in whole.text
    assert GARBLED not in limited.text
    assert limited.text.count(GOOD.split(". ", maxsplit=1)[0]) == 8
    assert limited.stats.dropped_sentences[Verdict.PERPLEXITY] >= 4


def test_a_strange_sentence_can_be_marked(shipped: LanguageModels) -> None:
    marked = clean(shipped, f"<p>{GOOD} {GARBLED}</p>" * 4, max_perplexity="2500", mark=True)

    assert GARBLED in marked.text
    assert marked.stats.dropped_sentences[Verdict.PERPLEXITY] == 4


@pytest.mark.parametrize(
    "markup",
    [
        "<h2>{}</h2>",
        "<pre>{}</pre>",
        "<ul><li>{}</li><li>{}</li></ul>",
        "<table><tr><th>Name<th>Text</tr><tr><td>One<td>{}</tr><tr><td>Two<td>{}</tr></table>",
    ],
)
def test_no_heading_code_table_or_item_of_a_list_is_judged(
    shipped: LanguageModels, markup: str
) -> None:
    body = f"<p>{GOOD}</p>" * 3 + markup.replace("{}", NAMES) + f"<p>{GOOD}</p>" * 3

    text = clean(shipped, body, max_perplexity=2).text

    assert NAMES in text
    assert GOOD not in text


def test_a_page_in_a_language_without_a_model_stays_whole(shipped: LanguageModels) -> None:
    english = LanguageModels([NgramModel.shipped("en")])

    document = clean(english, f"<p>{GREEK} {GARBLED_GREEK}</p>" * 3, max_perplexity=2)

    assert GARBLED_GREEK in document.text
    assert (document.perplexity, document.perplexity_quantile) == (None, None)


def test_a_quantile_is_refused_if_a_model_holds_none(model: NgramModel) -> None:
    options = CleanerOptions(max_perplexity="q.95")

    for models in ([model], [NgramModel.shipped("el"), model]):
        with pytest.raises(OptionsError, match=r"is q0\.95, but .* quantiles: en;"):
            Cleaner(options, LanguageModels(models))


@pytest.mark.parametrize(
    ("good", "garbled"), [(GOOD, GARBLED), (GREEK, GARBLED_GREEK)], ids=["en", "el"]
)
def test_one_quantile_serves_all_languages_that_ship(
    shipped: LanguageModels, good: str, garbled: str
) -> None:
    document = clean(shipped, f"<p>{good} {garbled}</p>" * 4, max_perplexity="q.99")

    assert document.text.count(good) == 4
    assert garbled not in document.text


def test_a_quantile_comes_from_the_held_out_text_of_the_model(with_quantiles: NgramModel) -> None:
    models = LanguageModels([with_quantiles])
    middle = with_quantiles.quantile(0.5)
    body = f"<p>{made_up_text(40)}</p>"

    half = clean(models, body, engine="web2text", threshold=-1e9, max_perplexity="q.5")
    same = clean(models, body, engine="web2text", threshold=-1e9, max_perplexity=middle)

    assert half.text == same.text
    assert half.stats.dropped_sentences[Verdict.PERPLEXITY] > 0
    assert half.perplexity_quantile is not None


def test_a_model_without_quantiles_gives_none(shipped: LanguageModels, model: NgramModel) -> None:
    body = f"<p>{made_up_text(40)}</p>"

    documents = [clean(models, body) for models in (shipped, LanguageModels([model]))]

    assert [document.perplexity is None for document in documents] == [False, False]
    assert [document.perplexity_quantile is None for document in documents] == [False, True]


def test_a_document_has_the_perplexity_of_its_text(shipped: LanguageModels) -> None:
    document = clean(shipped, f"<p>{GOOD}</p>" * 3, spans=True, engine="perplexity")

    kept = [each for each in document.sentences if each.verdict is Verdict.KEPT]
    bits = sum(each.tokens * math.log2(each.perplexity) for each in kept)
    assert document.perplexity == pytest.approx(2 ** (bits / sum(each.tokens for each in kept)))
    assert document.to_dict()["perplexity"] == document.perplexity
    assert document.to_dict()["model_language"] == "en"


def test_a_document_without_text_has_no_perplexity(shipped: LanguageModels) -> None:
    empty = Cleaner(CleanerOptions(), shipped).clean(Page("https://bees.invalid/", b"<p></p>"))

    assert not {"perplexity", "perplexity_quantile", "model_language"} & empty.to_dict().keys()
