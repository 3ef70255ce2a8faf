"""The title is the headline of the page: not the logo, not a label, not the name of the site."""

import pytest

from tests.unit.models.page.stated import PROSE, linked, metadata_of, metas

HEADLINE = "The ferry leaves early"
SITE = "Harbour Weekly"
LOGO = f"<header><h1><a href=/>{SITE}</a></h1></header>"
PLAIN_LOGO = f"<div class=logo><h1>{SITE}</h1></div>"
MAIN = f"<main><article><h1>{HEADLINE}</h1>{PROSE}</article></main>"


def og(title: str) -> str:
    return f'<meta property="og:title" content="{title}">'


def title(text: str) -> str:
    return f"<title>{text}</title>"


@pytest.mark.parametrize(
    "body",
    [
        LOGO + MAIN,
        PLAIN_LOGO + MAIN,
        f"<h1>{SITE}</h1><h1>{HEADLINE}</h1>{PROSE}",
        f"<h1>{HEADLINE}</h1>{PROSE}<footer><h1>{SITE}</h1></footer>",
        f"<h1>{SITE}</h1><h2>{HEADLINE}</h2>{PROSE}",
        f"<nav><h1>{SITE}</h1></nav><h1>Sections</h1><div><h1>{HEADLINE}</h1>{PROSE}</div>",
        f"<h1><a href=/><img alt='{SITE}' src=a></a></h1><h1>{HEADLINE}</h1>{PROSE}",
        f"<h1> </h1><h1>{HEADLINE}</h1>{PROSE}",
        f"<h1>{HEADLINE.upper()}</h1>{PROSE}",
    ],
)
@pytest.mark.parametrize(
    "head",
    [
        title(f"{HEADLINE} | {SITE}") + og(HEADLINE),
        title(f"{HEADLINE} | {SITE}"),
        title(f"{HEADLINE} - {SITE}") + og(f"{HEADLINE} - {SITE}"),
        title(f"{SITE} » {HEADLINE}"),
        title(f"{SITE} » News » {HEADLINE}"),
        title(f"{SITE}: {HEADLINE}"),
        title(f"{SITE}: {HEADLINE}") + og(f"{SITE}: {HEADLINE}"),
        title(f"{SITE} | {HEADLINE}") + og(HEADLINE),
        title(f"{HEADLINE} | News | {SITE}"),
        title(f"{HEADLINE} - {SITE}") + og(SITE),
        title(HEADLINE) + metas(("citation_title", HEADLINE), ("og:site_name", SITE)) + og(SITE),
        title(SITE) + metas(("dc.title", HEADLINE), ("og:site_name", SITE)),
        title(SITE) + metas(("twitter:title", HEADLINE), ("og:site_name", SITE)),
        title(SITE)
        + linked({"@type": "NewsArticle", "headline": HEADLINE})
        + metas(("og:site_name", SITE)),
        title(f"{HEADLINE} | {SITE}") + linked({"@type": "WebSite", "name": SITE}),
    ],
)
def test_the_headline_is_chosen_among_several_headings(head: str, body: str) -> None:
    found = metadata_of(head, body)

    assert found.title.casefold() == HEADLINE.casefold()
    if og(HEADLINE) in head:
        assert found.title == HEADLINE


@pytest.mark.parametrize("declared", ["", og(SITE), metas(("og:site_name", SITE)) + og(SITE)])
def test_the_name_of_the_site_is_not_the_title_of_an_article(declared: str) -> None:
    head = title(SITE) + declared + metas(("application-name", SITE))

    assert metadata_of(head, MAIN).title == HEADLINE
    assert metadata_of(head, LOGO + MAIN).title == HEADLINE
    assert metadata_of(head, MAIN, url="https://sample.invalid/").title == SITE
    assert metadata_of(head, f"<main>{PROSE}</main>").title == SITE
    assert metadata_of(head, f"<nav><h1>Sections</h1></nav>{PROSE}").title == SITE


def test_the_book_on_every_page_is_not_the_chapter() -> None:
    head = title("Hello, World! - The Rust Programming Language")
    body = "<div id=menu-bar><h1 class=menu-title>The Rust Programming Language</h1></div>"

    found = metadata_of(head, f"{body}<main><h2 id=hello>Hello, World!</h2>{PROSE}</main>")
    assert found.title == "Hello, World!"
    found = metadata_of(head, f"{body}<main><h1 id=hello>Hello, World!</h1>{PROSE}</main>")
    assert found.title == "Hello, World!"


@pytest.mark.parametrize(
    "heading",
    [
        "<h1><span class=descriptor>Title:</span>{}</h1>",
        "<h1>Title: {}</h1>",
        "<h1><span class=visually-hidden>Article: </span>{}</h1>",
        "<h1><span class=sr-only>Titel:</span> {}</h1>",
        "<h1><small>Headline:</small><br>{}</h1>",
        "<h1>Titre : {}</h1>",
        "<h1>标题：{}</h1>",
        "<h1>Paper Title: {}</h1>",
        "<h1>{}<span class=sr-only>Opens in a new window</span></h1>",
        "<h1>{} <button hidden>Copy</button><span class=visually-hidden>Link copied</span></h1>",
        "<h1><span class=label>Long read</span>{}</h1>",
    ],
)
def test_a_label_for_screen_readers_is_not_part_of_the_headline(heading: str) -> None:
    paper = "A harbour of bees: how the ferry sails"
    head = title(f"[1706] {paper}") + og(paper) + metas(("citation_title", paper))

    assert metadata_of(head, heading.format(paper) + PROSE).title == paper


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (title(f"{HEADLINE} | {SITE}") + og(HEADLINE), HEADLINE),
        (title(f"{SITE} » {HEADLINE}") + metas(("og:site_name", SITE)), HEADLINE),
        (title(f"{SITE} » News » {HEADLINE}") + metas(("og:site_name", SITE)), HEADLINE),
        (title(f"{SITE}: {HEADLINE}") + metas(("og:site_name", SITE)), HEADLINE),
        (title(f"{HEADLINE} - {SITE}") + metas(("og:site_name", SITE)), HEADLINE),
        (title(f"{HEADLINE} : {SITE}") + metas(("og:site_name", SITE)), HEADLINE),
        (title(f"{HEADLINE} — {SITE} — News") + metas(("og:site_name", SITE)), HEADLINE),
        (title(f"{HEADLINE} - {SITE} - {SITE}") + metas(("og:site_name", SITE)), HEADLINE),
        (title(f"{HEADLINE}, by Ann Bee | {SITE}") + og(HEADLINE), HEADLINE),
        (title("99 – Bees do not fly"), "99 – Bees do not fly"),
        (title("蜂が町へ帰った：蜂新聞") + metas(("og:site_name", "蜂新聞")), "蜂が町へ帰った"),
        (title(f"{HEADLINE} | {SITE}") + og(SITE) + metas(("og:site_name", SITE)), HEADLINE),
        (title("x") + metas(("citation_title", HEADLINE)), HEADLINE),
        (title(SITE) + metas(("og:site_name", SITE), ("twitter:title", HEADLINE)), HEADLINE),
        (title(SITE) + metas(("dc.title", HEADLINE)) + metas(("og:site_name", SITE)), HEADLINE),
        (
            title(SITE) + linked({"@type": "Recipe", "name": "Honey bread"}),
            "Honey bread",
        ),
        (title(HEADLINE.upper()) + og(HEADLINE), HEADLINE),
        (title(HEADLINE.upper()), HEADLINE.upper()),
        (title(f"{HEADLINE} | {SITE}") + linked({"@type": "WebSite", "name": SITE}), HEADLINE),
        (title(SITE), SITE),
        (title(SITE) + og(SITE) + metas(("og:site_name", SITE)), SITE),
    ],
)
def test_a_page_without_a_headline_has_the_title_it_declares(head: str, expected: str) -> None:
    assert metadata_of(head).title == expected
    assert metadata_of(head, f"<h1><img src=a alt='{SITE}'></h1>{PROSE}").title == expected


@pytest.mark.parametrize(
    "text", ["Bees: a love story", "Bees - a love story", "Title fight", "Topic: bees", "Q: and A:"]
)
def test_a_headline_with_a_border_in_it_stays_whole(text: str) -> None:
    assert metadata_of(title(f"{text} | {SITE}"), f"<h1>{text}</h1>{PROSE}").title == text
    assert metadata_of(title(text) + og(text), f"<h1>{text}</h1>{PROSE}").title == text


def test_the_byline_is_searched_next_to_the_headline_and_not_the_logo() -> None:
    menu = "<p>Section</p>" * 30
    head = title(f"{HEADLINE} | {SITE}") + og(HEADLINE)

    found = metadata_of(head, f"{LOGO}{menu}<h1>{HEADLINE}</h1><p>By Ann Bee</p>{PROSE}")

    assert (found.title, found.author) == (HEADLINE, "Ann Bee")


@pytest.mark.parametrize(
    "more",
    [
        "<small>3 May 2025</small>", "<span class=badge>New</span>", "<span>#12</span>", "(12)",
        "12 comments", "5 min read", "by Ann Bee", "<small>a report</small>",
        "<br>A report from it", "<em>A report</em>", "<a href=#c>12</a> <a href=/e>Change</a>",
    ],
)  # fmt: skip
def test_a_date_or_badge_after_the_headline_is_not_part_of_it(more: str) -> None:
    head = "<title>The bees of the town | The Hive</title>"
    declared = metas(("og:title", "The bees of the town"))
    page = metadata_of(head + declared, f"<h1>The bees of the town {more}</h1>{PROSE}")

    assert page.title == "The bees of the town"


def test_a_date_or_badge_is_removed_where_only_the_title_confirms_the_headline() -> None:
    head = title(f"{HEADLINE} | {SITE}")

    for more in ("<time>May 3, 2025</time>", "<span>New</span>"):
        assert metadata_of(head, f"<h1>{HEADLINE} {more}</h1>{PROSE}").title == HEADLINE
    for before in ("<small>News</small>", "Kent<br>", "<i>News</i> <i>Kent</i>", "<a>News</a>:"):
        assert metadata_of(head, f"<h1>{before} {HEADLINE}</h1>{PROSE}").title == HEADLINE
    for more in ("renew", "2", "by night", "<em>2</em>"):
        found = metadata_of(title(f"{HEADLINE} {more}"), f"<h1>{HEADLINE} {more}</h1>{PROSE}")
        assert found.title.startswith(f"{HEADLINE} ")
    for more in ("renew", "2", "by night"):
        renewed = f"{HEADLINE} {more}"
        assert metadata_of(head, f"<h1>{renewed}</h1>{PROSE}").title == renewed


@pytest.mark.parametrize(
    "declared",
    [
        f"(3) {HEADLINE} | {SITE}",
        f"(99+) {HEADLINE}",
        f"{HEADLINE} - Page 2 of 5 - {SITE}",
        f"{HEADLINE} | Page 2 | {SITE}",
        f"{HEADLINE} – Seite 2 von 5 – {SITE}",
        f"{HEADLINE} | Страница 12",
        f"{SITE} - View topic - {HEADLINE}",
        f"{SITE} • Thema anzeigen - {HEADLINE}",
        f"{SITE} :: Voir le sujet - {HEADLINE}",
        f"{HEADLINE} < News < Regional - {SITE}",
    ],
)
def test_what_browsers_and_forums_add_is_not_part_of_the_title(declared: str) -> None:
    markup = declared.replace("<", "&lt;")

    assert metadata_of(title(markup)).title == HEADLINE
    assert metadata_of(title(markup), f"<h1>{HEADLINE}</h1>{PROSE}").title == HEADLINE


@pytest.mark.parametrize(
    "text",
    [
        "(500) days of bees",
        "The front page 2",
        "Hives 1990 - 2025",
        "Bees < wasps",
        "The view topic",
    ],
)
def test_a_headline_that_looks_like_an_addition_stays_whole(text: str) -> None:
    markup = text.replace("<", "&lt;")

    assert metadata_of(title(f"{markup} | {SITE}"), f"<h1>{markup}</h1>{PROSE}").title == text


def test_years_at_the_end_of_a_title_are_not_the_site() -> None:
    assert metadata_of(title("Hives 1990 - 2025")).title == "Hives 1990 - 2025"


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("蜜蜂提前回到城里_新闻中心_蜂窝网", "蜜蜂提前回到城里"),
        ("蜜蜂提前回到城里--时政--人民网", "蜜蜂提前回到城里"),
        ("蜜蜂提前回到城里-时政-人民网", "蜜蜂提前回到城里"),
        ("蜜蜂 提前回到城里-蜂窝日报", "蜜蜂 提前回到城里"),
        ("中国-东盟博览会开幕", "中国-东盟博览会开幕"),
        ("蜜蜂提前回到城里-专家解读", "蜜蜂提前回到城里-专家解读"),
        ("snake_case_in_code", "snake_case_in_code"),
    ],
)
def test_chinese_titles_end_in_the_site_without_spaces(declared: str, expected: str) -> None:
    assert metadata_of(title(declared)).title == expected
    assert metadata_of(title(declared), f"<h1>{expected}</h1>{PROSE}").title == expected


def test_a_title_is_declared_in_a_meta_element_of_that_name() -> None:
    assert metadata_of(metas(("title", HEADLINE))).title == HEADLINE


@pytest.mark.parametrize(
    "title", ["Untitled Document", "untitled", "New Page 1", "Home", "Loading...", "New Document"]
)
def test_a_name_that_an_editor_gives_loses_to_the_heading(title: str) -> None:
    page = metadata_of(f"<title>{title}</title>", f"<h1>The bees of the town</h1>{PROSE}")

    assert page.title == "The bees of the town"


def test_a_page_without_a_heading_keeps_the_name_that_it_has() -> None:
    assert metadata_of("<title>Untitled Document</title>").title == "Untitled Document"
