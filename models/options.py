"""How to clean: one value of options, read from names and text, checked once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from math import inf
from typing import Any, Final

from winnow.models.engines.hybrid import Convention, Training
from winnow.models.errors import OptionsError
from winnow.models.ngram.ceiling import Ceiling
from winnow.models.page import Limits

# Each chunk repeats its headings: shorter ones would be little else.
LEAST_CHUNK: Final = 32


class NoIndex(StrEnum):
    """What becomes of pages that ask every reader not to index them."""

    KEEP = "keep"  # cleaned as any other; `wishes` tells
    SKIP = "skip"  # a document without anything of the page but its wishes


class TextFormat(StrEnum):
    """How the kept text of a document is written."""

    TEXT = "text"
    MARKDOWN = "markdown"


class Keep(StrEnum):
    """Whether something goes into the text."""

    KEEP = "keep"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class CleanerOptions:
    """Everything that decides what a cleaner makes of a page, but for the model.

    Options that keep or drop something take `True` and `False` too.

    Attributes:
        engine: the rule that judges, see `winnow.models.engines`.
        threshold: what the engine compares with; None takes the engine's own default.
        max_perplexity: sentences of running text that are kept so far and are stranger than this go
            too, whatever the engine: a perplexity, or as `q.95` the quantile of the text that the
            model of the language of the page held out, which the models that ship do not hold; None
            keeps them. Code, tables, headings,
            captions, items of lists without an end mark, sentences of few tokens and pages in a
            language without a model stay.
        comments: what becomes of readers' comments; only the hybrid engine tells them apart, in its
            mixed training.
        title, bylines, captions: what becomes of the headline, of names of authors with dates, of
            the texts of pictures; only the hybrid engine tells them apart.
        training: which pages the parameters of the hybrid engine come from.
        format: plain text or Markdown.
        links: whether links keep their addresses; in Markdown alone.
        images: whether images stand where the page has them; in Markdown alone.
        data_text: whether text that only data of a page holds, such as linked data, counts where
            the page shows next to nothing.
        mark: keep rejected sentences, marked with their perplexity.
        spans: put all blocks and sentences with their verdicts into the document.
        sources: say in the document where the page says each field.
        quality: put the signals of quality of the text into the document and the statistics; they
            cost half as much as parsing the page.
        chunks: tokens, words and signs, of the chunks of the text that the document has, at most; 0
            gives it none.
        chunk_overlap: tokens that a chunk repeats of the one before it, at most.
        noindex: what becomes of pages that ask not to be indexed.
        seen: other pages of a host that must have shown a block before it is dropped as seen, up
            to 16; 0 keeps no memory of sites.
        limits: bounds on what a page may be.
    """

    engine: str = "hybrid"
    threshold: float | None = None
    max_perplexity: Ceiling | float | str | None = None
    comments: Convention = Convention.AUTO
    title: Convention = Convention.AUTO
    bylines: Convention = Convention.AUTO
    captions: Convention = Convention.AUTO
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
        """Turn values that are given as text into what they say.

        Raises:
            OptionsError: a value is none for its name.
        """
        for name in OPTION_NAMES:
            object.__setattr__(self, name, _value(name, getattr(self, name)))
        if self.chunks and self.chunks < LEAST_CHUNK:
            raise OptionsError(f"option chunks is 0, or {LEAST_CHUNK} or more, not {self.chunks}")
        if not 0 <= self.chunk_overlap <= self.chunks // 2:
            raise OptionsError(
                f"option chunk_overlap is 0 to half of chunks, not {self.chunk_overlap}"
            )

    @property
    def ceiling(self) -> Ceiling | None:
        """What `max_perplexity` says."""
        return self.max_perplexity if isinstance(self.max_perplexity, Ceiling) else None

    def with_values(self, values: Mapping[str, object]) -> "CleanerOptions":
        """Return these options with some replaced, by name; values may be text.

        Raises:
            OptionsError: a name is unknown, or a value is none for it.
        """
        known: dict[str, Any] = dict(values)
        for name in known:
            if name not in OPTION_NAMES:
                raise OptionsError(
                    f"no option is called {name!r}; there are {', '.join(OPTION_NAMES)}"
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
    "training": Training,
    "noindex": NoIndex,
}
# what True and False are called in files and on command lines, for options of both kinds
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
        raise OptionsError(f"option {name} is a number, not {value!r}") from None


def _ceiling(name: str, value: object) -> Ceiling:
    text = str(value)
    is_quantile = text.startswith("q")
    try:
        ceiling = Ceiling(float(text.removeprefix("q")), is_quantile)
    except ValueError:
        raise OptionsError(f"option {name} is a perplexity or as q.95, not {value!r}") from None
    if is_quantile and not 0 <= ceiling.value <= 1:
        raise OptionsError(f"option {name} is {text}, and a quantile is 0 to 1")
    if not is_quantile and not 1 <= ceiling.value < inf:
        raise OptionsError(f"option {name} is {text}, and a perplexity is at least 1 and finite")
    return ceiling


def _count(name: str, value: object) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise OptionsError(f"option {name} is a whole number, not {value!r}") from None


def _one_of(choices: type[StrEnum], name: str, value: object) -> StrEnum:
    if choices in {Keep, Convention}:
        value = _TRUTHS.get(str(value).lower(), value)
    try:
        return choices(str(value))
    except ValueError:
        known = ", ".join(choices)
        raise OptionsError(f"option {name} is one of {known}, not {value!r}") from None


def _truth(name: str, value: object) -> bool:
    try:
        return _TRUTHS[str(value).lower()] is Keep.KEEP
    except KeyError:
        raise OptionsError(f"option {name} is true or false, not {value!r}") from None
