"""A page next to its rendered Markdown: nothing in it runs or loads."""

from winnow.lab.report.markdown_pages import side_by_side
from winnow.models.document import Page

PAGE = Page(
    "https://sample.invalid/<b>", b"<p>Shown<script>alert(1)</script><base href=//a.invalid>"
)


def test_both_sides_are_in_frames_without_rights() -> None:
    document = side_by_side("set/1", PAGE, "a **b** <script>alert(2)</script> $x^2$")

    assert document.count("<iframe sandbox srcdoc=") == 2
    assert document.count("default-src &amp;#x27;none&amp;#x27;") == 2
    assert "<script" not in document
    assert "&lt;script&gt;" not in document.replace("&amp;lt;script&amp;gt;", "")
    assert "a.invalid" not in document
    assert "&lt;strong&gt;b&lt;/strong&gt;" in document


def test_names_of_a_page_are_not_markup() -> None:
    assert "<b>" not in side_by_side("<b>", PAGE, "")
