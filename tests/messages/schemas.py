"""The JSON Schemas of the messages, in the order in which the page shows them."""

from importlib.resources import files
from typing import Any, Final

import orjson

Json = dict[str, Any]

NAMES: Final = (
    "page_headers",
    "page",
    "output_headers",
    "document",
    "stats",
    "dead",
    "stub",
)


def schema(name: str) -> Json:
    """Return `streams/schemas/NAME.json`."""
    read: Json = orjson.loads((files("winnow.streams") / "schemas" / f"{name}.json").read_bytes())
    return read
