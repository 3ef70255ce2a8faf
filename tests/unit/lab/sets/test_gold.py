"""How each set marks its content."""

import pytest

from winnow.lab.sets.gold import GoldSet, comment_text, gold_text, page_bytes


def test_cleaneval_gold_loses_its_url_line_and_marks() -> None:
    file_text = "URL: http://a.example/b\n\n<h> Title &amp; more\n<p>One <b>two</b>.\n<l>item</l>"

    assert gold_text(GoldSet.CLEANEVAL, file_text).split() == (
        ["Title", "&", "more", "One", "<b>two</b>.", "item"]
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("<pIn the past", ["In", "the", "past"]),
        ("<h<Year", ["Year"]),
        ("<l. Next", [".", "Next"]),
        ("<http://a.example>", ["<http://a.example>"]),
        ("<p", []),
    ],
)
def test_cleaneval_marks_left_open_are_still_marks(line: str, words: list[str]) -> None:
    assert gold_text(GoldSet.CLEANEVAL, line).split() == words


def test_dragnet_gold_ends_where_comments_begin_unless_they_are_asked_for() -> None:
    file_text = "The article.\n\n!@#$%^&*()  COMMENTS\n\nNice!\n"

    assert gold_text(GoldSet.DRAGNET, file_text) == "The article."
    assert gold_text(GoldSet.DRAGNET_COMMENTS, file_text).split() == ["The", "article.", "Nice!"]
    assert comment_text(GoldSet.DRAGNET, file_text) == "Nice!"


def test_dragnet_gold_is_whole_when_nobody_commented() -> None:
    file_text = "The word COMMENTS inside a line marks nothing."

    assert gold_text(GoldSet.DRAGNET, file_text) == file_text
    assert comment_text(GoldSet.DRAGNET, file_text) == ""


def test_page_signal_gold_keeps_headline_body_and_supplement() -> None:
    markup = """<html><head><title>no</title></head><body>
        <span class="x-nc-sel0">Home</span> bare
        <h1><span class="x-nc-sel1">Head</span></h1>
        <span class="x-nc-sel2"><p><span class="x-nc-sel2">Bo</span><b><span
        class="x-nc-sel2">dy</span></b> <span class="x-nc-sel2">text</span>
        <span class="x-nc-sel0">advert</span></p><script>no()</script></span>
        <p class="x-nc-sel3">By A. Writer<br>today</p><p class="x-nc-sel4">Related</p>
        <span class="x-nc-sel5">First!</span></body></html>"""

    assert gold_text(GoldSet.PAGE_SIGNAL, markup) == "Head\nBody text\nBy A. Writer\ntoday"
    assert comment_text(GoldSet.PAGE_SIGNAL, markup) == "First!"


def test_daniel_gold_is_the_text_of_its_paragraphs() -> None:
    assert gold_text(GoldSet.DANIEL, "<p>One</p>\n<p>Two</p>\n") == "One\nTwo"


def test_plain_gold_is_kept_when_it_looks_like_markup() -> None:
    assert gold_text(GoldSet.PLAIN, " a <p> b &amp; c \n") == "a <p> b &amp; c"
    assert comment_text(GoldSet.PLAIN, "!@#$%^&*()  COMMENTS\nno") == ""


def test_page_bytes_unwraps_cleaneval_and_nothing_else() -> None:
    raw = b'<text id="http://a.example/" title="x">\n<p>Text</p>\n</text>\n'

    assert page_bytes(GoldSet.CLEANEVAL, raw) == b"<p>Text</p>\n"
    assert page_bytes(GoldSet.PLAIN, raw) == raw
