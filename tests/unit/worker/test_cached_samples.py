"""No engine writes what the check of cached results refuses."""

from dataclasses import replace

import orjson
import pytest

from winnow.models.checksum import content_digest
from winnow.models.document import Document, Page
from winnow.models.engines.choice import ENGINES
from winnow.models.options import CleanerOptions
from winnow.streams.cache.stored_messages import repeated
from winnow.streams.messages import encode
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.cleaning import open_cleaner

PAGES = sorted(SAMPLES.glob("*.html"))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_cleaned_page_is_repeated_from_what_was_stored(engine: str) -> None:
    cleaner = open_cleaner(CleanerOptions(engine=engine, spans=True), None)
    pages = [Page(f"https://example.org/{path.name}", path.read_bytes()) for path in PAGES]

    for page, document in zip(pages, cleaner.clean_batch(pages), strict=True):
        if isinstance(document, Document):
            digest = content_digest(page.body)
            stored = encode(document)
            again = repeated(stored, replace(page, fetched_at="2026-02-02"), digest)
            fetched = {"fetched_at": "2026-02-02"}
            assert orjson.loads(again.document) == orjson.loads(stored.document) | fetched
