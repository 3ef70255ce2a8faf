"""Archives as real crawlers and servers leave them: nothing of them is lost without a word."""

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

import brotli
import pytest
import zstandard
from click.testing import CliRunner, Result

from tests.archives import (
    DATE,
    PROSE,
    Record,
    a_record,
    a_response,
    documents,
    errors,
    gzipped,
    in_one_member,
    page_in,
    pages,
    plain,
    record_id,
)
from winnow.worker.batch.archives.entries import Mended
from winnow.worker.batch.archives.warc import warc_entries
from winnow.worker.cli import main

BODY = f"<p>{PROSE}</p>".encode()
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
EMPTY = gzip.compress(b"")


def bodies(archive: bytes) -> list[bytes]:
    return [each.page.body for each in pages(archive)]


def three() -> list[Record]:
    return [a_record(number, f"<p>{number}</p>".encode()) for number in range(3)]


THREE = [b"<p>0</p>", b"<p>1</p>", b"<p>2</p>"]


def run(file: Path, content: bytes, *options: str) -> Result:
    file.write_bytes(content)
    out = ("-o", str(file.parent / "out"), "--format", "jsonl", "--json")
    return CliRunner().invoke(main, ["clean", str(file), *out, *options])


@pytest.mark.parametrize("place", [0, 1, 2, 3])
@pytest.mark.parametrize("count", [1, 2, 100])
def test_empty_members_are_nothing(place: int, count: int) -> None:
    members = [gzipped([record]) for record in three()]
    members[place:place] = [EMPTY] * count

    assert bodies(b"".join(members)) == THREE


def test_empty_members_between_records_lose_none_in_several_processes(tmp_path: Path) -> None:
    members = chain.from_iterable((EMPTY, gzipped([record])) for record in three())

    result = run(tmp_path / "a.warc.gz", b"".join(members), "--jobs", "2")

    assert result.exit_code == 0
    assert json.loads(result.stdout)["documents"] == 3


@pytest.mark.parametrize("pack", [plain, gzipped, in_one_member])
@pytest.mark.parametrize(
    "rename",
    [bytes.lower, bytes.upper, bytes.title, lambda name: name.replace(b"W", b"w"),
     lambda name: name + b" "],
)  # fmt: skip
def test_names_of_fields_are_the_same_in_any_letters(
    pack: Callable[[Iterable[Record]], bytes], rename: Callable[[bytes], bytes]
) -> None:
    names = (b"WARC-Type", b"WARC-Record-ID", b"WARC-Target-URI", b"WARC-Date", b"Content-Length")
    records = three()
    for name in names:
        records = [record.changed(name + b":", rename(name) + b":") for record in records]

    found = pages(pack(records))

    assert [each.page.body for each in found] == THREE
    assert [each.record.record_id for each in found if each.record] == list(
        map(record_id, range(3))
    )
    assert [each.page.fetched_at for each in found] == [DATE] * 3


@pytest.mark.parametrize("kind", [b"Response", b"RESPONSE", b" response "])
def test_a_type_is_the_same_in_any_letters(kind: bytes) -> None:
    record = a_record(0, BODY).changed(b"WARC-Type: response", b"WARC-Type: " + kind)

    assert bodies(plain([record])) == [BODY]


@pytest.mark.parametrize("version", [b"WARC/0.17", b"WARC/0.18", b"WARC/1.0", b"WARC/1.1"])
def test_all_versions_are_read(version: bytes) -> None:
    records = [record.changed(b"WARC/1.1", version) for record in three()]

    assert bodies(plain(records)) == THREE
    assert bodies(gzipped(records)) == THREE


def with_ends(record: Record, ends: Callable[[int], bytes]) -> Record:
    """Return a record whose fields end in other bytes, by the number of the line."""
    head, end, block = record.stored.partition(b"\r\n\r\n")
    lines = (head + end).split(b"\r\n")[:-1]
    return Record(b"".join(line + ends(number) for number, line in enumerate(lines)) + block)


@pytest.mark.parametrize("pack", [plain, gzipped, in_one_member])
@pytest.mark.parametrize(
    "ends",
    [lambda _: b"\n", lambda _: b"\r", lambda number: (b"\n", b"\r\n")[number % 2],
     lambda number: (b"\r\n", b"\n")[number % 2]],
    ids=["LF", "CR", "mixed", "mixed again"],
)  # fmt: skip
def test_fields_end_at_any_line_ending(
    pack: Callable[[Iterable[Record]], bytes], ends: Callable[[int], bytes]
) -> None:
    found = pages(pack(with_ends(record, ends) for record in three()))

    assert [each.page.body for each in found] == THREE
    assert all(Mended.WARC_FIELDS in each.mended for each in found)


def test_fields_go_on_in_lines_that_begin_with_white_space() -> None:
    record = a_record(0, BODY).changed(b"WARC-Target-URI: ", b"WARC-Target-URI:\r\n\t ")

    assert [each.page.url for each in pages(plain([record]))] == ["https://a.invalid/0"]


@pytest.mark.parametrize("between", [b"", b"\n", b"\r\n" * 5, bytes(40)])
def test_records_may_be_followed_by_any_number_of_empty_lines(between: bytes) -> None:
    records = [Record(record.stored.removesuffix(b"\r\n\r\n") + between) for record in three()]

    assert bodies(plain(records)) == THREE


@pytest.mark.parametrize(
    "coding",
    [
        "UTF-8",
        "none",
        "binary",
        "identity",
        "8bit",
        "x-unknown",
        "utf-8, none",
        "",
        ",",
        "text/html",
    ],
)
def test_an_unknown_content_encoding_is_ignored(coding: str) -> None:
    assert page_in(OK + f"Content-Encoding: {coding}\r\n\r\n".encode() + BODY).page.body == BODY


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        ("x-gzip", gzip.compress(BODY)),
        ("GZIP", gzip.compress(BODY)),
        ("utf-8, gzip", gzip.compress(BODY)),
        ("gzip, none", gzip.compress(BODY)),
        ("gzip\r\nContent-Encoding: br", brotli.compress(gzip.compress(BODY))),
        ("gzip", BODY),
        ("br", BODY),
        ("gzip", gzip.compress(BODY) + b"\r\n\r\n"),
        ("gzip", gzip.compress(BODY) + b"<!-- cached -->"),
        ("gzip", gzip.compress(BODY) + bytes(30)),
        ("gzip", gzip.compress(BODY)[:-8]),
        ("gzip", gzip.compress(BODY)[:-3]),
        ("gzip", gzip.compress(BODY)[:-8] + bytes(8)),
        ("gzip", b"\x1f\x8b\x08\x1e" + bytes(6) + b"\3\0abcname\0comment\0hc"
            + zlib.compress(BODY)[2:-4]),
        ("gzip", gzip.compress(BODY[:20]) + gzip.compress(BODY[20:])),
        ("deflate", zlib.compress(BODY)[:-4]),
        ("deflate", zlib.compress(BODY) + b"\r\n"),
        ("zstd", zstandard.compress(BODY) + b"\r\n\r\n"),
    ],
)  # fmt: skip
def test_a_packed_body_is_read_as_browsers_read_it(coding: str, packed: bytes) -> None:
    block = OK + f"Content-Encoding: {coding}\r\n\r\n".encode() + packed

    assert page_in(block).page.body == BODY


def test_a_truncated_body_is_kept_and_counted() -> None:
    text = b"".join(b"<p>%d</p>" % number for number in range(2000))

    page = page_in(OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(text)[:-500])

    assert text.startswith(page.page.body)
    assert len(page.page.body) > len(text) // 2
    assert page.mended == {Mended.BODY}


@pytest.mark.parametrize(
    ("chunks", "is_mended"),
    [
        (b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY), False),
        (b"%x\r\n%s\r\n" % (len(BODY), BODY), True),
        (b"%x\r\n%s" % (len(BODY), BODY), True),
        (b"%x\r\n%s\r\n0" % (len(BODY), BODY), True),
        (b"%x\r\n%s" % (len(BODY) + 100, BODY), True),
        (BODY, False),
    ],
)
def test_chunks_are_joined_without_the_last_one_too(chunks: bytes, is_mended: bool) -> None:
    page = page_in(OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)

    assert page.page.body == BODY
    assert (Mended.BODY in page.mended) is is_mended


@pytest.mark.parametrize("length", ["1", "99999", "-1", "x", "3, 3"])
def test_the_content_length_of_http_does_not_count(length: str) -> None:
    assert page_in(OK + f"Content-Length: {length}\r\n\r\n".encode() + BODY).page.body == BODY


@pytest.mark.parametrize(
    ("fields", "content_type"),
    [
        ("text/html, text/html; charset=utf-8", "text/html; charset=utf-8"),
        ("text/html; charset=utf-8, text/html", "text/html; charset=utf-8"),
        ("text/plain, text/html", "text/html"),
        ("text/html\r\nContent-Type: text/html;charset=koi8-r", "text/html;charset=koi8-r"),
        ("application/json\r\ncontent-type: text/html", "text/html"),
        ("text/html, */*", "text/html"),
        ("text/html, html", "text/html"),
        ('text/html; a="b, c"; charset=utf-8', 'text/html; a="b, c"; charset=utf-8'),
        ("html", ""),
        ("", ""),
    ],
)
def test_the_last_of_several_content_types_counts(fields: str, content_type: str) -> None:
    block = f"HTTP/1.1 200 OK\r\nContent-Type: {fields}\r\n\r\n".encode() + BODY

    assert page_in(block).page.content_type == content_type


def test_a_packed_page_without_a_content_type_is_recognised_by_its_first_byte() -> None:
    block = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(BODY)

    assert page_in(block).page.body == BODY


@pytest.mark.parametrize(
    ("uri", "url"),
    [
        ("https://a.invalid/a b", "https://a.invalid/a%20b"),
        ("<https://a.invalid/a b?c=d e>", "https://a.invalid/a%20b?c=d%20e"),
        ("<https://a.invalid/>", "https://a.invalid/"),
        (" https://a.invalid/a%20b ", "https://a.invalid/a%20b"),
        ("https://a.invalid/a\tb", "https://a.invalid/a%09b"),
        ("https://a.invalid/pszczo\u0142a", "https://a.invalid/pszczo\u0142a"),
        ("https://a.invalid/pszczo\u0142a w", "https://a.invalid/pszczo%C5%82a%20w"),
    ],
)
def test_a_target_uri_with_spaces_is_escaped(uri: str, url: str) -> None:
    assert page_in(OK + b"\r\n" + BODY, uri).page.url == url


@pytest.mark.parametrize(
    "before",
    [
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n",
        b"HTTP/1.1 100\r\n\r\nHTTP/1.1 103\r\nLink: <a>\r\n\r\n",
        b"HTTP/1.1 100 Continue\n\n",
    ],
)
def test_interim_responses_are_skipped(before: bytes) -> None:
    page = page_in(before + OK + b"\r\n" + BODY)

    assert page.page.body == BODY
    assert Mended.INTERIM in page.mended


@pytest.mark.parametrize(
    "line",
    ["HTTP/2 200", "HTTP/2.0 200 OK", "HTTP/3 200", "HTTP/1.1 200", "HTTP/1.0 200 ",
     "http/1.1 200 ok", "ICY 200 OK", "HTTP 200 OK", "HTTP/1.1  200  OK", "HTTP/1.1 200OK",
     "HTTP/1.1 203 Other"],
)  # fmt: skip
def test_any_status_line_is_read(line: str) -> None:
    block = f"{line}\r\nContent-Type: text/html\r\n\r\n".encode() + BODY

    assert page_in(block).page.body == BODY


@pytest.mark.parametrize("end", [b"\n", b"\r"])
def test_http_headers_end_at_any_line_ending(end: bytes) -> None:
    head = end.join(
        [b"HTTP/1.1 200 OK", b"Content-Type: text/html; charset=utf-8", b"A: b", b"", b""]
    )

    page = page_in(head + BODY)

    assert (page.page.body, page.page.content_type) == (BODY, "text/html; charset=utf-8")
    assert page.mended == {Mended.HTTP_HEADERS}


def a_resource(content_type: str) -> Record:
    record = a_record(0, BODY, kind="resource")
    return record.changed(b"WARC-Date:", f"Content-Type: {content_type}\r\nWARC-Date:".encode())


@pytest.mark.parametrize("content_type", ["text/html", "application/xhtml+xml; charset=utf-8"])
def test_a_resource_with_html_is_a_page(content_type: str) -> None:
    (page,) = pages(plain([a_resource(content_type)]))

    assert (page.page.body, page.page.content_type) == (BODY, content_type)
    assert page.page.url == "https://a.invalid/0"


def test_a_resource_of_another_type_is_skipped() -> None:
    assert pages(plain([a_resource("image/png"), a_resource("text/plain")])) == []


KINDS = ["warcinfo", "request", "metadata", "conversion", "continuation", "resource"]


def test_a_run_without_a_fault_says_nothing(tmp_path: Path) -> None:
    others = [a_record(number, b"", kind=kind) for number, kind in enumerate([*KINDS, "revisit"])]

    result = run(tmp_path / "a.warc.gz", gzipped([*others, *three()]))

    assert (result.exit_code, result.stderr) == (0, "")
    summary = json.loads(result.stdout)
    assert summary["documents"] == 3
    assert summary["skipped"] == {"revisit": 1, "warc_type": len(KINDS)}
    assert (summary["errors"], summary["mended"]) == ({}, {})


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("kinds", [["warcinfo"], KINDS, ["revisit"]])
def test_an_archive_without_a_response_is_an_error(
    tmp_path: Path, kinds: list[str], jobs: str
) -> None:
    others = [a_record(number, b"", kind=kind) for number, kind in enumerate(kinds)]
    file = tmp_path / "a.warc.gz"

    result = run(file, gzipped(others), "--jobs", jobs)

    assert result.exit_code == 1
    assert f"{file}: is an archive without a response" in result.stderr
    assert json.loads(result.stdout)["errors"] == {"unreadable": 1}
    (error,) = errors(tmp_path / "out")
    assert error["file"] == str(file)


def test_an_archive_of_responses_without_html_is_not_an_error(tmp_path: Path) -> None:
    records = [a_record(0, status="404 Not Found"), a_record(1, headers=[("Content-Type", "a/b")])]

    assert run(tmp_path / "a.warc", plain(records)).exit_code == 0


def test_each_archive_without_a_response_is_named(tmp_path: Path) -> None:
    request = plain([a_record(0, b"", kind="request")])
    for name, content in [("a", request), ("b", plain(three())), ("c", request)]:
        (tmp_path / f"{name}.warc").write_bytes(content)

    result = CliRunner().invoke(main, ["clean", str(tmp_path), "--format", "jsonl"])

    assert result.exit_code == 1
    named = [line.split(":")[1][-6:] for line in result.stderr.splitlines()]
    assert named == ["a.warc", "c.warc"]


@pytest.mark.parametrize("kind", [b"respons", b"page", b"", b"\xff"])
def test_a_type_that_the_standard_does_not_have_is_an_error(tmp_path: Path, kind: bytes) -> None:
    records = three()
    records[1] = records[1].changed(b"WARC-Type: response", b"WARC-Type: " + kind)
    file = tmp_path / "a.warc.gz"

    result = run(file, gzipped(records))

    assert result.exit_code == 1
    assert f"{file}: record at byte" in result.stderr
    assert json.loads(result.stdout)["documents"] == 2
    (error,) = errors(tmp_path / "out")
    assert "WARC-Type" in error["detail"]


@pytest.mark.parametrize("place", [1, 3])
@pytest.mark.parametrize("pack", [plain, gzipped])
def test_bytes_outside_records_are_an_error(
    tmp_path: Path, pack: Callable[[Iterable[Record]], bytes], place: int
) -> None:
    records = three()
    records[place:place] = [Record(b"what is this\r\n" * 3)]

    result = run(tmp_path / "a.warc", pack(records))

    assert result.exit_code == 1
    assert "bytes that belong to no record" in result.stderr
    assert json.loads(result.stdout)["documents"] == 3
    assert len(errors(tmp_path / "out")) == 1


def test_a_request_with_a_length_that_is_too_long_swallows_no_page(tmp_path: Path) -> None:
    request = a_record(9, b"", kind="request").changed(
        b"Content-Length: ", b"Content-Length: 99999"
    )

    result = run(tmp_path / "a.warc", plain([request, *three()]))

    assert result.exit_code == 1
    assert [each["url"] for each in documents(tmp_path / "out")] == [
        f"https://a.invalid/{number}" for number in range(3)
    ]


def test_the_first_damaged_records_are_named_and_all_are_in_the_log(tmp_path: Path) -> None:
    wrong = [
        a_record(number, BODY).changed(b"WARC-Type: response", b"WARC-Type: x")
        for number in range(20)
    ]

    result = run(tmp_path / "a.warc.gz", gzipped([*wrong, *three()]))

    assert result.stderr.count("record at byte") == 5
    assert len(errors(tmp_path / "out")) == 20


def test_the_summary_counts_mended_pages(tmp_path: Path) -> None:
    archive = plain([
        with_ends(a_record(0, BODY), lambda _: b"\n"),
        a_response(OK + b"Content-Encoding: utf-8\r\n\r\n" + BODY, "https://a.invalid/a b"),
        a_response(b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"\r\n" + BODY),
    ])  # fmt: skip
    file = tmp_path / "a.warc"

    as_json = run(file, archive)
    as_text = CliRunner().invoke(
        main, ["clean", str(file), "-o", str(tmp_path / "b"), "--format", "jsonl"]
    )

    assert json.loads(as_json.stdout)["mended"] == {
        "content_encoding": 1, "interim_response": 1, "target_uri": 1, "warc_fields": 1,
    }  # fmt: skip
    assert "mended     4: 1 content_encoding, 1 interim_response" in as_text.stdout
    assert as_text.exit_code == 0


def test_records_of_one_member_are_written_to_separate_files(tmp_path: Path) -> None:
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(in_one_member([a_record(number) for number in range(3)]))

    CliRunner().invoke(main, ["clean", str(archive), "-o", str(tmp_path / "out")])

    written = sorted(each.name for each in (tmp_path / "out").rglob("*.txt"))
    assert written == [f"record-000000000000{end}.txt" for end in ("-1", "-2", "")]


def test_a_run_that_goes_on_gives_records_of_one_member_the_same_names() -> None:
    archive = in_one_member(three())
    entries = list(warc_entries(lambda: io.BytesIO(archive), 1 << 20))

    rest = list(warc_entries(lambda: io.BytesIO(archive), 1 << 20, entries[0].place.then))

    assert [each.place.name for each in rest] == [each.place.name for each in entries[1:]]


@pytest.mark.parametrize("trailing", [b"not packed", b"\x1fx", b"\n" * 100])
def test_bytes_after_the_last_member_lose_no_record(tmp_path: Path, trailing: bytes) -> None:
    content = b"".join(gzipped([a_record(number)]) for number in range(3)) + trailing

    result = run(tmp_path / "a.warc.gz", content)

    assert json.loads(result.stdout)["documents"] == 3
    assert result.exit_code == 1
    place = len(content) - len(trailing)
    assert f"record at byte {place}: undecodable: record: bytes that belong to" in result.stderr


@pytest.mark.parametrize("pack", [plain, in_one_member, lambda found: gzipped(list(found))])
def test_blank_lines_before_the_first_record_are_nothing(
    tmp_path: Path, pack: Callable[[Iterable[Record]], bytes]
) -> None:
    archive = pack([a_record(number) for number in range(2)])
    is_packed = archive.startswith(b"\x1f\x8b")
    content = (
        gzip.compress(b"\r\n\r\n" + gzip.decompress(archive)) if is_packed else b"\r\n\n" + archive
    )

    result = run(tmp_path / "a.warc", content)

    assert (result.exit_code, json.loads(result.stdout)["documents"]) == (0, 2)


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.0 200 Connection established\r\n",
        b"HTTP/1.1 200 Connection Established\r\nProxy-Agent: a\r\n",
    ],
)
def test_the_answer_of_a_proxy_is_not_a_response(head: bytes) -> None:
    page = page_in(head + b"\r\n" + OK + b"\r\n" + BODY)

    assert (page.page.body, page.mended) == (BODY, frozenset({Mended.INTERIM}))
