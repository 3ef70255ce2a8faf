"""`winnow clean` and `winnow strip` as their users meet them."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit

import pytest
import zstandard
from click.testing import CliRunner, Result

from winnow.worker.batch.archives.cleaning import EntryCleaner, FileEntry, Outcome
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.cli import clean, main

PROSE = "The first meeting was held in the back room of the bakery, and eleven people came."


def documents(folder: Path) -> list[dict[str, object]]:
    """Return the documents of all shards in a folder."""
    packed = [file.read_bytes() for file in sorted(folder.glob("part-*.jsonl.zst"))]
    lines = b"".join(
        zstandard.ZstdDecompressor().decompressobj().decompress(each) for each in packed
    )
    return [json.loads(line) for line in lines.splitlines()]


def winnow(*arguments: str | Path, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=given)


def a_file(folder: Path, name: str = "page.html", body: str = f"<p>{PROSE}</p>") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(body)
    return file


def test_clean_prints_the_text_of_a_file(tmp_path: Path) -> None:
    menu = '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/n">News</a></li></ul>'

    result = winnow("clean", a_file(tmp_path, body=f"{menu}<div><p>{PROSE}</p></div>"))

    assert (result.exit_code, result.stdout) == (0, PROSE + "\n")


def test_clean_names_each_of_several_files(tmp_path: Path) -> None:
    first, second = a_file(tmp_path, "a.html"), a_file(tmp_path, "b.html")

    result = winnow("clean", first, second)

    assert result.stdout == f"==> {first} <==\n{PROSE}\n\n==> {second} <==\n{PROSE}\n"


def test_clean_reads_a_page_from_standard_input() -> None:
    result = winnow("clean", "-", given=f"<p>{PROSE}</p>")

    assert (result.exit_code, result.stdout) == (0, PROSE + "\n")


def test_clean_writes_no_file_outside_of_the_output_folder(tmp_path: Path) -> None:
    pages, elsewhere = tmp_path / "pages", tmp_path / "elsewhere"
    kept = a_file(elsewhere, "kept.txt", "kept")
    a_file(pages, "a.html")
    a_file(pages, "b.html")
    a_file(pages / "c", "c.html")
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.html.txt").symlink_to(kept)
    os.mkfifo(out / "b.html.txt")
    (out / "c").symlink_to(elsewhere)

    result = winnow("clean", pages, "-o", out)

    assert result.exit_code == 1
    assert (
        result.stderr
        == f"winnow: {pages}/c/c.html: {out}/c/c.html.txt: the path leads through a symbolic link\n"
    )
    assert kept.read_text() == "kept"
    assert [path.name for path in elsewhere.iterdir()] == ["kept.txt"]
    assert [(out / f"{name}.html.txt").is_symlink() for name in "ab"] == [False, False]
    assert [(out / f"{name}.html.txt").read_text() for name in "ab"] == [PROSE + "\n"] * 2


@pytest.mark.parametrize(("text_format", "suffix"), [("text", ".txt"), ("markdown", ".md")])
def test_clean_writes_one_file_per_page_below_the_output_folder(
    tmp_path: Path, text_format: str, suffix: str
) -> None:
    a_file(tmp_path / "in" / "deep")

    result = winnow("clean", tmp_path / "in", "-o", tmp_path / "out", "--format", text_format)

    written = (tmp_path / "out" / "deep" / f"page.html{suffix}").read_text()
    assert result.exit_code == 0
    assert PROSE in written


def test_clean_writes_pages_of_the_same_name_to_separate_files(tmp_path: Path) -> None:
    first, second = a_file(tmp_path / "a"), a_file(tmp_path / "b", body="<p>Another.</p>")

    result = winnow("clean", first, second, "-o", tmp_path / "out")

    assert result.exit_code == 0
    assert (tmp_path / "out" / "a" / "page.html.txt").read_text() == PROSE + "\n"
    assert (tmp_path / "out" / "b" / "page.html.txt").exists()


def test_clean_names_a_page_that_cannot_be_written_and_goes_on(tmp_path: Path) -> None:
    for folder, name in [("a", "x.html"), ("b", "x.html.txt/y.html"), ("c", "z" * 250 + ".html")]:
        a_file((tmp_path / folder / name).parent, Path(name).name)
    good = a_file(tmp_path)

    folders = [tmp_path / folder for folder in "abc"]
    result = winnow("clean", *folders, good, "-o", tmp_path / "out")

    file_in_the_way, too_long = result.stderr.splitlines()
    assert result.exit_code == 1
    assert file_in_the_way.startswith(f"winnow: {tmp_path}/b/x.html.txt/y.html: ")
    assert file_in_the_way.endswith("/out/x.html.txt/y.html.txt: Not a directory")
    assert too_long.endswith("z.html.txt: File name too long")
    assert (tmp_path / "out" / "page.html.txt").read_text() == PROSE + "\n"


@contextmanager
def full_after(file_bytes: int) -> Iterator[None]:
    """Limit the size of files, as on a full disk."""
    soft, hard = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (file_bytes, hard))
    try:
        yield
    finally:
        setrlimit(RLIMIT_FSIZE, (soft, hard))


def test_clean_leaves_no_part_of_a_document_when_the_disk_is_full(tmp_path: Path) -> None:
    long = f"<p>{PROSE}</p>" * 10
    pages = [a_file(tmp_path, "new.html", long), a_file(tmp_path, "old.html", long)]
    old = a_file(tmp_path / "out", "old.html.txt", "of an earlier run")

    with full_after(100):
        result = winnow("clean", *pages, "-o", tmp_path / "out")

    assert result.exit_code == 1
    assert result.stderr.count("File too large") == 2
    assert list((tmp_path / "out").iterdir()) == [old]
    assert old.read_text() == "of an earlier run"


def test_clean_ends_with_2_when_it_cannot_make_the_output_folder(tmp_path: Path) -> None:
    page = a_file(tmp_path)

    result = winnow("clean", page, "-o", page / "x")

    assert (result.exit_code, result.stderr) == (2, f"winnow: {page}/x: Not a directory\n")


def test_clean_ends_with_2_when_it_may_not_write_to_the_output_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)

    result = winnow("clean", a_file(tmp_path), "-o", tmp_path)

    assert result.exit_code == 2
    assert "is not writable" in result.stderr


def test_clean_makes_no_output_folder_when_it_cannot_begin(tmp_path: Path) -> None:
    result = winnow("clean", a_file(tmp_path), "-o", tmp_path / "out", "--engine", "magic")

    assert result.exit_code == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["clean", "strip"])
def test_names_of_files_are_escaped(tmp_path: Path, command: str) -> None:
    good = a_file(tmp_path, os.fsdecode(b"caf\xe9.html"))
    bad = a_file(tmp_path, "\x1b[31m.html", body="%PDF-1.7 ")

    result = winnow(command, good, bad)

    assert result.stdout == f"==> {tmp_path}/caf\\xe9.html <==\n{PROSE}\n"
    assert result.stderr.startswith(f"winnow: {tmp_path}/\ufffd[31m.html: not_html")


def test_clean_names_a_bad_file_continues_and_ends_with_1(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.html", a_file(tmp_path)
    bad.write_bytes(b"%PDF-1.7 \x00")

    result = winnow("clean", tmp_path / "none.html", bad, good)

    assert result.exit_code == 1
    assert PROSE in result.stdout
    assert "none.html: no such file or folder" in result.stderr
    assert "bad.html: not_html" in result.stderr


def test_clean_gives_the_same_in_two_processes(tmp_path: Path) -> None:
    one = winnow("clean", SAMPLES, "--format", "jsonl", "-o", tmp_path / "one")
    two = winnow("clean", SAMPLES, "--format", "jsonl", "-o", tmp_path / "two", "--jobs", "2")

    assert one.exit_code == two.exit_code == 1  # one sample is a PDF under a wrong name
    assert documents(tmp_path / "one") == documents(tmp_path / "two")
    assert len(documents(tmp_path / "one")) >= 12


def test_clean_answers_each_message_with_one_line_in_order() -> None:
    messages = [
        json.dumps({"url": "https://a.invalid/", "html": f"<p>{PROSE}</p>"}),
        "no json",
        json.dumps({"url": "https://b.invalid/"}),
        json.dumps({"url": "https://c.invalid/", "body_base64": "PHA+YQ=="}),
    ]

    result = winnow(
        "clean", "-", "--input", "jsonl", "--format", "jsonl", given="\n".join(messages)
    )

    first, second, third, last = (json.loads(line) for line in result.stdout.splitlines())
    assert result.exit_code == 1
    assert (first["url"], first["text"]) == ("https://a.invalid/", PROSE)
    assert (second["url"], second["error"]) == ("", "undecodable")
    assert (third["url"], third["error"]) == ("https://b.invalid/", "undecodable")
    assert last["url"] == "https://c.invalid/"
    assert "page 3 https://b.invalid/: undecodable" in result.stderr


def test_clean_shows_no_control_characters_of_messages() -> None:
    message = json.dumps({"url": "https://a.invalid/\x1b[31m"})

    result = winnow("clean", "-", "--input", "jsonl", "--format", "jsonl", given=message)

    assert "page 1 https://a.invalid/\ufffd[31m: " in result.stderr


class DyingCleaner(EntryCleaner):
    """Ends its process at a page that says so, as the kernel does when memory is short."""

    def __call__(self, batch: Sequence[FileEntry]) -> list[Outcome]:
        if any(b"deadly" in getattr(each.entry.content, "body", b"") for each in batch):
            os._exit(9)
        return super().__call__(batch)


def test_clean_names_a_page_that_ends_its_process_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clean, "EntryCleaner", DyingCleaner)
    good, deadly = a_file(tmp_path, "a.html"), a_file(tmp_path, "b.html", "<p>deadly</p>")
    last = a_file(tmp_path, "c.html")

    result = winnow("clean", good, deadly, last, "--jobs", "2")

    assert result.exit_code == 1
    assert result.stdout.count(PROSE) == 2
    assert result.stderr == f"winnow: {deadly}: bug: the process that cleaned it was killed\n"


def test_clean_ends_when_every_page_ends_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clean, "EntryCleaner", DyingCleaner)
    files = [a_file(tmp_path, f"{name}.html", "<p>deadly</p>") for name in "abcd"]

    result = winnow("clean", *files, "--jobs", "2")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "winnow: all processes were killed: is there enough memory for --jobs 2?\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--engine", "magic"), "unknown engine 'magic'"),
        (("--engine", "magic", "--jobs", "2"), "unknown engine 'magic'"),
        (("--threshold", "much"), "option threshold must be a number, not 'much'"),
        (("--option", "threshold"), "--option needs KEY=VALUE"),
        (("--option", "colour=red"), "unknown option 'colour'"),
        (("--options", "none.json"), "none.json: No such file or directory"),
        (("--model", "none.winnow"), "none.winnow"),
        (("--input", "jsonl"), "--input jsonl"),
        (("--option", "format=pdf"), "option format must be one of text, markdown, not 'pdf'"),
        (("--option", "format=pdf", "--format", "text"), "option format must be one of"),
        (("--url", "a.invalid/"), "--url must be a URL with a scheme"),
        (("--url-prefix", "a.invalid/"), "must be the beginning of a URL"),
        (
            ("--url", "https://a.invalid/", "--url-prefix", "https://a.invalid/"),
            "cannot be combined",
        ),
    ],
)
def test_clean_ends_with_2_and_says_why_when_it_cannot_begin(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    result = winnow("clean", a_file(tmp_path), *arguments)

    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_clean_prefers_the_command_line_to_an_options_file(tmp_path: Path) -> None:
    options = tmp_path / "options.json"
    options.write_text('{"engine": "perplexity", "threshold": 1}')

    emptied = winnow("clean", a_file(tmp_path), "--options", options)
    kept = winnow("clean", a_file(tmp_path), "--options", options, "--threshold", "100000")

    assert (emptied.stdout, kept.stdout) == ("\n", PROSE + "\n")


def test_clean_takes_the_format_of_an_options_file_unless_it_is_given_one(tmp_path: Path) -> None:
    page = a_file(tmp_path, body=f"<h2>Bread</h2><p>{PROSE}</p>")
    options = tmp_path / "options.json"
    options.write_text('{"format": "markdown"}')

    by_file = winnow("clean", page, "--options", options)
    by_pair = winnow("clean", page, "--option", "format=markdown", "-o", tmp_path / "out")
    given = winnow("clean", page, "--options", options, "--format", "text")
    json_lines = winnow("clean", page, "--options", options, "--format", "jsonl")

    assert by_file.stdout == f"## Bread\n\n{PROSE}\n"
    assert by_pair.exit_code == 0
    assert (tmp_path / "out" / "page.html.md").read_text() == by_file.stdout
    assert given.stdout == f"Bread\n\n{PROSE}\n"
    assert json.loads(json_lines.stdout)["text"] + "\n" == by_file.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "out"), "not with -o"),
        (("--jobs", "2"), "not with --jobs"),
        (("--url", "https://a.invalid/"), "not with --url"),
        (("--url-prefix", "https://a.invalid/"), "not with --url-prefix"),
        (("--format", "text"), "--format jsonl"),
    ],
)
def test_clean_refuses_options_that_do_not_fit_messages(
    arguments: tuple[str, ...], message: str
) -> None:
    result = winnow("clean", "-", "--input", "jsonl", "--format", "jsonl", *arguments, given="")

    assert result.exit_code == 2
    assert message in result.stderr


def test_clean_answers_a_page_excluded_by_its_status_with_its_outcome() -> None:
    url = "https://a.invalid/"
    messages = [
        {"url": url, "status": 404, "meta": {"crawl": 1}},
        {"url": url, "status": 503, "html": f"<p>{PROSE}</p>"},
        {"url": url, "status": 200, "html": f"<p>{PROSE}</p>", "meta": {"crawl": 2}},
        {"url": url, "status": "404"},
        {"url": url, "html": f"<p>{PROSE}</p>", "meta": [1]},
    ]
    lines = "\n".join(map(json.dumps, messages))

    result = winnow("clean", "-", "--input", "jsonl", "--format", "jsonl", given=lines)

    gone, skipped, cleaned, wrong, plain = map(json.loads, result.stdout.splitlines())
    assert gone == {"url": url, "outcome": "deleted", "status": 404, "meta": {"crawl": 1}}
    assert skipped == {"url": url, "outcome": "skipped", "status": 503}
    assert cleaned["meta"] == {"crawl": 2}
    assert cleaned["text"] == plain["text"]
    assert wrong["error"] == "undecodable"
    assert "meta" not in plain
    assert result.exit_code == 1


def test_clean_gives_a_page_from_standard_input_its_url() -> None:
    url = "https://a.invalid/bread"

    result = winnow("clean", "-", "--format", "jsonl", "--url", url, given=f"<p>{PROSE}</p>")

    assert (result.exit_code, json.loads(result.stdout)["url"]) == (0, url)


def urls(result: Result) -> list[str]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line)["url"] for line in result.stdout.splitlines()]


def test_clean_gives_the_page_of_a_file_its_url(tmp_path: Path) -> None:
    url = "https://a.invalid/bread"

    assert urls(winnow("clean", a_file(tmp_path), "--format", "jsonl", "--url", url)) == [url]


def test_clean_gives_pages_below_a_folder_their_urls(tmp_path: Path) -> None:
    for name in ("a b.html", "in/pszczo\u0142a.html", "in/c?.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"<p>{PROSE}</p>")
    prefix = ("--url-prefix", "https://a.invalid/site/")

    found = urls(winnow("clean", tmp_path, "--format", "jsonl", *prefix))

    assert found == [
        "https://a.invalid/site/a%20b.html",
        "https://a.invalid/site/in/c%3F.html",
        "https://a.invalid/site/in/pszczo%C5%82a.html",
    ]


def test_the_url_option_needs_a_single_file(tmp_path: Path) -> None:
    first, second = a_file(tmp_path, "a.html"), a_file(tmp_path, "b.html")

    for paths in ([first, second], [tmp_path]):
        result = winnow("clean", *paths, "--url", "https://a.invalid/")

        assert result.exit_code == 2
        assert "--url is for one file" in result.stderr


def test_the_url_option_is_refused_for_an_archive(tmp_path: Path) -> None:
    line = json.dumps({"url": "https://b.invalid/", "html": f"<p>{PROSE}</p>"})
    lines = a_file(tmp_path, "a.jsonl", body=line)

    result = winnow("clean", lines, "--format", "jsonl", "--url", "https://a.invalid/")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "--url is for one page" in result.stderr


def test_a_run_does_not_go_on_with_other_urls(tmp_path: Path) -> None:
    page = a_file(tmp_path)
    run = ("clean", page, "-o", tmp_path / "out", "--format", "jsonl")

    first = winnow(*run, "--url", "https://a.invalid/1")
    other = winnow(*run, "--url", "https://a.invalid/2")
    none = winnow(*run)

    assert first.exit_code == 0
    for refused in (other, none):
        assert refused.exit_code == 2
        assert "option --url was https://a.invalid/1" in refused.stderr


@pytest.mark.parametrize("options", [(), ("--url", "bread"), ("--url", "https://a.invalid/ b")])
def test_clean_writes_no_document_without_a_url(options: tuple[str, ...]) -> None:
    result = winnow("clean", "-", "--format", "jsonl", *options, given=f"<p>{PROSE}</p>")

    assert (result.exit_code, result.stdout) == (2, "")
    assert "--url" in result.stderr


def test_strip_keeps_all_text_and_drops_all_tags(tmp_path: Path) -> None:
    page = a_file(tmp_path, body=f"<script>x()</script><p>{PROSE}</p><div>Cart <b>Login</b></div>")

    result = winnow("strip", page)

    assert (result.exit_code, result.stdout) == (0, f"{PROSE}\n\nCart Login\n")


def test_strip_names_each_of_several_files(tmp_path: Path) -> None:
    first, second = a_file(tmp_path, "a.html"), a_file(tmp_path, "b.html")

    result = winnow("strip", tmp_path)

    assert result.stdout == f"==> {first} <==\n{PROSE}\n\n==> {second} <==\n{PROSE}\n"


def test_strip_names_a_bad_file_and_ends_with_1(tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")

    result = winnow("strip", bad)

    assert result.exit_code == 1
    assert "bad.html: not_html" in result.stderr


@pytest.mark.parametrize("name", ["out.txt", "out.md", "out.jsonl"])
def test_clean_writes_one_page_to_the_file_that_is_named(tmp_path: Path, name: str) -> None:
    result = winnow("clean", a_file(tmp_path), "-o", tmp_path / name)

    assert (result.exit_code, result.stdout) == (0, "")
    assert PROSE in (tmp_path / name).read_text()
    assert (tmp_path / name).read_text().startswith("{") == name.endswith("jsonl")


def test_clean_refuses_to_write_several_pages_to_one_text_file(tmp_path: Path) -> None:
    pages = a_file(tmp_path, "a.html"), a_file(tmp_path, "b.html")

    result = winnow("clean", *pages, "-o", tmp_path / "out.txt")

    assert result.exit_code == 2
    assert "is one file, and there are 2 pages" in result.stderr
    assert not (tmp_path / "out.txt").exists()


def test_clean_writes_the_json_of_all_pages_to_one_file(tmp_path: Path) -> None:
    pages = a_file(tmp_path, "a.html"), a_file(tmp_path, "b.html")
    file = tmp_path / "all.jsonl"

    result = winnow("clean", *pages, "-o", file)

    assert result.exit_code == 0
    assert [json.loads(line)["text"] for line in file.read_text().splitlines()] == [PROSE] * 2


def test_clean_answers_json_lines_with_json_lines_by_default(tmp_path: Path) -> None:
    message = json.dumps({"url": "https://a.invalid/", "html": f"<p>{PROSE}</p>"})

    result = winnow("clean", "-", "--input", "jsonl", given=message)

    assert json.loads(result.stdout)["text"] == PROSE


@pytest.mark.parametrize("name", ["page.jsonl", "page.gz", "page.zst"])
def test_clean_accepts_a_page_of_any_name(tmp_path: Path, name: str) -> None:
    assert winnow("clean", a_file(tmp_path, name)).stdout == PROSE + "\n"


def test_clean_names_engines_and_options_in_its_help() -> None:
    shown = " ".join(winnow("clean", "--help").stdout.split())

    assert "Engine that judges blocks: perplexity, contrast, hybrid" in shown
    assert "comments, title, bylines, captions, standfirst, training" in shown
