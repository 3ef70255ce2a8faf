"""the web2text engine inside the cleaner, with its shipped weights."""

import pytest

from winnow.lab.train.web2text.weights import load
from winnow.models._kernel.lab import WEB2TEXT_MAX_BYTES
from winnow.models.cleaner import Cleaner
from winnow.models.document import Document, Page
from winnow.models.engines.web2text.model import SHIPPED
from winnow.models.errors import InvalidPage, OptionsError
from winnow.models.ngram import NgramModel
from winnow.models.options import CleanerOptions

PROSE = (
    "The first meeting was held in the back room of the bakery, and eleven people came. "
    "Nobody had expected a crowd, and the baker had to fetch chairs from upstairs."
)
MENU = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Home", "News", "Shop", "Login"))
FOOTER = "<a href=/privacy>Privacy</a> <a href=/terms>Terms</a> Copyright 2020 Example Ltd"


def a_page(content: str) -> Page:
    body = f"<nav><ul>{MENU}</ul></nav><article>{content}</article><footer>{FOOTER}</footer>"
    return Page(url="http://a.invalid/", body=f"<!doctype html><body>{body}".encode())


@pytest.fixture(scope="module")
def model() -> NgramModel:
    return NgramModel.shipped()


def a_cleaner(model: NgramModel, threshold: float | None = None) -> Cleaner:
    return Cleaner(CleanerOptions(engine="web2text", threshold=threshold), model)


def test_the_article_stays_and_the_boilerplate_goes(model: NgramModel) -> None:
    page = a_page(f"<h1>A new club</h1><p>{PROSE}</p><p>{PROSE[::-1].capitalize()}</p><p>{PROSE}")

    document = a_cleaner(model).clean(page)

    assert document.text.count(PROSE) == 2
    assert "Login" not in document.text
    assert document.engine == "web2text"


def test_paragraphs_are_lines_and_inline_elements_keep_their_spaces(model: NgramModel) -> None:
    content = f"<p>{PROSE} <a href=/x>See <b>the minutes</b></a>, please.</p><p>{PROSE}</p>"

    document = a_cleaner(model, threshold=-1000.0).clean(a_page(content))

    assert f"{PROSE} See the minutes, please.\n" in document.text


def test_a_higher_threshold_keeps_no_more(model: NgramModel) -> None:
    page = a_page(f"<p>{PROSE}</p>" * 3)

    kept = [
        a_cleaner(model, threshold).clean(page).stats.sentences_kept
        for threshold in (-1000.0, 0.0, 1000.0)
    ]

    assert kept == sorted(kept, reverse=True)
    assert kept[0] > kept[-1] == 0


def test_a_batch_gives_what_its_pages_give_alone(model: NgramModel) -> None:
    cleaner = a_cleaner(model)
    pages = [a_page(f"<p>{PROSE}</p>" * count) for count in (0, 1, 5)]

    together = cleaner.clean_batch(pages)

    alone = [cleaner.clean_batch([page])[0] for page in pages]
    assert together == alone


@pytest.mark.parametrize("body", ["", "<frameset><frame></frameset>", "<p> </p>"])
def test_a_page_without_text_is_refused_or_empty(model: NgramModel, body: str) -> None:
    (cleaned,) = a_cleaner(model).clean_batch([Page(url="", body=body.encode())])

    assert isinstance(cleaned, InvalidPage) or cleaned.text == ""


def test_plain_text_is_kept_whole(model: NgramModel) -> None:
    page = Page(url="", body=f"{PROSE}\n\n{PROSE}\n".encode(), content_type="text/plain")

    (document,) = a_cleaner(model).clean_batch([page])

    assert isinstance(document, Document)
    assert document.text.count(PROSE) == 2


def test_a_threshold_that_is_not_a_number_is_refused(model: NgramModel) -> None:
    with pytest.raises(OptionsError, match="finite"):
        a_cleaner(model, float("nan"))


def test_fingerprints_of_engines_and_thresholds_differ(model: NgramModel) -> None:
    cleaners = [
        a_cleaner(model),
        a_cleaner(model, 1.0),
        Cleaner(CleanerOptions(engine="hybrid"), model),
    ]

    assert len({cleaner.fingerprint for cleaner in cleaners}) == len(cleaners)


def test_the_shipped_weights_say_what_trained_them() -> None:
    weights = load(SHIPPED)

    assert "wcxb" in weights.provenance
    assert SHIPPED.stat().st_size <= WEB2TEXT_MAX_BYTES
    assert SHIPPED.with_suffix(".md").exists()
