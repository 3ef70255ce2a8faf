"""Settings to the cleaner of a stream: what holds by default, and what an options file changes."""

from pathlib import Path

import pytest

from winnow.models import Page
from winnow.models.document import Document, Verdict
from winnow.models.errors import OptionsError
from winnow.models.options import CleanerOptions, Keep
from winnow.streams.isolation import PageCleaner
from winnow.worker.cleaning import build_cleaner, options_of
from winnow.worker.settings import Settings

MENU = "<p>Home and garden, sports and weather.</p>"
STORIES = (
    "The council met on Monday to talk about the old bridge over the river.",
    "Two ships left the harbour early in the morning with apples and pears.",
    "The farmers expect a good year, and the prices of the market will fall.",
    "A new school will open its doors in the spring, the mayor said today.",
)


@pytest.fixture
def keep_all(tmp_path: Path) -> Path:
    path = tmp_path / "options.json"
    path.write_text('{"engine": "perplexity", "threshold": 1e12}')
    return path


def drops(cleaner: PageCleaner) -> list[int]:
    """Return how many sentences of each page of one host were dropped as seen."""
    pages = [
        Page(f"https://news.invalid/{number}", f"{MENU}<p>{story}</p>".encode())
        for number, story in enumerate(STORIES)
    ]
    documents = [each for each in cleaner.clean_batch(pages) if isinstance(each, Document)]
    return [each.stats.dropped_sentences.get(Verdict.SEEN, 0) for each in documents]


def test_a_stream_drops_blocks_that_two_other_pages_of_the_host_have_shown(keep_all: Path) -> None:
    assert drops(build_cleaner(Settings(options=keep_all))) == [0, 0, 1, 1]


def test_options_may_be_json_in_the_place_of_a_file() -> None:
    options = options_of(Settings(options='{"links": "keep", "seen": 3}'), CleanerOptions())

    assert (options.links, options.seen) == (Keep.KEEP, 3)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("{", "options: not JSON"),
        ('{"linkz": "keep"}', "unknown option 'linkz'"),
        ('{"links": "never"}', "option links must be one of keep, drop"),
    ],
)
def test_unknown_options_are_refused_by_name(given: str, why: str) -> None:
    with pytest.raises(OptionsError, match=why):
        options_of(Settings(options=given), CleanerOptions())


def test_an_options_file_turns_the_memory_of_a_stream_off(keep_all: Path, tmp_path: Path) -> None:
    without = tmp_path / "without.json"
    without.write_text(keep_all.read_text().replace("{", '{"seen": 0, '))

    assert drops(build_cleaner(Settings(options=without))) == [0, 0, 0, 0]


def test_cleaners_with_other_defaults_have_no_memory(keep_all: Path) -> None:
    cleaner = build_cleaner(Settings(options=keep_all), defaults=CleanerOptions())

    assert drops(cleaner) == [0, 0, 0, 0]


def test_results_with_and_without_a_memory_are_never_mixed_in_a_cache() -> None:
    of_a_stream = build_cleaner(Settings())
    of_a_page = build_cleaner(Settings(), defaults=CleanerOptions())

    assert of_a_stream.fingerprint != of_a_page.fingerprint


@pytest.mark.parametrize(("value", "sentences"), [("true", 1), ("false", 0)])
def test_an_options_file_asks_a_stream_for_spans(
    value: str, sentences: int, tmp_path: Path
) -> None:
    asking = tmp_path / "spans.json"
    asking.write_text(f'{{"spans": {value}}}')

    cleaner = build_cleaner(Settings(options=asking))

    (document,) = cleaner.clean_batch([Page("https://news.invalid/", STORIES[0].encode())])
    assert isinstance(document, Document)
    assert len(document.sentences) == len(document.blocks) == sentences
