"""Transliterated pages keep the elements of the page and no words."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from winnow.lab.train.hybrid.transliteration import SCRIPTS, rewritten, transliterated

PAGE = b"""<!doctype html><title>Bees in towns</title>
<meta charset="latin-1"><meta name="description" content="Why bees like towns.">
<script>var bees = "<p>bees in towns";</script>
<div class="article wide"><h1>Bees in towns</h1>
<p id=a>Bees find 25 flowers, in towns.
<a href="/bees?a=1&amp;b=2" title="All bees">Bees</a> &lt;3</p>
<style>.bees { color: red }</style></div>"""


@pytest.mark.parametrize("name", SCRIPTS)
def test_elements_classes_addresses_and_code_stay(name: str) -> None:
    before = LexborHTMLParser(PAGE)
    after = LexborHTMLParser(transliterated(PAGE, SCRIPTS[name]).decode("utf-8-sig"))

    def seen(tree: LexborHTMLParser) -> list[tuple[str, dict[str, str | None]]]:
        return [
            (str(node.tag), {n: v for n, v in node.attributes.items() if n in {"class", "href"}})
            for node in tree.css("*")
        ]

    expected = seen(before)
    if name == "german-labels":
        expected = [
            (tag, {n: v and v.replace("article", "artikel") for n, v in attributes.items()})
            for tag, attributes in expected
        ]
    assert seen(after) == expected
    for element in ("script", "style"):
        assert [node.text() for node in after.css(element)] == [
            node.text() for node in before.css(element)
        ]


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_word_is_replaced_and_equal_words_stay_equal(name: str) -> None:
    text = transliterated(PAGE, SCRIPTS[name]).decode("utf-8-sig")
    tree = LexborHTMLParser(text)
    headings = [node.text() for node in tree.css("title, h1")]

    assert headings[0] == headings[1]
    assert not {"Bees", "find", "towns"} & set(tree.css("p")[0].text().split())
    assert "25" in tree.css("p")[0].text()
    assert tree.css("p")[0].text().endswith("<3")
    assert "Why bees" not in text
    assert "All bees" not in text


def test_transliteration_uses_spaces_and_punctuation_of_the_script() -> None:
    text = "Bees find flowers, often. They rest."

    assert rewritten(text, SCRIPTS["japanese"]).count("。") == 2
    assert " " not in rewritten(text, SCRIPTS["japanese"])
    assert rewritten(text, SCRIPTS["thai"]).strip().count(" ") == 2  # at the comma and at the stop
    assert rewritten(text, SCRIPTS["arabic"]).count("،") == 1
    assert len(rewritten(text, SCRIPTS["german"]).split()) == 6


def test_half_of_all_german_words_begin_with_a_capital() -> None:
    words = rewritten(
        " ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(600)), SCRIPTS["german"]
    ).split()

    assert 0.4 < sum(word[0].isupper() for word in words) / len(words) < 0.6
