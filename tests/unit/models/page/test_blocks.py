"""Blocks: their ends, kinds and places."""

from collections.abc import Callable
from typing import Final

import pytest

from winnow.models.document import Block, BlockKind, Page
from winnow.models.page import blocks_of

Cut = Callable[[str], list[Block]]


def _texts(blocks: list[Block]) -> list[str]:
    return [block.text for block in blocks]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>one<p>two", ["one", "two"]),
        ("one<div>two</div>three", ["one", "two", "three"]),
        ("one<hr>two", ["one", "two"]),
        ("one<br>two", ["one\ntwo"]),
        ("one<br> <br>two", ["one", "two"]),
        ("one<br><!-- x --><br><br>two", ["one", "two"]),
        ("o<b>n</b>e <i>two</i>", ["one two"]),
        ("<x-card>one</x-card><x-card>two</x-card>", ["onetwo"]),
        ("<nav><a href=/p>Pricing</a><a href=/e>enterprise</a></nav>", ["Pricing enterprise"]),
        ("<label>Cook time</label><span>5</span>", ["Cook time 5"]),
        ("<span>by Ann</span><span></span><time>3 May</time>", ["by Ann 3 May"]),
        ("<span>Software to</span><span><b>Replace</b></span>", ["Software to Replace"]),
        (
            "<span>T</span><span>HE bees</span> fl<span>y</span><span>ing</span>",
            ["THE bees flying"],
        ),
        ("<span>on the 3</span><span>rd</span>", ["on the 3rd"]),
        ("<a>Mercy</a><em>Backwoodz</em><i>er</i><sup>Two</sup>", ["Mercy BackwoodzerTwo"]),
        ("<a>漢</a><a>字</a>", ["漢字"]),
        (
            "<b>Width:</b>6 m<br><b>Phone</b>55 10<br><b>Open</b>Monday",
            ["Width: 6 m\nPhone 55 10\nOpen Monday"],
        ),
        ("<span>Length:</span>22 m", ["Length: 22 m"]),
        (
            "<p>At <b>Dock:</b>6<p><b>Un</b>likely <b>H</b>2O<p><b>std:</b>x",
            ["At Dock:6", "Unlikely H2O", "std:x"],
        ),
        ("<a class=comments_count>0</a>Text, Ann", ["0 Text, Ann"]),
        ("<b class=amount>200</b><b class=unit>g</b><b class=name>flour</b>", ["200g flour"]),
        (
            "<s>$20</s> <p><del>$20</del><ins>$15</ins>, <b>20</b><b>€</b>, <b>US</b><b>$15</b>",
            ["$20", "$20 $15, 20€, US$15"],
        ),
        ("<b class=amount>2</b><b class=unit></b><b class=name>eggs</b>", ["2 eggs"]),
        ("<p>In 1987.<span class=sidenote>No, 1988.</span> So", ["In 1987. No, 1988. So"]),
        (
            "<p>a<span class=account>b</span>c 9.<i class=num>99</i>(<i class=num>1</i>)",
            ["abc 9.99(1)"],
        ),
        ("<pre><a>one</a><a>two</a></pre>", ["onetwo"]),
        ("one<a><img></a><a>two</a>", ["one two"]),
        ("<p> </p><p>&nbsp;</p><div></div>", []),
        ("<b>one<p>two</b>three", ["one", "twothree"]),
        ("<table>one<tr><td>two</table>", ["one", "two"]),
        ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>の", ["漢(かん)字(じ)の"]),
        ("<ruby>読<rp>(</rp><rt>よ</rt><rp>)</rp></ruby>む", ["読(よ)む"]),
        ("<ruby>振<rt>ふ</rt>り<rt></rt><!-- x --></ruby>", ["振(ふ)り"]),
        ("<math><mi>x</mi><rt>y</rt></math>", ["xy"]),
        ("<i class=katex-mathml><math><mi>x</math></i><i class=katex-html>x</i> y", ["x y"]),
        ("<b>x</b><i class=katex-html>y</i>", ["xy"]),
        ("<h2>Set up<a class=headerlink href=#set-up title=Permalink>¶</a></h2>", ["Set up"]),
        ("<h2><a href=/guide#x> § </a>Use</h2><p><a href=#y>#</a>it<a href=#z>🔗", ["Use", "it"]),
        ("<p>Bees.<a href=#r1>↩</a> <a href=#up>↑</a><a href=/r>↩</a>", ["Bees. ↑↩"]),
        ("<dt>f(x)<a href=#f>\uf0c1</a></dt><p><a href=#n>*</a><a href=/p>¶</a>", ["f(x)", "*¶"]),
        ("<p><a href=#a>#1</a> <a href=#b>§ 2</a> <a name=c>#</a>", ["#1 § 2 #"]),
        ("<dt>f(x)<a href=/s><b class=viewcode-link>[source]</b></a></dt>", ["f(x)"]),
        ("<p>a<a href=#d><b>#</b></a> <a href=#e>#<b></b></a>", ["a"]),
    ],
)
def test_cut_ends_blocks_at_borders(cut_html: Cut, markup: str, expected: list[str]) -> None:
    blocks = cut_html(markup)

    assert _texts(blocks) == expected


@pytest.mark.parametrize(
    ("markup", "kind", "level"),
    [
        ("<h3>x", BlockKind.HEADING, 3),
        ("<p>x", BlockKind.PARAGRAPH, 0),
        ("<div>x", BlockKind.OTHER, 0),
        ("<ul><li>x", BlockKind.LIST_ITEM, 1),
        ("<ul><li><p>x", BlockKind.LIST_ITEM, 1),
        ("<ol><li><ul><li>x", BlockKind.LIST_ITEM, 2),
        ("<li>x", BlockKind.LIST_ITEM, 1),
        ("<dl><dt>x", BlockKind.LIST_ITEM, 1),
        ("<dl><dd>x", BlockKind.LIST_ITEM, 2),
        ("<ul><li><h2>x", BlockKind.HEADING, 2),
        ("<pre>x", BlockKind.CODE, 0),
        ("<blockquote><p>x", BlockKind.QUOTE, 0),
        ("<blockquote><ul><li>x", BlockKind.LIST_ITEM, 1),
        ("<figure><figcaption><p>x", BlockKind.CAPTION, 0),
        ("<fieldset><legend>x", BlockKind.CAPTION, 0),
        ("<table><caption>x", BlockKind.CAPTION, 0),
    ],
)
def test_cut_gives_the_kind_of_the_nearest_deciding_element(
    cut_html: Cut, markup: str, kind: BlockKind, level: int
) -> None:
    [block] = cut_html(markup)

    assert (block.kind, block.level) == (kind, level)


def test_cut_names_the_elements_with_borders_in_the_tag_path(cut_html: Cut) -> None:
    [block] = cut_html("<main><section><div><span><p><em>x")

    assert block.tag_path == "body/main/section/div/p"


def test_cut_counts_the_characters_of_links_when_they_have_an_address(cut_html: Cut) -> None:
    [block] = cut_html("<p>öne <a href=/>twö thrée</a> <a name=here>four</a>")

    assert block.link_chars == len("twö thrée")


def test_a_heading_that_opens_its_part_is_not_a_link_elsewhere(cut_html: Cut) -> None:
    opening, leading, term = cut_html(
        "<h4><a data-toggle=collapse href=#c1>May I swim?</a></h4><h4><a href=#b>b</a></h4>"
        "<dt><a data-toggle=collapse href=#x>c</a>"
    )

    assert [block.link_chars for block in (opening, leading, term)] == [0, 1, 1]


def test_cut_numbers_blocks_from_zero(cut_html: Cut) -> None:
    blocks = cut_html("<p>a<p>b<p>c")

    assert [block.order for block in blocks] == [0, 1, 2]


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<template><p>x</template>",
        "<noscript><p>x</noscript>",
        "<select><option>x</select>",
        "<datalist><option>x</datalist>",
        "<textarea>x</textarea>",
        "<button>x</button>",
        "<input value=x>",
        "<iframe>x</iframe>",
        "<object>x</object>",
        "<canvas>x</canvas>",
        "<audio>x</audio>",
        "<video>x</video>",
        "<svg><text>x</text></svg>",
        "<div hidden>x</div>",
        "<div hidden=until-found>x</div>",
        "<div hidden id='S:'>x</div>",
        "<div hidden id='S:home'>x</div>",
        "<div hidden id='s:0'>x</div>",
        "<div hidden id='S:0'><p hidden>x</div>",
        "<span style='display:none'>x</span>",
        "<p style='color: red; Visibility: HIDDEN'>x</p>",
        "<dialog>x</dialog>",
        "<math><annotation>x</annotation></math>",
        "<math><mi><script>x</script><style>x</style></mi></math>",
        "<span hidden><b><math><mi>x</mi></math></b></span>",
        "<!-- x -->",
        "<?x ?>",
        "<title>x</title>",
    ],
)
def test_cut_leaves_out_invisible_text(cut_html: Cut, hidden: str) -> None:
    blocks = cut_html(f"<p>seen</p>{hidden}")

    assert _texts(blocks) == ["seen"]


@pytest.mark.parametrize(
    "shown",
    [
        "<body hidden style='display:none'>x",
        "<dialog open>x</dialog>",
        "<details>x</details>",
        "<p style='display:none;display:block'>x",
        "<math><mi>x</mi></math>",
        "<span style='display: none;'><math alttext=x><mi>x</mi></math></span><img alt=x>",
        "<div hidden><math><mi>x</mi></math></div>",
        "<label>x</label>",
        "<div hidden id='S:0'>x</div>",
        "<div hidden='' id=S:1f><p>x</div>",
    ],
)
def test_cut_keeps_what_readers_may_see(cut_html: Cut, shown: str) -> None:
    blocks = cut_html(shown)

    assert _texts(blocks) == ["x"]


def test_cut_finds_rows_columns_and_headers_of_a_data_table() -> None:
    markup = b"<table><tr><th>a<th colspan=2>b<tr><td>c<td>d<td>e</table>"

    blocks = blocks_of(Page("", markup, "text/html"))

    cells = [dict(blocks.details(order)) for order in range(len(blocks))]
    places = [(cell["table"], cell["row"], cell["column"], cell["header"]) for cell in cells]
    assert places == [(1, 0, 0, 1), (1, 0, 1, 1), (1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 2, 0)]


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        (
            "<table><tr><td>Length<td>22 m<tr><td>Width<td>6 m</table>",
            ["Length", "22 m", "Width", "6 m"],
        ),
        ("<p>From:</p><table><tr><td>8:00</table>", ["From:", "8:00"]),
        ("<pre>cd pier\nls -l</pre>", ["cd pier\nls -l"]),
    ],
)
def test_a_table_with_headers_may_hold_small_tables_and_lines_of_code(
    cell: str, texts: list[str]
) -> None:
    page = f"<table><tr><th>Boat<th>Facts<tr><td>Anna<td>{cell}<tr><td>Berta<td>-</table>"

    blocks = blocks_of(Page("", page.encode(), "text/html"))

    rows = [dict(blocks.details(order)) for order in range(len(blocks))]
    found = [blocks.block(order).text for order in range(len(blocks))]
    assert found == ["Boat", "Facts", "Anna", *texts, "Berta", "-"]
    assert [(row["table"], row["row"], row["column"]) for row in rows] == [
        (1, 0, 0),
        (1, 0, 1),
        (1, 1, 0),
        *[(1, 1, 1)] * len(texts),
        (1, 2, 0),
        (1, 2, 1),
    ]


@pytest.mark.parametrize(
    "cell",
    [
        "<table><tr><th>Length<td>22 m</table>",
        f"<table><tr><td>{'word ' * 30}</table>",
        "<table><tr><td><table><tr><td>x</table></table>",
        "<table role=none><tr><td>x</table>",
        "<pre>1\n2\n3\n4\n5\n6</pre>",
        f"<pre>{'word ' * 80}\nx</pre>",
    ],
)
def test_a_table_around_other_tables_or_much_code_is_layout(cut_html: Cut, cell: str) -> None:
    blocks = cut_html(f"<table><tr><th>Boat<th>Facts<tr><td>Anna<td>{cell}</table>")

    assert blocks[0].kind is BlockKind.OTHER


@pytest.mark.parametrize("cell", ["<pre>f(x)</pre>", "<blockquote>f(x)</blockquote>"])
def test_a_table_with_headers_may_hold_code_and_quotations(cut_html: Cut, cell: str) -> None:
    blocks = cut_html(f"<table><tr><th>Call<th>Use<tr><td>{cell}<td>y</table>")

    assert [block.text for block in blocks] == ["Call", "Use", "f(x)", "y"]
    assert all(block.kind is BlockKind.TABLE_CELL for block in blocks)


@pytest.mark.parametrize(
    "table",
    [
        "<table><tr><td>x<tr><td>y</table>",  # one column
        "<table><tr><td>x<td>y</table>",  # one row
        "<table><tr><td>x<td><table></table><tr><td>y<td>z</table>",  # a table inside
        "<table role=presentation><tr><td>x<td>y<tr><td>x<td>y</table>",
        "<table><tr><td>x<td><h2>y</h2><tr><td>x<td>y</table>",  # a heading inside
        f"<table><tr><td>x<td>{'long ' * 100}<tr><td>x<td>y</table>",
        f"<table><tr><th>x<th>{'long ' * 400}<tr><td>x<td>y</table>",
        "<table><tr><th>x<th>z<tr><td><pre>1\n2\n3\n4\n5\n6</pre><td>y</table>",  # code inside
        "<table><tr><td>x<td><pre>y</pre><tr><td>x<td>y</table>",
        "<table><caption><h2>x</h2></caption><tr><th>x<th>z<tr><td>x<td>y</table>",
    ],
)
def test_cut_takes_cells_for_plain_blocks_when_a_table_is_layout(cut_html: Cut, table: str) -> None:
    blocks = cut_html(table)

    assert blocks
    assert all(block.kind is not BlockKind.TABLE_CELL for block in blocks)


def test_cut_numbers_the_items_of_ordered_lists() -> None:
    markup = b"<ol start=3><li>a<li>b<ul><li>x</ul><li>c</ol>"

    blocks = blocks_of(Page("", markup, "text/html"))

    ordinals = [dict(blocks.details(order))["ordinal"] for order in range(len(blocks))]
    assert ordinals == [3, 4, 0, 5]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>  a\n\t b  ", "a b"),
        ("<p>a&nbsp;&emsp;b\u3000c", "a b c"),
        ("<p>soft&shy;hyphen zero\u200bwidth", "softhyphen zerowidth"),
        (
            "<p>\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        ),
        ("<p>about\x01\x7f the bees of the city", "about the bees of the city"),
        ("<p>a &amp; b &lt;i&gt;", "a & b <i>"),
        ("<p>日本語　テキスト", "日本語 テキスト"),
        ("<pre>\n\n  a\n    b  \n \n</pre>", "  a\n    b"),
        ("<pre>a<br>b", "a\nb"),
    ],
)
def test_cut_makes_white_space_uniform_except_in_code(
    cut_html: Cut, markup: str, expected: str
) -> None:
    [block] = cut_html(markup)

    assert block.text == expected


def test_cut_makes_paragraphs_of_plain_text_at_blank_lines() -> None:
    page = Page("", b"One line\r\nand more.\r\n\r\nTwo.", "text/plain")

    cut = blocks_of(page)

    assert cut.form == "text"
    assert [cut.block(order).text for order in range(2)] == ["One line\nand more.", "Two."]


def test_block_raises_index_error_past_the_end() -> None:
    blocks = blocks_of(Page("", b"<p>x"))

    with pytest.raises(IndexError):
        blocks.block(1)


def test_kinds_of_the_kernel_follow_the_order_of_block_kind(cut_html: Cut) -> None:
    markup = (
        "<h1>0</h1><p>1<ul><li>2</ul><table><tr><th>3<th>3<tr><td>3<td>3</table>"
        "<pre>4</pre><blockquote>5</blockquote><figcaption>6</figcaption><div>7"
    )

    found = {int(block.text): block.kind for block in cut_html(markup)}

    assert found == dict(enumerate(BlockKind))


LETTER: Final = "Dear all,\nthe boat is late.\n \nSit down."


@pytest.mark.parametrize(
    "markup",
    [
        f"<p style='white-space: pre-wrap'>{LETTER}</p>",
        f"<div style='WHITE-SPACE:PRE-LINE !important'>{LETTER}</div>",
        f"<div style='white-space:pre-wrap;white-space:-moz-pre-wrap'>{LETTER}</div>",
        f"<p><span style='white-space-collapse: preserve; text-wrap: wrap'>{LETTER}</span></p>",
        f"<div class='mt-2 whitespace-pre-wrap'><p>{LETTER}</p></div>",
        f"<div class='text-pre-line'>\n<i>{LETTER}</i></div>",
        f"<div class=break-spaces style='color:red'>{LETTER}</div>",
    ],
)
def test_line_feeds_that_a_style_keeps_end_lines(cut_html: Cut, markup: str) -> None:
    texts = [block.text for block in cut_html(markup)]

    assert texts == ["Dear all,\nthe boat is late.", "Sit down."]


@pytest.mark.parametrize(
    "markup",
    [
        f"<p style='white-space: nowrap'>{LETTER}</p>",
        f"<p class=pre-wrapper>{LETTER}</p>",
        f"<p class=whitespace-pre-wrap style='white-space:normal'>{LETTER}</p>",
        f"<div style='white-space:pre-line'><p style='white-space:normal'>{LETTER}</p></div>",
        f"<p><b style='white-space:pre-line'>\n</b>{LETTER}</p>",
        f"<p style='x:pre-line'>{LETTER}</p>",
    ],
)
def test_other_line_feeds_are_spaces(cut_html: Cut, markup: str) -> None:
    assert [block.text for block in cut_html(markup)] == [" ".join(LETTER.split())]


@pytest.mark.parametrize(
    "markup",
    [
        "<div style='white-space: pre; font-family: monospace'>if a:\n    b()</div>",
        "<p class='font-mono whitespace-pre'>if a:\n    b()</p>",
        "<div style='white-space:pre'>\n<b>if</b> a:<br>    b()</div>",
        "<div style='white-space:pre'><div>if a:</div>\n<div>    b()</div></div>",
    ],
)
def test_lines_of_which_a_style_keeps_the_indentation_are_code(cut_html: Cut, markup: str) -> None:
    (block,) = cut_html(markup)

    assert (block.kind, block.text) == (BlockKind.CODE, "if a:\n    b()")


@pytest.mark.parametrize(
    "markup",
    [
        "<div style='white-space:pre'>\n  One  line </div>",
        "<ul><li style='white-space:pre'>One  line</ul>",
        "<h2 style='white-space:pre'>One\u00a0 line</h2>",
    ],
)
def test_one_line_is_not_code(cut_html: Cut, markup: str) -> None:
    (block,) = cut_html(markup)

    assert (block.kind is BlockKind.CODE, block.text) == (False, "One line")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            "<thead><tr><th>Boat<tfoot><tr><td>All<td>70<tbody><tr><td>Anna<td>30<tr><td>Bea",
            ["Boat", "Anna", "30", "Bea", "All", "70"],
        ),
        (
            "<caption>Boats<tfoot><tr><td>All<td>70</tfoot>\n<tr><td>Anna<td>30",
            ["Boats", "Anna", "30", "All", "70"],
        ),
        (
            "<tfoot><tr><td>a<td>b<tbody><tr><td>c<td>d<tfoot><tr><td>e<td>f",
            ["c", "d", "e", "f", "a", "b"],
        ),
        ("<tr><td>Anna<td>30<tfoot><tr><td>All<td>70", ["Anna", "30", "All", "70"]),
        ("<tfoot><tr><td>All<td>70<tr><td>x<td>y", ["All", "70", "x", "y"]),
    ],
)
def test_the_footer_of_a_table_is_below_its_rows(
    cut_html: Cut, markup: str, expected: list[str]
) -> None:
    blocks = cut_html(f"<table>{markup}</table>")

    assert _texts(blocks) == expected


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("<img src=y.png alt=Yes>", "Yes"),
        ("<p><img alt='Not included'></p>", "Not included"),
        ("<img alt='' title=No>", "No"),
        ("<img alt=Yes style='display: none'>", ""),
        ("<svg><title>Ja</title><path/></svg>", "Ja"),
        ("<span role=img aria-label=Нет></span>", "Нет"),
        ("<i class='fa fa-times' title=No></i>", "No"),
        ("<i class='fas fa-check'></i>", "✓"),
        ("<b class=icon-cross></b>", "✗"),
        ("<span class=tick><svg><path/></svg></span>", "✓"),
        # other pictures, controls, hidden ones, and pictures next to what they say
        ("<img src=a.png alt='Anna at sea'>", ""),
        ("<img class=check src=a.png alt=Anna>", ""),
        ("<a href=/r class=remove><i class='fa fa-times'></i></a>", ""),
        ("<i class='fa fa-check' style='display:none'></i>", ""),
        ("<i class='fa fa-check'></i><i class=sr-only>Included</i>", "Included"),
        ("<i class='checkered book'></i>", ""),
    ],
)
def test_a_picture_that_is_all_of_a_cell_says_yes_or_no(
    cut_html: Cut, cell: str, said: str
) -> None:
    blocks = cut_html(f"<table><tr><th>Dogs<td>{cell}<tr><th>Bikes<td>free</table>")

    assert _texts(blocks) == [each for each in ("Dogs", said, "Bikes", "free") if each]
