"""A reader for LlamaIndex, the extra `llamaindex`."""

from collections.abc import Iterator, Sequence

from winnow.extras import importing
from winnow.models import CleanerOptions, DocumentFilter
from winnow.retrieval import CHUNKS, chunks_in

with importing("winnow.llamaindex", "llamaindex"):
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document


class WinnowReader(BaseReader):
    """Reads the chunks of pages and archives: see `winnow.retrieval.chunks_in`."""

    def lazy_load_data(
        self,
        paths: Sequence[str],
        options: CleanerOptions = CHUNKS,
        documents: DocumentFilter | None = None,
    ) -> Iterator[Document]:
        """Yield a document of LlamaIndex for each chunk."""
        for text, metadata in chunks_in(paths, options, documents):
            yield Document(text=text, metadata=metadata)
