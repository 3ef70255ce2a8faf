"""Text that only data of a page holds."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.models import Cleaner, CleanerOptions, Page, TextFormat
from winnow.models._kernel import TEXT_SOURCES
from winnow.models.document import Document
from winnow.models.engines.choice import ENGINES
from winnow.models.options import Keep
from winnow.models.page import Limits

FIRST = "The bees of the city find more flowers than the bees in the fields around it."
SECOND = "Nobody knows why they do, but they like parks, balconies and gardens."
THIRD = "The keepers of the city count more hives each year, and more honey in each of them."
BODY = [FIRST, SECOND, THIRD]
URL = "https://sample.invalid/bees"


def held(value: object) -> str:
    """Return JSON for a script, escaped so that its text cannot end the script."""
    return json.dumps(value).replace("</", "<\\/")


def linked(**members: object) -> str:
    return f"<script type='application/ld+json'>{held(members)}</script>"


def state(name: str, value: object) -> str:
    return f"<script id={name} type=application/json>{held(value)}</script>"


def stream(*rows: object) -> str:
    """Return scripts that push rows of a stream, cut where no row ends."""
    text = "".join(f"{number:x}:{json.dumps(row)}\n" for number, row in enumerate(rows))
    halves = text[: len(text) // 2], text[len(text) // 2 :]
    pushed = (f"<script>self.__next_f.push({held([1, half])})</script>" for half in halves)
    return "<script>(self.__next_f=self.__next_f||[]).push([0])</script>" + "".join(pushed)


def element(tag: str, *children: object) -> list[object]:
    return ["$", tag, None, {"className": "body text", "children": children}]


def shell(scripts: str, shown: str = "", head: str = "") -> Page:
    body = f"<body>{shown}<div id=root></div>{scripts}</body>"
    markup = f"<!doctype html><html><head>{head}</head>{body}</html>"
    return Page(URL, markup.encode(), "text/html")


def clean(page: Page, **options: object) -> Document:
    return Cleaner(CleanerOptions().with_values(options)).clean(page)


NEXT = {"props": {"pageProps": {"article": {"body": [{"text": text} for text in BODY]}}}}
PARAGRAPHS = element("article", *(element("p", text[:20], text[20:]) for text in BODY))
NUXT = [["Reactive", 1], {"data": 2}, {"body": 3}, [4, 5, 6], *BODY]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("scripts", "source"),
    [
        (linked(articleBody="\n\n".join(BODY)), "json-ld:articleBody"),
        (linked(articleBody="".join(f"<p>{text}</p>" for text in BODY)), "json-ld:articleBody"),
        (
            linked(articleBody="".join(f"&lt;p&gt;{each}&lt;/p&gt;" for each in BODY)),
            TEXT_SOURCES[1],
        ),
        (state("__NEXT_DATA__", NEXT), "script:__NEXT_DATA__"),
        (state("__NUXT_DATA__", NUXT), "script:__NUXT_DATA__"),
        (f"<script>window.__NUXT__={json.dumps(NEXT)};</script>", "script:__NUXT__"),
        (stream({"f": ["$L1"]}, PARAGRAPHS), "script:__next_f"),
        (stream(["$", "$L9", None, {"data": NEXT}]), "script:__next_f"),
    ],
)
def test_a_page_without_visible_text_has_the_text_of_its_data(
    scripts: str, source: str, engine: str
) -> None:
    document = clean(shell(scripts), engine=engine, threshold=None)

    assert document.text.split("\n\n") == BODY
    assert document.text_source == source


def test_data_are_left_alone_when_the_options_drop_them() -> None:
    document = clean(shell(linked(articleBody=" ".join(BODY))), data_text="drop")

    assert (document.text, document.text_source) == ("", "page")


@pytest.mark.parametrize("shown", [f"<p>{'. '.join(BODY)}", "<p>Menu</p>" * 300])
def test_data_are_left_alone_when_the_page_shows_text(shown: str) -> None:
    page = shell(linked(articleBody=" ".join(BODY)), shown)

    kept, dropped = (clean(page, data_text=each) for each in Keep)

    assert kept == dropped
    assert kept.text_source == "page"


def test_metadata_of_the_page_stay() -> None:
    head = "<title>Bees in town</title><meta name=author content='Ann Example'>"
    page = shell(linked(articleBody="<title>Other</title><p>" + " ".join(BODY)), head=head)

    document = clean(page)

    assert (document.title, document.author) == ("Bees in town", "Ann Example")
    assert document.stats.page_bytes == len(page.body)


def test_a_page_in_another_charset_keeps_its_name() -> None:
    text = " ".join(BODY).replace("bees", "ξένες")
    markup = f'<body><script type=\'application/ld+json\'>{{"articleBody": "{text}"}}</script>'
    page = Page(URL, markup.encode("iso-8859-7"), "text/html; charset=iso-8859-7")

    document = clean(page)

    assert "ξένες" in document.text
    assert document.stats.charset == "iso-8859-7"


def test_scripts_and_wishes_in_data_do_nothing() -> None:
    hostile = (
        "<script>alert(1)</script><style>p{}</style><meta name=robots content=noindex>"
        "<iframe src=//a.invalid></iframe><p onclick=alert(2)>"
    )
    page = shell(linked(articleBody=hostile + "</p><p>".join(BODY)))

    document = clean(page, noindex="skip", format="markdown", links="keep")

    assert document.text.split("\n\n") == BODY
    assert document.wishes.directives == ()


def test_a_page_with_noindex_is_not_read() -> None:
    page = shell(linked(articleBody=" ".join(BODY)), head="<meta name=robots content=noindex>")

    document = clean(page, noindex="skip")

    assert (document.text, document.text_source) == ("", "page")


@pytest.mark.parametrize(
    "scripts",
    [
        state("__NEXT_DATA__", {"a": "Short text. It has two sentences."}),
        state(
            "__NEXT_DATA__", {"css": "p { color: red; } " * 50, "url": "https://a.invalid/" * 50}
        ),
        state("__NEXT_DATA__", {"translations": {"a": " ".join(BODY)}}),
        '<script id=__NEXT_DATA__ type=application/json>{"a": ' + "[" * 5000 + "</script>",
        "<script id=__NUXT_DATA__ type=application/json>[[0],[1]]</script>",
        f"<script type=application/json>{json.dumps(NEXT)}</script>",
        stream({"f": element("nav", *BODY)}),
        stream(["$0", "$1", element("p", "$1")], ["$0", "$1"]),
        "<script>self.__next_f.push([1,</script>" * 1000,
        linked(articleBody=7),
        linked(articleBody="x" * (1 << 20)),
    ],
)
def test_data_without_an_article_give_no_text(scripts: str) -> None:
    document = clean(shell(scripts, "<p>Loading"))

    assert document.text_source == "page"
    assert document.text in {"", "Loading"}


def test_a_page_at_its_limit_is_cleaned_without_its_data() -> None:
    page = shell(linked(articleBody=" ".join(BODY)), "<p>Loading")
    limits = Limits(page_bytes=len(page.body))

    document = Cleaner(replace(CleanerOptions(), limits=limits)).clean(page)

    assert document.text_source == "page"


def test_markdown_of_data_keeps_their_markup() -> None:
    text = (
        f"<h2>Bees</h2><p>{FIRST} <b>All</b> of them.</p><ul><li>{SECOND}</li></ul><p>{THIRD}</p>"
    )
    document = clean(shell(linked(articleBody=text)), format=TextFormat.MARKDOWN)

    assert f"{FIRST} **All** of them." in document.text
    assert f"- {SECOND}" in document.text


_VALUES = st.recursive(
    st.none()
    | st.integers(-3, 9)
    | st.text(max_size=20)
    | st.sampled_from([*BODY, "<p>", "</main>", "$", "$0", "$L1"]),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(
            st.sampled_from(["text", "articleBody", "body", "@graph"]), inner, max_size=4
        )
    ),
    max_leaves=20,
)


@given(st.lists(_VALUES, max_size=4))
def test_any_stream_gives_a_document(rows: list[object]) -> None:
    document = clean(shell(stream(*rows)))

    assert document.text_source in TEXT_SOURCES
    assert "<script" not in document.text


@given(_VALUES, st.sampled_from(["__NEXT_DATA__", "__NUXT_DATA__"]))
def test_any_data_give_a_document(value: object, name: str) -> None:
    scripts = f"<script type=application/ld+json>{held(value)}</script>{state(name, value)}"

    document = clean(shell(scripts))

    assert document.text_source in TEXT_SOURCES
    assert "<script" not in document.text
