"""What pages ask of those who read them by machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models import Cleaner, Page
from winnow.models._kernel import ROBOTS_DIRECTIVES
from winnow.models.document import Wishes
from winnow.models.engines.choice import ENGINES
from winnow.models.options import CleanerOptions
from winnow.models.page import blocks_of

URL = "https://sample.invalid/news/bees"


def _wishes(markup: str, robots_tag: str = "") -> Wishes:
    return blocks_of(Page(URL, markup.encode(), "text/html", robots_tag=robots_tag)).wishes


def test_a_page_without_wishes_has_empty_wishes() -> None:
    assert _wishes("<p>x") == Wishes()


@pytest.mark.parametrize(
    ("content", "directives"),
    [
        ("NOINDEX, NoAI", ("noindex", "noai")),
        ("none", ("noindex", "nofollow")),
        ("max-snippet:0; noimageai", ("nosnippet", "noimageai")),
        ("max-snippet: -1, max-image-preview:large, index, follow", ()),
        ("no index", ("noindex",)),
        ("noindexed", ()),
    ],
)
def test_directives_for_every_reader_come_from_robots(
    content: str, directives: tuple[str, ...]
) -> None:
    assert _wishes(f"<meta name=robots content='{content}'><p>x").directives == directives


def test_directives_of_repeated_elements_and_of_the_header_add_up() -> None:
    markup = "<meta name=robots content=noarchive><meta name=Robots content=noai><p>x"

    assert _wishes(markup, "noindex").directives == ("noindex", "noarchive", "noai")


def test_directives_for_single_crawlers_are_separate() -> None:
    markup = "<meta name=GoogleBot content=nosnippet><meta name=viewport content=noindex><p>x"

    wishes = _wishes(markup, "otherbot: noindex, nofollow\nunavailable_after: 25 Jun 2030\nnoai")

    assert wishes.directives == ("noai",)
    assert wishes.agents == {"googlebot": ("nosnippet",), "otherbot": ("noindex", "nofollow")}


@pytest.mark.parametrize(("content", "reserved"), [("1", True), ("0", False), ("yes", None)])
def test_reservation_of_mining_rights_is_read(content: str, reserved: bool | None) -> None:
    markup = (
        f"<meta name=tdm-reservation content='{content}'>"
        "<meta name=tdm-policy content=https://sample.invalid/policy.json><p>x"
    )

    wishes = _wishes(markup)

    assert wishes.tdm_reservation is reserved
    assert wishes.tdm_policy == "https://sample.invalid/policy.json"


def test_links_and_parts_are_counted() -> None:
    wishes = _wishes(
        "<p><a href=/a>a</a> <a href=/b rel='ugc NoFollow'>b</a> <a name=c rel=nofollow>c</a>"
        "<span data-nosnippet>d</span>"
    )

    assert (wishes.links, wishes.nofollow_links, wishes.nosnippet_parts) == (2, 1, 1)


def test_noindex_keeps_the_page_and_flags_it_by_default() -> None:
    page = Page(URL, b"<title>Bees</title><p>The bees find more flowers in the city.", "text/html")

    document = Cleaner().clean(Page(page.url, page.body, page.content_type, robots_tag="noindex"))

    assert document.text == "The bees find more flowers in the city."
    assert document.wishes.directives == ("noindex",)


@pytest.mark.parametrize("engine", ENGINES)
def test_noindex_leaves_no_text_when_such_pages_are_skipped(engine: str) -> None:
    options = CleanerOptions(engine=engine).with_values({"noindex": "skip", "sources": "yes"})
    body = b"<title>Bees</title><meta name=robots content=noindex><p>The bees find flowers."

    document = Cleaner(options).clean(Page(URL, body, "text/html"))

    assert (document.text, document.title, document.sources) == ("", "", {})
    assert (document.stats.blocks, document.stats.sentences) == (0, 0)
    assert document.wishes.directives == ("noindex",)


def test_skipping_leaves_pages_alone_that_ask_a_single_crawler() -> None:
    options = CleanerOptions().with_values({"noindex": "skip"})
    body = b"<meta name=googlebot content=noindex><p>The bees find more flowers in the city."

    document = Cleaner(options).clean(Page(URL, body, "text/html"))

    assert document.text == "The bees find more flowers in the city."


@given(st.text(max_size=300) | st.text(alphabet="noindexalbt:,;- \n", max_size=300))
def test_any_header_gives_known_directives_only(robots_tag: str) -> None:
    wishes = _wishes("<p>x", robots_tag)

    assert set(wishes.directives) <= set(ROBOTS_DIRECTIVES)
    assert all(set(wanted) <= set(ROBOTS_DIRECTIVES) for wanted in wishes.agents.values())
    assert len(wishes.agents) <= 16
