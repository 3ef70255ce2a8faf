"""Linked data (JSON-LD) of a page to headline, author, date and publisher.

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
_SPACES_FOR_CONTROLS: Final = dict.fromkeys(range(0x20), " ")
# an escaped character; the group is half a character without the other half
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class LinkedData:
    """The first value of each kind on the page, empty if there is none."""

    headline: str = ""
    author: str = ""
    published: str = ""
    publisher: str = ""


def linked_data(scripts: Iterable[str]) -> LinkedData:
    """Read the texts of a page's JSON-LD scripts; broken ones are passed over."""
    values: dict[str, str] = {}
    things = list(_things(scripts))
    names = _names(things)
    for thing in things:
        for field, name in _FIELDS:
            if field not in values and (text := _text(thing.get(name), names)):
                values[field] = text
    return LinkedData(**values)


_FIELDS = (
    ("headline", "headline"),
    ("author", "author"),
    ("published", "datePublished"),
    ("publisher", "publisher"),
)


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
