"""Bodies of requests -> checked values."""

import base64
import binascii
import math
from collections.abc import Mapping
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, get_type_hints

import msgspec

from winnow.models.document import Page
from winnow.models.engines.choice import ENGINES, unknown_options
from winnow.models.errors import OptionsError
from winnow.models.ngram.languages import SHIPPED
from winnow.models.options import OPTION_NAMES, CleanerOptions
from winnow.streams.pages import is_url
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.web.frames import BadRequest

# An explanation always has `spans`; a memory of sites would let one request change another.
_NOT_ASKED: Final = frozenset({"spans", "seen"})
OPTIONS: Final = tuple(name for name in OPTION_NAMES if name not in _NOT_ASKED)
SAMPLE_FILES: Final[Mapping[str, Path]] = {
    path.name: path for path in sorted(SAMPLES.iterdir()) if path.is_file()
}
MAX_SCORED_CHARS: Final = 100_000
# More blocks would be slow to show, and nobody reads that many.
MAX_BLOCKS: Final = 5000

# size limit of a form field's headers
_MOST_FIELD_BYTES: Final = 4096

Asked = TypeVar("Asked")


class PageAsked(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A page, given in one of three ways, and how to clean it.

    Attributes:
        html: text of the page.
        body: bytes of the page in base64, in any charset.
        sample: name of a sample page.
        url, content_type: as in a crawler's message.
        options: cleaning options by name.
    """

    html: str | None = None
    body: str | None = None
    sample: str | None = None
    url: str = ""
    content_type: str = ""
    options: dict[str, str | float | bool | None] = {}

    def page(self) -> Page:
        """Return the page.

        Raises:
            BadRequest: there is no page or more than one, or the URL is invalid.
        """
        given = [each for each in (self.html, self.body, self.sample) if each is not None]
        if len(given) != 1:
            raise BadRequest("give the page as exactly one of html, body and sample")
        if self.url and not is_url(self.url):
            raise BadRequest("url: must be absolute, with its scheme")
        if self.sample is not None:
            return Page(self.url, _sample(self.sample), self.content_type)
        if self.body is not None:
            return Page(self.url, _from_base64(self.body), self.content_type)
        # decoded text has no charset, even if its markup declares one
        return Page(self.url, given[0].encode(errors="replace"), "text/html; charset=utf-8")

    def cleaner_options(self, defaults: CleanerOptions) -> CleanerOptions:
        """Return the requested options.

        Raises:
            BadRequest: a name or a value is invalid or not allowed.
        """
        if refused := sorted(self.options.keys() - set(OPTIONS)):
            raise BadRequest(f"options: unknown {', '.join(refused)}; use {', '.join(OPTIONS)}")
        try:
            options = defaults.with_values(self.options)
        except OptionsError as error:
            raise BadRequest(f"options: {error}") from error
        if options.threshold is not None and not math.isfinite(options.threshold):
            raise BadRequest("options: threshold must be finite")
        return options


class ExplainAsked(PageAsked, forbid_unknown_fields=True, frozen=True):
    """A page, and how many of its blocks to explain.

    Attributes:
        markup: whether the answer includes the decoded markup.
        blocks: the answer has at most this many blocks, from the start of the page.
    """

    markup: bool = False
    blocks: Annotated[int, msgspec.Meta(ge=0, le=MAX_BLOCKS)] = MAX_BLOCKS


class WhyAsked(PageAsked, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A page, and the number of the block to explain."""

    block: Annotated[int, msgspec.Meta(ge=0, le=(1 << 31) - 1)]


class ScoreAsked(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A text to score with the model of a language, token by token."""

    text: str
    language: str = SHIPPED[0]
    explain: bool = False

    def check(self) -> None:
        """Raise `BadRequest` for a text that is too long or a language without a model."""
        if len(self.text) > MAX_SCORED_CHARS:
            raise BadRequest(f"text: {len(self.text)} characters; at most {MAX_SCORED_CHARS}")
        if self.language not in SHIPPED:
            raise BadRequest(f"language: must be one of {', '.join(SHIPPED)}")


def decoded(body: bytes, kind: type[Asked]) -> Asked:
    """Parse JSON into a request type.

    Raises:
        BadRequest: it is not JSON, or has wrong members.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(f"invalid JSON for this request: {error}") from error


def page_field(form: bytes) -> bytes:
    """Return the JSON in the form of the inspector's frame: its only field, `page`.

    Raises:
        BadRequest: it is another form, or not a form.
    """
    delimiter, _, rest = form.partition(b"\r\n")
    head, _, value = rest[:_MOST_FIELD_BYTES].partition(b"\r\n\r\n")
    end = rest.find(b"\r\n" + delimiter + b"--", len(head))
    if delimiter[:2] != b"--" or b'form-data; name="page"' not in head or not value or end < 0:
        raise BadRequest("malformed form: it must have one field, page")
    return rest[len(head) + 4 : end]


def choices() -> dict[str, Any]:
    """Return the allowed options: each with its default and, if there are few, its values."""
    defaults = CleanerOptions()
    kinds = get_type_hints(CleanerOptions)
    options: dict[str, dict[str, Any]] = {}
    for name in OPTIONS:
        if name == "engine":
            continue
        kind = kinds[name]
        options[name] = {"default": getattr(defaults, name)}
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            options[name]["choices"] = list(kind)
    return {
        "engines": {name: _engine(name) for name in ENGINES},
        "options": options,
        "languages": list(SHIPPED),
        "most_blocks": MAX_BLOCKS,
    }


def _engine(name: str) -> dict[str, Any]:
    slider = asdict(ENGINES[name].slider)
    return slider | {"own_options": sorted(ENGINES[name].options), "unknown": unknown_options(name)}


def _sample(name: str) -> bytes:
    if name not in SAMPLE_FILES:
        raise BadRequest("sample: not found; GET /api/samples lists them")
    return SAMPLE_FILES[name].read_bytes()


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadRequest(f"body: not valid base64: {error}") from error
