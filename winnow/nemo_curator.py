"""An extractor for NeMo Curator, the extra `nemo-curator`.

The stage for Common Crawl, and `DocumentIterateExtractStage` with any iterator of `url` and
`content`, read archives and call the extractor for each record.
"""

from typing import Any, Final

from winnow.extras import importing
from winnow.models import Cleaner, CleanerOptions, DocumentFilter, InvalidPage, Page

with importing("winnow.nemo_curator", "nemo-curator"):
    from nemo_curator.stages.text.download import DocumentExtractor

_READ: Final = ("url", "warc_id", "source_id")
_WRITTEN: Final = (
    "language", "text", "title", "author", "published_at", "page_type", "confidence", "words",
    "simhash", "text_digest",
)  # fmt: skip


class WinnowExtractor(DocumentExtractor):
    """Cleans the page of a record, in place of Curator's `CommonCrawlHTMLExtractor`.

    A record whose page gives no document, or none that is wanted, is skipped.
    """

    def __init__(
        self, options: CleanerOptions | None = None, documents: DocumentFilter | None = None
    ) -> None:
        """Clean with these options, by default the hybrid engine's own.

        Raises:
            OptionsError: an option is out of its range.
        """
        super().__init__()
        self._cleaner = Cleaner(options or CleanerOptions())
        self._documents = documents or DocumentFilter()

    def extract(self, record: dict[str, Any]) -> dict[str, Any] | None:
        """Return the row of a record: bytes, or text that is decoded already, as `content`."""
        content, content_type = record.get("content") or b"", ""
        if isinstance(content, str):
            # "replace": text may hold half of a surrogate pair, which no encoding has
            content, content_type = content.encode(errors="replace"), "text/html; charset=utf-8"
        page = Page(record.get("url") or "", content, content_type)
        (document,) = self._cleaner.clean_batch([page])
        if isinstance(document, InvalidPage) or not document.text:
            return None
        if self._documents.fault_of(document):
            return None
        read = {name: record.get(name) for name in _READ}
        return read | {name: getattr(document, name) for name in _WRITTEN}

    def input_columns(self) -> list[str]:
        """Return what a record must have."""
        return [*_READ, "content"]

    def output_columns(self) -> list[str]:
        """Return what a row has."""
        return [*_READ, *_WRITTEN]
