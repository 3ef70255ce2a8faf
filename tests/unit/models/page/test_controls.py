"""What helps to use a page, and is text of it or not: buttons, links of headings, tooltips."""

from collections.abc import Callable

import pytest

from winnow.models.document import Block, BlockKind

Cut = Callable[[str], list[Block]]


def _texts(blocks: list[Block]) -> list[str]:
    return [block.text for block in blocks]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h3 class=accordion-header><button>Who may swim?</button></h3>", ["Who may swim?"]),
        ("<h2><button><span>Who?</span> <span class=icon></span></button></h2>", ["Who?"]),
        ("<h2><button>Who?<span data-nosnippet> Show</span></button></h2>", ["Who?"]),
        ("<div role=heading><button>Who?</button></div>", ["Who?"]),
        ("<summary><button>More</button></summary>", ["More"]),
        ("<dl><dt><button>Keel</button><dd>a beam", ["Keel", "a beam"]),
        ("<fieldset><legend><button>Size</button></legend>L", ["Size", "L"]),
        ("<table><tr><th><button>Name</button><th>No<tr><td>a<td>1", ["Name", "No", "a", "1"]),
        ("<button class=question><h3>Who?</h3></button>", ["Who?"]),
        ("<h2><button>Who?</button><button>+</button></h2>", ["Who?"]),
        ("<p>Press <button>Save</button> to keep it.", ["Press Save to keep it."]),
        ("<p>Press <b><button>Save</button></b>.", ["Press Save."]),
        ("<li>Now <i>press</i> <button>Save</button>, then wait", ["Now press Save, then wait"]),
        ("<p>Press <button>Save</button><b>Or</b> wait", ["Press Save Or wait"]),
        ("<p>按<button>保存</button>。", ["按保存。"]),
    ],
)
def test_a_button_that_reads_as_text_is_text(
    cut_html: Cut, markup: str, expected: list[str]
) -> None:
    assert _texts(cut_html(markup)) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div><button>Menu</button></div>", []),
        ("<p><button>Save</button>", []),
        ("<p>Save it: <button>Save</button>", ["Save it:"]),
        ("<p><button>Like</button> 12 people", ["12 people"]),
        ("<p>Sort by <button>name</button> <button>date</button> now", ["Sort by now"]),
        ("<p>Pages: <button>1</button> <input> of 4", ["Pages: of 4"]),
        ("<a href=a>Run</a> <button>Jump</button> <a href=b>Swim</a>", ["Run Swim"]),
        ("<h2>Boats <button>Share</button></h2>", ["Boats"]),
        ("<h2><button>Copy link</button></h2>", []),
        ("<h2><button aria-label=Open><svg></svg></button></h2>", []),
        ("<p>a</p><button>Save</button><p>b", ["a", "b"]),
    ],
)
def test_a_button_alone_is_a_control(cut_html: Cut, markup: str, expected: list[str]) -> None:
    assert _texts(cut_html(markup)) == expected


def test_the_text_of_a_button_has_the_kind_of_its_heading(cut_html: Cut) -> None:
    (block,) = cut_html("<h4><button>Who may swim?</button></h4>")

    assert (block.kind, block.level) == (BlockKind.HEADING, 4)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            "<h2>Use<span class=mw-editsection><span>[</span><a href=?e>edytuj</a>]</span></h2>a",
            ["Use", "a"],
        ),
        ("<div><h2>Use</h2><span class='mw-editsection x'>[edit]</span></div>", ["Use"]),
        ("<a class=mw-jump-link href=#mw-head>Zur Navigation springen</a><p>a", ["a"]),
        ("<li>$12 <a class='button add_to_cart_button' href=?add=1>Add to basket</a>", ["$12"]),
        ("<div><span class=mw-redirectedfrom>(Redirigé depuis <a>x</a>)</span></div>a", ["a"]),
        ("<h2>Use <small><a href='?title=U&action=edit'>[edit]</a></small></h2>", ["Use"]),
        ("<h2>Use [<a href='?title=U&action=edit'>edit</a>]</h2>", ["Use"]),
        ("<h2>[<a href='?action=edit'>edit</a>] Use</h2>", ["Use"]),
        ("<h2>Use&nbsp;[&nbsp;<a href='?action=edit'>edit</a>&nbsp;]</h2>", ["Use"]),
        ("<h2><b>Use</b> (<a href=?action=edit>e</a> | <a href=?action=edit>s</a>)", ["Use"]),
        ("<h3>Use [<a href=/edit/3>edit</a> / <a href=/e>Edit source</a>]</h3>", ["Use"]),
        ("<h3>Nutzen [<a href=/3>Bearbeiten</a>]</h3>", ["Nutzen"]),
        ("<h3>用法 [<a href=/3>編集</a>]</h3>", ["用法"]),
        ("<h3>Use <small>[<a href=/3>modifier</a>]</small></h3>", ["Use"]),
        ("<dl><dt>Use [<a href=/3>edit</a>]<dd>[<a>a</a>]", ["Use", "[a]"]),
        ("<h2>Use [<a href=#n1>1</a>] and [edit]</h2>", ["Use [1] and [edit]"]),
        ("<h2>Arrays [<a href=/s>size</a>]</h2>", ["Arrays [size]"]),
        ("<h2>How to <a href=/s>edit</a> (fast)</h2>", ["How to edit (fast)"]),
        ("<h2>[<a href=/edit>Edit</a>]</h2><p>[<a href=/e>edit</a>]", ["[Edit]", "[edit]"]),
        ("<h2>Use<sup>[<a href='?veaction=edit'>e</a>|<a href=?action=edit>s</a>]</sup>", ["Use"]),
        ("<h2>Use<a class=icon href='/index.php?action=edit&section=1'>Modifier</a></h2>", ["Use"]),
        ("<h2>Use<a href='/Special:EditPage?section=2'>Edit</a></h2>", ["Use"]),
        ("<ul><li><span class=sr-only>▢ </span>two eggs</ul>", ["two eggs"]),
        ("<h3><span class=editsection>[<a href=/e>editar</a>]</span> Use</h3>", ["Use"]),
        ("<h2>Use<a class=headerlink href=#use><span>¶</span></a></h2>", ["Use"]),
        ("<h2><a href=#use aria-hidden=true>⚓︎</a> Use</h2>", ["Use"]),
        ("<h2>Use<a class=hash-link href=#use>\u200b</a></h2>", ["Use"]),
        ("<h2><a class=hash-link href=#use>Direct link to Use</a>Use</h2>", ["Use"]),
        ("<dl><dt>f(x)<a class=headerlink href=#f>Link</a><dd>a", ["f(x)", "a"]),
        (
            "<div><h2>Use</h2><a class=sl-anchor-link href=#use><b>Section of Use</b></a></div>",
            ["Use"],
        ),
        ("<div class=code><div class=copy-btn>Copy</div><pre>a", ["a"]),
        ("<pre><span class='btn clipboard'> Copied! </span>a", ["a"]),
        ("<h2>Use <span class=copyLink>copy link</span></h2>", ["Use"]),
        ("<div class=code-head><a class=btn-copy href=#>复制代码</a></div>", []),
    ],
)
def test_links_and_buttons_of_headings_and_code_are_not_text(
    cut_html: Cut, markup: str, expected: list[str]
) -> None:
    assert _texts(cut_html(markup)) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h2><a class=header-anchor href=#use><span>Use</span></a></h2>", ["Use"]),
        ("<h2><a class=header href=#use>Use</a></h2>", ["Use"]),
        ("<p>See <a class=anchor href=#use>the use</a> of it", ["See the use of it"]),
        ("<p class=copyright>Copy of a letter", ["Copy of a letter"]),
        ("<p class=copy>The copy was made in haste", ["The copy was made in haste"]),
        ("<p>The editsection of a newspaper", ["The editsection of a newspaper"]),
        ("<h2><a href='?action=edit'>How to edit</a></h2>", ["How to edit"]),
        ("<p>Please <a href='?action=edit'>edit the page</a>", ["Please edit the page"]),
        ("<h2>Use <a href=/edit>edit distance</a></h2>", ["Use edit distance"]),
        ("<p>The class mw-jump-link <b class=jump>jumps</b>", ["The class mw-jump-link jumps"]),
        ("<ul><li><span>▢ </span>a box", ["▢ a box"]),
    ],
)
def test_text_with_the_name_of_a_control_stays(
    cut_html: Cut, markup: str, expected: list[str]
) -> None:
    assert _texts(cut_html(markup)) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>the port<span role=tooltip>left side</span> side", ["the port side"]),
        ("<p>the port <i class='material-icons md-18'>arrow_forward</i> side", ["the port side"]),
        ("<p>the <span class=material-symbols-outlined>anchor</span> port", ["the port"]),
        ("<p>the <span class=material-icons-text>Left port</span> side", ["the Left port side"]),
        ("<p>the <i class=material>port</i> side", ["the port side"]),
        ("<table><tr><td>Berth<td><i class=material-icons>check</i></table>", ["Berth", "check"]),
        ("<a class=tooltip>port<span class=tooltiptext>left</span></a> side", ["port side"]),
        ("the <dfn>port<span class=tooltip__content>left</span></dfn>.", ["the port."]),
        ("the <dfn>port<span class=popover-content>left</span></dfn>.", ["the port."]),
        ("a <a class=glossary-tooltip href=/p title='A side'>port</a> side", ["a port side"]),
        ("a <a class=glossary-tooltip href=/p>port</a> side", ["a port side"]),
        ("a <span class=glossary-tooltip title='A side'>port</span> side", ["a port side"]),
        ("the port<span class=glossary-tooltip>left</span> side", ["the port side"]),
        ("the port<a class=tooltip-content>left</a> side", ["the port side"]),
        (
            "<b class=a-offscreen>$19.99</b><b aria-hidden=true><i>$</i><i>19</i><i>99</i></b>",
            ["$19.99"],
        ),
        ("<i aria-hidden=true>Mon</i> <i class=visually-hidden>Monday</i>", ["Monday"]),
        (
            "<i>8<b class=sr-only> hours</b></i> <i aria-hidden=true>hrs</i> at sea",
            ["8 hours at sea"],
        ),
        ("<i>8<b class=sr-only> hours</b></i> <i aria-hidden=true>→</i>", ["8 hours →"]),
        ("<i>8<b> hours</b></i> <i aria-hidden=true>hot</i> at sea", ["8 hours hot at sea"]),
        ("<ul><li><b class=sr-only>▢ </b>2 eggs", ["2 eggs"]),
        ("<ul><li><b>▢ </b>2 eggs", ["▢ 2 eggs"]),
        ("<p>Ferry<span class=sr-only>Ferry</span> at nine", ["Ferry at nine"]),
        ("<p>More<span class=sr-only> about ferries</span>", ["More about ferries"]),
        ("<p><i aria-hidden=true>→</i> on", ["→ on"]),
        ("<a href=/a>Guide<b class=sr-only> (opens in a new tab)</b></a> of May", ["Guide of May"]),
        (
            "<a href=/a target=_blank>Guide<b class=sr-only> outside</b></a> of May",
            ["Guide of May"],
        ),
        ("<a href=/a>12<b class=sr-only> comments</b></a> of May", ["12 comments of May"]),
        ("<p>the port<sup><b class=sr-only>Note </b>1</sup> of May", ["the port¹ of May"]),
        ("<b class=sr-only>Regular price</b><i>$9</i>", ["Regular price $9"]),
        ("<p><i aria-hidden=true>T</i><b class=sr-only>T</b>he port", ["The port"]),
        ("<p>was 9 €<b class=sr-only>Now</b>8 €", ["was 9 € Now 8 €"]),
        ("<p><b><i class=sr-only>Number of reviews:</i>116</b>", ["Number of reviews: 116"]),
        ("<h1><b class=sr-only>News: </b>Ferry</h1>", ["Ferry"]),
        ("<a href=/a>More<b class=sr-only> on May</b></a>", ["More on May"]),
        ("<a href=/a><svg></svg><b class=sr-only>Share</b></a>", ["Share"]),
        (
            "<a href=/a><b aria-hidden=true>→</b><b class=sr-only>Next</b></a>",
            ["Next"],
        ),
        ("<p>4<b class=sr-only>/</b>3", ["4/3"]),
        ("<p>Iron.<label class=margin-toggle for=s>⊕</label> <span>Cast.</span>", ["Iron. Cast."]),
        ("<pre class=language-sh><b>sh</b>\n<code>ls</code></pre>", ["ls"]),
        ("<pre class=language-sh><b>ls</b> <code>-l</code></pre>", ["ls -l"]),
        (
            "<b class=sr-only>Skip</b><div aria-hidden=true>The page</div>",
            ["Skip", "The page"],
        ),
    ],
)
def test_invisible_text_is_not_glued_to_a_word(
    cut_html: Cut, markup: str, expected: list[str]
) -> None:
    assert _texts(cut_html(markup)) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<button>Who may swim?</button><div>All may.</div>", ["Who may swim?", "All may."]),
        ("<div><button>Who may swim? <i>+</i></button></div><p>All", ["Who may swim? +", "All"]),
        ("<li><button>誰が泳げますか？</button><div>誰でも。", ["誰が泳げますか？", "誰でも。"]),
    ],
)
def test_a_question_that_opens_its_answer_is_text(
    cut_html: Cut, markup: str, expected: list[str]
) -> None:
    assert _texts(cut_html(markup)) == expected


@pytest.mark.parametrize(
    "markup",
    [
        "<button>Forgot password?</button><div>b</div>",
        "<button>Who may swim?</button><button>Who else?</button>",
        "<button>Who may swim?</button><div></div>",
        "<button>Who may swim now</button><div>b</div>",
        "<p><button>Did this page help?</button> <a href=a>b</a></p>",
    ],
)
def test_a_question_without_an_answer_is_a_control(cut_html: Cut, markup: str) -> None:
    assert _texts(cut_html(markup)) in ([], ["b"])


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h3><button>Fares<i aria-hidden=true>+</i></button></h3>", ["Fares"]),
        ("<h3><span aria-hidden=true>▸ </span>Fares</h3>", ["Fares"]),
        ("<summary>Fares <b aria-hidden=true>\n▼\n</b></summary>a", ["Fares", "a"]),
        ("<table><tr><th>Boat <i aria-hidden=true>▲▼</i><th>B<tr><td>a<td>b", ["Boat", *"Bab"]),
        ("<p><i class=iconfont>\ue601</i> Fares <span>\uf095 </span></p>", ["Fares"]),
        ("<p><b><a href=#cite_ref-1>^</a></b> Ann Lee.</p>", ["Ann Lee."]),
        ("<p><i class=mw-cite-backlink>^ <a href=#r>a</a></i> Ann Lee.</p>", ["Ann Lee."]),
        ("<p>See the note. <a href=#r>⤴</a></p>", ["See the note."]),
    ],
)
def test_signs_of_controls_are_not_text(cut_html: Cut, markup: str, expected: list[str]) -> None:
    assert _texts(cut_html(markup)) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h3>Bari <i aria-hidden=true>→</i> Split</h3>", ["Bari → Split"]),
        ("<p>Fares <i aria-hidden=true>+</i></p>", ["Fares +"]),
        ("<h3><i aria-hidden=true>×</i></h3>", ["×"]),
        ("<h3>C<i>+</i></h3>", ["C+"]),
        ("<h3>Fares <i aria-hidden=true>4 €</i></h3>", ["Fares 4 €"]),
        ("<p><i>\ue601a</i> <b>\ue601</b></p>", ["\ue601a \ue601"]),
        ("<p>2 <a href=x>^</a> 3, <i>ﬁ</i></p>", ["2 ^ 3, ﬁ"]),
    ],
)
def test_signs_of_text_stay(cut_html: Cut, markup: str, expected: list[str]) -> None:
    assert _texts(cut_html(markup)) == expected
