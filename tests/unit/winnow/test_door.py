"""What programs get from `import winnow`, and what they can send to other processes."""

import doctest
import json
import pickle
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

import pytest

import winnow
from tests.shared_memory import mapping_kilobytes
from winnow.models.ngram.model import DATA
from winnow.models.options import OPTION_NAMES
from winnow.once import OptionKeywords
from winnow.streams.messages import document_value

PAGE = "<title>Bees</title><p>The bees find more flowers in the city.</p>"
TEXT = "The bees find more flowers in the city."


def test_the_examples_of_the_package_hold() -> None:
    failed, tried = doctest.testmod(winnow)

    assert tried
    assert not failed


def test_the_public_names_are_pinned() -> None:
    assert winnow.__all__ == [
        "Block", "BlockKind", "Chunk", "Cleaner", "CleanerOptions", "Convention", "Document",
        "DocumentFilter", "InvalidPage",
        "LanguageModels", "Limits", "ModelError", "NgramModel", "OptionsError", "Page", "PageStats",
        "Reason", "Sentence", "TextFormat", "Training", "Verdict", "WinnowError",
        "clean", "extract",
    ]  # fmt: skip
    assert all(hasattr(winnow, name) for name in winnow.__all__)


def test_importing_the_package_loads_no_part_of_the_service() -> None:
    program = "import sys, winnow; print(*sys.modules)"

    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()

    service = {"faust", "aiokafka", "confluent_kafka", "redis", "aiohttp", "structlog", "click"}
    assert not service & set(loaded)
    assert not {"streams", "worker", "lab", "nltk"} & set(loaded)


def test_clean_takes_text_and_bytes() -> None:
    latin = PAGE.replace("bees", "b\xe9es").encode("latin-1")

    decoded = winnow.clean(PAGE, url="https://bees.invalid/")
    fetched = winnow.clean(latin, content_type="text/html; charset=latin-1")

    assert (decoded.text, decoded.url, decoded.title) == (TEXT, "https://bees.invalid/", "Bees")
    assert fetched.text == TEXT.replace("bees", "b\xe9es")


def test_clean_treats_text_as_decoded_despite_a_declared_charset() -> None:
    page = PAGE.replace("bees", "b\xe9es")

    document = winnow.clean(f"<meta charset=latin-1>{page}\ud800")

    assert "b\xe9es" in document.text


def test_clean_says_why_there_is_no_document() -> None:
    with pytest.raises(winnow.InvalidPage, match="not_html"):
        winnow.clean(b"%PDF-1.7")


def test_clean_takes_options() -> None:
    document = winnow.clean(PAGE, options=winnow.CleanerOptions(engine="perplexity", threshold=2))

    assert (document.engine, document.text) == ("perplexity", "")


@pytest.mark.parametrize("engine", ["hybrid", "contrast", "perplexity"])
def test_a_pickled_cleaner_gives_the_same_documents(engine: str) -> None:
    cleaner = winnow.Cleaner(winnow.CleanerOptions(engine=engine))
    page = winnow.Page("https://bees.invalid/", PAGE.encode())

    pickled = pickle.dumps(cleaner)
    there = pickle.loads(pickled)

    assert len(pickled) < 4096
    assert there.fingerprint == cleaner.fingerprint
    assert there.clean(page) == cleaner.clean(page)


def test_a_pickled_cleaner_does_not_carry_its_memory_of_sites() -> None:
    cleaner = winnow.Cleaner(winnow.CleanerOptions(seen=1), site_key=bytes(range(16)))
    pages = [winnow.Page(f"https://bees.invalid/{number}", PAGE.encode()) for number in range(3)]
    first = cleaner.clean_batch(pages)

    there = pickle.loads(pickle.dumps(cleaner))

    assert there.clean_batch(pages) == first


def test_options_pages_documents_and_errors_can_be_pickled() -> None:
    document = winnow.clean(PAGE, options=winnow.CleanerOptions(spans=True))
    values = (
        *(winnow.CleanerOptions(seen=2), winnow.Page("https://bees.invalid/", b"x"), document),
        winnow.Verdict.KEPT,
    )
    error = winnow.InvalidPage(winnow.Reason.BINARY, "of no text")

    there = pickle.loads(pickle.dumps((values, error)))

    assert there[0] == values
    assert (there[1].reason, there[1].detail) == (error.reason, error.detail)


def test_a_pickled_cleaner_says_that_its_model_is_gone(tmp_path: Path) -> None:
    file = Path(shutil.copy(DATA / "zh.winnow", tmp_path))
    pickled = pickle.dumps(winnow.Cleaner(models=winnow.NgramModel.open(file)))
    file.unlink()

    with pytest.raises(winnow.ModelError, match=str(file)):
        pickle.loads(pickled)


def test_a_pickled_cleaner_refuses_another_model_of_the_same_name(tmp_path: Path) -> None:
    file = Path(shutil.copy(DATA / "zh.winnow", tmp_path))
    pickled = pickle.dumps(winnow.Cleaner(models=winnow.NgramModel.open(file)))
    other = Path(shutil.copy(DATA / "el.winnow", tmp_path))
    other.replace(file)

    with pytest.raises(winnow.ModelError, match="not the model that was pickled"):
        pickle.loads(pickled)


def test_a_pickled_cleaner_refuses_another_release(monkeypatch: pytest.MonkeyPatch) -> None:
    pickled = pickle.dumps(winnow.Cleaner())
    monkeypatch.setattr("winnow.models.cleaner.KERNEL_VERSION", "0.0.0")

    with pytest.raises(winnow.ModelError, match="another release"):
        pickle.loads(pickled)


@pytest.mark.skipif(sys.platform != "linux", reason="smaps is Linux's")
def test_a_cleaner_in_spawned_processes_shares_its_models() -> None:
    with get_context("spawn").Pool(2) as pool:
        found = pool.map(_clean_and_measure, [winnow.Cleaner()] * 2, chunksize=1)

    for text, private in found:
        assert text == TEXT
        assert private == 0


def _clean_and_measure(cleaner: winnow.Cleaner) -> tuple[str, int]:
    text = cleaner.clean(winnow.Page("", PAGE.encode())).text
    fields = mapping_kilobytes("self", DATA / "en.winnow")
    return text, fields["Private_Dirty"]


def test_the_version_comes_from_the_distribution() -> None:
    assert winnow.__version__ == version("winnow-web")
    assert "__version__" in dir(winnow)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'winnow' has no attribute 'clena'"):
        winnow.clena  # type: ignore[attr-defined]  # noqa: B018 - the access is the test


def test_importing_the_package_loads_neither_kernel_nor_parser() -> None:
    program = "import sys, winnow; print(*sys.modules)"

    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()

    assert "winnow" in loaded
    assert not {"winnow.models._kernel", "selectolax", "importlib.metadata"} & set(loaded)


def test_clean_takes_options_as_keywords() -> None:
    page = f"<p>{TEXT} <a href=/more>More of them.</a></p>"

    document = winnow.clean(page, url="https://bees.invalid/", format="markdown", links=True)

    assert "[More of them.](https://bees.invalid/more)" in document.text


def test_keywords_replace_single_options() -> None:
    options = winnow.CleanerOptions(engine="perplexity", threshold=2)

    document = winnow.clean(PAGE, options=options, threshold=1e6)

    assert (document.engine, document.threshold, document.text) == ("perplexity", 1e6, TEXT)


def test_an_unknown_keyword_is_refused_with_the_known_ones() -> None:
    with pytest.raises(winnow.OptionsError, match=r"unknown option 'link': .* links, images"):
        winnow.clean(PAGE, link=True)  # type: ignore[call-arg]  # the wrong name is the point


def test_every_option_is_a_keyword() -> None:
    assert tuple(OptionKeywords.__annotations__) == OPTION_NAMES


def test_a_document_is_a_dictionary_and_json_as_its_message_is() -> None:
    page = PAGE.replace("bees", "b\xe9es \u2028 \U0001f41d")
    options = winnow.CleanerOptions(spans=True, sources=True)

    for document in (winnow.clean(page), winnow.clean(page, options=options)):
        message = document_value(document)
        assert document.to_json().encode() == message
        assert document.to_dict() == json.loads(message)


def test_json_of_small_and_boundless_numbers_is_the_value_of_the_message() -> None:
    document = replace(winnow.clean(PAGE), threshold=float("inf"), confidence=1.5e-7)

    written = json.loads(document.to_json())

    assert written == json.loads(document_value(document))
    assert (written["threshold"], written["confidence"]) == (None, 1.5e-7)
