"""The authors of a page: each person once, without placeholders."""

import pytest

from tests.unit.models.page.stated import PROSE, TITLE, linked, metadata_of, metas

HEADLINE = "<h1>Bees</h1>"


def shown(markup: str) -> str:
    return metadata_of(TITLE, f"{HEADLINE}{markup}{PROSE}").author


def declared(*pairs: tuple[str, str]) -> str:
    return metadata_of(TITLE + metas(*pairs), HEADLINE + PROSE).author


PLACEHOLDERS = (
    "In the", "The", "On a", "By", "admin", "Admin", "ADMIN", "[admin]", "administrator", "Staff",
    "- Staff -", "Super User", "Site Admin", "webmaster", "root", "user", "Guest", "Guest Author",
    "Anonymous", "Unknown", "N/A", "n.a.", "none", "null", "undefined", "author", "Author Name",
    "Your Name", "{{ post.author }}", "${author}", "%%author%%", "[[author]]", "<%= author %>",
    "Staff Writer", "Editorial Team", "The Editors", "Redaktion", "Redacción", "Administrador",
    "编辑", "Press Release", "wordpress", "test", "By admin", "Posted by Staff",
)  # fmt: skip


@pytest.mark.parametrize("name", PLACEHOLDERS)
def test_a_placeholder_is_not_an_author(name: str) -> None:
    escaped = name.replace("<", "&lt;")

    assert declared(("author", escaped)) == ""
    assert declared(("citation_author", escaped)) == ""
    assert metadata_of(TITLE + linked({"author": {"name": name}}), HEADLINE).author == ""
    assert shown(f"<p>By {escaped}</p>") == ""
    assert shown(f"<div class=author>{escaped}</div>") == ""
    assert shown(f"<a rel=author href=/a>{escaped}</a>") == ""


def test_a_person_is_preferred_to_a_placeholder() -> None:
    head = TITLE + metas(("author", "admin")) + linked({"author": "Staff"})

    assert metadata_of(head, f"{HEADLINE}<p>By Ann Bee</p>{PROSE}").author == "Ann Bee"
    assert declared(("author", "admin"), ("dc.creator", "Ann Bee")) == "Ann Bee"
    assert declared(("author", "admin"), ("author", "Ann Bee")) == "Ann Bee"


@pytest.mark.parametrize(
    "name",
    [
        "An Nguyen",
        "Will Guest",
        "The Hive",
        "Ann Author",
        "Bob Editor-Smith",
        "Robin Staff",
        "Test T",
    ],
)
def test_a_name_that_looks_like_a_placeholder_is_one(name: str) -> None:
    assert declared(("author", name)) == name


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("citation_author", "Ann Bee")] * 2, "Ann Bee"),
        (
            [
                ("citation_author", "Ann Bee"),
                ("citation_author_institution", "Hive College"),
                ("citation_author", "Ann Bee"),
                ("citation_author_institution", "Wasp Institute"),
                ("citation_author", "Bob Wasp"),
            ],
            "Ann Bee, Bob Wasp",
        ),
        ([("citation_author", "Bee, Ann"), ("citation_author", "Ann Bee")], "Ann Bee"),
        ([("citation_author", "Bée, Ann"), ("citation_author", "ANN BEE")], "Ann Bée"),
        ([("citation_author", "Bee, Ann, PhD")], "Ann Bee"),
        ([("citation_author", "Bee, Ann, Jr.")], "Ann Bee Jr."),
        ([("citation_author", "van der Bee, Ann M.")], "Ann M. van der Bee"),
        ([("citation_authors", "Bee, Ann; Wasp, Bob; Bee, Ann")], "Ann Bee, Bob Wasp"),
        ([("bepress_citation_author", "Bee, Ann")], "Ann Bee"),
        ([("eprints.creators_name", "Bee, Ann")], "Ann Bee"),
        ([("dc.creator", "Bee, Ann"), ("dc.creator", "Wasp, Bob")], "Ann Bee, Bob Wasp"),
        ([("DC.Creator", "Ann Bee"), ("dc.creator", "Ann Bee")], "Ann Bee"),
        ([("dc:creator", "Ann Bee")], "Ann Bee"),
        ([("dcterms.creator", "Bee, Ann")], "Ann Bee"),
        ([("dc.creator", "Ann Bee, Bob Wasp")], "Ann Bee, Bob Wasp"),
        ([("author", "Ann Bee"), ("author", "Bob Wasp")], "Ann Bee, Bob Wasp"),
        ([("author", "Ann Bee, Ann Bee")], "Ann Bee"),
        ([("author", "Ann Bee and Bob Wasp")], "Ann Bee and Bob Wasp"),
        ([("author", "By Ann Bee")], "Ann Bee"),
        ([("author", "Ann Bee July 10, 2015")], "Ann Bee"),
        ([("author", "Ann Bee, Harbour University")], "Ann Bee"),
        ([("author", "Ann Bee, Reuters")], "Ann Bee"),
        ([("parsely-author", "Ann Bee")], "Ann Bee"),
        ([("sailthru.author", "Ann Bee")], "Ann Bee"),
        ([("article:author", "https://face.invalid/a"), ("article:author", "Ann Bee")], "Ann Bee"),
        ([("twitter:label1", "Written by"), ("twitter:data1", "Ann Bee")], "Ann Bee"),
        ([("byl", "By Ann Bee")], "Ann Bee"),
        ([("article_author", "Ann Bee")], "Ann Bee"),
    ],
)  # fmt: skip
def test_authors_are_declared_in_many_ways(pairs: list[tuple[str, str]], expected: str) -> None:
    assert declared(*pairs) == expected


def test_a_paper_has_up_to_64_authors() -> None:
    names = [f"Ann Bee{number}" for number in range(70)]

    found = declared(*(("citation_author", name) for name in names))

    assert found == ", ".join(names[:64])


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div class=author><b>Ann Bee</b><i>Harbour Times</i> May 3, 2016</div>", "Ann Bee"),
        ("<div class=byline>Ann Bee May 3, 2016</div>", "Ann Bee"),
        ("<div class=byline>By Ann Bee<time>Jun. 5, 2019, 1:00 PM</time></div>", "Ann Bee"),
        ("<div class=byline>By <a href=/a>Ann Bee</a> | 3 May 2025</div>", "Ann Bee"),
        ("<div class=byline>Written by <a>Ann Bee</a><span>Senior Editor</span></div>", "Ann Bee"),
        ("<p>By Ann Bee, Harbour College</p>", "Ann Bee"),
        ("<p>By Ann Bee and Bob Wasp</p>", "Ann Bee and Bob Wasp"),
        ("<p>By Ann Bee | Friday, 3 May 2025</p>", "Ann Bee"),
        ("<p>By Ann Bee Published 3 May 2025</p>", "Ann Bee"),
        ("<p>By Ann Bee, Staff Writer</p>", "Ann Bee"),
        ("<p>By ANN BEE</p>", "ANN BEE"),
        ("<p>By Ann Bee • 5 min read</p>", "Ann Bee"),
        ("<p class=byline><span>By</span> <span>Ann</span> <span>Bee</span></p>", "Ann Bee"),
        ("<div class=authors><a>Ann Bee</a>, <a>Bob Wasp</a></div>", "Ann Bee, Bob Wasp"),
        ("<div class=authors><a>Ann Bee</a> and <a>Bob Wasp</a></div>", "Ann Bee and Bob Wasp"),
        ("<a rel=author href=/a>Ann Bee</a>", "Ann Bee"),
        ("<a rel='nofollow author' href=/a>Ann Bee</a>", "Ann Bee"),
        ("<span itemprop=author>Ann Bee</span>", "Ann Bee"),
        ("<meta itemprop=author content='Ann Bee'>", "Ann Bee"),
        ("<span itemprop=author><img alt=x><b itemprop=name>Ann Bee</b> Town</span>", "Ann Bee"),
        ("<aside class=post-author>Ann Bee</aside>", "Ann Bee"),
        ("<aside><a class=author>Ann Bee</a> and <a class=author>Bob Wasp</a></aside>", "Ann Bee"),
        ("<p>By Ann Bee. Photographs by Bob Wasp</p>", "Ann Bee"),
        ("<p>In the city, bees fly.</p>", ""),
        ("<div class=author>In the city</div>", ""),
        ("<div class=author>May 3, 2016</div>", ""),
        ("<div class=author>Posted on 3 May 2016</div>", ""),
    ],
)
def test_a_byline_is_read_without_the_words_next_to_the_name(markup: str, expected: str) -> None:
    assert shown(markup) == expected


@pytest.mark.parametrize(
    "others",
    [
        "<h2>Related articles</h2><p>By Bob Wasp</p>",
        "<h3>You may also like</h3><a rel=author>Bob Wasp</a>",
        "<aside><a href=/w>Wasps</a><p>By Bob Wasp</p></aside>",
        "<aside><p class=author>Bob Wasp</p><a>Wasps</a><p class=author>Eve Ant</p></aside>",
        "<h3>Latest</h3><div class=author>Bob Wasp</div><a href=/w>Wasps</a>",
        "<h2>3 Comments</h2><div class=author>Bob Wasp</div>",
        "<footer><p>By Bob Wasp</p></footer>",
        "<h2>Read next</h2><span itemprop=author>Bob Wasp</span>",
        "<p>Das könnte Sie auch interessieren</p><p>Von Bob Wasp</p>",
    ],
)
def test_the_author_of_another_article_is_not_the_author_of_the_page(others: str) -> None:
    assert shown(PROSE + others) == ""


@pytest.mark.parametrize(
    "byline",
    [
        "3 May 2025 | By Ann Bee",
        "May 3, 2025 by Ann Bee",
        "News • 5 min read • By Ann Bee",
        "By Ann Bee ann.bee@hive.invalid",
    ],
)
def test_a_byline_has_other_facts_around_the_name(byline: str) -> None:
    assert metadata_of(TITLE, f"<h1>Bees</h1><p>{byline}</p>{PROSE}").author == "Ann Bee"


def test_an_author_may_be_named_in_a_meta_element() -> None:
    author = '<span itemprop=author itemscope><meta itemprop=name content="Ann Bee"></span>'

    assert metadata_of(TITLE, f"<h1>Bees</h1>{author}{PROSE}").author == "Ann Bee"


@pytest.mark.parametrize(
    "byline",
    [
        "<a rel=author href=/a>Ann Bee</a> and <a rel=author href=/b>Bob Wasp</a>",
        "<b itemprop=author>Ann Bee</b>, <b itemprop=author>Bob Wasp</b>",
        "<a rel=author>Ann Bee</a> <a rel=author>Bob Wasp</a> <a rel=author>Ann Bee</a>",
    ],
)
def test_all_names_that_one_block_marks_are_authors(byline: str) -> None:
    page = metadata_of(TITLE, f"<h1>Bees</h1><div>{byline}</div>{PROSE}")

    assert page.author == "Ann Bee, Bob Wasp"


def test_names_that_other_blocks_or_classes_mark_are_not_added() -> None:
    for marked in (
        "<p><a rel=author>Ann Bee</a></p><p><a rel=author>Bob Wasp</a></p>",
        "<p><b class=author>Ann Bee</b> <b class=author>Head of Hives</b></p>",
    ):
        assert metadata_of(TITLE, f"<h1>Bees</h1>{marked}{PROSE}").author == "Ann Bee"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Posted on 3 May 2025 by Ann Bee", "Ann Bee"),
        ("Publié le 3 mai 2025 à 10h05 par Ann Bee", "Ann Bee"),
        ("3 May 2025, 10:05 am by Ann Bee", "Ann Bee"),
        ("Publicado el 3 de mayo de 2025 por Ann Bee", "Ann Bee"),
        ("Текст: Анна Пчёлкина", "Анна Пчёлкина"),
        ("Γράφει η Άννα Μέλισσα", "Άννα Μέλισσα"),
        ("Της Άννας Μελίσσης", "Άννας Μελίσσης"),
        ("كتب: أحمد علي", "أحمد علي"),
        ("نویسنده: علی رضایی", "علی رضایی"),
        ("लेखक: राम शर्मा", "राम शर्मा"),
        ("โดย สมชาย ใจดี", "สมชาย ใจดี"),
        ("2025-05-03 10:05 来源：蜂报 作者：王小明 编辑：李红", "王小明"),
        ("எழுதியவர்: ராம் குமார்", "ராம் குமார்"),
        ("（文・蜂花子）", "蜂花子"),
        ("作者 | 王小明", "王小明"),
        ("記者王小明／台北報導", "王小明"),
        ("김철수 기자", "김철수"),
        ("[항구일보=김철수 선임기자]", "김철수"),
        ("글 : 김철수", "김철수"),
        ("Av Ann Bee", "Ann Bee"),
        ("Oleh Budi Santoso", "Budi Santoso"),
        ("a cura di Ann Bee", "Ann Bee"),
        ("Door: Ann Bee", "Ann Bee"),
        ("Von Ann Bee, Hamburg", "Ann Bee"),
        ("By Ann Bee, Bob Orr", "Ann Bee, Bob Orr"),
        ("By Ann Bee, Jr", "Ann Bee, Jr"),
    ],
)
def test_a_byline_names_the_author_in_the_language_of_the_page(line: str, name: str) -> None:
    assert shown(f"<p>{line}</p>") == name


@pytest.mark.parametrize(
    "line",
    [
        "Της Παναγίας τα παιδιά γιορτάζουν σήμερα",
        "Γράφει ιστορία η Άννα Μέλισσα",
        "โดยเฉพาะ สมชาย ใจดี",
        "어제 김철수 기자가 말했다",
        "记者王小明在北京说",
        "Av alla bin i staden",
        "Oleh karena itu",
        "The bees of 3 May 2025 by the river",
    ],
)
def test_a_line_that_begins_like_a_byline_names_nobody(line: str) -> None:
    assert shown(f"<p>{line}</p>") == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("View all posts by Ann Bee", "Ann Bee"),
        ("Της Άννας Μελίσσης", "Άννας Μελίσσης"),
        ("항구일보 김철수 기자", "김철수"),
        ("김철수 기자", "김철수"),
        ("Ann Bee, Berlin", "Ann Bee"),
    ],
)
def test_a_marked_author_is_named_without_the_words_around(text: str, name: str) -> None:
    assert shown(f"<div class=author>{text}</div>") == name
    assert shown(f"<div><a rel=author href=/a>{text}</a></div>") == name


@pytest.mark.parametrize(
    "label", ["Written by", "Verfasst von", "Écrit par", "Yazar:", "Автор", "作者"]
)
def test_a_card_names_the_author_in_the_language_of_the_page(label: str) -> None:
    assert declared(("twitter:label1", label), ("twitter:data1", "Ann Bee")) == "Ann Bee"
    assert declared(("twitter:label1", "Price"), ("twitter:data1", "Ann Bee")) == ""


@pytest.mark.parametrize(
    "quote",
    [
        "<blockquote>The best bees.</blockquote><p class=author>Max Wasp</p>",
        "<blockquote>The best bees. <p class=author>Max Wasp</p></blockquote>",
    ],
)
def test_the_author_of_a_quotation_is_not_the_author_of_the_page(quote: str) -> None:
    assert shown(quote) == ""
    assert shown(f"<p class=author>Ann Bee</p>{quote}") == "Ann Bee"


@pytest.mark.parametrize("line", ["Авторизация", "Авторские права", "Textile Arts", "Vonnegut Day"])
def test_a_word_that_begins_like_a_label_names_no_author(line: str) -> None:
    assert metadata_of(TITLE, f"<h1>Bees</h1><p>{line}</p>{PROSE}").author == ""


def test_brackets_inside_a_name_stay() -> None:
    head = f"{TITLE}<meta name=author content='蜂网（旧蜂网）'>"

    assert metadata_of(head, f"<h1>Bees</h1>{PROSE}").author == "蜂网（旧蜂网）"
