"""Steps for pipelines of datatrove, the extra `datatrove`.

`ArchiveReader` reads what `winnow clean` reads, and hands the bytes of pages on; `WinnowExtractor`
cleans them, or the text that a reader of datatrove has decoded.
"""

from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Final

from winnow.extras import importing

with importing("winnow.datatrove", "datatrove"):
    from datatrove.data import Document, DocumentsPipeline, Media, MediaType
    from datatrove.pipeline.base import PipelineStep
    from datatrove.pipeline.readers.base import BaseDiskReader
    from datatrove.utils.logging import logger

    import winnow.models
    from winnow.models import Cleaner, CleanerOptions, DocumentFilter, InvalidPage, Page
    from winnow.models.filtering import CopyFilter, CopyRule, Unwanted
    from winnow.worker.batch.archives.cleaning import page_in
    from winnow.worker.batch.archives.entries import Entry, PageOf
    from winnow.worker.batch.archives.reading import file_entries
    from winnow.worker.batch.archives.remote import StoredFile
    from winnow.worker.batch.inputs import InputError

BATCH_PAGES: Final = 32

_NOT_METADATA: Final = {
    "text", "url", "fetched_at", "stats", "blocks", "sentences", "outline", "chunked",
}  # fmt: skip
_METADATA: Final = [
    each.name for each in fields(winnow.models.Document) if each.name not in _NOT_METADATA
]


class ArchiveReader(BaseDiskReader):
    """Reads WARC files, JSON lines and pages, packed or not; a document for each page.

    Its text is empty: the page is the document's only medium, with its bytes as they were fetched,
    so that the extractor finds the charset. Records without a page, damaged pages and files
    of another kind are counted; a store that does not answer ends the task.
    """

    name = "🌾 Winnow archives"

    def __init__(self, data_folder: str, *, max_page_bytes: int = 0, **options: Any) -> None:  # noqa: ANN401 - of datatrove
        """Take the options of `BaseDiskReader`; larger pages than the limit are counted alone."""
        super().__init__(data_folder, **options)
        self._max_page_bytes = max_page_bytes or CleanerOptions().limits.page_bytes

    def read_file(self, filepath: str) -> DocumentsPipeline:
        """Yield a document for each page of a file.

        Raises:
            RemoteUnavailable: the store does not hand out the file; the task is to be run again.
        """
        path = self.data_folder.resolve_paths(filepath)
        opened = partial(StoredFile.opened, path, partial(self.data_folder.open, filepath, "rb"))
        entries = file_entries(PurePosixPath(filepath), path, opened, self._max_page_bytes)
        try:
            yield from self._documents(entries, filepath, path)
        except InputError as error:
            logger.warning(str(error))
            self.stat_update("unreadable_file")

    def _documents(self, entries: Iterator[Entry], filepath: str, path: str) -> Iterator[Document]:
        for number, entry in enumerate(entries):
            found = page_in(entry, self._max_page_bytes)
            if isinstance(found, PageOf):
                yield self._document(found, f"{filepath}/{number}", path)
            else:
                reason = found.reason if isinstance(found, InvalidPage) else found
                self.stat_update(f"no_page_{reason.value}")

    def _document(self, found: PageOf, default_id: str, path: str) -> Document:
        page, record = found.page, found.record
        medium = Media(
            default_id,
            MediaType.DOCUMENT,
            page.url,
            media_bytes=page.body,
            metadata={"content_type": page.content_type},
        )
        metadata: dict[str, Any] = {
            "url": page.url,
            "date": page.fetched_at,
            "file_path": path,
        }
        if record:
            metadata["warc"] = record.members()
        return Document(
            "", record.record_id if record else default_id, [medium],
            {**(self.default_metadata or {}), **metadata},
        )  # fmt: skip


class WinnowExtractor(PipelineStep):
    """Cleans pages: fills text and metadata, and drops what gives none or is not wanted.

    What is dropped is counted by reason.

    The pages of a batch go to the kernel in one call, and all processes of a node share one
    mapping of the models.
    """

    type = "🛢 - EXTRAC"
    name = "🌾 Winnow"

    def __init__(
        self,
        options: CleanerOptions | None = None,
        documents: DocumentFilter | None = None,
        dedup: str = "",
    ) -> None:
        """Clean with these options, by default the hybrid engine's own.

        Args:
            options: of the cleaner.
            documents: which are wanted; by default all that have text.
            dedup: `exact` or `simhash:N` drops copies of documents of the same task.

        Raises:
            OptionsError: an option is out of its range.
        """
        super().__init__()
        self._documents = documents or DocumentFilter()
        self._rule = CopyRule.of(dedup) if dedup else None
        self._cleaner = Cleaner(options or CleanerOptions())

    def run(
        self,
        data: DocumentsPipeline,
        rank: int = 0,  # noqa: ARG002 - of datatrove
        world_size: int = 1,  # noqa: ARG002 - the same
    ) -> DocumentsPipeline:
        """Yield the documents that have text and are wanted."""
        copies = CopyFilter(self._rule) if self._rule else None
        while batch := list(islice(data, BATCH_PAGES)):
            with self.track_time("batch"):
                cleaned = self._cleaner.clean_batch([_page(each) for each in batch])
            yield from self._forwarded(batch, cleaned, copies)

    def _forwarded(
        self,
        batch: list[Document],
        cleaned: list[winnow.models.Document | InvalidPage],
        copies: CopyFilter | None,
    ) -> Iterator[Document]:
        for document, result in zip(batch, cleaned, strict=True):
            self.stat_update("total")
            if isinstance(result, InvalidPage) or (reason := self._fault(result, copies)):
                why = result.reason.value if isinstance(result, InvalidPage) else reason
                self.stat_update("dropped", f"dropped_{why}")
                continue
            document.text = result.text
            document.media = []
            document.metadata |= {name: getattr(result, name) for name in _METADATA}
            if result.stats.quality:
                document.metadata["quality"] = dict(result.stats.quality)
            self.stat_update("forwarded")
            self.update_doc_stats(document)
            yield document

    def _fault(self, result: winnow.models.Document, copies: CopyFilter | None) -> str:
        """Return why a document is not forwarded; empty if it is."""
        if not result.text:
            return "no_text"
        if fault := self._documents.fault_of(result):
            return fault.value
        if copies is None or self._rule is None:
            return ""
        fingerprint = self._rule.fingerprint_of(result)
        if copies.is_copy(fingerprint):
            return Unwanted.COPY.value
        if fingerprint is not None:
            copies.remember(fingerprint)
        return ""


def _page(document: Document) -> Page:
    """Return the page of a document: its medium, or the text that a reader has decoded."""
    url, date = (str(document.metadata.get(name) or "") for name in ("url", "date"))
    for medium in document.media:
        if medium.media_bytes is not None:
            return Page(url, medium.media_bytes, medium.metadata.get("content_type", ""), date)
    # "replace": text may hold half of a surrogate pair, which no encoding has
    body = document.text.encode(errors="replace")
    return Page(url, body, "text/html; charset=utf-8", date)
