"""Winnow's steps in pipelines of datatrove, with the real package."""

import gzip
import io
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from datatrove.data import Document
from datatrove.pipeline.readers.base import BaseDiskReader

from tests.archives import PROSE, a_record, documents, gzipped, mixed_archive, record_id
from winnow.datatrove import ArchiveReader, WinnowExtractor
from winnow.models import CleanerOptions, DocumentFilter
from winnow.models.errors import OptionsError
from winnow.worker.batch.archives.remote import RemoteUnavailable
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.cli import main

JOB = Path(__file__).parents[3] / "docs" / "jobs" / "datatrove_job.py"


@pytest.fixture
def archives(tmp_path: Path) -> Path:
    """Return a folder with the sample pages in an archive, among damaged records."""
    samples = [path.read_bytes() for path in sorted(SAMPLES.iterdir())]
    folder = tmp_path / "archives"
    folder.mkdir()
    (folder / "a.warc.gz").write_bytes(mixed_archive(samples * 3)[0])
    (folder / "notes.txt").write_text("no archive")
    return folder


def a_document(text: str, **metadata: str) -> Document:
    return Document(text, "1", metadata=dict(metadata))


def count(step: WinnowExtractor | ArchiveReader, label: str) -> int:
    return int(step.stats[label].total)


def test_a_pipeline_gives_the_texts_of_winnow_clean(tmp_path: Path, archives: Path) -> None:
    arguments = ["clean", str(archives), "-o", str(tmp_path / "ours"), "--format", "jsonl"]
    CliRunner().invoke(main, arguments)

    done = subprocess.run(
        [sys.executable, str(JOB), str(archives), str(tmp_path / "theirs"), "1"],
        check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    written = (tmp_path / "theirs" / "00000.jsonl").read_text().splitlines()
    theirs = {each["id"]: each for each in map(json.loads, written)}
    ours = {each["warc"]["record_id"]: each for each in documents(tmp_path / "ours")}
    assert {name: each["text"] for name, each in theirs.items()} == {
        name: each["text"] for name, each in ours.items() if each["text"]
    }
    some = record_id(1)
    for name in ("title", "language", "engine", "content_digest", "url", "warc"):
        assert theirs[some]["metadata"][name] == ours[some][name]


def test_the_reader_counts_records_that_are_not_pages(archives: Path) -> None:
    reader = ArchiveReader(str(archives), glob_pattern="*.warc.gz")
    assert isinstance(reader, BaseDiskReader)

    pages = list(reader.run())

    assert len(pages) == count(reader, "documents")
    assert count(reader, "no_page_warc_type") == 2 * 39
    assert count(reader, "no_page_undecodable") == 2


def test_the_extractor_takes_text_that_a_reader_has_decoded() -> None:
    page = f"<meta charset=latin-1><title>B\xe9es</title><p>{PROSE} \xe9</p>"
    extractor = WinnowExtractor()

    (document,) = extractor.run(iter([a_document(page, url="https://a.invalid/", mine="kept")]))

    assert document.text == f"{PROSE} \xe9"
    assert document.metadata["title"] == "B\xe9es"
    assert document.metadata["mine"] == "kept"


def test_the_extractor_drops_with_a_reason() -> None:
    extractor = WinnowExtractor(CleanerOptions(engine="perplexity", threshold=2))
    pages = ["%PDF-1.7", f"<p>{PROSE}</p>"] * 20

    forwarded = list(extractor.run(map(a_document, pages)))

    assert forwarded == []
    assert count(extractor, "total") == count(extractor, "dropped") == 40
    assert count(extractor, "dropped_not_html") == count(extractor, "dropped_no_text") == 20


def test_the_extractor_refuses_wrong_options() -> None:
    with pytest.raises(OptionsError):
        WinnowExtractor(CleanerOptions(engine="magic"))


def test_the_reader_leaves_out_pages_above_its_limit(tmp_path: Path) -> None:
    records = [a_record(1), a_record(2, b"<p>" + b"x" * 100_000)]
    content = b"".join(gzip.compress(record.stored) for record in records)
    (tmp_path / "a.warc.gz").write_bytes(content)
    reader = ArchiveReader(str(tmp_path), max_page_bytes=1000)

    assert [each.id for each in reader.run()] == [record_id(1)]
    assert count(reader, "no_page_too_large") == 1


class CutOff(io.BytesIO):
    """A file of a store whose connection breaks off after some bytes."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() > 100_000:
            raise ConnectionResetError("reset by peer")
        return super().read(size)


@pytest.mark.parametrize("name", ["a.warc.gz", "a.jsonl"])
def test_the_reader_fails_with_the_store_without_blaming_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    noise = random.Random(1).randbytes(1000).hex()
    if name == "a.jsonl":
        line = json.dumps({"url": "https://a.invalid/", "html": f"<p>{noise}"}).encode()
        content = (line + b"\n") * 1000
    else:
        content = gzipped(a_record(number, noise.encode()) for number in range(1000))
    (tmp_path / name).write_bytes(content)
    reader = ArchiveReader(str(tmp_path))
    monkeypatch.setattr(reader.data_folder, "open", lambda *_: CutOff(content))
    found: list[Document] = []

    with pytest.raises(RemoteUnavailable, match=f"{name}: ConnectionResetError: reset by peer"):
        found.extend(reader.run())

    assert len(found) > 30
    assert count(reader, "no_page_undecodable") == 0


def test_the_reader_fails_when_a_file_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.warc").write_bytes(a_record(1).stored)
    reader = ArchiveReader(str(tmp_path))

    def gone(*_: object) -> io.BytesIO:
        raise FileNotFoundError("a.warc")

    monkeypatch.setattr(reader.data_folder, "open", gone)

    with pytest.raises(RemoteUnavailable, match=r"a\.warc: FileNotFoundError"):
        list(reader.run())


def test_the_reader_counts_a_file_that_is_not_an_archive_and_continues(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"<p>no archive")
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(PROSE.encode())[:-9])
    (tmp_path / "c.warc").write_bytes(a_record(1).stored)
    reader = ArchiveReader(str(tmp_path))

    assert [each.id for each in reader.run()] == [record_id(1)]
    assert count(reader, "unreadable_file") == 2


def test_the_extractor_drops_unwanted_pages_and_counts_them_by_reason() -> None:
    other = f"{PROSE} " * 20
    texts = [PROSE, PROSE, other, "Two bees."]
    pages = [a_document(f"<p>{text}</p>", url=f"https://a.invalid/{text}") for text in texts]
    extractor = WinnowExtractor(documents=DocumentFilter(min_words=5), dedup="exact")

    kept = list(extractor.run(iter(pages)))

    assert [each.text for each in kept] == [PROSE, other.strip()]
    assert (count(extractor, "dropped_copy"), count(extractor, "dropped_words")) == (1, 1)


def test_the_extractor_hands_the_signals_of_quality_on() -> None:
    extractor = WinnowExtractor(CleanerOptions(quality=True))

    (document,) = extractor.run(iter([a_document(f"<p>{PROSE}</p>")]))

    assert document.metadata["quality"]["gopher_words"] == 16.0
