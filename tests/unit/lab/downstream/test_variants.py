import pytest

from winnow.lab.downstream.variants import variant
from winnow.models.document import Page

PAGE = Page(
    "", b"<title>Bees</title><nav><a href=/>Home</a></nav><p>Bees find more flowers here.</p>"
)


@pytest.mark.parametrize(
    ("name", "holds", "lacks"),
    [("raw", "<nav>", "unlikely"), ("stripped", "Home", "<nav>"), ("hybrid", "flowers", "<p>")],
)
def test_variants_give_markup_text_and_content(name: str, holds: str, lacks: str) -> None:
    text = variant(name)(PAGE)

    assert holds in text
    assert lacks not in text


def test_a_page_that_is_refused_is_empty() -> None:
    assert variant("stripped")(Page("", b"%PDF-1.7")) == ""
