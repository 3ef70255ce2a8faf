"""Cleaning as a map over data frames of Spark, the extra `spark`.

Every Python process of a node shares one mapping of the models.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from winnow.extras import importing
from winnow.models import CleanerOptions, DocumentFilter

with importing("winnow.spark", "spark"):
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.pandas.types import from_arrow_schema

    from winnow.worker.batch.archives import tables
    from winnow.worker.batch.archives.tables import Cleaning, Columns


def clean(
    pages: DataFrame,
    columns: Columns | None = None,
    options: CleanerOptions | None = None,
    documents: DocumentFilter | None = None,
) -> DataFrame:
    """Return a row for each page: the members of a document, and `error` where there is none.

    Where the filter does not want the document, `error` is `dropped: REASON`.

    Args:
        pages: one page a row, by default with columns `body` and `url`.
        columns: other names of its columns.
        options: of the cleaner.
        documents: which are wanted; by default all.
    """
    cleaning = Cleaning(options or CleanerOptions(), documents or DocumentFilter())
    work = partial(_clean_pages, columns or Columns(), cleaning)
    return pages.mapInArrow(work, from_arrow_schema(tables.SCHEMA))


def clean_archives(
    paths: DataFrame,
    column: str = "path",
    options: CleanerOptions | None = None,
    documents: DocumentFilter | None = None,
) -> DataFrame:
    """Return a row for each page in WARC files and other archives that every node can open.

    Args:
        paths: one path a row; a partition is the work of one process.
        column: the column with the path.
        options: of the cleaner.
        documents: which are wanted; by default all.
    """
    cleaning = Cleaning(options or CleanerOptions(), documents or DocumentFilter())
    work = partial(_clean_archives, column, cleaning)
    return paths.mapInArrow(work, from_arrow_schema(tables.SCHEMA))


def _clean_pages(
    columns: Columns, cleaning: Cleaning, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield from tables.clean_pages(batch.to_pylist(), columns, cleaning)


def _clean_archives(
    column: str, cleaning: Cleaning, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    paths = chain.from_iterable(batch.column(column).to_pylist() for batch in batches)
    yield from tables.clean_archives(paths, cleaning)
