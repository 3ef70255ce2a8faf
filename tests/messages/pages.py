"""`docs/messages.md` with its generated parts, and `docs/asyncapi.json`."""

import re
from pathlib import Path
from typing import Final

import orjson

from tests.messages import asyncapi
from tests.messages.examples import Examples
from tests.messages.schemas import Json, schema
from tests.messages.tables import table

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
PAGE: Final = DOCS / "messages.md"
ASYNCAPI: Final = DOCS / "asyncapi.json"

_PROGRAM: Final = re.compile(r"```python\n# (\S+\.py)\n(.*?)```", re.DOTALL)
_PART: Final = re.compile(r"(<!-- made: (\S+) (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
# schema -> the message whose headers or payload are its example
_EXAMPLES: Final = {
    "page_headers": ("rawPage", "headers"),
    "page": ("jsonPage", "payload"),
    "output_headers": ("document", "headers"),
    "document": ("document", "payload"),
    "stats": ("stats", "payload"),
    "dead": ("deadLetter", "headers"),
    "stub": ("stub", "payload"),
}


def programs(text: str) -> dict[str, str]:
    """Return the programs of a page in Markdown, by the name that their first line gives."""
    return dict(_PROGRAM.findall(text))


def recorded_examples() -> Examples:
    """Return the examples that the AsyncAPI document has."""
    messages = orjson.loads(ASYNCAPI.read_bytes())["components"]["messages"]
    return {name: each["examples"][0] for name, each in messages.items() if "examples" in each}


def example_of(name: str, examples: Examples) -> Json:
    """Return an example of what a schema describes."""
    message, part = _EXAMPLES[name]
    found: Json = examples[message][part]
    return {**examples["stub"]["headers"], **found} if name == "dead" else found


def page(text: str, examples: Examples) -> str:
    """Return the page with each part between `made` and `end` generated again."""

    def part(found: re.Match[str]) -> str:
        begin, kind, name, end = found.groups()
        made = {"table": _table, "example": _example, "fields": _fields}[kind](name, examples)
        return f"{begin}{made}{end}"

    return _PART.sub(part, text)


def asyncapi_text(examples: Examples) -> str:
    """Return the AsyncAPI document as its file has it."""
    made = orjson.dumps(asyncapi.document(examples), option=orjson.OPT_INDENT_2)
    return made.decode() + "\n"


def _table(name: str, examples: Examples) -> str:
    return table(schema(name), example_of(name, examples))


def _fields(name: str, examples: Examples) -> str:
    """Return the headers of an example, a line each."""
    lines = (f"{header}: {value}\n" for header, value in examples[name]["headers"].items())
    return f"```\n{''.join(lines)}```\n"


def _example(name: str, examples: Examples) -> str:
    """Return the payload of an example, without the lists that are there on request alone."""
    payload = examples[name]["payload"]
    if isinstance(payload, str):
        return f"```html\n{payload}\n```\n"
    shown = {
        key: value
        for key, value in payload.items()
        if not (isinstance(value, list) and value and isinstance(value[0], dict))
    }
    return f"```json\n{orjson.dumps(shown, option=orjson.OPT_INDENT_2).decode()}\n```\n"
