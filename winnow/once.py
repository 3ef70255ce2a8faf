"""One page in, one document out, without a cleaner to keep."""

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypedDict

from winnow.models import Cleaner, CleanerOptions, Document, Page

if TYPE_CHECKING:
    from typing import Unpack

_Keep = Literal["keep", "drop"] | bool
_Convention = Literal["auto", "keep", "drop"] | bool


class OptionKeywords(TypedDict, total=False):
    """The options of `CleanerOptions` as keywords of `clean`."""

    engine: str
    threshold: float | None
    max_perplexity: float | str | None
    comments: _Convention
    title: _Convention
    bylines: _Convention
    captions: _Convention
    standfirst: _Convention
    training: Literal["mixed", "open"]
    format: Literal["text", "markdown"]
    links: _Keep
    images: _Keep
    data_text: _Keep
    mark: bool
    spans: bool
    sources: bool
    quality: bool
    chunks: int
    chunk_overlap: int
    noindex: Literal["keep", "skip"]
    seen: int


def clean(
    html: str | bytes,
    *,
    url: str = "",
    content_type: str = "",
    options: CleanerOptions | None = None,
    **keywords: "Unpack[OptionKeywords]",
) -> Document:
    """Clean one page.

    The cleaners of the last four options are kept, so calling this again costs no more than
    `Cleaner.clean`.

    Args:
        html: the page; bytes as they were fetched, or text that is decoded already.
        url: absolute URL of the page, which relative addresses in its metadata are completed with.
        content_type: HTTP `Content-Type` of bytes, for their charset; text has none.
        options: what to do with the page; by default the hybrid engine with its own defaults.
        keywords: single options by the names of `CleanerOptions`, such as `format="markdown"`
            or `links=True`; they replace the same ones of `options`.

    Raises:
        InvalidPage: there is no document to be had from the page; `reason` says why.
        OptionsError: an option is unknown or out of its range.
    """
    if isinstance(html, str):
        # "replace": text may hold half of a surrogate pair, which no encoding has
        html, content_type = html.encode(errors="replace"), "text/html; charset=utf-8"
    chosen = options or CleanerOptions()
    if keywords:
        chosen = chosen.with_values(keywords)
    return _cleaner(chosen).clean(Page(url, html, content_type))


@lru_cache(maxsize=4)
def _cleaner(options: CleanerOptions) -> Cleaner:
    return Cleaner(options)
