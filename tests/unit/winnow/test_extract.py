"""`winnow.extract` compared with trafilatura 2.3.1, whose results on this page are written here."""

import inspect
import json
from typing import Any

import pytest

import winnow
from winnow.extraction import _REFUSED, ExtractArguments, _options

URL = "https://example.org/bees"
FIRST = (
    "The bees find more flowers in the city than in the fields around it, "
    "and they find them earlier in the year."
)
SECOND = (
    "Nobody had expected that a town would feed them so well, "
    "and the beekeepers were glad of it for many years."
)
PAGE = f"""<html lang="en"><head><title>Bees in the city</title>
<meta name="author" content="Ada Lang"><meta name="description" content="About bees.">
<meta property="article:published_time" content="2024-05-06T10:00:00Z">
<meta property="og:site_name" content="Bee News"></head><body>
<nav><a href="/">Home</a> <a href="/news">News</a></nav>
<article><h1>Bees in the city</h1>
<p>{
    FIRST.replace("they find them", '<a href="/more">they find them</a>').replace(
        "earlier", "<b>earlier</b>"
    )
}</p><p>{SECOND}</p></article></body></html>"""
TEXT = f"Bees in the city\n{FIRST}\n{SECOND}"
MARKDOWN = f"# Bees in the city\n\n{FIRST.replace('earlier', '**earlier**')}\n\n{SECOND}"
# the parameters of trafilatura's function, except the first two
PARAMETERS = {
    "record_id", "fast", "no_fallback", "favor_precision", "favor_recall", "include_comments",
    "output_format", "tei_validation", "target_language", "include_tables", "include_images",
    "include_formatting", "include_links", "deduplicate", "date_extraction_params",
    "with_metadata", "only_with_metadata", "max_tree_size", "url_blacklist", "author_blacklist",
    "settingsfile", "prune_xpath", "config", "options",
}  # fmt: skip


def extract(page: object = PAGE, **arguments: object) -> str:
    """Return what the function returns, for arguments of any type."""
    function: Any = winnow.extract
    found: str = function(page, URL, **arguments)
    return found


def test_every_argument_is_taken_or_refused_by_name() -> None:
    assert ExtractArguments.__annotations__.keys() | _REFUSED.keys() == PARAMETERS
    assert list(inspect.signature(winnow.extract).parameters)[:2] == ["filecontent", "url"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, TEXT),
        ({"fast": True, "no_fallback": True, "include_tables": True}, TEXT),
        ({"output_format": "markdown"}, MARKDOWN),
        ({"include_formatting": True}, MARKDOWN),
        ({"output_format": "json"}, json.dumps({"text": TEXT, "comments": ""})),
        ({"target_language": "en"}, TEXT),
        ({"only_with_metadata": True, "url_blacklist": {"https://example.org/"}}, TEXT),
        ({"tei_validation": False, "deduplicate": False, "prune_xpath": None}, TEXT),
    ],
)
def test_the_result_equals_trafilaturas(arguments: dict[str, Any], expected: str) -> None:
    assert extract(**arguments) == expected


def test_links_are_written_where_they_are_asked_for() -> None:
    linked = "[they find them](https://example.org/more)"

    assert linked in extract(include_links=True)
    assert linked in extract(output_format="markdown", include_links=True)
    assert linked not in extract(output_format="markdown")


def test_metadata_in_json_have_the_names_of_trafilatura() -> None:
    found = json.loads(extract(output_format="json", with_metadata=True, record_id="7"))

    assert len(found["fingerprint"]) == 16
    assert found | {"fingerprint": ""} == {
        "title": "Bees in the city", "author": "Ada Lang", "hostname": "example.org",
        "date": "2024-05-06", "fingerprint": "", "id": "7", "license": None, "comments": "",
        "raw_text": TEXT.replace("\n", " "), "text": TEXT, "language": "en", "image": None,
        "pagetype": "article", "filedate": None, "source": URL, "source-hostname": "Bee News",
        "excerpt": "About bees.", "categories": "", "tags": "",
    }  # fmt: skip


def test_metadata_come_before_text_as_yaml() -> None:
    yaml = pytest.importorskip("yaml")

    _, header, text = extract(with_metadata=True).split("---\n")

    assert text == TEXT
    found = yaml.safe_load(header)
    assert list(found) == [
        "title", "author", "url", "hostname", "description", "sitename", "date", "fingerprint",
    ]  # fmt: skip
    assert (found["title"], found["date"]) == ("Bees in the city", "2024-05-06")


@pytest.mark.parametrize("page", [None, "", b"", "<p></p>", b"%PDF-1.7"])
def test_a_page_without_text_gives_none(page: object) -> None:
    assert extract(page) is None


@pytest.mark.parametrize(
    "arguments",
    [
        {"target_language": "de"},
        {"url_blacklist": {URL}},
    ],
)
def test_a_page_that_is_not_wanted_gives_none(arguments: dict[str, Any]) -> None:
    assert extract(**arguments) is None


def test_a_page_without_a_date_gives_none_when_metadata_are_required() -> None:
    undated = PAGE.replace("article:published_time", "nothing")

    assert extract(undated, only_with_metadata=True) is None
    assert extract(undated) == TEXT


def test_precision_keeps_no_more_than_recall() -> None:
    page = PAGE.replace("</article>", "</article><div>Read more news about bees here</div>")

    assert len(extract(page, favor_precision=True)) <= len(extract(page, favor_recall=True))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, {"comments": "keep", "threshold": None}),
        ({"include_comments": False}, {"comments": "drop"}),
        ({"favor_precision": True}, {"threshold": 0.7}),
        ({"favor_recall": True}, {"threshold": 0.3}),
        ({"favor_precision": True, "favor_recall": True}, {"threshold": 0.3}),
        ({"include_images": True}, {"format": "markdown", "images": "keep", "links": "drop"}),
    ],
)
def test_arguments_are_options_of_a_cleaner(
    arguments: dict[str, Any], expected: dict[str, Any]
) -> None:
    options = _options(arguments)

    assert {name: getattr(options, name) for name in expected} == expected


@pytest.mark.parametrize("name", _REFUSED)
def test_an_argument_without_a_counterpart_is_refused_by_name(name: str) -> None:
    with pytest.raises(winnow.OptionsError, match=f"extract has no {name}: "):
        extract(**{name: {"a": 1}})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"output_format": "xml"}, "output_format is one of txt, markdown, json, not 'xml'"),
        ({"include_tables": False}, "extract has no include_tables=False"),
        ({"output_format": "markdown", "include_formatting": False}, "has formatting"),
    ],
)
def test_a_value_without_a_counterpart_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(winnow.OptionsError, match=message):
        extract(**arguments)


def test_an_argument_unknown_to_trafilatura_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'include_table'"):
        extract(include_table=True)
    with pytest.raises(TypeError, match="filecontent is str or bytes, not int"):
        extract(5)
