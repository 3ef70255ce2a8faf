"""Winnow as an extractor of NeMo Curator, in the package's own stage over archives."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from nemo_curator.stages.text.download.base.iterator import DocumentIterateExtractStage
from nemo_curator.stages.text.download.common_crawl.warc_iterator import CommonCrawlWarcIterator
from nemo_curator.tasks import FileGroupTask

from tests.archives import a_record, documents, gzipped
from winnow.models import DocumentFilter
from winnow.nemo_curator import WinnowExtractor
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.cli import main

pytestmark = [pytest.mark.adapters, pytest.mark.timeout(1200)]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive without damage, at which Curator's reader would leave the rest of the file."""
    bodies = [path.read_bytes() for path in sorted(SAMPLES.iterdir())]
    kind = (("Content-Type", "text/html"),)
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(gzipped(a_record(n, body, kind) for n, body in enumerate(bodies)))
    return path


def stage(extractor: WinnowExtractor) -> DocumentIterateExtractStage:
    return DocumentIterateExtractStage(CommonCrawlWarcIterator(), extractor)


def task(archive: Path) -> FileGroupTask:
    return FileGroupTask(dataset_name="crawl", data=[str(archive)])


def test_the_stage_of_archives_gives_the_texts_of_winnow_clean(
    tmp_path: Path, archive: Path
) -> None:
    arguments = ["clean", str(archive), "-o", str(tmp_path / "ours"), "--format", "jsonl"]
    CliRunner().invoke(main, arguments)
    wanted = {each["warc"]["record_id"]: each["text"] for each in documents(tmp_path / "ours")}
    extracting = stage(WinnowExtractor())

    rows = extracting.process(task(archive)).data

    ids = [f"<urn:uuid:{each}>" for each in rows["warc_id"]]
    assert dict(zip(ids, rows["text"], strict=True)) == wanted
    assert len(wanted) > 10
    assert set(rows.columns) == set(extracting.outputs()[1])
    assert set(rows["source_id"]) == {archive.name}


def test_documents_that_are_not_wanted_are_skipped(archive: Path) -> None:
    polish = stage(WinnowExtractor(documents=DocumentFilter(languages=frozenset({"pl"}))))

    rows = polish.process(task(archive)).data

    assert list(rows["language"]) == ["pl"]


def test_text_that_is_decoded_already_is_taken_as_it_is() -> None:
    text = (SAMPLES / "russian-windows-1251.html").read_bytes().decode("cp1251")
    record = {"url": "https://a.invalid/", "content": text, "warc_id": "1", "source_id": "a"}

    row = WinnowExtractor().extract(record)

    assert row is not None
    assert row["title"] == "Библиотека на колёсах"
    assert WinnowExtractor().extract(record | {"content": b"%PDF-1.7"}) is None
