from lab.downstream.known_items import KnownItem, sentence_of, title_of, unique
from lab.sets.gold import GoldPage
from lab.sets.tasks import Task
from models.document import Page


def a_task(markup: str = "", gold: str = "") -> Task:
    return Task(Page("", markup.encode()), GoldPage("set/1", "set", gold), "1", "a.example")


def test_title_is_its_longest_part() -> None:
    task = a_task("<title>News | How bees find flowers in the city - The Daily</title><p>text")

    assert " ".join(title_of(task)) == "how bees find flowers in the city"


def test_title_of_too_few_words_is_no_query() -> None:
    assert title_of(a_task("<title>Home home home - Shop</title><p>text")) == ()


def test_page_without_title_or_with_no_markup_has_no_query() -> None:
    assert title_of(a_task("<p>text")) == ()
    assert title_of(a_task("%PDF-1.7")) == ()


def test_sentence_is_the_first_that_is_long_enough() -> None:
    gold = "Too short.\nThe bees of the city find more flowers than others do. And so on."

    assert " ".join(sentence_of(a_task(gold=gold))).startswith("the bees of the city find")


def test_items_that_look_for_the_same_are_left_out() -> None:
    twice = [KnownItem("1", ("a", "b")), KnownItem("2", ("a", "b"))]
    once = KnownItem("3", ("c",))

    assert unique([*twice, once, KnownItem("4", ())]) == [once]
