"""Other tools: decoded alike, held to their CPU, started again after a crash."""

import importlib
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from winnow.lab.measure.peers import process
from winnow.lab.measure.peers.pages import decoded, write_pages
from winnow.models.document import Page


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(process, "CPU_LIMIT_S", 0.2)
    monkeypatch.setattr(process, "_POLL_S", 0.05)
    return importlib.import_module("winnow.lab.measure.peers.__main__")


# answers with the page, but spins on "spin" and dies on "die"
TOOL = """
import json, sys
for line in sys.stdin:
    html = json.loads(line)["html"]
    while html == "spin":
        pass
    if html == "die":
        sys.exit(1)
    print(json.dumps({"text": html, "cpu_ms": 1.0}), flush=True)
"""


def test_a_tool_that_dies_or_spins_gives_an_empty_text_and_is_started_again(
    peers: ModuleType,
) -> None:
    tool = peers.Tool([sys.executable, "-c", TOOL])

    replies = [
        tool.extract({"html": html, "language": ""}) for html in ("one", "die", "two", "spin", "x")
    ]

    tool.close()
    assert [reply["text"] for reply in replies] == ["one", "", "two", "", "x"]
    assert [reply.get("error") for reply in replies] == [
        None,
        "EOFError",
        None,
        "TimeoutError",
        None,
    ]


def test_a_tool_that_waits_for_ever_is_killed_too(
    peers: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "WAIT_LIMIT_S", 0.2)
    waits = "import select, sys; sys.stdin.readline(); select.select([], [], [])"
    tool = peers.Tool([sys.executable, "-c", waits])

    reply = tool.extract({"html": "one", "language": ""})

    tool.close()
    assert (reply["text"], reply["error"]) == ("", "TimeoutError")


def test_outputs_have_one_line_per_page_with_the_cost_of_a_parse(
    peers: ModuleType, tmp_path: Path
) -> None:
    pages = tmp_path / "set.jsonl"
    pages.write_text(json.dumps({"page": "1", "language": "", "html": "<p>one"}) + "\n")
    tool = peers.Tool([sys.executable, "-c", TOOL])

    (output,) = peers.outputs(tool, pages)

    tool.close()
    assert (output["page"], output["text"]) == ("1", "<p>one")
    assert output["parse_ms"] > 0


def test_an_interrupted_run_goes_on_with_the_page_it_had_come_to(
    peers: ModuleType, tmp_path: Path
) -> None:
    pages, part = tmp_path / "pages/set.jsonl", tmp_path / "outputs/set/tool.part"
    for file in (pages, part):
        file.parent.mkdir(parents=True)
    names = ("one", "two", "three")
    records = ({"page": name, "language": "", "html": name} for name in names)
    pages.write_text("".join(json.dumps(record) + "\n" for record in records))
    script = tmp_path / "tool.py"
    script.write_text(TOOL)
    part.write_text('{"page": "one", "text": "from before"}\n{"page": "tw')

    peers.run("tool", [sys.executable, str(script)], tmp_path)

    lines = map(json.loads, part.with_suffix(".jsonl").read_text().splitlines())
    assert [(line["page"], line["text"]) for line in lines] == [
        ("one", "from before"),
        ("two", "two"),
        ("three", "three"),
    ]
    assert not part.exists()


def test_an_interrupted_run_starts_again_when_its_pages_changed(
    peers: ModuleType, tmp_path: Path
) -> None:
    pages, part = tmp_path / "pages.jsonl", tmp_path / "tool.part"
    for file, time in ((part, 1), (pages, 2)):
        file.write_text("{}\n")
        os.utime(file, (time, time))

    assert peers.finished_lines(part, [pages]) == 0
    assert not part.exists()


def test_pages_are_decoded_as_winnow_decodes_them_and_as_utf_8_when_it_refuses_them() -> None:
    assert decoded(Page("", b"<meta charset=iso-8859-1>caf\xe9")).endswith("café")
    assert decoded(Page("", b"%PDF-1.4 caf\xe9")) == "%PDF-1.4 caf\ufffd"


def test_pages_are_written_again_only_when_they_changed(tmp_path: Path) -> None:
    source = tmp_path / "mine"
    for name, text in {"html/1.html": "<p>one", "gold/1.txt": "one"}.items():
        (source / name).parent.mkdir(parents=True)
        (source / name).write_text(text)
    first = write_pages(source, tmp_path / "out").stat()

    same = write_pages(source, tmp_path / "out").stat()
    (source / "html/1.html").write_text("<p>two")
    changed = write_pages(source, tmp_path / "out").stat()

    assert (same.st_ino, same.st_mtime_ns) == (first.st_ino, first.st_mtime_ns)
    assert changed.st_ino != first.st_ino
