import pytest

from tests.unit.lab.train.web2text.builders import ARTICLE, MENU
from winnow.lab.sets.gold import web2text_text
from winnow.lab.train.web2text.baselines import bte, word_rules
from winnow.lab.train.web2text.cleaneval import cleaneval_page, columns_of, labelled_leaves


def a_file(markup: str) -> bytes:
    return f'<text id="http://a.invalid/" title="t">\n{markup}\n</text>\n'.encode()


def test_gold_text_loses_url_marks_bullets_and_rules() -> None:
    gold = "URL: http://a.invalid/\n\n<h> News\n<p>One\n  two\n<l>* three\n<L>1. four\n__________\n"

    assert web2text_text(gold) == "News\nOne\ntwo\nthree\nfour"


@pytest.mark.parametrize("gold", ["", "URL: http://a.invalid/", "<p>\n<l>"])
def test_gold_text_without_content_is_empty(gold: str) -> None:
    assert web2text_text(gold) == ""


def test_blocks_of_a_page_are_labelled_by_its_gold_file() -> None:
    body = a_file(f"<div>{MENU}</div><p>{ARTICLE}")

    page = cleaneval_page(body, f"URL: http://a.invalid/\n<p>{ARTICLE}")

    assert page.texts == ["Home", "Login", ARTICLE]
    assert page.labels.tolist() == [0, 0, 1]
    assert columns_of(page.leaves).shape[0] == 3


def test_bytes_that_are_not_utf8_are_dropped() -> None:
    page = cleaneval_page(b"<text>\r\n<p>caf\xe9\r\n</text>", "")

    assert page.texts == ["caf"]


def test_a_page_of_only_wrapper_lines_has_no_blocks() -> None:
    page = cleaneval_page(b"<text>\n</text>\n", "anything")

    assert page.texts == []
    assert page.labels.tolist() == []


def test_bte_keeps_the_stretch_with_most_words_and_fewest_tags() -> None:
    menu = "<li><a>Home</a><li><a>Login</a>" * 5

    assert bte(f"<ul>{menu}</ul><p>{ARTICLE}</p><p>{ARTICLE}</p><ul>{menu}</ul>") == (
        f"{ARTICLE} {ARTICLE}"
    )


def test_bte_of_a_page_without_text_is_empty() -> None:
    assert bte("<script>x</script>") == ""


def test_word_rules_keep_long_paragraphs_and_drop_menus() -> None:
    menu = "<li><a>Home</a><li><a>Login</a><li><a>All news of the <b>day</b> for you to read</a>"
    long = f"{ARTICLE} {ARTICLE}"
    page = labelled_leaves(f"<ul>{menu}</ul><p>{ARTICLE} <a>More</a></p><p>{long}</p>", "")

    labels = word_rules(page.leaves)

    assert page.texts == [
        *("Home", "Login", "All news of the ", "day", " for you to read"),
        *(f"{ARTICLE} ", "More", long),
    ]
    assert labels.tolist() == [0, 0, 0, 0, 0, 1, 1, 1]


def test_word_rules_of_a_page_without_text_label_nothing() -> None:
    assert word_rules(labelled_leaves("<p> </p>", "").leaves).tolist() == []
