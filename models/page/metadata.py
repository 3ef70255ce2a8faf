"""What a page says about itself: title, author, dates, addresses, subject, licence.

One rule a field, first source that gives a usable value, and nothing is guessed: `sources` names
the source of each. The rules of title, author and dates stand in `headline`, `authors`, `dating`;
of the others here. Values are lines of bounded length without shapeless characters; they are the
page's words, so whoever shows them as markup escapes them.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urljoin, urlsplit

from models._kernel import Blocks
from models.page.authors import author_of
from models.page.dating import dating_of
from models.page.headline import title_of
from models.page.lines import SHAPELESS, line
from models.page.statements import NOTHING, Stated, Statements, linked

_SITES: Final = ("meta:og:site_name", "meta:application-name", "meta:twitter:site:name")
_LANGUAGES: Final = ("lang", "meta:content-language", "meta:og:locale")
_DESCRIPTIONS: Final = (
    "meta:description",
    "meta:og:description",
    "meta:dc.description",
    "meta:dcterms.description",
    "meta:twitter:description",
)
_IMAGES: Final = ("meta:og:image", "meta:og:image:url", "meta:twitter:image", "meta:thumbnailurl")
_SECTIONS: Final = ("meta:article:section", "meta:parsely-section", "meta:section")
_TAGS: Final = ("meta:keywords", "meta:news_keywords", "meta:parsely-tags", "meta:dc.subject")
_LICENCES: Final = ("license", "meta:dcterms.license", "meta:dc.rights.license")
_MAX_DESCRIPTION: Final = 2048
_MAX_ADDRESS: Final = 2048
_MAX_TAGS: Final = 32
_MAX_TAG: Final = 100
# an address that needs no base and no mending
_WHOLE: Final = re.compile(
    r"https?://[a-z0-9-]+(?:\.[a-z0-9-]+)+/[\w!$%&'()*+,.=:@~/?-]*", re.ASCII
)
# white space, and characters that show an address as another: shapeless, or turning the direction
_UNFIT: Final = re.compile(rf"[\s{SHAPELESS}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the page says about itself; each field empty when it says nothing.

    Attributes:
        canonical_url, image, licence: absolute, http or https.
        author: one name, or several as the page joins them.
        published_at, modified_at: RFC 3339, a date alone when the page gives no time.
        lang: language tag as the page spells it.
        sources: where the page says it, by name of the field.
    """

    title: str = ""
    canonical_url: str = ""
    author: str = ""
    published_at: str = ""
    modified_at: str = ""
    site_name: str = ""
    lang: str = ""
    description: str = ""
    image: str = ""
    section: str = ""
    tags: tuple[str, ...] = ()
    licence: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)


def metadata_of(url: str, blocks: Blocks, page_type: str = "") -> Metadata:
    """Choose among what a page says.

    Args:
        url: address of the page, or empty.
        blocks: what it was cut into.
        page_type: what an engine takes it for; shops and lists show dates and names of others.
    """
    statements = Statements(url, blocks, page_type)
    title = title_of(statements)
    dating = dating_of(statements, title.headline)
    stated = {
        "title": title.stated,
        "canonical_url": _address(statements, ("canonical", "meta:og:url")),
        "author": author_of(statements, title.headline),
        "published_at": dating.published,
        "modified_at": dating.modified,
        "site_name": _or_linked(statements.first(_SITES), statements.linked.publisher, "publisher"),
        "lang": statements.first(_LANGUAGES),
        "description": _description(statements),
        "image": _address(statements, _IMAGES, ("json-ld:image", statements.linked.image)),
        "section": _section(statements),
        "licence": _licence(statements),
    }
    tags, source = _tags(statements)
    sources = {name: each.source for name, each in stated.items() if each.value}
    if tags:
        sources["tags"] = source
    values = {name: each.value for name, each in stated.items()}
    return Metadata(tags=tags, sources=sources, **values)


def declared_language(blocks: Blocks) -> str:
    """Return the language tag of a page as the page spells it, empty if it has none."""
    declared = dict(reversed(blocks.declared))
    return next(filter(None, (line(declared.get(name, "")) for name in _LANGUAGES)), "")


def _or_linked(stated: Stated, text: str, name: str) -> Stated:
    return stated if stated.value else linked(line(text), name)


def _description(statements: Statements) -> Stated:
    found = statements.first(_DESCRIPTIONS, _MAX_DESCRIPTION)
    if found.value:
        return found
    return linked(line(statements.linked.description, _MAX_DESCRIPTION), "description")


def _section(statements: Statements) -> Stated:
    return _or_linked(statements.first(_SECTIONS), statements.linked.section, "articleSection")


def _tags(statements: Statements) -> tuple[tuple[str, ...], str]:
    """Return the keywords, each once, and their source: `article:tag`, else lists of keywords."""
    if tags := _lines(statements.article_tags):
        return tags, "meta:article:tag"
    if tags := _lines(statements.linked.tags):
        return tags, "json-ld:keywords"
    for name in _TAGS:
        if name in statements.declared and (tags := _lines(statements.declared[name].split(","))):
            return tags, name
    return (), ""


def _lines(texts: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    lines = (line(text, _MAX_TAG) for text in texts)
    return tuple(dict.fromkeys(filter(None, lines)))[:_MAX_TAGS]


def _licence(statements: Statements) -> Stated:
    """Return the address of the licence of the page.

    A link to Creative Commons counts if all such links of the page lead to one licence: else they
    are of its pictures.
    """
    first = _address(statements, _LICENCES, ("json-ld:license", statements.linked.licence))
    if first.value:
        return first
    marked = statements.marked("license", "itemprop:license")
    linked_to = [_absolute(_base(statements), text) for _, text, _ in marked]
    found = dict.fromkeys(filter(None, linked_to))
    return Stated(next(iter(found)), "rel:license") if len(found) == 1 else NOTHING


def _address(statements: Statements, names: tuple[str, ...], *more: tuple[str, str]) -> Stated:
    base = _base(statements)
    declared = ((name, statements.declared.get(name, "")) for name in names)
    found = ((_absolute(base, text), name) for name, text in _chain(declared, more))
    return next((Stated(address, name) for address, name in found if address), NOTHING)


def _chain(
    declared: Iterator[tuple[str, str]], more: tuple[tuple[str, str], ...]
) -> Iterator[tuple[str, str]]:
    yield from declared
    yield from more


def _base(statements: Statements) -> str:
    return _absolute(statements.url, statements.declared.get("base", "")) or statements.url


def _absolute(base: str, reference: str) -> str:
    """Return the reference made absolute, empty if it is none or leads outside http."""
    if not reference or len(reference) > _MAX_ADDRESS:
        return ""
    if _WHOLE.fullmatch(reference) and "/." not in reference and not reference.endswith("?"):
        return reference
    try:
        address = urljoin(base, reference.strip())
        parts = urlsplit(address)
        is_web = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        return ""
    return address if is_web and not _UNFIT.search(address) else ""
