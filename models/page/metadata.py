"""What a page declares about itself to title, author, date and addresses.

One rule a field, first source that gives a usable value:

- title: `og:title`, the headline of the linked data, the `title` element, the first `h1`;
- canonical URL: `link rel=canonical`, then `og:url`, made absolute with `base` and the page's
  URL; only http and https;
- author: `author`, `article:author` and the like that are no addresses and no numbers, the linked
  data, the card for Twitter;
- date: the first source that holds a date, as RFC 3339;
- site: `og:site_name`, `application-name`, the publisher of the linked data;
- language: `lang` or `xml:lang` of the root element, `content-language`, `og:locale`, as the page
  spells it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

from models._kernel import Blocks
from models.page.dates import rfc3339
from models.page.linkeddata import LinkedData, linked_data

_AUTHORS = (
    "meta:author",
    "meta:article:author",
    "meta:dc.creator",
    "meta:parsely-author",
    "meta:sailthru.author",
)
_CARD_LABEL = "meta:twitter:label1"
_CARD_VALUE = "meta:twitter:data1"
_DATES = (
    "meta:article:published_time",
    "meta:datepublished",
    "meta:og:published_time",
    "meta:parsely-pub-date",
    "meta:dc.date.issued",
    "meta:dc.date",
    "meta:dcterms.date",
    "meta:sailthru.date",
    "meta:pubdate",
    "meta:publishdate",
    "meta:publish-date",
    "meta:date",
)
_SITES = ("meta:og:site_name", "meta:application-name")
_LANGUAGES = ("lang", "meta:content-language", "meta:og:locale")
_MAX_CHARS = 512
# the characters that texts of blocks are without
_SHAPELESS: Final = r"\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b\u2060\ufeff"
_DROPPED: Final = re.compile(f"[{_SHAPELESS}]+")
# white space, and characters that show an address as another: shapeless, or turning the direction
_UNFIT: Final = re.compile(rf"[\s{_SHAPELESS}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_NO_LINKED_DATA = LinkedData()


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the page says about itself; each field empty when it says nothing.

    Attributes:
        canonical_url: absolute, http or https.
        published_at: RFC 3339, a date alone when the page gives no time.
        lang: language tag as the page spells it.
    """

    title: str = ""
    canonical_url: str = ""
    author: str = ""
    published_at: str = ""
    site_name: str = ""
    lang: str = ""


def metadata_of(url: str, blocks: Blocks) -> Metadata:
    """Choose among what the page declares; `url` is the address of the page or empty."""
    pairs = blocks.declared
    # the first pair of a name wins
    declared = dict(reversed(pairs))
    scripts = [value for name, value in pairs if name == "json-ld"]
    linked = linked_data(scripts) if scripts else _NO_LINKED_DATA
    return Metadata(
        title=_title(declared, linked) or _line(blocks.first_heading),
        canonical_url=_canonical(url, declared),
        author=_author(declared, linked),
        published_at=_published(declared, linked),
        site_name=_first(declared, _SITES) or _line(linked.publisher),
        lang=_first(declared, _LANGUAGES),
    )


def _first(declared: Mapping[str, str], names: Iterable[str]) -> str:
    """Return the first value that is a line."""
    for name in names:
        if name in declared and (line := _line(declared[name])):
            return line
    return ""


def _line(text: str) -> str:
    if not text:
        return ""
    kept = text if text.isprintable() else _DROPPED.sub("", text)  # those are never printable
    line = " ".join(kept.split())
    return line if len(line) <= _MAX_CHARS else ""


def _is_profile(text: str) -> bool:
    """Whether a text leads to an author instead of naming one: an address, a handle, a number."""
    return text.isdigit() or text.startswith(("http://", "https://", "//", "@"))


def _title(declared: Mapping[str, str], linked: LinkedData) -> str:
    return (
        _first(declared, ("meta:og:title",))
        or _line(linked.headline)
        or _first(declared, ("title",))
    )


def _author(declared: Mapping[str, str], linked: LinkedData) -> str:
    given = (name for name in _AUTHORS if name in declared)
    named = (name for name in given if not _is_profile(declared[name].strip()))
    return _first(declared, named) or _line(linked.author) or _card_author(declared)


def _card_author(declared: Mapping[str, str]) -> str:
    """Return the author that a card for Twitter shows, as WordPress writes it."""
    is_author = declared.get(_CARD_LABEL, "").lower() == "written by"
    return _first(declared, (_CARD_VALUE,)) if is_author else ""


def _published(declared: Mapping[str, str], linked: LinkedData) -> str:
    for name in _DATES:
        if name in declared and (date := rfc3339(declared[name])):
            return date
    times = (linked.published, declared.get("time:article", ""), declared.get("time", ""))
    return next((date for date in map(rfc3339, times) if date), "")


def _canonical(url: str, declared: Mapping[str, str]) -> str:
    base = _absolute(url, declared.get("base", "")) or url
    for name in ("canonical", "meta:og:url"):
        address = _absolute(base, declared.get(name, ""))
        if address:
            return address
    return ""


def _absolute(base: str, reference: str) -> str:
    """Return the reference made absolute, empty if it is none or leads outside http."""
    if not reference or len(reference) > 4 * _MAX_CHARS:
        return ""
    try:
        address = urljoin(base, reference.strip())
        parts = urlsplit(address)
        is_web = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        return ""
    return address if is_web and not _UNFIT.search(address) else ""
