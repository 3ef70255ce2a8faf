"""Chunks of pages and archives, as loaders of other frameworks hand them on."""

import logging
from pathlib import Path

import pytest

import winnow
from tests.archives import PROSE, a_record, gzipped
from winnow.models.options import CleanerOptions
from winnow.retrieval import CHUNKS, chunks_in
from winnow.worker.batch.inputs import SAMPLES


def test_chunks_equal_the_chunks_of_the_document() -> None:
    page = SAMPLES / "documentation.html"

    found = list(chunks_in([str(page)]))

    document = winnow.clean(page.read_bytes(), url=page.resolve().as_uri(), options=CHUNKS)
    assert [text for text, _ in found] == [each.text for each in document.chunked]
    assert [each["chunk"] for _, each in found] == list(range(len(found)))
    _, metadata = found[-1]
    assert metadata["source"] == page.resolve().as_uri()
    assert metadata["headings"] == " > ".join(document.chunked[-1].headings)
    assert metadata["title"] == document.title
    assert {type(value) for value in metadata.values()} <= {str, int, float}


def test_archives_are_read_and_records_that_are_not_pages_are_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(gzipped([a_record(1), a_record(2, b"%PDF-1.7"), a_record(3)]))

    with caplog.at_level(logging.WARNING, "winnow"):
        texts = [text for text, _ in chunks_in([str(archive)])]

    assert texts == [PROSE, PROSE]
    assert "not_html" in caplog.text


def test_documents_are_chosen(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(f"<p>{PROSE}</p>")
    wanted = winnow.DocumentFilter(min_words=1000)

    assert list(chunks_in([str(page)], CleanerOptions(chunks=40), wanted)) == []
