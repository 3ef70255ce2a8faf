"""Other tools: decoded alike, held to their CPU, started again after a crash."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

QUALITY = Path(__file__).resolve().parents[2] / "bench" / "quality"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, QUALITY / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(QUALITY))
    module = script("peers")
    monkeypatch.setattr(module, "CPU_LIMIT_S", 0.2)
    monkeypatch.setattr(module, "_POLL_S", 0.05)
    return module


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


def test_outputs_hold_a_line_a_page_with_the_cost_of_a_parse(
    peers: ModuleType, tmp_path: Path
) -> None:
    pages = tmp_path / "set.jsonl"
    pages.write_text(json.dumps({"page": "1", "language": "", "html": "<p>one"}) + "\n")
    tool = peers.Tool([sys.executable, "-c", TOOL])

    (output,) = peers.outputs(tool, pages)

    tool.close()
    assert (output["page"], output["text"]) == ("1", "<p>one")
    assert output["parse_ms"] > 0


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("ziarno żółte".encode(), "ziarno żółte"),
        ("\ufeffziarno".encode(), "ziarno"),
        ("zażółć".encode("utf-16"), "zażółć"),
        (b"<meta charset=iso-8859-1>\x93grain\x94", "<meta charset=iso-8859-1>“grain”"),
        ('<meta charset="gb2312">谷物'.encode("gb18030"), '<meta charset="gb2312">谷物'),
        (b"<meta charset=nonesuch>caf\xe9", "<meta charset=nonesuch>café"),
        (b"caf\xe9", "café"),
    ],
)
def test_pages_are_decoded_by_mark_utf_8_declaration_or_as_windows_1252(
    body: bytes, text: str
) -> None:
    assert script("pages").decoded(body) == text
