"""Cleaning as a map over data frames of Spark, the extra `spark`.

Every Python process of a node shares one mapping of the models.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

from winnow.extras import importing
from winnow.models import CleanerOptions

with importing("winnow.spark", "spark"):
    import pyarrow as pa
    from pyspark.sql import DataFrame
    from pyspark.sql.pandas.types import from_arrow_schema

    from winnow.worker.batch.archives import tables
    from winnow.worker.batch.archives.tables import Columns


def clean(
    pages: DataFrame, columns: Columns | None = None, options: CleanerOptions | None = None
) -> DataFrame:
    """Return a row for each page: the members of a document, and `error` where there is none.

    Args:
        pages: one page a row, by default with columns `body` and `url`.
        columns: other names of its columns.
        options: of the cleaner.
    """
    work = partial(_clean_pages, columns or Columns(), options or CleanerOptions())
    return pages.mapInArrow(work, from_arrow_schema(tables.SCHEMA))


def clean_archives(
    paths: DataFrame, column: str = "path", options: CleanerOptions | None = None
) -> DataFrame:
    """Return a row for each page in WARC files and other archives that every node can open.

    Args:
        paths: one path a row; a partition is the work of one process.
        column: where the path stands.
        options: of the cleaner.
    """
    work = partial(_clean_archives, column, options or CleanerOptions())
    return paths.mapInArrow(work, from_arrow_schema(tables.SCHEMA))


def _clean_pages(
    columns: Columns, options: CleanerOptions, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield from tables.clean_pages(batch.to_pylist(), columns, options)


def _clean_archives(
    column: str, options: CleanerOptions, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    paths = chain.from_iterable(batch.column(column).to_pylist() for batch in batches)
    yield from tables.clean_archives(paths, options)
