"""A loader for LangChain, the extra `langchain`."""

from collections.abc import Iterator, Sequence

from winnow.extras import importing
from winnow.models import CleanerOptions, DocumentFilter
from winnow.retrieval import CHUNKS, chunks_in

with importing("winnow.langchain", "langchain"):
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document


class WinnowLoader(BaseLoader):
    """Loads the chunks of pages and archives: see `winnow.retrieval.chunks_in`."""

    def __init__(
        self,
        paths: Sequence[str],
        options: CleanerOptions = CHUNKS,
        documents: DocumentFilter | None = None,
    ) -> None:
        """Read nothing yet."""
        self._asked = paths, options, documents

    def lazy_load(self) -> Iterator[Document]:
        """Yield a document of LangChain for each chunk."""
        for text, metadata in chunks_in(*self._asked):
            yield Document(page_content=text, metadata=metadata)
