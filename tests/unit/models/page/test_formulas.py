"""Formulas: MathML to TeX, what scripts drew, what a page writes in TeX."""

import pytest

from tests.unit.models.page.test_markdown_round_trip import markdown

_TABLE = (
    "<mtable><mtr><mtd>{}</mtd><mtd>{}</mtd></mtr><mtr><mtd>{}</mtd><mtd>{}</mtd></mtr></mtable>"
)


def _cells(*cells: str) -> str:
    return _TABLE.format(*cells)


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        (
            "<mo>(</mo><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>",
            r"\binom{n}{k}",
        ),
        (
            "<mfenced><mfrac linethickness=0pt><mi>n</mi><mi>k</mi></mfrac></mfenced>",
            r"\binom{n}{k}",
        ),
        ("<mfrac linethickness=0px><mi>n</mi><mi>k</mi></mfrac>", r"{n \atop k}"),
        ("<mfrac bevelled=true><mn>1</mn><mn>2</mn></mfrac>", "{1}/{2}"),
        ("<mover accent=true><mi>F</mi><mo>→</mo></mover>", r"\vec{F}"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>→</mo></mover>", r"\overrightarrow{AB}"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>¯</mo></mover>", r"\overline{AB}"),
        (
            "<mover><mi>x</mi><mo>^</mo></mover><mover><mi>y</mi><mo>˜</mo></mover>",
            r"\hat{x}\tilde{y}",
        ),
        (
            "<mover><mi>x</mi><mo>˙</mo></mover><mover><mi>y</mi><mo>¨</mo></mover>",
            r"\dot{x}\ddot{y}",
        ),
        ("<munder><mi>x</mi><mo>_</mo></munder>", r"\underline{x}"),
        (
            "<mover><mover><mi>x</mi><mo>⏞</mo></mover><mtext>two terms</mtext></mover>",
            r"\overbrace{x}^{\text{two terms}}",
        ),
        ("<munder><munder><mi>x</mi><mo>⏟</mo></munder><mi>n</mi></munder>", r"\underbrace{x}_n"),
        ("<mover><mo>→</mo><mi>f</mi></mover>", r"\xrightarrow{f}"),
        ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
        (
            (
                "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi>"
                "</munderover>"
                "<mi>i</mi>"
            ),
            r"\sum_{i=1}^ni",
        ),
        (
            "<munder><mo>lim</mo><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>x</mi>",
            r"\lim_{x→0}x",
        ),
        (
            "<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup><mi>sin</mi><mi>x</mi>",
            r"\int_0^1\sin x",
        ),
        ("<msup><mi>f</mi><mo>′</mo></msup><msup><mi>g</mi><mo>″</mo></msup>", "f'g''"),
        ("<msubsup><mi>x</mi><mi>i</mi><mo>′</mo></msubsup>", "x_i'"),
        ("<msup><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></msup>", "{x^2}^3"),
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^2"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(a)^2"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot><msqrt><mi>a</mi></msqrt>", r"\sqrt[3]{x}\sqrt{a}"),
        ("<mtext>if </mtext><mi>x</mi><mspace/><mtext>m/s</mtext>", r"\text{if }x \text{m/s}"),
        ("<mi mathvariant=double-struck>R</mi><mi>speed</mi>", r"\mathbb{R}\mathrm{speed}"),
        ("<mi mathvariant=normal>d</mi><mi mathvariant=normal>α</mi>", r"\mathrm{d}α"),
        ("<mo>{</mo><mn>5</mn><mo>%</mo><mo>}</mo><mo>−</mo><mn>1</mn>", r"\{5\%\}-1"),
        ("<mfenced open='{' close=']' separators=';'><mi>a</mi><mi>b</mi></mfenced>", r"\{a;b]"),
        (
            (
                "<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><none/><mn>14</mn>"
                "</mmultiscripts>"
            ),
            "{}^{14}C_6",
        ),
        (
            "<menclose notation=box><mi>x</mi></menclose><mphantom><mi>y</mi></mphantom>",
            r"\boxed{x}",
        ),
        (
            _cells("<mi>x</mi>", "<mo>=</mo><mn>1</mn>", "<mi>y</mi>", "<mo>=</mo><mn>2</mn>"),
            r"\begin{aligned}x & =1 \\ y & =2\end{aligned}",
        ),
        (
            "<mo>{</mo>"
            + _cells("<mn>1</mn>", "<mtext>if so</mtext>", "<mn>0</mn>", "<mi>else</mi>"),
            r"\begin{cases}1 & \text{if so} \\ 0 & \mathrm{else}\end{cases}",
        ),
        (
            "<mo>[</mo>" + _cells(*("<mn>1</mn>",) * 4) + "<mo>]</mo><mi>v</mi>",
            r"\begin{bmatrix}1 & 1 \\ 1 & 1\end{bmatrix}v",
        ),
        (
            "<mfenced open='|' close='|'>" + _cells(*("<mn>1</mn>",) * 4) + "</mfenced>",
            r"\begin{vmatrix}1 & 1 \\ 1 & 1\end{vmatrix}",
        ),
        (_cells(*("<mn>1</mn>",) * 4), r"\begin{matrix}1 & 1 \\ 1 & 1\end{matrix}"),
        (
            "<mtable><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd></mtr></mtable>",
            r"\begin{gathered}a \\ b\end{gathered}",
        ),
        (
            (
                "<mtable columnalign='right left'><mlabeledtr><mtd><mtext>(1)</mtext></mtd>"
                "<mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mlabeledtr></mtable>"
            ),
            r"\begin{aligned}a & b \quad \text{(1)}\end{aligned}",
        ),
    ],
)
def test_presentation_is_written_as_tex(mathml: str, tex: str) -> None:
    assert markdown(f"<p>so <math>{mathml}</math> it is") == f"so ${tex}$ it is"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            (
                r'<span class=math-inline data-math="x=\frac{1}{2}"><span class=katex>'
                "<span class=katex-html aria-hidden=true>x=21</span></span></span>"
            ),
            r"$x=\frac{1}{2}$",
        ),
        ("<b class=katex data-latex=y^2><i class=katex-html>y2</i></b>", "$y^2$"),
        ("<b data-expr=y^2><b class=katex><i class=katex-html>y2</i></b></b>", "$y^2$"),
        (
            (
                "<b class=katex><annotation encoding=application/x-tex>y^2</annotation>"
                "<i class=katex-html>y2</i></b>"
            ),
            "$y^2$",
        ),
        (
            (
                "<mjx-container class=MathJax><mjx-math aria-hidden=true><mjx-utext>"
                "x</mjx-utext></mjx-math>"
                "<mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml></mjx-container>"
            ),
            "$x$",
        ),
        (
            (
                "<b class=MathJax_Preview>x2</b><b class=MathJax><nobr aria-hidden=true>x2</nobr>"
                "<b class=MJX_Assistive_MathML><math><msup><mi>x</mi><mn>2</mn></msup></math>"
                "</b></b>"
                "<script type=math/tex>x^2</script>"
            ),
            "$x^2$",
        ),
        (
            (
                "<b class=MathJax><nobr aria-hidden=true>x2</nobr>"
                "<b class=MJX_Assistive_MathML><math><msup><mi>x</mi><mn>2</mn></msup></math>"
                "</b></b>"
            ),
            "$x^2$",
        ),
        ("<img src=https://latex.codecogs.com/svg.image?E%3Dmc%5E2>", "$E=mc^2$"),
        ("<img src='/latex.php?latex=x_1&bg=fff' alt=equation>", "$x_1$"),
        ("<b data-formula=x_1><b data-formula=x_1><svg></svg></b></b>", "$x_1$"),
        ("<math data-latex='x_1'><mi>x</mi><mn>1</mn></math>", "$x_1$"),
        ("<span class=chart data-math=1>the math class</span>", "the math class"),
        ("<b class=ql-formula data-value=y^2></b>", "$y^2$"),
        ("<b class=math data-content=y^2><b class=katex>y2</b></b>", "$y^2$"),
        (
            (
                "<b class=ql-formula data-value=y^2><b class=katex><b class=katex-mathml><math>"
                "<mi>y</mi></math></b><i class=katex-html>y2</i></b></b>"
            ),
            "$y^2$",
        ),
        ("<span class=math data-value=95>95 of 100</span>", "95 of 100"),
        ("<span class=equation data-value=3></span>3", "3"),
        (
            (
                "<b class=mwe-math-element><b class=mwe-math-mathml-inline style='display: none'>"
                "<math><semantics><mi>y</mi><annotation encoding=application/x-tex>"
                r"{\displaystyle y^2}</annotation></semantics></math></b>"
                r"<img class='mwe-math-fallback-image-inline mw-invert' alt='{\displaystyle y^2}'"
                " src=a.svg aria-hidden=true></b>"
            ),
            "$y^2$",
        ),
        (
            (
                "<mjx-container class=MathJax><mjx-math data-latex=y^2><mjx-mi data-latex=y>"
                "</mjx-mi></mjx-math></mjx-container>"
            ),
            "$y^2$",
        ),
        (
            "<mjx-container class=MathJax><svg><g data-latex=y^2></g></svg></mjx-container>",
            "$y^2$",
        ),
        (
            (
                "<mjx-container class=MathJax aria-label='y squared'><mjx-math></mjx-math>"
                "</mjx-container>"
            ),
            "y squared",
        ),
        (
            "<mjx-container class=MathJax><svg aria-label='y squared'></svg></mjx-container>",
            "y squared",
        ),
        (
            (
                "<mjx-container class=MathJax aria-label='y squared'><svg></svg>"
                "<mjx-assistive-mml><math><mi>y</mi></math></mjx-assistive-mml></mjx-container>"
            ),
            "$y$",
        ),
        ("<mjx-container class=MathJax><mjx-math></mjx-math></mjx-container>", ""),
    ],
)
def test_a_formula_that_a_script_drew_is_written_once(markup: str, expected: str) -> None:
    assert markdown(f"<p>so {markup} it is") == " ".join(f"so {expected} it is".split())


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (r"<p>The $m_{1}^{2}$ and \(E = mc^2\) it", "The $m_{1}^{2}$ and $E = mc^2$ it"),
        (r"<p>$$\int_0^1 x\,dx$$<p>\[a &lt; b\]", "$$\n\\int_0^1 x\\,dx\n$$\n\n$$\na < b\n$$"),
        ("<p>$$a<br>= b$$", "$$\na = b\n$$"),
        (r"<p>\begin{align}a &amp;= b\end{align}", "$$\n\\begin{align}a &= b\\end{align}\n$$"),
        ("<p>a <b>$x$</b> <code>$y$</code>", "a **$x$** `$y$`"),
        ("<ul><li>$x_*$ and *", "- $x_*$ and \\*"),
        ("<p>$5 and $10 it, US$ 5", "$5 and $10 it, US\\$ 5"),
        ("<p>from $5-$10", "from $5-$10"),
        (r"<p>\$5 and \$6", r"\\$5 and \\$6"),
    ],
)
def test_tex_of_a_page_with_a_script_for_it_stays_tex(markup: str, expected: str) -> None:
    script = "<script async src=https://cdn.invalid/npm/mathjax@3/tex-chtml.js></script>"

    assert markdown(script + markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (r"<p>The $m_{1}^{2}$ and \(x^2\)", "The $m_{1}^{2}$ and $x^2$"),
        (r"<p>The $x$ and \(y\) of $HOME/$USER", r"The \$x\$ and \\(y\\) of \$HOME/\$USER"),
        ("<p>$5 and $10", "$5 and $10"),
    ],
)
def test_only_likely_tex_is_a_formula_without_a_tex_script(markup: str, expected: str) -> None:
    assert markdown(markup) == expected


def test_tex_in_a_table_stays_in_its_cell() -> None:
    assert markdown("<table><tr><th>$a_{1}$<th>b<tr><td>c<td>$|d_{2}|$</table>") == (
        "| $a_{1}$ | b |\n| --- | --- |\n| c | $\\|d_{2}\\|$ |"
    )


@pytest.mark.parametrize(
    "image",
    [
        r'<img class=latex src="https://s0.wp.com/latex.php?latex=x_1" alt="x_1">',
        r'<img class="tex" src="/math/a.png" alt="x_1">',
        r'<img src="https://latex.codecogs.com/gif.latex?x_1" alt="x_1">',
        r'<img src="https://www.zhihu.com/equation?tex=x_1" alt="x_1" eeimg="1">',
        r'<img class="mwe-math-fallback-image-inline" src="a" alt="{\displaystyle x_1}">',
        r'<img class="mwe-math-fallback-png-inline" src="a.png" alt="x_1">',
        r'<img class="ql-img-inline-formula quicklatex" src="a.svg" alt="x_1">',
        r'<img class="texrender" src="/filter/tex/pix.php/9.gif" alt="x_1">',
        r'<img class="math" src="_images/math/9.png" alt="x_1">',
        r'<img src="https://render.githubusercontent.com/render/math?math=x_1">',
    ],
)
def test_an_image_of_a_formula_is_its_source(image: str) -> None:
    assert markdown(f"<p>The keel is {image} long.</p>") == "The keel is $x_1$ long."


@pytest.mark.parametrize(
    "image",
    [
        '<img class=latex src=a.png alt="The formula of the keel">',
        '<img class=latex src=a.png alt="">',
        '<img src="/texture.png" alt="a_b">',
        '<img src="a.png" alt="x_1">',
    ],
)
def test_another_image_is_not_a_formula(image: str) -> None:
    assert "$" not in markdown(f"<p>The keel is {image} long.</p>")


_MATH = "<math{}><msup><mi>x</mi><mn>2</mn></msup></math>"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (("math/asciimath", "sum_(i=1)^n i^3"), "`sum_(i=1)^n i^3`"),
        (("math/mml", _MATH.format("")), "$x^2$"),
        (("math/mml", _MATH.format(" xmlns='http://www.w3.org/1998/Math/MathML'")), "$x^2$"),
        (("math/tex", "x^2"), "$x^2$"),
        (("Math/TeX", "x^2"), "$x^2$"),
        (("math/tex", "% <![CDATA[\na < b %]]>"), "$a < b$"),
        (("math/tex; mode=display", "x^2"), "$x^2$"),
    ],
)
@pytest.mark.parametrize(
    "drawn",
    [
        "",
        "<span class=MathJax_Preview>x2</span>",
        "<span class=MathJax_Preview></span><span class='MathJax mjx-full'><i>x2</i></span>",
        "<span class=MathJax_SVG id=MathJax-Element-1-Frame><i>x2</i></span>",
    ],
)
def test_a_formula_of_a_script_is_written_once(
    script: tuple[str, str], drawn: str, expected: str
) -> None:
    kind, source = script
    markup = f"<p>Here {drawn}<script type='{kind}'>{source}</script> it is."

    assert markdown(markup) == f"Here {expected} it is."


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("<script type='math/tex; mode=display'>x^2</script>", "a\n\n$$\nx^2\n$$\n\nb"),
        (
            "<script type='math/tex;mode=display'>% <![CDATA[\nx\n%]]></script>",
            "a\n\n$$\nx\n$$\n\nb",
        ),
        (
            f"<script type=math/mml>{_MATH.format(' display=block')}</script>",
            "a\n\n$$\nx^2\n$$\n\nb",
        ),
        ("<script type=math/mml><p>x</script>", "a\n\nb"),
        ("<script type=math/mml></script>", "a\n\nb"),
        ("<script type=text/x-math>x</script>", "a\n\nb"),
        ("<script type=math/asciimath-config>x</script>", "a\n\nb"),
    ],
)
def test_formulas_of_scripts_between_paragraphs(script: str, expected: str) -> None:
    assert markdown(f"<p>a<div>{script}</div><p>b") == expected
