import io
import tarfile
from pathlib import Path

import zstandard

from winnow.lab.downstream.webkb import body_of, url_of, webkb_pages


def test_body_begins_after_the_empty_line() -> None:
    assert body_of(b"Server: CERN/3.0\r\nDate: x\r\n\r\n<html>\n\n<p>text") == b"<html>\n\n<p>text"


def test_body_is_everything_without_an_empty_line() -> None:
    assert body_of(b"<html>\n<p>text") == b"<html>\n<p>text"


def test_url_is_read_from_the_name() -> None:
    assert (
        url_of("http_^^cs.cornell.edu^Info^cs414.html") == "http://cs.cornell.edu/Info/cs414.html"
    )


def test_pages_come_by_class_and_university(tmp_path: Path) -> None:
    archive = tmp_path / "webkb.tar.zst"
    with zstandard.open(archive, "wb") as packed, tarfile.open(fileobj=packed, mode="w|") as files:
        for name in ("webkb/student/texas/http_^^b", "webkb/course/misc/http_^^a", "webkb/README"):
            member = tarfile.TarInfo(name)
            member.size = 9
            files.addfile(member, io.BytesIO(b"A: b\n\n<p>"))

    found = [(page.label, page.university, page.page.url) for page in webkb_pages(archive)]

    assert found == [("course", "misc", "http://a"), ("student", "texas", "http://b")]
