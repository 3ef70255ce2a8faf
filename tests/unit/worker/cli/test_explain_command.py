"""`winnow explain`."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from winnow.models.document import Page
from winnow.models.options import CleanerOptions
from winnow.worker.batch.inputs import SAMPLES
from winnow.worker.cleaning import open_cleaner
from winnow.worker.cli import main
from winnow.worker.explained import explanation_fields

ARTICLE = SAMPLES / "article.html"


def winnow(*arguments: str | int | Path, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, ["explain", *map(str, arguments)], input=stdin)


def test_a_block_is_shown_with_sign_probability_reason_and_its_sentences() -> None:
    lines = winnow(ARTICLE).output.splitlines()

    reason = re.compile(
        r"\+ (0\.\d{3}) .*heading \d+: probability \1 is above the threshold of 0\.\d{3}"
    )
    title = next(at for at, line in enumerate(lines) if reason.match(line))
    assert lines[title + 1].split() == "+ 4,130.0 How the harbour town saved its lighthouse".split()
    dropped = next(line for line in lines if line.endswith("  Settings"))
    assert dropped.lstrip().startswith("- ")


def test_the_head_shows_metadata_page_type_engine_and_times() -> None:
    head = winnow(ARTICLE).output.split("\n\n")[0]

    facts = dict(line.split(maxsplit=1) for line in head.splitlines())
    assert facts["title"] == "How the harbour town saved its lighthouse"
    assert facts["site"] == "Coastal Gazette"
    assert facts["page"].startswith("type  article 1.00")
    assert facts["engine"].startswith("hybrid, threshold 0.4")
    assert facts["kept"].startswith("10 of 33 blocks, 18 of 42 sentences")
    assert "read" in facts["CPU"]


def test_json_output_equals_the_answer_of_the_api() -> None:
    page = Page(ARTICLE.resolve().as_uri(), ARTICLE.read_bytes())
    explanation = open_cleaner(CleanerOptions(), None).explain(page)

    shown = json.loads(winnow(ARTICLE, "--json").output)

    assert shown["blocks"] == json.loads(json.dumps(explanation_fields(explanation)["blocks"]))
    assert shown["document"]["title"] == "How the harbour town saved its lighthouse"
    assert shown["stats"]["page_type"] == "article"
    assert shown["blocks_left_out"] == 0


def test_why_says_what_weighed_most_in_one_block() -> None:
    lines = winnow(ARTICLE, "--why", 1).output.splitlines()

    assert re.match(r"- 0\.\d{3} .* 1: probability", lines[0])
    weighed = [line.split() for line in lines[lines.index("") + 2 :]]
    assert len(weighed) == 20
    assert {kind for _, kind, *_ in weighed} <= {"word", "label", "element", "block"}
    assert all(re.fullmatch(r"[+-]\d+\.\d\d", odds) for odds, *_ in weighed)


def test_why_in_json_comes_with_the_explanation() -> None:
    shown = json.loads(winnow(ARTICLE, "--why", 1, "--json").output)

    assert shown["why"]["block"] == 1
    blocks = [each["name"] for each in shown["why"]["influences"] if each["kind"] == "block"]
    assert 0 in blocks


def test_sentences_in_json_are_spans_of_their_blocks() -> None:
    shown = json.loads(winnow(ARTICLE, "--json").output)

    block = next(each for each in shown["blocks"] if len(each["sentences"]) > 1)
    first, second = block["sentences"][:2]
    assert block["text"][first["start"] : first["end"]].endswith(".")
    assert first["end"] <= second["start"]


def test_standard_input_is_a_page_with_the_url_that_is_given() -> None:
    result = winnow("-", "--url", "https://a.example/", "--json", stdin=b"<p>Bees find flowers.")

    assert json.loads(result.output)["document"]["url"] == "https://a.example/"


def test_control_characters_of_a_page_do_not_reach_the_terminal() -> None:
    result = winnow("-", stdin=b"<title>a\x1b[2Jb</title><p>Bees \x1b]0;x\x07 find.")

    assert result.exit_code == 0
    assert "\x1b" not in result.output


def test_engine_and_threshold_are_options() -> None:
    output = winnow(ARTICLE, "--engine", "perplexity", "--threshold", "500").output

    assert "above the perplexity of 500" in output


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "why"),
    [
        (["."], b"", 1, "a folder: name one page"),
        (["no-such.html"], b"", 1, "no such file or folder"),
        (["https://a.example/"], b"", 1, "URLs are not fetched"),
        (["-"], b"%PDF-1.7", 1, "not_html: PDF"),
        (["-", "--engine", "magic"], b"x", 2, "unknown engine 'magic'"),
        (["-", "--why", "7"], b"<p>Bees.", 1, "block 7: the page has 1, numbered from 0"),
        (["-", "--why", "0", "--engine", "contrast"], b"<p>Bees.", 1, "use hybrid"),
        (["-", "--url", "here"], b"x", 2, "--url applies only to standard input"),
        (
            ["x.html", "--url", "https://a.example/"],
            b"x",
            2,
            "--url applies only to standard input",
        ),
    ],
)
def test_an_unexplainable_input_is_named(
    arguments: list[str], stdin: bytes, code: int, why: str
) -> None:
    result = winnow(*arguments, stdin=stdin)

    assert result.exit_code == code
    assert why in result.output
