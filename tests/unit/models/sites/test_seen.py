"""Documents of a stream whose cleaner remembers sites."""

import pytest

from winnow.models import Cleaner, CleanerOptions, NgramModel, Page
from winnow.models.document import Document, Verdict
from winnow.models.errors import OptionsError
from winnow.models.sites.memory import host_of

KEY = bytes(16)
MENU = "Home and garden, sports and weather."
STORIES = (
    "The council met on Monday to talk about the old bridge.",
    "Two ships left the harbour early in the morning.",
    "The farmers expect a good year for apples and pears.",
    "A new school will open its doors in the spring.",
)


def cleaner(seen: int) -> Cleaner:
    options = CleanerOptions(engine="perplexity", threshold=1e12, seen=seen)
    return Cleaner(options, NgramModel.shipped("en"), site_key=KEY)


def cleaned(cleaner: Cleaner, pages: list[Page]) -> list[Document]:
    return [cleaner.clean(page) for page in pages]


def a_page(number: int, *paragraphs: str, host: str = "news.invalid") -> Page:
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return Page(f"https://{host}/{number}", f"<title>News</title>{body}".encode())


def pages() -> list[Page]:
    return [a_page(n, MENU, story) for n, story in enumerate(STORIES)]


def test_cleaner_drops_a_block_as_seen_when_other_pages_of_the_host_had_it() -> None:
    documents = cleaned(cleaner(seen=2), pages())

    assert [MENU in document.text for document in documents] == [True, True, False, False]
    assert all(story in each.text for story, each in zip(STORIES, documents, strict=True))
    assert documents[3].stats.dropped_sentences == {Verdict.SEEN: 1}


def test_a_batch_gives_the_same_documents_as_its_pages_one_by_one() -> None:
    in_a_batch = cleaner(seen=2).clean_batch(pages())

    assert in_a_batch == cleaned(cleaner(seen=2), pages())


def test_cleaner_keeps_a_block_when_the_pages_are_of_other_hosts() -> None:
    stories = [a_page(1, MENU, story, host=f"n{n}.invalid") for n, story in enumerate(STORIES)]

    documents = cleaned(cleaner(seen=1), stories)

    assert all(MENU in document.text for document in documents)


def test_cleaner_remembers_no_page_whose_url_has_no_host() -> None:
    bodies = [page.body for page in pages()]

    documents = cleaned(cleaner(seen=1), [Page(f"{n}.html", body) for n, body in enumerate(bodies)])

    assert all(MENU in document.text for document in documents)


def test_cleaner_gives_the_same_document_again_when_a_page_comes_again() -> None:
    remembering = cleaner(seen=2)

    first, again = cleaned(remembering, pages()), cleaned(remembering, pages())

    assert [each.text for each in again] == [each.text for each in first]


def test_cleaner_keeps_a_copy_of_other_pages_whole_when_most_of_it_was_seen() -> None:
    remembering = cleaner(seen=1)
    copies = [a_page(number, *STORIES) for number in range(3)]

    documents = cleaned(remembering, copies)

    assert documents[2].text == documents[0].text


ARTICLE = (
    """The council met on Monday to talk about the old bridge, which has carried people and carts
    across the river for longer than anybody in the town can remember.""",
    """An engineer who had looked at its pillars in the summer said that two of them rest on
    wood, and that the wood has been eaten away by the water on the side of the mill.""",
    """The mayor answered that there is no money for a new bridge, but that stone for the pillars
    can be had from the quarry, if the farmers are ready to lend their horses for a month.""",
)


def test_pages_that_repeat_an_article_do_not_take_its_text_away() -> None:
    remembering = Cleaner(CleanerOptions(seen=2), NgramModel.shipped("en"), site_key=KEY)
    copies = [a_page(number, *ARTICLE) for number in range(2)]
    original = a_page(2, *ARTICLE, "The next meeting is in the spring, and all may come to it.")

    documents = cleaned(remembering, [*copies, original])

    alone = Cleaner(CleanerOptions(), NgramModel.shipped("en")).clean(original)
    assert documents[2].text == alone.text


def test_pages_that_repeat_short_blocks_do_not_take_most_of_a_page_away() -> None:
    remembering = cleaner(seen=2)
    copies = [a_page(number, *STORIES) for number in range(2)]
    original = a_page(2, *STORIES, "The mill by the river is for sale since the old miller died.")

    documents = cleaned(remembering, [*copies, original])

    assert documents[2].text == cleaner(seen=0).clean(original).text


def test_cleaner_remembers_nothing_when_not_asked_to() -> None:
    documents = cleaned(cleaner(seen=0), pages())

    assert all(MENU in document.text for document in documents)


def test_fingerprint_differs_when_sites_are_remembered() -> None:
    assert len({cleaner(seen).fingerprint for seen in (0, 1, 2)}) == 3


def test_a_memory_of_sites_without_a_key_is_refused() -> None:
    with pytest.raises(OptionsError, match="needs a site_key of 16 to 64"):
        Cleaner(CleanerOptions(seen=1), NgramModel.shipped("en"))


@pytest.mark.parametrize("seen", [-1, 17])
def test_cleaner_refuses_a_number_of_pages_out_of_its_range(seen: int) -> None:
    with pytest.raises(OptionsError):
        cleaner(seen)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://News.Invalid:8080/a", "news.invalid"),
        ("", ""),
        ("page.html", ""),
        ("http://[::1/broken", ""),
    ],
)
def test_host_of_reads_hosts_and_accepts_invalid_ones(url: str, host: str) -> None:
    assert host_of(url) == host
