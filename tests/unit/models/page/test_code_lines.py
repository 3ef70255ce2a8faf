"""Code keeps its lines, indentation and blank lines, without line numbers."""

from collections.abc import Callable
from typing import Final

import pytest

from tests.unit.models.page.test_markdown_round_trip import markdown
from winnow.models.document import Block, BlockKind, Page
from winnow.models.page import blocks_of

Cut = Callable[[str], list[Block]]
CODE: Final = "if a:\n\n    b = 1"


def _row(cells: str) -> str:
    return f"<tr>{cells}</tr>"


@pytest.mark.parametrize(
    "markup",
    [
        # Chroma, in the line; as a table
        ("<pre class=chroma><code><span class=line><span class=ln>1</span><span class=cl>if "
        "a:\n</span>"
        "</span><span class=line><span class=ln>2</span><span class=cl>\n</span></span>"
        "<span class=line><span class=ln>3</span><span class=cl>    b = 1\n</span></span>"
        "</code></pre>"),
        ("<table class=lntable><tr><td class=lntd><pre><code><span class=lnt>1\n</span>"
        "<span class=lnt>2\n</span><span class=lnt>3\n</span></code></pre></td>"
        f"<td class=lntd><pre><code>{CODE}\n</code></pre></table>"),
        # Pygments
        ("<table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre>"
        "<span class=normal>1</span>\n<span class=normal>2</span>\n<span class=normal>"
        "3</span></pre>"
        f"</div></td><td class=code><div><pre><span></span>{CODE}\n</pre></div></table>"),
        ("<pre><span class=linenos>1</span>if a:\n<span class=linenos>2</span>\n"
        "<span class=linenos special>3</span>    b = 1\n</pre>"),
        # Shiki, Gatsby, 11ty without line feeds between the lines
        ("<pre><code><span class=line><b>if</b> a:</span><span class=line></span>"
        "<span class=line>    b = 1</span></code></pre>"),
        ("<pre><span class='line diff'>if a:</span><span class='line'></span>"
        "<span class='line x'>    b = 1</span></pre>"),
        ("<pre><code><span class=gatsby-highlight-code-line>if a:</span>"
        "<span class=gatsby-highlight-code-line></span>"
        "<span class=gatsby-highlight-code-line>    b = 1</span></code></pre>"),
        ("<pre><code><span class=highlight-line>if a:\n</span><span class=highlight-line>"
        "<i>\n</i></span><span class=highlight-line>    b = 1</span></code></pre>"),
        ("<pre><span class=token-line>if a:</span>\n<span class=token-line></span>\n"
        "<span class=token-line>    b = 1</span></pre>"),
        # Rouge, Hexo
        ("<table class=rouge-table><tr><td class='rouge-gutter gl'><pre class=lineno>"
        "8\n9\n10\n</pre>"
        f"<td class=rouge-code><pre>{CODE}</pre></table>"),
        ("<table><tr><td class=gutter><pre><span class=line>1</span><br><span class=line>"
        "2</span><br>"
        "<span class=line>3</span></pre><td class=code><pre><span class=line>if a:</span><br>"
        "<span class=line></span><br><span class=line>    b = 1</span><br></pre></table>"),
        # lines that a style draws, divisions and breaks in `code` without `pre`
        ("<pre><code><span style='display: block'>if a:</span><span style=display:block></span>"
        "<span style='color:red;display:flex'>    b = 1</span></code></pre>"),
        ("<pre><span class=block>if a:</span><span class='d-block x'></span>"
        "<span class=block>    b = 1</span></pre>"),
        "<code><div>if a:</div><div><br></div><div>    b = 1</div></code>",
        ("<div><code style=white-space:pre><span class=line>if a:</span><span class=line></span>"
        "<span class=line>    b = 1</span></code></div>"),
        "<p><code>if a:<br>\n<br />\r\n&nbsp;&nbsp;&nbsp;&nbsp;b = 1</code></p>",
        # tables without names
        ("<table><tr><td>1<td><code>if a:</code><tr><td>2<td><code></code>"
        "<tr><td>3<td><code>    b = 1</code></table>"),
        ("<pre><table><tr><td>1<td>if a:<tr><td>2<td><tr><td>3<td>    b = 1</table></pre>"),
        # a bar above the code
        (f"<pre><div><div>python</div><button>Copy</button></div><div><code>{CODE}\n</code></div>"
        "</pre>"),
        f"<pre><code>{CODE}</code><span class=copied>Copied!</span></pre>",
        # highlight.js, GitHub
        "<pre><code><table class=hljs-ln><tbody>"
        + "".join(
            _row(
                "<td class='hljs-ln-line hljs-ln-numbers' data-line-number=1>"
                f"<div class=hljs-ln-n data-line-number=1></div><td class=hljs-ln-code>{line}"
            )
            for line in ("if a:", "\n", "    b = 1")
        )
        + "</table></code></pre>",
        "<table class='highlight js-file-line-container'>\n"
        + "\n".join(
            _row(
                "\n<td id=L1 class='blob-num js-line-number' data-line-number=1></td>\n"
                f"<td class='blob-code blob-code-inner'>{line}</td>\n"
            )
            for line in ("if a:", "", "    b = 1")
        )
        + "\n</table>",
        # react-syntax-highlighter
        ("<pre><code style='float:left;padding-right:10px'><span class=linenumber>1\n</span>"
        "<span class=linenumber>2\n</span><span class=linenumber>3\n</span></code>"
        f"<code>{CODE}</code></pre>"),
        ("<pre><span class=react-syntax-highlighter-line-number>1</span>if a:\n"
        "<span style='min-width:2em;-webkit-user-select:none'>2</span>\n"
        "<span style='user-select: none'>3</span>    b = 1</pre>"),
        # SyntaxHighlighter, Crayon, which have no pre
        ("<div class=syntaxhighlighter><table><tr><td class=gutter><div class='line number1'>"
        "1</div>"
        "<div class='line number2'>2</div><div class='line number3'>3</div></td><td class=code>"
        "<div class=container><div class=line><code>if</code> <code>a:</code></div>"
        "<div class=line></div><div class=line><code>&nbsp;&nbsp;&nbsp;&nbsp;</code><code>"
        "b = 1</code>"
        "</div></div></table></div>"),
        ("<table class=crayon-table><tr><td class=crayon-nums><div class=crayon-nums-content>"
        "<div class=crayon-num>1</div><div class=crayon-num>2</div><div class=crayon-num>"
        "3</div></div>"
        "<td class=crayon-code><div class=crayon-pre><div class=crayon-line>if a:</div>"
        "<div class=crayon-line></div><div class=crayon-line>    b = 1</div></div></table>"),
        # pairs without names
        ("<pre><code><span><span>1</span><span>if a:</span></span>\n<span><span>2</span><span>"
        "</span></span>\n<span><span>3</span><span>    b = 1</span></span></code></pre>"),
        ("<pre><div><div>1</div><div>if a:</div></div><div><div>2</div><div><br></div></div>"
        "<div><div>3</div><div>    b = 1</div></div></pre>"),
        # a block next to it; links; lines as items and blocks
        f"<div class=line-numbers>1<br>2<br>3</div><pre>{CODE}</pre>",
        f"<pre class=lineno>1\n2\n3</pre><pre>{CODE}</pre>",
        "<pre><a href=#L1>1</a>if a:\n<a href=/x#L2>2</a>\n<a href=#n3>3</a>    b = 1</pre>",
        "<pre class=prettyprint><ol class=linenums><li>if a:<li><li>    b = 1</ol></pre>",
        "<ol class=EnlighterJS><li>if a:</li><li></li><li>    b = 1</li></ol>",
        "<pre><div class=line>if a:\n</div><div class=line>\n</div><div>    b = 1</div></pre>",
        "<pre><code>\n<div>if a:</div>\n<div><br></div>\n<div>    b = 1</div>\n</code></pre>",
        # Doxygen, Monaco, CodeMirror and Ace, which have no pre; lines that an editor copied
        ("<div class=fragment><div class=line><a id=l1></a><span class=lineno>    1</span>if a:"
        "</div>\n<div class=line><span class=lineno>    2</span></div>\n<div class=line>"
        "<span class=lineno>    3</span>    b = 1</div>\n</div>"),
        ("<div class='view-lines monaco-mouse'><div class=view-line><span>if a:</span></div>"
        "<div class=view-line></div><div class=view-line>    b = 1</div></div>"),
        ("<div class=cm-content><div class='cm-activeLine cm-line'>if a:</div>"
        "<div class=cm-line><br></div><div class=cm-line>    b = 1</div></div>"),
        ("<div class=CodeMirror-code><div style=position:relative><div class=gutter><div "
        "class=CodeMirror-linenumber>1</div></div><pre class=' CodeMirror-line '>if a:</pre></div>"
        "<div><div class=gutter><div class=CodeMirror-linenumber>2</div></div>"
        "<pre class=CodeMirror-line></pre></div><div><div class=gutter><div "
        "class=CodeMirror-linenumber>3</div></div><pre class=CodeMirror-line>    b = 1</pre></div>"
        "</div>"),
        ("<div class=CodeMirror-code><pre class=CodeMirror-line>if a:</pre><pre class="
        "CodeMirror-line></pre><pre class=CodeMirror-line>    b = 1</pre></div>"),
        ("<div class='ace_layer ace_text-layer'><div class=ace_line_group><div class=ace_line>if a:"
        "</div></div><div class=ace_line_group><div class=ace_line></div></div>"
        "<div class=ace_line_group><div class=ace_line>    b = 1</div></div></div>"),
        "<ol class=linenums><li><pre>if a:</pre><li><pre></pre><li><pre>    b = 1</pre></ol>",
        ("<dl><dd><div class=sourceCode><div class=code-line>if a:</div>"
        "<div class=code-line></div><div class=code-line>    b = 1</div></div></dl>"),
        ("<div style='font:9px Consolas;white-space:pre;'><div><span>if</span> a:</div>"
        "<br><div>    b = 1</div></div>"),
    ],
)  # fmt: skip
def test_code_has_its_lines_and_no_numbers(cut_html: Cut, markup: str) -> None:
    (block,) = cut_html(markup)

    assert (block.kind, block.text) == (BlockKind.CODE, CODE)


@pytest.mark.parametrize(
    "markup",
    [
        "<div class=line-block><div class=line>A boat</div><div class=line>comes in</div></div>",
        "<div class='stanza line'><div class=line>A boat</div><div class=line>comes in</div></div>",
        "<div class=fragment><div>A boat</div><div>comes in</div></div>",
        "<div class='a-code fragment'><p class=line>A boat</p><p class=line>comes in</p></div>",
        "<div style='white-space:pre'><div class=name>A boat</div><div>comes in</div></div>",
        "<code><div id=feed><div>A boat</div><div>comes in</div></div></code>",
    ],
)
def test_lines_of_no_code_are_blocks(cut_html: Cut, markup: str) -> None:
    assert [block.text for block in cut_html(markup)] == ["A boat", "comes in"]
    assert all(block.kind is not BlockKind.CODE for block in cut_html(markup))


@pytest.mark.parametrize(
    "markup",
    [
        "<div class=code><pre>a = 1</pre><pre>b = 2</pre></div>",
        "<div class=code><div><p>Code</p><pre>a = 1</pre></div><div><pre>b = 2</pre></div></div>",
    ],
)
def test_two_listings_are_not_lines_of_one(cut_html: Cut, markup: str) -> None:
    assert [block.text for block in cut_html(markup)][-2:] == ["a = 1", "b = 2"]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<pre class=line-numbers><code>42</code></pre>", ["42"]),
        ("<pre>1\n2\n3</pre>", ["1\n2\n3"]),
        ("<pre><code class=line-numbers>1 2 4</code></pre>", ["1 2 4"]),
        ("<p>Poem <span class=gutter>3</span> of 9", ["Poem 3 of 9"]),
        ("<table><tr><td class=gutter><td>The page</table>", ["The page"]),
        ("<pre><a href=#12>see 12</a></pre>", ["see 12"]),
        ("<div class=line-numbers>12 boats</div>", ["12 boats"]),
        ("<pre><table><tr><td>1<td>a<tr><td>3<td>b</table></pre>", ["1", "a", "3", "b"]),
        ("<table><tr><td>1<td><code>a</code> b<tr><td>2<td>c</table>", ["1", "a b", "2", "c"]),
        ("<pre>python\n<div>a</div>\n</pre>", ["python\na"]),
        ("<pre><b><i>1</i><i>a</i></b>\n<b><i>2</i><i>b</i></b></pre>", ["1a\n2b"]),
        (
            "<pre><span><span>1</span> a</span>\n<span><span>2</span> b</span></pre>",
            ["1 a\n2 b"],
        ),
        (
            (
                "<pre><span><span>1</span><span>a</span></span>\n"
                "<span><span>3</span><span>b</span></span></pre>"
            ),
            ["1a\n3b"],
        ),
        (
            (
                "<pre><span><span class=n>1</span><span>a</span></span>\n"
                "<span><span class=n>2</span><span>b</span></span></pre>"
            ),
            ["1a\n2b"],
        ),
    ],
)
def test_numbers_that_are_text_stay(cut_html: Cut, markup: str, expected: list[str]) -> None:
    assert [block.text for block in cut_html(markup)] == expected


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Run <code>a<br>b</code>",
        "<h2><code>a<br>b</code></h2>",
        "<p><code>a<br></code>",
        "<table><tr><th>a<td><code>a<br>b</code></table>",
    ],
)
def test_code_inside_a_text_is_inline(cut_html: Cut, markup: str) -> None:
    assert BlockKind.CODE not in {block.kind for block in cut_html(markup)}


def test_one_listing_is_one_block() -> None:
    lines = "".join(f"<div class=line>a{number}</div>" for number in range(500))

    blocks = blocks_of(Page("", f"<pre>{lines}</pre>".encode(), "text/html"))

    assert len(blocks) == 1
    assert blocks.block(0).text.count("\n") == 499


def test_numbers_of_lines_without_pre_count_up(cut_html: Cut) -> None:
    line = "<div class=line><a id={0}></a><span class=lineno>{0}</span> {1}</div>"
    fragment = line.format(8, "keel();") + "\n" + line.format(9, "mast();")

    assert [block.text for block in cut_html(fragment)] == ["keel();", "mast();"]
    assert [block.text for block in cut_html(line.format(8, "keel();"))] == ["8 keel();"]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div><span class=lang>py</span><pre>keel()</pre></div>", ["keel()"]),
        (
            "<div class=bar><i class=code-lang>C++</i></div>\n<div><pre>keel()</pre></div>",
            ["keel()"],
        ),
        ("<div><span class=lang>the keel</span><pre>keel()</pre></div>", ["the keel", "keel()"]),
        ("<p>In <i class=lang>Python</i> <code>keel()</code> runs", ["In Python keel() runs"]),
        (
            "<ul><li class=lang>English</ul><p>keel</p><pre>keel()</pre>",
            ["English", "keel", "keel()"],
        ),
    ],
)
def test_the_name_of_the_language_of_code_is_not_text(
    cut_html: Cut, markup: str, expected: list[str]
) -> None:
    assert [block.text for block in cut_html(markup)] == expected


def test_a_table_of_another_highlighter_is_code(cut_html: Cut) -> None:
    numbers = "<td class=urvanov-syntax-highlighter-nums><div>1</div><div>2</div></td>"
    markup = f"<table><tr>{numbers}<td><div>keel();</div><div>mast();</div></td></tr></table>"
    (block,) = cut_html(markup)

    assert block.text == "keel();\nmast();"


@pytest.mark.parametrize(
    ("lang", "fence"), [("python", "python"), ("sh", "sh"), ("en", ""), ("de-AT", "")]
)
def test_the_language_of_code_may_be_in_lang(lang: str, fence: str) -> None:
    markup = f"<p>A keel is made so:</p><pre lang={lang}><code>keel()</code></pre>"

    assert markdown(markup).endswith(f"```{fence}\nkeel()\n```")


@pytest.mark.parametrize(
    ("around", "cell", "fence"),
    [
        # Rouge, Pygments
        ("<div class=language-ruby><div class=highlight><pre><code>{}", "rouge-code", "ruby"),
        ("<div class=highlight-ruby>{}", "code", "ruby"),
        ("<div class=highlight-ruby>{}", "example", ""),
        ("<div class=language-ruby><div><div>{}", "code", ""),
    ],
)
def test_the_language_of_code_in_a_table_is_around_the_table(
    around: str, cell: str, fence: str
) -> None:
    numbers = "<td class=gutter><pre class=lineno>1\n2\n</pre>"
    rows = f"<table><tr>{numbers}<td class={cell}><pre>keel()\nmast()</pre></table>"
    markup = f"<p>A keel is made so:</p>{around.format(rows)}"

    assert markdown(markup).endswith(f"```{fence}\nkeel()\nmast()\n```")
