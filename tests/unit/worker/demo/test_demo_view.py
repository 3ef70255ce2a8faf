import io
from typing import Any

import pytest
from rich.console import Console

from winnow.models.document import Verdict
from winnow.worker.demo.answers import Answer
from winnow.worker.demo.run import Summary
from winnow.worker.demo.view import DemoConsole, View


def test_view_shows_control_characters_as_a_replacement_character() -> None:
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


def shown(documents: list[dict[str, Any]], *, full: bool = False) -> str:
    out = io.StringIO()
    view = View(Console(file=out, width=100), full=full)
    for document in documents:
        count = len(document["sentences"])
        stats = {"sentences": count, "sentences_kept": 0, "page_type": "article"}
        view.answer(Answer("https://bees.invalid/a", 9, document=document, stats=stats))
    return out.getvalue()


def a_document(engine: str = "hybrid", **members: object) -> dict[str, Any]:
    texts = [f"Sentence {number}." for number in range(8)]
    sentence = {"verdict": Verdict.BOILERPLATE, "perplexity": 512.4}
    if engine == "perplexity":
        sentence["verdict"] = Verdict.PERPLEXITY
    return {
        "url": "https://bees.invalid/a",
        "title": "Bees",
        "author": "",
        "text": "",
        "engine": engine,
        "threshold": 0.25 if engine == "hybrid" else 300.0,
        "blocks": [{"probability": 0.125} if engine == "hybrid" else {}] * 4,
        "sentences": [
            sentence | {"text": text, "block": number // 2} for number, text in enumerate(texts)
        ],
    } | members


def test_view_shows_the_first_document_in_full_with_facts_of_the_page() -> None:
    first, second = shown([a_document(site_name="Hives"), a_document()]).split("\na  Bees")[1:]

    assert "page type      article" in first
    assert "site name      Hives" in first
    assert "author" not in first
    assert "... 1 more" not in first
    assert "page type" not in second


def test_view_shows_dropped_blocks_with_the_probability_that_judged_them() -> None:
    text = shown([a_document()])

    assert "dropped: 4 blocks, boilerplate of the page ([probability], threshold 0.25)" in text
    assert "- [0.12] Sentence 0. Sentence 1." in text
    assert "512" not in text


def test_view_shows_perplexities_of_the_engine_that_compares_them() -> None:
    text = shown([a_document("perplexity")])

    assert (
        "dropped: 8 sentences, perplexity above the threshold ([perplexity], threshold 300)" in text
    )
    assert "- [512] Sentence 0." in text


def test_view_shows_no_figure_of_an_engine_that_gives_none() -> None:
    text = shown([a_document("contrast")])

    assert "dropped: 4 blocks, boilerplate of the page\n" in text
    assert "- Sentence 0. Sentence 1." in text


def test_view_ends_with_what_to_try_next() -> None:
    out = io.StringIO()

    View(Console(file=out, width=80), full=False).summary(Summary(0, 0, 0, 0.0, 0, 0, 0, 0))

    last = out.getvalue().split("Next:")[1].strip().splitlines()
    assert all(line.split()[0] == "winnow" and "…" not in line for line in last)


def test_view_shows_deleted_and_skipped_pages() -> None:
    out = io.StringIO()
    view = View(DemoConsole(file=out, width=100), full=True)

    view.answer(Answer("https://bees.invalid/gone", 9, tombstones=frozenset({"d", "s"})))
    view.answer(Answer("https://bees.invalid/later", 9, is_skipped=True))
    view.summary(Summary(4, 1, 1, 0.1, 36, 5, 1, 1, deleted=1, skipped=1))

    shown = out.getvalue()
    assert "deleted, by its status" in shown
    assert "skipped, by its status" in shown
    assert "4 pages = 1 document + 1 deleted + 1 skipped + 1 dead letter" in shown
