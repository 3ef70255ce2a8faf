"""Options for cleaning: one validated value, from names and text."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from math import inf
from typing import Any, Final

from winnow.models.engines.hybrid import Convention, Training
from winnow.models.errors import OptionsError
from winnow.models.ngram.ceiling import Ceiling
from winnow.models.page import Limits

# Each chunk repeats its headings: shorter ones would hold little else.
LEAST_CHUNK: Final = 32


class NoIndex(StrEnum):
    """What happens to pages with a noindex directive."""

    KEEP = "keep"  # cleaned like any other; `wishes` has the directive
    SKIP = "skip"  # a document with only the directives of the page


class TextFormat(StrEnum):
    """How the kept text of a document is written."""

    TEXT = "text"
    MARKDOWN = "markdown"


class Keep(StrEnum):
    """Whether something is included in the text."""

    KEEP = "keep"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class CleanerOptions:
    """All settings that change the result of a cleaner, except the model.

    Options that keep or drop something accept `True` and `False` too.

    Attributes:
        engine: the rule for verdicts, see `winnow.models.engines`.
        threshold: the engine's threshold; None uses its default.
        max_perplexity: kept sentences of running text above this are dropped too,
            with any engine: a perplexity, or, like `q.95`, the quantile of the held-out text of the
            model for the page's language; None: no limit. Code, tables, headings,
            captions, list items without an end mark, sentences of few tokens and pages in a
            language without a model are kept.
        comments: whether readers' comments are kept; only the hybrid engine recognises them, in its
            mixed training.
        title, bylines, captions, standfirst: whether the headline, author names with dates, the
            texts of pictures, and the summary below the headline are kept; only the hybrid engine
            recognises them.
        training: the training data of the hybrid engine's parameters.
        format: plain text or Markdown.
        links: whether links keep their addresses; only in Markdown.
        images: whether images are included; only in Markdown.
        data_text: whether text that is only in the data of a page, such as linked data, is used
            if the page shows almost nothing.
        mark: keep rejected sentences, marked with their perplexity.
        spans: include all blocks and sentences with their verdicts in the document.
        sources: include where the page declares each metadata field.
        quality: include the quality signals of the text in the document and the statistics; they
            cost half as much as parsing the page.
        chunks: most tokens (words and signs) per chunk of the document; 0
            for no chunks.
        chunk_overlap: most tokens that a chunk repeats from the previous one.
        noindex: what happens to pages with a noindex directive.
        seen: other pages of a host that must show a block before it is dropped as seen, up
            to 16; 0 keeps no memory of sites.
        limits: limits of the size and cost of a page.
    """

    engine: str = "hybrid"
    threshold: float | None = None
    max_perplexity: Ceiling | float | str | None = None
    comments: Convention = Convention.AUTO
    title: Convention = Convention.AUTO
    bylines: Convention = Convention.AUTO
    captions: Convention = Convention.AUTO
    standfirst: Convention = Convention.AUTO
    training: Training = Training.MIXED
    format: TextFormat = TextFormat.TEXT
    links: Keep = Keep.DROP
    images: Keep = Keep.DROP
    data_text: Keep = Keep.KEEP
    mark: bool = False
    spans: bool = False
    sources: bool = False
    quality: bool = False
    chunks: int = 0
    chunk_overlap: int = 0
    noindex: NoIndex = NoIndex.KEEP
    seen: int = 0
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        """Convert values that are given as text.

        Raises:
            OptionsError: a value is invalid for its option.
        """
        for name in OPTION_NAMES:
            object.__setattr__(self, name, _value(name, getattr(self, name)))
        if self.chunks and self.chunks < LEAST_CHUNK:
            raise OptionsError(
                f"option chunks must be 0 or at least {LEAST_CHUNK}, not {self.chunks}"
            )
        if not 0 <= self.chunk_overlap <= self.chunks // 2:
            raise OptionsError(
                f"option chunk_overlap must be 0 to half of chunks, not {self.chunk_overlap}"
            )

    @property
    def ceiling(self) -> Ceiling | None:
        """The value of `max_perplexity`."""
        return self.max_perplexity if isinstance(self.max_perplexity, Ceiling) else None

    def with_values(self, values: Mapping[str, object]) -> "CleanerOptions":
        """Return these options with some replaced, by name; values may be text.

        Raises:
            OptionsError: a name is unknown, or a value is invalid.
        """
        known: dict[str, Any] = dict(values)
        for name in known:
            if name not in OPTION_NAMES:
                raise OptionsError(
                    f"unknown option {name!r}: must be one of {', '.join(OPTION_NAMES)}"
                )
        return replace(self, **known)


OPTION_NAMES: Final = tuple(item.name for item in fields(CleanerOptions) if item.name != "limits")
_CHOICES: Final[dict[str, type[StrEnum]]] = {
    "format": TextFormat,
    "links": Keep,
    "images": Keep,
    "data_text": Keep,
    "comments": Convention,
    "title": Convention,
    "bylines": Convention,
    "captions": Convention,
    "standfirst": Convention,
    "training": Training,
    "noindex": NoIndex,
}
# names of True and False in files and on command lines, for both kinds of options
_TRUTHS: Final = {
    **dict.fromkeys(("true", "1", "yes"), Keep.KEEP),
    **dict.fromkeys(("false", "0", "no"), Keep.DROP),
}


def _value(name: str, value: object) -> object:
    match name:
        case "engine":
            return str(value)
        case "threshold":
            return None if value is None else _number(name, value)
        case "max_perplexity":
            return None if value is None else _ceiling(name, value)
        case _ if name in _CHOICES:
            return _one_of(_CHOICES[name], name, value)
        case "seen" | "chunks" | "chunk_overlap":
            return _count(name, value)
        case _:
            return _truth(name, value)


def _number(name: str, value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise OptionsError(f"option {name} must be a number, not {value!r}") from None


def _ceiling(name: str, value: object) -> Ceiling:
    text = str(value)
    is_quantile = text.startswith("q")
    try:
        ceiling = Ceiling(float(text.removeprefix("q")), is_quantile)
    except ValueError:
        raise OptionsError(
            f"option {name} must be a perplexity or like q.95, not {value!r}"
        ) from None
    if is_quantile and not 0 <= ceiling.value <= 1:
        raise OptionsError(f"option {name} is {text}: a quantile must be 0 to 1")
    if not is_quantile and not 1 <= ceiling.value < inf:
        raise OptionsError(f"option {name} is {text}: a perplexity must be finite, at least 1")
    return ceiling


def _count(name: str, value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise OptionsError(f"option {name} must be an integer, not {value!r}") from None


def _one_of(choices: type[StrEnum], name: str, value: object) -> StrEnum:
    if choices in {Keep, Convention}:
        value = _TRUTHS.get(str(value).lower(), value)
    try:
        return choices(str(value))
    except ValueError:
        known = ", ".join(choices)
        raise OptionsError(f"option {name} must be one of {known}, not {value!r}") from None


def _truth(name: str, value: object) -> bool:
    try:
        return _TRUTHS[str(value).lower()] is Keep.KEEP
    except KeyError:
        raise OptionsError(f"option {name} must be true or false, not {value!r}") from None
