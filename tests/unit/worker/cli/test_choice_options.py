"""Documents that are chosen by options, as users of `winnow clean` meet it."""

import json
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from tests.archives import documents
from winnow.worker.cli import clean_shards, main

BEES = "The bees of the city find more flowers than the bees in the country, and they fly further."
TALE = (
    "Das Dorf lag an einem kleinen Fluss, und die Leute gingen jeden Morgen über die alte "
    "Brücke zur Arbeit."
)


def winnow(*arguments: str | Path, given: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=given)


def a_message(number: int, text: str) -> bytes:
    html = f"<article><p>{text}</p></article>"
    return json.dumps({"url": f"https://a.invalid/{number}", "html": html}).encode()


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Five pages: English, a copy of it, German, a near copy of the first, a short one."""
    many = " ".join(f"{BEES} The hive number {number} has its own queen." for number in range(30))
    texts = [many, many, TALE * 4, many.replace("hive number 7", "hive number 77"), "Two bees."]
    file = tmp_path / "crawl.jsonl"
    file.write_bytes(b"\n".join(a_message(*each) for each in enumerate(texts)))
    return file


def shards(crawl: Path, out: Path, *options: str | Path) -> tuple[list[str], dict[str, int]]:
    """Return the numbers of the documents that are written, and the count of the others."""
    arguments = ("clean", crawl, "-o", out, "--format", "jsonl", "--json", *options)
    result = winnow(*arguments)
    assert result.exit_code == 0, result.stderr
    found = orjson.loads(result.stdout)
    numbers = [each["url"].rsplit("/", 1)[1] for each in documents(out)]
    assert found["documents"] == len(numbers)
    return numbers, found["dropped"]


@pytest.mark.parametrize(
    ("options", "written", "dropped"),
    [
        ((), "01234", {}),
        (("--language", "en"), "0134", {"language": 1}),
        (("--language", "en,de"), "01234", {}),
        (("--language", "en", "--language", "de", "--min-words", "10"), "0123", {"words": 1}),
        (("--language", "de", "--min-words", "10"), "2", {"language": 4}),
        (("--min-confidence", "1"), "", {"confidence": 5}),
        (("--page-type", "product"), "", {"page_type": 5}),
        (("--dedup", "exact"), "0234", {"copy": 1}),
        (("--dedup", "simhash:8"), "024", {"copy": 2}),
        (("--dedup", "exact", "--language", "en", "--min-words", "9"), "03",
         {"copy": 1, "language": 1, "words": 1}),
    ],
)  # fmt: skip
def test_documents_are_chosen_and_the_others_counted_by_reason(
    tmp_path: Path, crawl: Path, options: tuple[str, ...], written: str, dropped: dict[str, int]
) -> None:
    numbers, others = shards(crawl, tmp_path / "out", *options)

    assert ("".join(numbers), others) == (written, dropped)


def test_the_choice_is_the_same_in_two_processes(tmp_path: Path, crawl: Path) -> None:
    options = ("--dedup", "simhash:8", "--language", "en")

    one = shards(crawl, tmp_path / "one", *options)
    two = shards(crawl, tmp_path / "two", *options, "--jobs", "2")

    assert one == two == (["0", "4"], {"copy": 2, "language": 1})


def test_the_summary_counts_dropped_documents(tmp_path: Path, crawl: Path) -> None:
    arguments = ("clean", crawl, "-o", tmp_path / "out", "--format", "jsonl", "--dedup", "exact")

    result = winnow(*arguments, "--min-words", "9")

    assert "dropped    2: 1 copy, 1 words\n" in result.stdout


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_documents_on_standard_output_are_filtered_too(crawl: Path, form: str) -> None:
    result = winnow("clean", crawl, "--format", form, "--dedup", "exact", "--language", "en")

    assert (result.exit_code, TALE in result.stdout) == (0, False)
    assert result.stdout.count("hive number 77 has") == 1
    assert result.stderr == "winnow: 2 documents dropped: 1 copy, 1 language\n"


def test_files_of_texts_are_chosen_too(tmp_path: Path, crawl: Path) -> None:
    result = winnow("clean", crawl, "-o", tmp_path / "out", "--dedup", "exact", "--min-words", "9")

    assert len(list((tmp_path / "out" / "crawl.jsonl").glob("*.txt"))) == 3
    assert result.stderr == "winnow: 2 documents dropped: 1 copy, 1 words\n"


def test_each_line_is_answered_also_for_a_document_that_is_dropped(crawl: Path) -> None:
    arguments = ("clean", "-", "--input", "jsonl", "--dedup", "exact", "--min-words", "9")

    result = winnow(*arguments, given=crawl.read_bytes())

    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert (result.exit_code, len(answers)) == (0, 5)
    assert [each.get("reason") for each in answers] == [None, "copy", None, None, "words"]
    url = "https://a.invalid/1"
    assert answers[1] == {"url": url, "outcome": "dropped", "reason": "copy"}


def test_a_resumed_run_finds_copies_of_documents_it_wrote_before(
    tmp_path: Path, crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class StopsAtOnce(clean_shards.Stop):
        def __call__(self) -> bool:
            return True

    arguments = ("clean", crawl, "-o", tmp_path / "out", "--format", "jsonl", "--dedup", "exact")
    with monkeypatch.context() as patched:
        patched.setattr(clean_shards, "Stop", StopsAtOnce)
        stops = 0
        while winnow(*arguments).exit_code == 1 and stops < 9:
            stops += 1

    assert stops >= 4
    assert [each["url"][-1] for each in documents(tmp_path / "out")] == ["0", "2", "3", "4"]


def test_a_kill_between_shards_makes_no_document_a_copy_of_itself(
    tmp_path: Path, crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class IsKilled(clean_shards.Watch):
        def __call__(self, outcome: object) -> None:
            raise KeyboardInterrupt

    arguments = ("clean", crawl, "-o", tmp_path / "out", "--format", "jsonl", "--dedup", "exact")
    with monkeypatch.context() as patched:
        patched.setattr(clean_shards, "Watch", IsKilled)
        assert winnow(*arguments).exit_code != 0

    assert winnow(*arguments).exit_code == 0
    assert [each["url"][-1] for each in documents(tmp_path / "out")] == ["0", "2", "3", "4"]


@pytest.mark.parametrize("known", ["", "fingerprints.bin"])
def test_a_later_run_drops_copies_of_an_earlier_one(
    tmp_path: Path, crawl: Path, known: str
) -> None:
    shards(crawl, tmp_path / "first", "--dedup", "simhash:3", "--language", "en")
    earlier = tmp_path / "first" / known

    later = shards(crawl, tmp_path / "later", "--dedup", "simhash:8", "--dedup-against", earlier)

    assert later == (["2"], {"copy": 4})


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--dedup", "near"), "must be exact, or simhash:N"),
        (("--dedup-against", "x"), "--dedup-against needs --dedup"),
        (("--language", "german"), "language 'german'"),
        (("--page-type", "blog"), "page type 'blog'"),
        (("--dedup", "exact", "--dedup-against", "no-such"), "no-such: No such file"),
    ],
)
def test_an_impossible_choice_is_refused_at_the_start(
    crawl: Path, options: tuple[str, ...], why: str
) -> None:
    result = winnow("clean", crawl, *options)

    assert result.exit_code == 2
    assert why in result.stderr


def test_fingerprints_of_another_kind_are_refused(tmp_path: Path, crawl: Path) -> None:
    shards(crawl, tmp_path / "first", "--dedup", "exact")
    known = ("--dedup-against", tmp_path / "first")

    other = winnow("clean", crawl, "--dedup", "simhash:3", *known)
    junk = winnow("clean", crawl, "--dedup", "exact", "--dedup-against", crawl)

    assert (other.exit_code, junk.exit_code) == (2, 2)
    assert "was written with --dedup exact, but --dedup is simhash:3" in other.stderr
    assert "is not a fingerprints.bin of winnow" in junk.stderr


def test_a_run_with_another_choice_does_not_go_on(tmp_path: Path, crawl: Path) -> None:
    shards(crawl, tmp_path / "out", "--language", "en")

    result = winnow("clean", crawl, "-o", tmp_path / "out", "--format", "jsonl")

    assert result.exit_code == 2
    assert "option --language was en, now not given" in result.stderr
