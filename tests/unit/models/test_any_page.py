"""Pages made to do harm, and pages in other alphabets, under every engine."""

import time

import pytest

from tests.hostile_pages import HOSTILE, MEGABYTE
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page
from winnow.models.engines.choice import ENGINES
from winnow.models.errors import InvalidPage
from winnow.models.ngram import NgramModel
from winnow.models.options import CleanerOptions

MAX_CPU_S = 0.5
GREEK = "Η συνεδρίαση άρχισε στις εννέα το πρωί, και ο πρόεδρος διάβασε την έκθεση του έτους."
RUSSIAN = "Заседание началось в девять часов утра, и председатель прочитал отчёт за прошлый год."
CHINESE = "会议于上午九点开始，主席宣读了去年的报告。随后大家讨论了新学校的预算。"
POLISH = "Zebranie rozpoczęło się o dziewiątej rano, a przewodniczący odczytał sprawozdanie źródeł."


@pytest.fixture(scope="module", params=ENGINES)
def cleaner(request: pytest.FixtureRequest) -> Cleaner:
    return Cleaner(CleanerOptions(engine=request.param), NgramModel.shipped("en"))


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_clean_answers_a_hostile_megabyte_within_its_time(cleaner: Cleaner, body: bytes) -> None:
    started = time.thread_time()

    (cleaned,) = cleaner.clean_batch([Page("http://hostile.invalid/", body, "text/html")])

    assert time.thread_time() - started < MAX_CPU_S
    if isinstance(cleaned, InvalidPage):
        assert cleaned.detail


def test_clean_answers_a_megabyte_of_tiny_paragraphs_of_plain_text_within_its_time(
    cleaner: Cleaner,
) -> None:
    body = b"a\n\n" * (MEGABYTE // 3)
    started = time.thread_time()

    document = cleaner.clean(Page("http://hostile.invalid/", body, "text/plain"))

    assert time.thread_time() - started < MAX_CPU_S
    assert document.stats.blocks == MEGABYTE // 3


@pytest.mark.parametrize("engine", ["hybrid", "web2text"])
def test_clean_keeps_the_long_texts_of_a_page_of_tiny_ones(engine: str) -> None:
    sentence = "The council met at nine, and the chair read out what had been done in the year."
    body = "<p>a" * 20_000 + f"<article>{f'<p>{sentence} {sentence}' * 100}</article>"
    cleaner = Cleaner(CleanerOptions(engine=engine), NgramModel.shipped("en"))

    document = cleaner.clean(Page("http://hostile.invalid/", body.encode(), "text/html"))

    assert document.text.count(sentence) == 200
    assert document.stats.blocks == 20_100


@pytest.mark.parametrize(
    ("sentence", "charset"),
    [
        (GREEK, "utf-8"),
        (GREEK, "iso-8859-7"),
        (RUSSIAN, "utf-8"),
        (RUSSIAN, "koi8-r"),
        (CHINESE, "utf-8"),
        (CHINESE, "gb18030"),
        (POLISH, "utf-8"),
        (POLISH, "iso-8859-2"),
    ],
)
def test_clean_keeps_every_letter_of_other_alphabets(
    cleaner: Cleaner, sentence: str, charset: str
) -> None:
    # numbered: an engine may take copies of a paragraph for boilerplate
    paragraphs = [f"{number} {sentence} {sentence}" for number in (12, 7, 31, 58)]
    prose = "".join(f"<p>{text}</p>" for text in paragraphs)
    markup = f"<title>{sentence[:20]}</title><body><article>{prose}</article>"
    page = Page("http://sample.invalid/", markup.encode(charset), f"text/html; charset={charset}")

    document = cleaner.clean(page)

    assert document.text.split() == " ".join(paragraphs).split()
