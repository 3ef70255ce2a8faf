"""Pages and archives -> chunks with their metadata, for indexes of retrieval."""

import logging
from collections.abc import Iterable, Iterator
from typing import Any, Final

from winnow.extras import importing
from winnow.models import CleanerOptions, DocumentFilter, InvalidPage, TextFormat

with importing("winnow.retrieval"):
    import orjson

    from winnow.worker.batch.archives.cleaning import EntryCleaner, value_of
    from winnow.worker.batch.archives.entries import BEGIN
    from winnow.worker.batch.archives.inputs import find_inputs
    from winnow.worker.batch.archives.run import Source
    from winnow.worker.batch.choice import Choice
    from winnow.worker.batch.inputs import argument_of

CHUNKS: Final = CleanerOptions(format=TextFormat.MARKDOWN, chunks=400, chunk_overlap=40)
_MEMBERS: Final = (
    "title", "author", "published_at", "site_name", "language", "page_type", "confidence"
)  # fmt: skip
_log: Final = logging.getLogger("winnow")


def chunks_in(
    paths: Iterable[str], options: CleanerOptions = CHUNKS, documents: DocumentFilter | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the chunks of what `winnow clean` reads, each with what is known of its document.

    The metadata are plain values: `source`, the URL; `chunk`, the number of the chunk in its
    document; `headings`, the titles above it, with ` > ` between them; and members of the document
    that are not empty. What gives no document is logged as a warning of `winnow`.

    Args:
        paths: files, folders, patterns and URLs.
        options: of the cleaner; `chunks` and `chunk_overlap` say how long chunks are.
        documents: which are wanted; by default all.

    Raises:
        OptionsError: an option is out of its range.
    """
    choice = Choice(documents or DocumentFilter())
    cleaner = EntryCleaner.open(options, None, value_of, choice)
    source = Source(find_inputs(map(argument_of, paths)), options.limits.page_bytes)
    for batch in source.batches(0, BEGIN):
        for outcome in cleaner(batch):
            if isinstance(outcome.result, bytes):
                yield from _chunks(orjson.loads(outcome.result))
            elif isinstance(outcome.result, InvalidPage):
                name = outcome.url or source.name_of(outcome.file)
                _log.warning("%s: %s", name, outcome.result)


def _chunks(message: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    stated = {name: message[name] for name in _MEMBERS if message.get(name)}
    for number, chunk in enumerate(message.get("chunks", ())):
        headings = " > ".join(chunk["headings"])
        known = {"source": message["url"], "chunk": number, "headings": headings}
        yield chunk["text"], known | stated
