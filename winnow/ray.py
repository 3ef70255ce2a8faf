"""Cleaning as an actor of Ray Data, the extra `ray`.

Every actor of a node shares one mapping of the models.
"""

from winnow.extras import importing
from winnow.models import CleanerOptions, DocumentFilter

with importing("winnow.ray", "ray"):
    import pyarrow as pa

    from winnow.worker.batch.archives import tables
    from winnow.worker.batch.archives.tables import Cleaning, Columns


class CleanPages:
    """Cleans batches of pages: `ds.map_batches(CleanPages, batch_format="pyarrow")`.

    Returns a row for each page: the members of a document, and `error` where there is none, or
    `dropped: REASON` where the filter does not want it.
    """

    def __init__(
        self,
        columns: Columns | None = None,
        options: CleanerOptions | None = None,
        documents: DocumentFilter | None = None,
    ) -> None:
        """Open the models.

        Raises:
            OptionsError: an option is out of its range.
        """
        self._columns = columns or Columns()
        self._cleaning = Cleaning(options or CleanerOptions(), documents or DocumentFilter())
        tables.entry_cleaner(self._cleaning)

    def __call__(self, pages: pa.Table) -> pa.Table:
        """Return the documents of a batch, in order."""
        batches = tables.clean_pages(pages.to_pylist(), self._columns, self._cleaning)
        return pa.Table.from_batches(batches, tables.SCHEMA)


class CleanArchives:
    """Cleans the archives whose paths come: `paths.map_batches(CleanArchives, ...)`."""

    def __init__(
        self,
        column: str = "path",
        options: CleanerOptions | None = None,
        documents: DocumentFilter | None = None,
    ) -> None:
        """Open the models; `column` has the paths.

        Raises:
            OptionsError: an option is out of its range.
        """
        self._column = column
        self._cleaning = Cleaning(options or CleanerOptions(), documents or DocumentFilter())
        tables.entry_cleaner(self._cleaning)

    def __call__(self, paths: pa.Table) -> pa.Table:
        """Return the documents of all pages of a batch of archives."""
        named = [row[self._column] for row in paths.to_pylist()]
        return pa.Table.from_batches(tables.clean_archives(named, self._cleaning), tables.SCHEMA)
