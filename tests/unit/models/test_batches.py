"""Pages of a batch are cleaned as if alone, with any amount of text in all."""

from winnow.models.cleaner import Cleaner
from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage
from winnow.models.ngram import NgramModel
from winnow.models.options import CleanerOptions

PROSE = "The first meeting was held in the back room of the bakery, and eleven people came."


def a_page(text: str, url: str) -> Page:
    return Page(url, f"<div>{PROSE}</div><div>{text}</div>".encode())


def test_pages_that_are_cleaned_together_are_cleaned_as_if_alone(english: NgramModel) -> None:
    refused = Page("https://sample.invalid/", b"")
    pages = [a_page(PROSE * (size % 7) * 400, f"u://{size}") for size in range(40)]
    pages[3:3] = pages[30:30] = [refused]
    together, alone = (
        Cleaner(CleanerOptions(seen=2), english, site_key=bytes(16)) for _ in range(2)
    )

    cleaned = together.clean_batch(pages)

    assert sum(len(page.body) for page in pages) > 3 << 20  # several parts
    places = [place for place, page in enumerate(pages) if page is refused]
    assert all(isinstance(cleaned.pop(place), InvalidPage) for place in reversed(places))
    one_by_one = [alone.clean_batch([page])[0] for page in pages]
    assert cleaned == [each for each in one_by_one if isinstance(each, Document)]


def test_a_batch_of_no_pages_gives_nothing(english: NgramModel) -> None:
    assert Cleaner(CleanerOptions(), english).clean_batch([]) == []
