"""Linked data (JSON-LD) of a page to what it says of the page itself.

Pages write schema.org loosely: objects, lists of objects, or objects under `@graph` or
`mainEntity` (forums do); names as text, as objects with a `name`, or as the `@id` of a top object
that has one. Whatever is not as expected is passed over.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import orjson

# objects looked at on one page; people's pages have a few dozen
_MAX_OBJECTS = 1000
_MAX_LIST: Final = 32
_SPACES_FOR_CONTROLS: Final = dict.fromkeys(range(0x20), " ")
# an escaped character; the group is half a character without the other half
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL
)
# what a page is made of beside its own thing
_AROUND: Final = frozenset({"WebSite", "Organization", "BreadcrumbList", "Person", "ImageObject"})
_ARTICLES: Final = ("Article", "Posting", "Recipe", "Report", "Review", "HowTo", "VideoObject")


@dataclass(frozen=True, slots=True)
class LinkedData:
    """The first value of each kind on the page, empty if there is none.

    Attributes:
        author: names joined by commas.
        image, licence: addresses as they are written.
        is_article: something on the page is of a type that people write and date.
    """

    headline: str = ""
    author: str = ""
    published: str = ""
    modified: str = ""
    publisher: str = ""
    description: str = ""
    image: str = ""
    section: str = ""
    licence: str = ""
    tags: tuple[str, ...] = ()
    is_article: bool = False


def linked_data(scripts: Iterable[str]) -> LinkedData:
    """Read the texts of a page's JSON-LD scripts; broken ones are passed over."""
    values: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    things = list(_things(scripts))
    names = _names(things)
    own = [thing for thing in things if not _is_around(thing)]
    for thing in own + [thing for thing in things if _is_around(thing)]:
        for name in thing.keys() & _FIELDS.keys():
            field = _FIELDS[name]
            if field not in values and (text := _value(field, thing[name], names)):
                values[field] = text
        tags = tags or _tags(thing.get("keywords"))
    is_article = any(_is_article(thing) for thing in things)
    return LinkedData(tags=tags, is_article=is_article, **values)


_FIELDS: Final = {
    "headline": "headline",
    "author": "author",
    "datePublished": "published",
    "dateModified": "modified",
    "publisher": "publisher",
    "description": "description",
    "articleSection": "section",
    "image": "image",
    "license": "licence",
}
_ADDRESSES: Final = frozenset({"image", "licence"})


def _value(field: str, value: object, names: Mapping[str, str]) -> str:
    return _address(value) if field in _ADDRESSES else _text(value, names)


def _is_article(thing: Mapping[str, object]) -> bool:
    kind = thing.get("@type")
    kinds = kind if isinstance(kind, list) else [kind]
    return any(isinstance(each, str) and each.endswith(_ARTICLES) for each in kinds)


def _is_around(thing: Mapping[str, object]) -> bool:
    kind = thing.get("@type")
    return isinstance(kind, str) and kind in _AROUND


def _address(value: object) -> str:
    """Return an address: a text, or the `url` or `@id` of the first object."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("@id")
    return _stripped(value)


def _tags(value: object) -> tuple[str, ...]:
    """Return keywords: a list of them, or a text that commas part."""
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return ()
    return tuple(filter(None, (_name(each, {}) for each in value[:_MAX_LIST])))


def _things(scripts: Iterable[str]) -> Iterator[dict[str, object]]:
    """Yield the top objects, those of `@graph` and main entities, at most `_MAX_OBJECTS` in all."""
    waiting = [_loaded(script) for script in scripts]
    waiting.reverse()
    for _ in range(_MAX_OBJECTS):
        if not waiting:
            return
        thing = waiting.pop()
        if isinstance(thing, list):
            waiting.extend(reversed(thing[:_MAX_OBJECTS]))
        elif isinstance(thing, dict):
            yield thing
            waiting.extend((thing.get("mainEntity"), thing.get("@graph")))


def _loaded(script: str) -> object:
    """Return what a script says, None if it is broken beyond mending."""
    try:
        return orjson.loads(script)
    except orjson.JSONDecodeError:
        mended = _mended(script)
    try:
        return orjson.loads(mended)
    except orjson.JSONDecodeError:
        return None


def _mended(script: str) -> str:
    """Replace what templates leave in texts and JSON has no room for: raw controls, half pairs."""
    spaced = script.translate(_SPACES_FOR_CONTROLS)
    return _ESCAPE.sub(lambda escape: r"\ufffd" if escape[1] else escape[0], spaced)


def _names(things: Iterable[Mapping[str, object]]) -> dict[str, str]:
    """Return the first name that objects of each `@id` have."""
    names: dict[str, str] = {}
    for thing in things:
        identity, name = _stripped(thing.get("@id")), _stripped(thing.get("name"))
        if identity and name:
            names.setdefault(identity, name)
    return names


def _text(value: object, names: Mapping[str, str]) -> str:
    """Return a text, the `name` of an object, or those of a list, joined by commas.

    Args:
        value: what a property holds.
        names: of top objects, by their `@id`.
    """
    if isinstance(value, list):
        return ", ".join(filter(None, (_name(item, names) for item in value[:10])))
    return _name(value, names)


def _name(value: object, names: Mapping[str, str]) -> str:
    if isinstance(value, dict):
        value = value.get("name") or names.get(_stripped(value.get("@id")))
    return _stripped(value)


def _stripped(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
