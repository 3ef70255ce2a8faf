import io
from typing import Any

from rich.console import Console

from models.document import Verdict
from worker.answers import Answer
from worker.demo_view import View


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
