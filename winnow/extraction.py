"""`extract`, with the arguments and the results of trafilatura, for programs that change over."""

import re
from collections.abc import Collection, Mapping
from json import dumps
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict
from urllib.parse import urlsplit

from winnow.models import CleanerOptions, Document, InvalidPage, OptionsError
from winnow.once import clean

if TYPE_CHECKING:
    from typing import Unpack

# probabilities that a block must have: the default depends on the page, and is near the middle
PRECISION: Final = 0.7
RECALL: Final = 0.3
FORMATS: Final = ("txt", "markdown", "json")

_BLANK_LINES: Final = re.compile(r"\n{2,}")
_REFUSED: Final[Mapping[str, str]] = {
    "tei_validation": "no XML is written",
    "deduplicate": "a winnow.Cleaner with CleanerOptions(seen=2) and a site_key drops repeats",
    "date_extraction_params": "dates are those that the page declares",
    "max_tree_size": "CleanerOptions(limits=winnow.Limits(...)) bounds a page",
    "author_blacklist": "look at `author` of the document that winnow.clean returns",
    "settingsfile": "winnow.clean takes options",
    "config": "winnow.clean takes options",
    "options": "winnow.clean takes options",
    "prune_xpath": "there are no rules by XPath",
}


class ExtractArguments(TypedDict, total=False):
    """What `extract` takes of the arguments of trafilatura."""

    record_id: str | None
    fast: bool
    no_fallback: bool
    favor_precision: bool
    favor_recall: bool
    include_comments: bool
    output_format: Literal["txt", "markdown", "json"]
    target_language: str | None
    include_tables: Literal[True]
    include_images: bool
    include_formatting: bool | None
    include_links: bool
    with_metadata: bool
    only_with_metadata: bool
    url_blacklist: Collection[str] | None


def extract(
    filecontent: str | bytes | None,
    url: str | None = None,
    **arguments: "Unpack[ExtractArguments]",
) -> str | None:
    """Return the main text of a page as trafilatura's `extract` does, or None without one.

    An argument that has no counterpart here is refused, not ignored; `fast` and `no_fallback`
    have no effect.

    Args:
        filecontent: the page; bytes as they were fetched, or text that is decoded already.
        url: absolute URL of the page.
        arguments: `output_format` is `txt`, `markdown` or `json`. `include_comments=False` drops
            readers' comments. `include_formatting`, `include_links` and `include_images` write
            Markdown in every format. `favor_precision` and `favor_recall` move the threshold to
            0.7 and 0.3. `with_metadata` puts a YAML header before the text, or the members of
            metadata into the JSON. None is returned for another `target_language`, for a URL of
            `url_blacklist`, and by `only_with_metadata` without date, title or URL.

    Raises:
        OptionsError: an argument has no meaning here; the message says what to use instead.
        TypeError: trafilatura has no such argument either, or the page is neither str nor bytes.
    """
    given: dict[str, Any] = dict(arguments)
    _check(given)
    if filecontent is None:
        return None
    if not isinstance(filecontent, str | bytes):
        raise TypeError(f"filecontent is str or bytes, not {type(filecontent).__name__}")
    try:
        document = clean(filecontent, url=url or "", options=_options(given))
    except InvalidPage:
        return None
    return _written(document, given) if document.text and _is_wanted(document, given) else None


def _check(given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if name in _REFUSED and value:
            raise OptionsError(f"extract has no {name}: {_REFUSED[name]}")
        if name not in ExtractArguments.__annotations__ and name not in _REFUSED:
            raise TypeError(f"extract() got an unexpected keyword argument {name!r}")
    if not given.get("include_tables", True):
        raise OptionsError("extract has no include_tables=False: the engine judges tables as text")
    form = given.get("output_format", "txt")
    if form not in FORMATS:
        raise OptionsError(f"output_format is one of {', '.join(FORMATS)}, not {form!r}")
    if form == "markdown" and given.get("include_formatting") is False:
        raise OptionsError("output_format='markdown' has formatting; 'txt' is without it")


def _options(given: Mapping[str, Any]) -> CleanerOptions:
    threshold = PRECISION if given.get("favor_precision") else None
    values: dict[str, object] = {
        "comments": bool(given.get("include_comments", True)),
        "format": "markdown" if _is_markdown(given) else "text",
        "links": bool(given.get("include_links")),
        "images": bool(given.get("include_images")),
        "threshold": RECALL if given.get("favor_recall") else threshold,
    }
    return CleanerOptions().with_values(values)


def _is_wanted(document: Document, given: Mapping[str, Any]) -> bool:
    if {document.url, document.canonical_url} & set(given.get("url_blacklist") or ()):
        return False
    if given.get("only_with_metadata") and not (
        document.published_at and document.title and document.url
    ):
        return False
    wanted = (given.get("target_language") or "").lower().partition("-")[0]
    # as there, a text of unknown language is kept
    return not wanted or document.language in {"", wanted}


def _written(document: Document, given: Mapping[str, Any]) -> str:
    with_metadata = bool(given.get("with_metadata"))
    record_id = given.get("record_id")
    text = document.text
    if not _is_markdown(given):
        text = _BLANK_LINES.sub("\n", text)  # there, a line is a paragraph
    if given.get("output_format") == "json":
        members: dict[str, object] = {"text": text, "comments": ""}
        if with_metadata:
            members = _members(document, record_id) | members
        return dumps(members, ensure_ascii=False)
    return _header(document, record_id) + text if with_metadata else text


def _is_markdown(given: Mapping[str, Any]) -> bool:
    names = ("include_formatting", "include_links", "include_images")
    return given.get("output_format") == "markdown" or any(map(given.get, names))


def _members(document: Document, record_id: str | None) -> dict[str, object]:
    return {
        "title": document.title or None,
        "author": document.author or None,
        "hostname": _hostname(document),
        "date": _day(document),
        "fingerprint": document.simhash or None,
        "id": record_id,
        "license": document.licence or None,
        "raw_text": " ".join(document.text.split()),
        "language": document.language or None,
        "image": document.image or None,
        "pagetype": document.page_type or None,
        "filedate": None,  # the time of extraction: the library reads no clock
        "source": document.url or None,
        "source-hostname": document.site_name or None,
        "excerpt": document.description or None,
        "categories": document.section,
        "tags": ";".join(document.tags),
    }


def _day(document: Document) -> str | None:
    return document.published_at[:10] if document.published_at else None


def _header(document: Document, record_id: str | None) -> str:
    values: dict[str, str | list[str] | None] = {
        "title": document.title,
        "author": document.author,
        "url": document.url,
        "hostname": _hostname(document),
        "description": document.description,
        "sitename": document.site_name,
        "date": _day(document),
        "categories": [document.section] if document.section else [],
        "tags": list(document.tags),
        "fingerprint": document.simhash,
        "id": record_id,
        "license": document.licence,
    }
    # JSON is YAML: quoted, no value is taken for a number, a date or a list
    lines = (f"{name}: {dumps(it, ensure_ascii=False)}\n" for name, it in values.items() if it)
    return f"---\n{''.join(lines)}---\n"


def _hostname(document: Document) -> str | None:
    try:
        return urlsplit(document.url).hostname
    except ValueError:  # brackets that hold no address
        return None
