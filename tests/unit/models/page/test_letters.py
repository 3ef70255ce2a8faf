"""Marks of quotations, and line breaks of the source between wide letters."""

from collections.abc import Callable

import pytest

from winnow.models.document import Block

Cut = Callable[[str], list[Block]]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>said <q>we leave</q> and left", "said “we leave” and left"),
        ("<p><q>we <q>all</q> leave</q>", "“we ‘all’ leave”"),
        ("<p><q><q>all</q></q>", "“‘all’”"),
        ("<p lang=de>er: <q>ja <q>nein</q></q>", "er: „ja ‚nein‘“"),
        ("<p lang=pl><q>tak</q>", "„tak”"),
        ("<p lang=fr-CA>dit <q>oui</q>.", "dit «oui»."),
        ("<p lang=ru><q>да</q>", "«да»"),
        ("<p lang=ja><q>はい</q>", "「はい」"),
        ("<p lang=zh-Hant><q>是</q>", "「是」"),
        ("<p lang=sv><q>ja</q>", "”ja”"),
        ("<p lang=de>er: <q lang=en>yes</q>", "er: “yes”"),
        ("<p>said “<q>we leave</q>”", "said “we leave”"),
        ('<p>said <q>"we leave"</q>', 'said "we leave"'),
        ("<p>a<q></q>b", "a“”b"),
    ],
)
def test_a_quotation_has_its_marks_once(cut_html: Cut, markup: str, expected: str) -> None:
    (block,) = cut_html(markup)

    assert block.text == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("10<sup>11</sup> stars", "10¹¹ stars"),
        ("2 × 10<sup>-6</sup> m", "2 × 10⁻⁶ m"),
        ("10<sup><b>−6</b></sup>", "10⁻⁶"),
        ("10<sup>1<!-- a -->1</sup>", "10¹¹"),
        ("10<sup>17 </sup>per cm", "10¹⁷ per cm"),
        ("in 1999<sup>3,4</sup>", "in 1999 3,4"),
        ("101<sub>2</sub> is 5", "101₂ is 5"),
        ("in 1999<sup><a href='#n'>3</a></sup>", "in 1999³"),
        ("$19<sup>99</sup>", "$19⁹⁹"),
        ("1<sup>1</sup>/<sub>2</sub> cups", "1 1/2 cups"),
        ("1<sup>1</sup>&frasl;<sub>2</sub> cups", "1 1⁄2 cups"),
        ("1<span><sup>1</sup>/<sub>2</sub></span> cups", "1 1/2 cups"),
        ("1<sup>1/2</sup> cups", "1 1/2 cups"),
        ("the report<sup>4</sup> and", "the report⁴ and"),
        ("in 2016.<sup><a href='#n'>1</a></sup>", "in 2016.¹"),
        ("It’s so”<sup>12</sup>", "It’s so”¹²"),
        ("he is old<sup>1</sup> and", "he is old¹ and"),
        ("5 mol<sup>2</sup>, the NaO<sup>2</sup>", "5 mol2, the NaO2"),
        ("in 1987<a href='#footnote-1'>1</a>, so", "in 1987¹, so"),
        ("the report<a href='#fn:4'><b>4</b></a>", "the report⁴"),
        ("page<a href='#part-4'>4</a>", "page4"),
        ("in 1987<a href='/b#note'>1</a>", "in 19871"),
        ("see <a href='#note-1'>1</a>", "see 1"),
        ("5 km<sup>2</sup> of m<sup>-3</sup>", "5 km2 of m-3"),
        ("[<sup>1</sup>] word <sup>2</sup>", "[1] word 2"),
        ("H<sub>2</sub>O and log<sub>10</sub>", "H2O and log10"),
        ("the 1<sup>st</sup>, le 2<sup>e</sup>", "the 1st, le 2e"),
        ("10 <sup>2</sup>", "10 2"),
        ("10<sup> 2</sup>", "10 2"),
        ("in 1999<sup>[4]</sup>", "in 1999[4]"),
        ("10<b>2</b>", "102"),
    ],
)
def test_a_raised_number_is_apart_from_the_one_before(
    cut_html: Cut, markup: str, expected: str
) -> None:
    (block,) = cut_html(f"<p>{markup}")

    assert block.text == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("a warm pie<img src=pie.jpg>End the meal", "a warm pie End the meal"),
        ("a warm <b>pie</b><img src=pie.jpg><b>End</b>", "a warm pie End"),
        ("photo by<time>Monday</time>Ann", "photo by Monday Ann"),
        ("on the <time>25</time>th", "on the 25th"),
        ("<img src=t.gif alt=T>he bees", "he bees"),
        ("Mac<b>Book</b>", "MacBook"),
        ("漢<img src=a.jpg>字", "漢字"),
    ],
)
def test_words_next_to_a_picture_or_time_are_apart(
    cut_html: Cut, markup: str, expected: str
) -> None:
    (block,) = cut_html(f"<p>{markup}")

    assert block.text == expected


_REST = "he bees find more flowers"


@pytest.mark.parametrize(
    "markup",
    [
        f"<p><span class=drop-cap>T</span> {_REST}",
        f"<p><b class=FirstLetter>T</b>\n{_REST}",
        f"<p><span style='float:left'>T</span> {_REST}",
        f"<div><div class=dropcap>T</div>{_REST}</div>",
        f"<div class=dropcap>T</div><p>{_REST}",
        f"<p><span class=lettrine><i class=initial>T</i></span> {_REST}",
        f"<p><span class=initial>T</span> <b>{_REST}</b>",
        f"<p><img src=t.gif alt=T>{_REST}",
        f"<p><img src=t.gif alt=T class=drop_cap> {_REST}",
    ],
)
def test_a_large_first_letter_is_in_its_word(cut_html: Cut, markup: str) -> None:
    (block,) = cut_html(markup)

    assert block.text == "The bees find more flowers"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p><i class=dropcap>A</i> bee finds more flowers", "A bee finds more flowers"),
        ("<p><i class=dropcap>A</i>fter the war came bees", "After the war came bees"),
        ("<div class=dropcap>I</div><p>find more flowers here", "I find more flowers here"),
        ("<p><i class=dropcap>„D</i> er Winter kam früh im Jahr", "„Der Winter kam früh im Jahr"),
        ("<p><img alt=L class=dropcap>’hiver arriva tôt ici", "L’hiver arriva tôt ici"),
        ("<p><i class=dropcap>T</i> HE BEES FIND MORE FLOWERS", "THE BEES FIND MORE FLOWERS"),
        ("<p><i class=initial>M</i> Marina wrote about bees", "M Marina wrote about bees"),
        ("<p><i class=initial>M</i> marina wrote about bees", "M marina wrote about bees"),
        ("<p><i class=dropcap>T</i> he end", "T he end"),
        ("<p><i class=grade>B</i> for this kind of work", "B for this kind of work"),
        ("<p><img alt=X> share this page with others", "share this page with others"),
        ("<p>grade <i class=initial>B</i> for this kind of work", "grade B for this kind of work"),
    ],
)
def test_another_letter_stays_a_word(cut_html: Cut, markup: str, expected: str) -> None:
    (block,) = cut_html(markup)

    assert block.text == expected


def test_a_letter_in_a_heading_or_above_a_list_stays_alone(cut_html: Cut) -> None:
    markup = (
        "<h2><i class=initial>T</i> his is a title of it</h2><i class=initial>B</i><ul><li>bees"
    )

    assert [block.text for block in cut_html(markup)] == ["T his is a title of it", "B", "bees"]


def test_the_letter_of_a_text_that_is_left_out_is_not_in_the_next_one(cut_html: Cut) -> None:
    markup = "<p><i class=dropcap>T</i> <b hidden>he bees find more flowers</b></p><p>Others do"

    assert [block.text for block in cut_html(markup)] == ["Others do"]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("<p><i>0:12</i>{}", "0:12 {}"),
        ("<p><span>[01:02:03]</span><span>{}</span>", "[01:02:03] {}"),
        ("<p><a href=#t>0:12</a>{}", "0:12 {}"),
        ("<p><sup>1</sup>{}", "1 {}"),
        ("<p><i class=vn>12</i>{}", "12 {}"),
        ("<div><i class=k>Engine</i><b>{}</b></div>", "Engine {}"),
        ("<div><b>ANNA</b><i>{}</i></div>", "ANNA {}"),
        ("<p><span class=speaker>Anna Berg</span>{}", "Anna Berg {}"),
        ("<p><b>ANNA:</b>{}", "ANNA: {}"),
        ("<p><i class=found>Ferr</i>{}", "Ferr{}"),
        ("<p><b>re</b>{}", "re{}"),
        ("<p>John <b>3</b>{}", "John 3{}"),
        ("<p><i>Details: 455 N. 3</i><b>rd street, {}</b>", "Details: 455 N. 3rd street, {}"),
        ("<table><td><sup>14</sup>{}</table>", "14{}"),
    ],
)
def test_labels_of_rows_are_apart_from_their_texts(cut_html: Cut, row: str, expected: str) -> None:
    blocks = cut_html(row.format("ies of old") + row.format("ies of new"))

    texts = [expected.format("ies of old"), expected.format("ies of new")]
    assert [block.text for block in blocks] == texts


def test_a_quotation_has_the_marks_of_the_page(cut_html: Cut) -> None:
    (block,) = cut_html("<html lang=es><body><p><q>sí</q>")

    assert block.text == "«sí»"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天\n天气", "今天天气"),
        ("今天 \r\n\t 天气", "今天天气"),
        ("です。\nまた", "です。また"),
        ("カタ\nカナ（\n注）", "カタカナ（注）"),
        ("他说：\n“好”\n她走了", "他说：“好”她走了"),
        ("<b>今天\n</b>天气", "今天 天气"),
        ("<a href=x>今天</a>\n<a href=y>天气</a>", "今天 天气"),
        ("今天 天气", "今天 天气"),
        ("今天\u3000\n天气", "今天 天气"),
        ("今天<br>\n天气", "今天\n天气"),
        ("한국\n어", "한국 어"),
        ("漢字\n한글", "漢字 한글"),
        ("今天\nwe go", "今天 we go"),
        ("2026\n年", "2026 年"),
        ("a —\n“b”", "a — “b”"),
    ],
)
def test_a_line_break_between_wide_letters_adds_no_space(
    cut_html: Cut, text: str, expected: str
) -> None:
    (block,) = cut_html(f"<p>{text}</p>")

    assert block.text == expected
