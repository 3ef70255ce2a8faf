"""One page in, one document out, without a cleaner to keep."""

from functools import lru_cache

from winnow.models import Cleaner, CleanerOptions, Document, Page


def clean(
    html: str | bytes,
    *,
    url: str = "",
    content_type: str = "",
    options: CleanerOptions | None = None,
) -> Document:
    """Clean one page.

    The cleaners of the last four options are kept, so calling this again costs no more than
    `Cleaner.clean`.

    Args:
        html: the page; bytes as they were fetched, or text that is decoded already.
        url: absolute URL of the page, which relative addresses in its metadata are completed with.
        content_type: HTTP `Content-Type` of bytes, for their charset; text has none.
        options: what to do with the page; by default the hybrid engine with its own defaults.

    Raises:
        InvalidPage: there is no document to be had from the page; `reason` says why.
        OptionsError: an option is out of its range.
    """
    if isinstance(html, str):
        # "replace": text may hold half of a surrogate pair, which no encoding has
        html, content_type = html.encode(errors="replace"), "text/html; charset=utf-8"
    return _cleaner(options or CleanerOptions()).clean(Page(url, html, content_type))


@lru_cache(maxsize=4)
def _cleaner(options: CleanerOptions) -> Cleaner:
    return Cleaner(options)
