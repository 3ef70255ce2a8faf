"""Tables of pages and of archives, as Spark and Ray hand them over."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import winnow
from tests.archives import DATE, PROSE, a_record, a_response, gzipped, record_id
from winnow.models.errors import OptionsError
from winnow.models.options import CleanerOptions
from winnow.ray import CleanArchives, CleanPages
from winnow.worker.batch.archives.tables import SCHEMA, Columns

PAGE = f"<p>{PROSE} \xe9</p>".encode("latin-1")


def test_each_page_gives_one_row_in_order() -> None:
    columns = Columns("raw", "at", "type", "when")
    rows: list[dict[str, Any]] = [
        {
            "raw": PAGE,
            "at": "https://a.invalid/",
            "type": "text/html; charset=latin-1",
            "when": DATE,
        },
        {"raw": b"%PDF-1.7", "at": "https://b.invalid/", "type": None, "when": None},
        {"raw": None, "at": None, "type": None, "when": None},
    ] * 20

    found = CleanPages(columns)(pa.Table.from_pylist(rows))

    good, bad, empty = found.to_pylist()[:3]
    assert found.schema.equals(SCHEMA)
    assert found.num_rows == 60
    assert (good["text"], good["fetched_at"], good["error"]) == (f"{PROSE} \xe9", DATE, None)
    assert (bad["url"], bad["text"]) == ("https://b.invalid/", None)
    assert bad["error"].startswith("not_html")
    assert empty["error"].startswith("empty")


def test_archives_give_a_row_for_each_page_and_each_error(tmp_path: Path) -> None:
    bad = a_response(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\xff\xff")
    records = [a_record(1), a_record(2, kind="request"), bad]
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(gzipped(records))

    page, error = CleanArchives()(pa.Table.from_pylist([{"path": str(archive)}])).to_pylist()

    assert (page["text"], page["warc"]["record_id"]) == (PROSE, record_id(1))
    assert (error["text"], error["warc"]["record_id"]) == (None, record_id(0))
    assert error["error"].startswith("undecodable: a body in br: damaged")


def test_no_pages_give_an_empty_table(tmp_path: Path) -> None:
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(gzipped([a_record(2, kind="request")]))

    found = CleanArchives("at")(pa.Table.from_pylist([{"at": str(archive)}]))

    assert found.schema.equals(SCHEMA)
    assert found.num_rows == 0


def test_wrong_options_are_refused_before_the_first_page() -> None:
    with pytest.raises(OptionsError):
        CleanPages(options=CleanerOptions(engine="magic"))


def test_texts_equal_the_output_of_winnow_clean() -> None:
    (row,) = CleanPages()(
        pa.Table.from_pylist([{"body": PAGE, "url": "https://a.invalid/"}])
    ).to_pylist()

    assert row["text"] == winnow.clean(PAGE).text
