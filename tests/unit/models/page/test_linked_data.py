"""Linked data (JSON-LD) as pages have them, which is not always as the standard has them."""

import json
from html import escape

import pytest

from tests.unit.models.page.stated import PROSE, TITLE, linked, metadata_of

THING = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "Bees",
    "author": {"@type": "Person", "name": "Ann Bee"},
    "datePublished": "2020-05-06",
}
JSON = json.dumps(THING)


def script(text: str, attributes: str = 'type="application/ld+json"') -> str:
    return f"{TITLE}<script {attributes}>{text}</script>"


@pytest.mark.parametrize(
    "text",
    [
        JSON + ";",
        JSON + " ; \n",
        JSON + ";;",
        "\ufeff" + JSON,
        "\u200b" + JSON,
        f"//<![CDATA[\n{JSON}\n//]]>",
        f"// <![CDATA[\n{JSON}\n// ]]&gt;",
        f"//<![CDATA[ {JSON} //]]>",
        f"/*<![CDATA[*/ {JSON} /*]]>*/",
        f"/* <![CDATA[ */\n{JSON};\n/* ]]> */",
        f"<![CDATA[{JSON}]]>",
        f"<!--{JSON}-->",
        f"<!--\n{JSON}\n//-->",
        f"<!-- linked data --> {JSON}",
        f"<!-- //<![CDATA[ {JSON} //]]> -->",
        f"// generated\n{JSON}",
        f"/* generated {{}} */ {JSON}",
        f"{JSON}\n{JSON}",
        f'{{"@type": "WebSite", "name": "The Hive"}},{JSON}',
        f'{{"@type": "WebSite", "name": "The Hive"}};{JSON};',
        f'{{"@type": "WebSite", "name": "The Hive" : }}{JSON}',
        JSON.replace(', "author"', ', // "author": "Bob Wasp",\n "author"'),
        JSON.replace(', "author"', ', /* who wrote it */ "author"'),
        JSON.replace('Bee"}', 'Bee",}').replace('05-06"}', '05-06",}'),
        f"[{JSON},]",
        JSON.replace('"Bees"', '"Bees\n\tin the city"'),
        JSON.replace('"Bees"', '"The "best" bees"'),
        JSON.replace('"Bees"', r'"Ann\'s bees"'),
        JSON.replace('"Bees"', r'"C:\bees \u12"'),
        JSON.replace('"Bees"', r'"\ud83d"'),
        JSON.replace('"Bees"', ""),
        JSON.replace('"Bees"', "undefined"),
        escape(JSON),
        f"window.data = {JSON};",
    ],
)  # fmt: skip
def test_linked_data_are_read_as_templates_write_them(text: str) -> None:
    found = metadata_of(script(text), f"<h1>Bees</h1>{PROSE}")

    assert (found.author, found.published_at) == ("Ann Bee", "2020-05-06")
    assert found.sources["author"] == "json-ld:author"


@pytest.mark.parametrize(
    "attributes",
    [
        "type='application/ld+json'",
        "type=application/ld+json",
        'type="application/ld+json; charset=utf-8"',
        'type="application/ld+json;charset=utf-8"',
        'type="Application/LD+JSON"',
        'type=" application/ld+json "',
        'class="yoast" type="application/ld+json"',
        'data-n="a > b" type="application/ld+json"',
        'id=a type="application/ld+json" async',
    ],
)
def test_linked_data_are_recognised_by_their_type(attributes: str) -> None:
    assert metadata_of(script(JSON, attributes), PROSE).author == "Ann Bee"


@pytest.mark.parametrize(
    "attributes", ['type="application/json"', 'type="text/template"', "", 'type="application/ld"']
)
def test_other_scripts_give_no_metadata(attributes: str) -> None:
    assert metadata_of(script(JSON, attributes), PROSE).author == ""


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("Ann Bee", "Ann Bee"),
        (["Ann Bee", "Bob Wasp"], "Ann Bee, Bob Wasp"),
        ({"name": ["Ann Bee"]}, "Ann Bee"),
        ({"name": ["Ann Bee", "Bob Wasp"]}, "Ann Bee, Bob Wasp"),
        ([{"name": ["Ann Bee"]}, {"name": "Bob Wasp"}], "Ann Bee, Bob Wasp"),
        ({"name": {"@value": "Ann Bee", "@language": "en"}}, "Ann Bee"),
        ({"@list": [{"name": "Ann Bee"}, "Bob Wasp"]}, "Ann Bee, Bob Wasp"),
        ({"@type": "Person", "givenName": "Ann", "familyName": "Bee"}, "Ann Bee"),
        ({"@type": ["Person"], "name": "Ann Bee"}, "Ann Bee"),
        ({"@id": "#ann"}, "Ann Bee"),
        ([{"@id": "#ann"}, {"@id": "#bob"}], "Ann Bee, Bob Wasp"),
        ([{"name": "Ann Bee"}, {"name": "Ann Bee"}], "Ann Bee"),
        ([{"name": "Bee, Ann"}, {"name": "Bee, Ann"}], "Bee, Ann"),
        (["Zoë Bee", "Zoe Bee"], "Zoë Bee"),
        ("Ann Bee, Ann Bee", "Ann Bee"),
        ({"name": "By Ann Bee"}, "Ann Bee"),
        ({"name": "https://sample.invalid/ann"}, ""),
        ({"name": "admin"}, ""),
        ({"@type": "Organization", "name": "Hives"}, ""),
        ({"@type": ["Thing", "NewsMediaOrganization"], "name": "Hives"}, ""),
        ({"@type": "https://schema.org/Organization", "name": "Hives"}, ""),
        ({"@type": "Corporation", "name": "Hives"}, ""),
        ({"@id": "#hives"}, ""),
        ({"name": 7}, ""),
        ({"name": None}, ""),
        ([[["Ann Bee"]]], "Ann Bee"),
    ],
)
def test_authors_are_named_in_every_form(author: object, expected: str) -> None:
    graph = [
        {"@type": "NewsArticle", "headline": "Bees", "author": author},
        {"@type": "Person", "@id": "#ann", "name": "Ann Bee"},
        {"@type": "Person", "@id": "#bob", "name": ["Bob Wasp"]},
        {"@type": "Organization", "@id": "#hives", "name": "Hives"},
    ]

    assert metadata_of(TITLE + linked({"@graph": graph}), PROSE).author == expected
    assert metadata_of(TITLE + linked(*graph), PROSE).author == expected


@pytest.mark.parametrize(
    ("kind", "names", "expected"),
    [
        ("NewsArticle", {"creator": ["Ann Bee", "Bob Wasp"]}, "Ann Bee, Bob Wasp"),
        ("NewsArticle", {"creator": ["Bob Wasp"], "author": {"name": "Ann Bee"}}, "Ann Bee"),
        ("ImageObject", {"creator": "Bob Wasp"}, ""),
    ],
)
def test_the_creator_of_an_article_is_its_author(
    kind: str, names: dict[str, object], expected: str
) -> None:
    assert metadata_of(TITLE + linked({"@type": kind, **names}), PROSE).author == expected


def test_a_job_is_published_when_it_was_posted() -> None:
    job = {"@type": "JobPosting", "datePosted": "2025-05-03", "validThrough": "2031-06-01"}

    assert metadata_of(TITLE + linked(job), PROSE).published_at == "2025-05-03"


def test_all_authors_of_a_paper_are_named() -> None:
    names = [f"Ann Bee{number}" for number in range(70)]

    found = metadata_of(TITLE + linked({"author": [{"name": name} for name in names]}), PROSE)

    assert found.author == ", ".join(names[:64])


@pytest.mark.parametrize(
    ("things", "site"),
    [
        ([{"@type": "WebSite", "name": "The Hive"}], "The Hive"),
        ([{"@type": ["WebSite"], "name": ["The Hive"]}], "The Hive"),
        ([{"@type": "http://schema.org/WebSite", "name": "The Hive"}], "The Hive"),
        (
            [
                {"@type": "Article", "publisher": {"name": "Hives & Co"}},
                {"@type": "WebSite", "name": "The Hive"},
            ],
            "The Hive",
        ),
        ([{"@type": "Article", "publisher": {"name": "Hives & Co"}}], "Hives & Co"),
        ([{"@type": "Article", "isPartOf": {"@type": "WebSite", "name": "The Hive"}}], "The Hive"),
        ([{"@type": "Article", "name": "Bees"}], ""),
    ],
)
def test_the_site_is_named_by_the_website_object(things: list[object], site: str) -> None:
    assert metadata_of(TITLE + linked(*things), PROSE).site_name == site


def test_an_article_is_found_wherever_it_is() -> None:
    article = {"@type": "Article", "author": "Ann Bee", "datePublished": "2020-05-06"}
    for thing in (
        [article],
        {"@graph": [{"@type": "WebPage"}, article]},
        {"@type": "WebPage", "mainEntity": article},
        {"@type": "WebPage", "mainEntity": [article]},
        {"@type": "WebPage", "mainEntityOfPage": article},
        {"@graph": {"@type": ["WebPage", "ItemPage"], "mainEntity": {"@graph": [article]}}},
    ):
        found = metadata_of(TITLE + linked(thing), PROSE)

        assert (found.author, found.published_at) == ("Ann Bee", "2020-05-06"), thing


def test_hostile_data_are_read_in_bounded_depth_and_time() -> None:
    loop = {"@id": "#a", "@type": "Person", "name": [{"@id": "#a"}] * 100}
    many = '{"a": "' + '" ' * 50_000
    for text in (
        json.dumps({"author": {"@id": "#a"}, "@graph": [loop]}),
        "[" * 100_000,
        "{" * 50_000 + "}" * 50_000,
        "//" * 50_000,
        "<!--" * 25_000,
        "/*" * 50_000,
        many,
        '{"a": "\\' + "\\u" * 50_000,
        "{}" * 50_000,
        "&quot;" * 20_000,
    ):
        assert metadata_of(script(text), PROSE).author == ""


@pytest.mark.parametrize(
    "script",
    [
        '{"author": {"name": "Ann Bee"} "datePublished": "2025-05-03"}',
        '{"author": {"name": "Ann Bee"}\n"headline": "Bees"\n"datePublished": "2025-05-03"}',
        '{"wordCount": 0123, "author": {"name": "Ann Bee"}, "datePublished": 2025-05-03}',
        '{"image": {{ page.image }}, "author": {"name": "Ann Bee"}, "datePublished": "2025-05-03"}',
        '{"author": {"name": "Ann Bee"},<br>"datePublished": "2025-05-03"}</p>',
    ],
)
def test_more_of_what_templates_break_is_mended(script: str) -> None:
    script = script.replace("{", '{"@type": "Article", ', 1)
    page = metadata_of(f'{TITLE}<script type="application/ld+json">{script}</script>')

    assert (page.author, page.published_at) == ("Ann Bee", "2025-05-03")


OTHER = {
    **THING,
    "headline": "Wasps of the town",
    "author": "Bob Orr",
    "datePublished": "2019-01-01",
}
OWN = {**THING, "headline": "Bees of the town"}


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("<title>Bees of the town | The Hive</title>", PROSE),
        ("<title>The Hive</title><meta property=og:title content='Bees of the town'>", PROSE),
        ("<title>The Hive</title>", f"<h1>Bees of the town</h1>{PROSE}"),
    ],
)
def test_of_several_articles_the_one_with_the_title_is_the_page(head: str, body: str) -> None:
    for things in ((OTHER, OWN), (OWN, OTHER), ([OTHER, OWN],), ({"@graph": [OTHER, OWN]},)):
        found = metadata_of(head + linked(*things), body)

        assert (found.author, found.published_at) == ("Ann Bee", "2020-05-06")


def test_without_such_a_title_the_first_article_counts() -> None:
    head = "<title>News | The Hive</title>" + linked(OTHER, OWN)

    assert metadata_of(head).author == "Bob Orr"


def test_a_video_is_published_when_it_was_uploaded() -> None:
    video = {"@type": "VideoObject", "name": "Bees", "uploadDate": "2025-05-03"}

    assert metadata_of(TITLE + linked(video)).published_at == "2025-05-03"
    article = {"@type": "Article", "headline": "Bees"}
    assert metadata_of(TITLE + linked(article, video)).published_at == ""


@pytest.mark.parametrize("text", [JSON[:-1], f"[{JSON}", f'{{"@graph": [{JSON}'])
def test_linked_data_may_lack_the_brackets_at_the_end(text: str) -> None:
    found = metadata_of(script(text))

    assert (found.author, found.published_at) == ("Ann Bee", "2020-05-06")
    cut = metadata_of(script(text[: text.rindex("2020")]))
    assert cut.published_at == ""
