import io
from typing import Any

import pytest
from rich.console import Console

from models.document import Verdict
from worker.answers import Answer
from worker.demo_view import DemoConsole, View


def test_view_shows_what_commands_a_terminal_as_a_replacement_character() -> None:
    out = io.StringIO()
    sentence = {"text": "A \x1b[2J\n[/b] text.", "verdict": Verdict.KEPT, "perplexity": 10.0}
    document: dict[str, Any] = {"title": "\x07Bees", "text": "", "sentences": [sentence]}
    stats = {"sentences": 1, "sentences_kept": 1}

    View(Console(file=out, width=100), full=True).answer(
        Answer(url="https://bees.invalid/", page_bytes=9, document=document, stats=stats)
    )

    shown = out.getvalue()
    assert "\ufffdBees" in shown
    assert "A \ufffd[2J [/b] text." in shown
    assert not set("\x07\x1b") & set(shown)


class NoReader(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError

    def fileno(self) -> int:
        raise AssertionError("rich puts /dev/null in the place of standard output")


def test_view_raises_an_error_that_an_event_loop_holds_when_its_reader_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdout", NoReader())
    view = View(DemoConsole(), full=True)

    with pytest.raises(BrokenPipeError):
        view.answer(Answer("https://bees.invalid/", 9, dead={"reason": "empty", "stage": "page"}))
