"""`winnow clean --page-seconds`, as its users meet it: a page of half a million blocks."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.archives import PROSE, a_record, documents, errors, gzipped
from winnow.worker.cli import main

# half a second at least
SLOW = b"<p>The bees.</p>" * 490_000
PAGE = f"<p>{PROSE}</p>".encode()
PAGE_SECONDS = ("--page-seconds", "0.25")
WHY = "not cleaned within 0.25 s (--page-seconds)"

pytestmark = [pytest.mark.integration, pytest.mark.timeout(60)]


def clean(*arguments: str | Path, given: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["clean", *map(str, arguments), *PAGE_SECONDS], input=given)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_page_of_an_archive_that_takes_too_long_is_an_error_and_the_others_go_on(
    tmp_path: Path, jobs: str
) -> None:
    bodies = [PAGE, PAGE, SLOW, PAGE, PAGE]
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(gzipped(a_record(number, body) for number, body in enumerate(bodies)))

    result = clean(archive, "-o", tmp_path / "out", "--format", "jsonl", "--json", "--jobs", jobs)

    assert result.exit_code == 1
    assert json.loads(result.stdout)["errors"] == {"timeout": 1}
    assert [each["url"][-1] for each in documents(tmp_path / "out")] == ["0", "1", "3", "4"]
    (error,) = errors(tmp_path / "out")
    assert (error["url"], error["detail"]) == ("https://a.invalid/2", WHY)


def test_a_file_that_takes_too_long_is_named(tmp_path: Path) -> None:
    for name, body in (("a.html", PAGE), ("b.html", SLOW), ("c.html", PAGE)):
        (tmp_path / name).write_bytes(body)

    result = clean(tmp_path)

    assert result.exit_code == 1
    assert result.stdout.count(PROSE) == 2
    assert result.stderr == f"winnow: {tmp_path}/b.html: timeout: {WHY}\n"


def test_a_line_that_takes_too_long_is_answered_in_its_place() -> None:
    pages = enumerate([PAGE, SLOW, PAGE])
    lines = [
        {"url": f"https://a.invalid/{number}", "html": body.decode()} for number, body in pages
    ]
    given = "\n".join(map(json.dumps, [*lines, {"url": "https://a.invalid/3"}])).encode()

    result = clean("-", "--input", "jsonl", given=given)

    first, second, third, fourth = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 1
    assert (first["text"], third["text"]) == (PROSE, PROSE)
    assert second == {"url": "https://a.invalid/1", "error": "timeout", "detail": WHY}
    assert fourth["error"] == "undecodable"
