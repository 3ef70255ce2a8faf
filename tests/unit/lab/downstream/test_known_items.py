from winnow.lab.downstream.known_items import (
    KnownItem,
    address_of,
    anchors,
    known_items,
    named,
    sentence_of,
    unique,
)
from winnow.lab.sets.gold import GoldPage
from winnow.lab.sets.tasks import Task
from winnow.models.document import Page


def a_page(markup: str, url: str = "") -> Page:
    return Page(url, markup.encode())


def a_task(markup: str = "", gold: str = "", url: str = "", page_id: str = "set/1") -> Task:
    return Task(a_page(markup, url), GoldPage(page_id, "set", gold), page_id, "a.example")


def test_title_is_its_longest_part() -> None:
    found = named(a_page("<title>News | How bees find flowers in the city - Daily</title><p>text"))

    assert " ".join(found.title) == "how bees find flowers in the city"


def test_headline_is_the_first_of_first_rank() -> None:
    found = named(a_page("<h2>On bees and wasps</h2><h1>Bees <b>find</b> flowers</h1><h1>No</h1>"))

    assert " ".join(found.headline) == "bees find flowers"


def test_title_of_too_few_words_is_not_a_query() -> None:
    assert named(a_page("<title>Home home home - Shop</title><p>text")).title == ()


def test_page_without_title_or_with_no_markup_has_no_name() -> None:
    assert named(a_page("<p>text")).title == ()
    assert named(a_page("%PDF-1.7")).title == ()


def test_addresses_differ_only_in_parts_that_lead_elsewhere() -> None:
    assert address_of("https://www.a.example/b/#c") == address_of("http://a.example/b")
    assert address_of("http://a.example/b?page=2") != address_of("http://a.example/b")


def test_anchor_is_the_text_of_most_links_from_other_pages() -> None:
    link = '<p>text <a href="http://a.example/bees/">{}</a>'
    pages = [
        a_task(link.format("My own bees here"), url="http://a.example/bees", page_id="set/bees"),
        a_task(link.format("How bees fly"), url="http://b.example/1", page_id="set/1"),
        a_task(link.format("How bees fly"), url="http://b.example/2", page_id="set/2"),
        a_task(link.format("All about them"), url="http://b.example/3", page_id="set/3"),
        a_task(link.format("read more"), url="http://b.example/4", page_id="set/4"),
    ]

    found = unique(anchors(pages, [named(task.page) for task in pages]))

    assert found == [KnownItem("set/bees", ("how", "bees", "fly"))]


def test_sentence_is_the_first_that_is_long_enough() -> None:
    gold = "Too short.\nThe bees of the city find more flowers than others do. And so on."

    assert " ".join(sentence_of(a_task(gold=gold))).startswith("the bees of the city find")


def test_items_that_look_for_the_same_are_left_out() -> None:
    twice = [KnownItem("1", ("a", "b")), KnownItem("2", ("a", "b"))]
    once = KnownItem("3", ("c",))

    assert unique([*twice, once, KnownItem("4", ())]) == [once]


def test_every_kind_of_query_is_made() -> None:
    task = a_task("<title>Bees find flowers</title><h1>Bees in the city</h1>")

    found = known_items([task], [named(task.page)])

    assert {kind: len(items) for kind, items in found.items()} == {
        "title": 1,
        "headline": 1,
        "anchor": 0,
        "first sentence": 0,
    }
