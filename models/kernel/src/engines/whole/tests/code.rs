//! Code and signatures.

use super::*;

#[test]
fn code_between_blocks_of_text_stays_unless_it_is_clearly_boilerplate() {
    let code = |odds: &str| format!("<pre>git add {odds}</pre>");
    let (one, least) = (code("[-1]"), code("[-3]"));
    for (markup, count) in [
        (format!("<p>{TEXT}{one}<p>{TEXT}"), 3),
        (format!("<p>{TEXT}{one}{one}<p>{TEXT}"), 4),
        (format!("<p>{TEXT}<p>Then:{one}<h2>Next</h2><p>{TEXT}"), 5),
        (format!("<p>{TEXT}{one}<p>{TEXT}{one}<p>{TEXT}"), 5),
        (format!("<p>{TEXT}{least}<p>{TEXT}"), 2),
        (format!("<p>{TEXT}{one}"), 1),
        (format!("{one}<p>{TEXT}"), 1),
        (format!("<p>{TEXT}{one}<p>{TEXT} [-3]"), 1),
        (format!("<p>{TEXT}{one}<p>Home [-1]<p>{TEXT}"), 2),
        (format!("<pre>{TEXT}</pre>{one}<pre>{TEXT}</pre>"), 2),
    ] {
        assert_eq!(kept(&markup).len(), count, "{markup}");
    }
    let (_, decided) = settled(&format!("<p>{TEXT}{one}<p>{TEXT}"));
    assert_eq!(decided, [("git add".to_owned(), Decider::Listing)]);
}

#[test]
fn a_signature_is_written_once() {
    let post = |text: &str, signature: &str| {
        format!("<div class=post><p>{text}</p><div class={signature}>{TEXT} [1]</div></div>")
    };
    for (class, count) in [("signature", 5), ("'x UserSignature'", 5), ("sign", 7)] {
        let posts = [post("a", class), post("b", class), post("c", class)].concat();
        let other = "Ash and oak, elm and birch: ask me about trees that grow by the sea.";
        let last = format!("<div class=signature>{other}</div>");
        assert_eq!(kept(&format!("{posts}{last}")).len(), count, "{class}");
    }
}

#[test]
fn template_code_that_nobody_filled_goes() {
    for line in [
        "<p>{{price.info.lowestWasPrice}}</p>",
        "<p>Original Price: {{price.info.original}}</p>",
        "<p>{% if product.available %}</p>",
        "<p>[vc_row][vc_column width=\"1/2\"]</p>",
        "<p>%%title%%</p>",
        "<p>Price: $${item.price}</p>",
        "<p>&lt;%= user.name %&gt;</p>",
        "<p>[/et_pb_section]</p>",
        "<p>{{ count }} reviews</p>"
            .replace(" reviews", "")
            .as_str(),
        "<p>#{title}</p>",
        "<p>{{ product.stock }} in stock</p>",
        "<p>({{ reviews.count }} reviews)</p>",
        "<p>{{{description}}}</p>",
        "<p>[[_computePrice(item)]]</p>",
        "<p>*|FNAME|*</p>",
        "<p>##PRODUCT_NAME##</p>",
        "<p>Hello {{ contact.firstname }}, welcome back.</p>",
        "<p>%%FIRST_NAME%%, here is your offer</p>",
        "<p>Showing {{from}} to {{to}} of {{total}} results</p>",
        "<p>[ad_1]</p>",
        "<p>Liquid error (line 14): invalid url input</p>",
        "<p>Translation missing: en.products.price</p>",
        "<p>@@price@@</p>",
        "<p>[elementor-template id=\"5\"]</p>",
        "<p>$product.name$</p>",
        "<p>%PRICE%</p>",
        "<p>{price}</p>",
        "<p>{$price}</p>",
        "<p>[[+title]]</p>",
        "<p>[object Object]</p>",
        "<p>undefined</p>",
        "<div>NaN</div>",
        "<p>null null</p>",
        "<p>__TITLE__</p>",
        "<p>{0}</p>",
        "<p>[null]</p>",
        "<p>%s</p>",
        "<p>$1</p>",
        "<ul><li>null<li>A boat</ul>",
        "<p>&lt;!-- --&gt;</p>",
        "<p>$title$</p>",
        "<p>@Model.Title</p>",
        "<p>{loadposition ads}</p>",
        "<p>{youtube}xY12{/youtube}</p>",
        "<p>{tab=Harbour}</p>",
        "<p>[contact-form]</p>",
        "<p>[toc]</p>",
        "<p>[wpforms id=3]</p>",
    ] {
        assert!(goes(line), "{line}");
    }
}

#[test]
fn placeholders_stay_on_a_page_whose_title_is_about_templates() {
    let rows = "<table><tr><td>{{ x }}<td>prints x<tr><td>{% if %}<td>asks</table>";
    let page = |title: &str| format!("<title>{title}</title><p>{TEXT}</p>{rows}<p>{TEXT}</p>");
    assert_eq!(kept(&page("Writing templates")).len(), 6);
    assert_eq!(kept(&page("Prices")).len(), 4);
    let error = |title: &str| {
        format!("<title>{title}</title><p>{TEXT}</p><p>Liquid error: invalid</p><p>{TEXT}</p>")
    };
    assert_eq!(kept(&error("Why is there a Liquid error?")).len(), 3);
    assert_eq!(kept(&error("Prices")).len(), 2);
}

#[test]
fn code_and_prose_about_templates_stay() {
    for line in [
        "<pre>{{ price }}</pre>",
        "<p>Write {{ name }} where the name of the reader should stand in the letter.</p>",
        "<p>The tag {% if %} begins a condition.</p>",
        "<p>A set {a, b} and a list [a, b].</p>",
        "<p>It grew by 5 % and 7 %.</p>",
        "<p>[citation needed]</p>",
        "<p>He wrote [sic] and ${20} of debt remained to be paid to the bank.</p>",
        "<p>[5] (six)</p>",
        "<p>100 %</p>",
        "<table><tr><th>a<th>b<tr><td>null<td>3</table>",
        "<p>null</p><p>The word null stands for no value.</p>",
        "<p>__init__</p>",
        "<p>[tocsin] is an old word for a bell.</p>",
        "<p>The gallery {youtubers} opened in the town.</p>",
        "<p>$x$</p>",
        "<p>%s</p><p>A text stands where %s is written.</p>",
        "<p>$1</p><p>Tea is $2.50 today.</p>",
        "<ul><li>null<li>true</ul><p>The word null stands for no value.</p>",
        "<p>{{ name }}</p><pre>Dear {{ name }},</pre>",
    ] {
        assert!(!goes(line), "{line}");
    }
}

#[test]
fn code_below_kept_text_of_the_element_around_it_stays() {
    let pre = "<pre>listen 192.168.0.10 [-0.5]</pre>";
    let below = |code: &str| {
        format!("<div class=post><div class=content><p>{TEXT}</p>{code}</div><p>Top [-3]</p></div>")
    };
    for code in [
        pre.to_owned(),
        format!("<dl class=code><dt>cups.conf [-2]<dd>{pre}</dl>"),
        format!("<div class=codebox><p>Code: Select all [-3]</p>{pre}</div>"),
        format!("<div class=highlight><div class=inner>{pre}</div></div>"),
    ] {
        let kept = kept(&below(&code));
        assert!(kept.contains(&"listen 192.168.0.10".to_owned()), "{code}");
    }
    // far from text, or clearly none
    let gone = format!("<p>{TEXT} [-2]</p>{pre}");
    for code in [gone, pre.replace("-0.5", "-1.5")] {
        let kept = kept(&below(&code));
        assert!(!kept.contains(&"listen 192.168.0.10".to_owned()), "{code}");
    }
    let outside = format!("<div class=post><p>{TEXT}</p></div><aside>{pre}</aside>");
    assert_eq!(kept(&outside).len(), 1);
}

#[test]
fn cells_of_a_notebook_stay_between_text_without_their_prompts() {
    let cell = |prompt: &str| format!("<div>{prompt}<div><pre>boat = 1 [-1.5]</pre></div></div>");
    let two = |prompt: &str| {
        let cells = [cell("<p>In [1]: [-2]</p>"), cell(prompt)].concat();
        kept(&format!("<p>{TEXT}</p>{cells}<p>{TEXT}</p>")).len()
    };
    assert_eq!(two("<p>Out [1]: [-2]</p>"), 4);
    // a line that is kept, too long, or of another box
    assert_eq!(two("<p>Out:</p>"), 3);
    assert_eq!(two("<p>The result is not what one may expect [-2]</p>"), 2);
    assert_eq!(two("</div><p>Out [1]: [-2]</p><div>"), 2);
}

#[test]
fn prompts_of_notebooks_go() {
    let code = "<pre>boat = 1</pre>";
    let table = "<table><tr><th>a<th>b<tr><td>1<td>2</table>";
    for (markup, count) in [
        (format!("<p>In [1]:</p>{code}"), 1),
        (format!("<p>In [ ]:</p>{code}"), 1),
        (format!("<p>Out[12]:</p>{table}"), 4),
        // not above code, or a text
        ("<p>In [1]:</p><p>Boats</p>".to_owned(), 2),
        (format!("<p>In [the harbour]:</p>{code}"), 2),
        (format!("<p>In [1]: boats</p>{code}"), 2),
    ] {
        assert_eq!(kept(&markup).len(), count, "{markup}");
    }
}

#[test]
fn parts_of_functions_in_a_reference_stay_together() {
    let row = |class: &str, odds: &str| {
        let signature = format!("<div class={class}>void tie () {odds}</div>");
        format!("{signature}<div class=mdescRight>Ties the boat.</div>")
    };
    let page = |class: &str, odds: &str| {
        let rows = [row(class, odds), row(class, odds)].concat();
        kept(&format!("<h2>Members</h2><div>{rows}</div><p>{TEXT}</p>")).len()
    };
    assert_eq!(page("memItemRight", "[-1.5]"), 6);
    assert_eq!(page("memItemRight", "[-4]"), 6);
    assert_eq!(page("right", "[-1.5]"), 4);
    let of = |class: &str, heading: &str| {
        let parts = format!("<div class={class}>void tie [-1.5]</div>");
        kept(&format!(
            "<p>{TEXT}</p><h2>{heading}</h2>{parts}<h2>b</h2><p>{TEXT}"
        ))
        .len()
    };
    assert_eq!(of("memproto", "tie"), 5);
    assert_eq!(of("memproto", "tie [-4]"), 3);
    assert_eq!(of("proto", "tie"), 3);
    for class in ["memberSummary", "'summary-table three-column-summary'"] {
        assert_eq!(of(class, "Methods"), 5, "{class}");
        assert_eq!(of(class, "Methods [-4]"), 3, "{class}");
    }
    assert_eq!(of("'summary-table'", "Methods"), 3);
    let rows = |above: &str| {
        let table = "<table class=autosummary><tr><td>add() [-1]<td>Adds [-1]</table>";
        kept(&format!("<p>{TEXT}</p>{above}{table}")).len()
    };
    assert_eq!(rows("<p class=rubric>Functions</p>"), 4);
    assert_eq!(rows("<p class=rubric>Functions [-1]</p>"), 1);
}

#[test]
fn code_stays_between_text_below_its_dropped_title() {
    let pre = "<pre>const boat = 1; [-1.5]</pre>";
    for (above, below) in [
        ("<div>src/boat.js [-1.5]</div>", ""),
        ("<div>bash [-2]</div>", "<div>Wrap lines [-2]</div>"),
        ("<h4>func Sail [-1.5]</h4>", ""),
    ] {
        let markup = format!("<p>{TEXT}</p><div>{above}{pre}{below}</div><p>{TEXT}</p>");
        let kept = kept(&markup);
        assert!(kept.contains(&"const boat = 1;".to_owned()), "{above}");
    }
    let long = "<p>Read more about the boats of the town and their owners. [-2]</p>";
    for markup in [
        format!("<p>{TEXT}</p>{long}{pre}<p>{TEXT}</p>"),
        format!("<p>{TEXT}</p><p>One [-2]<p>Two [-2]<p>Three [-2]</p>{pre}<p>{TEXT}</p>"),
        format!("<p>{TEXT} [-2]</p><p>boat.js [-2]</p>{pre}<p>{TEXT}</p>"),
    ] {
        assert_eq!(
            kept(&markup)
                .iter()
                .filter(|text| text.contains("boat ="))
                .count(),
            0
        );
    }
}

#[test]
fn captions_and_the_name_of_the_file_stay_with_code() {
    let pre = "<pre>let boat = 1;</pre>";
    let is_kept = |code: &str, line: &str, odds: f32| {
        let markup = format!("<p>{TEXT}</p>{code}<p>{TEXT}</p>");
        let of_line = |at: usize, texts: &[&str]| (texts[at] == line).then_some(odds);
        let (table, judgement) = judged(&markup, of_line);
        let mut blocks = table.blocks.iter().zip(&judgement.verdicts);
        blocks.any(|(block, verdict)| table.text_of(block) == line && *verdict == Verdict::Kept)
    };
    let caption = "Listing 1: how a boat is named";
    let file = "src/boat.rs";
    for (code, line) in [
        (
            format!("<figure>{pre}<figcaption>{caption}</figcaption></figure>"),
            caption,
        ),
        (
            format!("<figure><figcaption>{caption}</figcaption>{pre}</figure>"),
            caption,
        ),
        (
            format!("<div><div class=code-caption><span>{file}</span></div><div>{pre}</div></div>"),
            file,
        ),
        (format!("<figure>{file}{pre}</figure>"), file),
        (
            format!("<div class=code><div>File: boat.rs</div>{pre}</div>"),
            "File: boat.rs",
        ),
    ] {
        assert!(is_kept(&code, line, -1.5), "{code}");
        assert!(!is_kept(&code, line, -2.5), "{code}");
        let dropped = code.replace("let boat = 1;", "let boat = 1; [-3]");
        assert!(!is_kept(&dropped, line, -1.5), "{code}");
    }
    // a language, a control, a sentence, or a name that is not in a box with the code
    for (code, line) in [
        (format!("<div><div>Rust</div>{pre}</div>"), "Rust"),
        (format!("<div><div>Run</div>{pre}</div>"), "Run"),
        (
            format!("<div><div>Go to example.com now.</div>{pre}</div>"),
            "Go to example.com now.",
        ),
        (format!("<p>{file}</p>{pre}"), file),
    ] {
        assert!(!is_kept(&code, line, -1.5), "{code}");
    }
}

#[test]
fn a_signature_stays_above_what_it_does() {
    for signature in [
        "ferry.sail(speed: int = 3, **kwargs) → bool [-0.5]",
        "public void setSpeed(int speed, String name) [-0.9]",
        "fn new(name: &amp;str) -&gt; Self [-0.5]",
    ] {
        let markup = format!("<p>{TEXT}</p><dl><dt>{signature}<dd>{TEXT}</dl>");
        assert_eq!(kept(&markup).len(), 3, "{signature}");
        let twice = format!("<dl><dt>{signature}<dt>{signature}<dd>{TEXT}</dl>");
        assert_eq!(kept(&twice).len(), 3, "{signature}");
        // clearly none, or above what is dropped
        let gone = signature.replace("[-0.", "[-2.");
        for markup in [
            format!("<p>{TEXT}</p><div>{gone}</div><div>{TEXT}</div>"),
            format!("<p>{TEXT}</p><div>{signature}</div><div>{TEXT} [-2]</div>"),
        ] {
            assert!(kept(&markup).len() < 3, "{signature}");
        }
    }
    for other in [
        "Author(s) [-0.5]",
        "Re: The pier by Anna(f): 5:42am On Apr 24 [-0.5]",
        "Comments (12) [-0.5]",
        "Call us(free). [-0.5]",
        "Sign up today [-0.5]",
    ] {
        let markup = format!("<p>{TEXT}</p><div>{other}</div><p>{TEXT}</p>");
        assert_eq!(kept(&markup).len(), 2, "{other}");
    }
}

#[test]
fn headings_that_are_signatures_stay_also_without_text() {
    let part = |heading: &str| format!("<section><a href=s>Source [-2]</a>{heading}</section>");
    let markup = |below: &str| {
        [
            format!("<p>{TEXT}</p>"),
            part("<h3>impl&lt;T&gt; Boat&lt;T&gt; [-2.5]</h3>"),
            part("<h4>fn sail(&amp;self) -&gt; Pier [-2.5]</h4>"),
            format!("<div>{TEXT}</div>"),
            part("<h4>fn moor(&amp;mut self) [-1]</h4>"),
            below.to_owned(),
        ]
        .concat()
    };
    assert_eq!(kept(&markup("")).len(), 5);
    for other in [
        "<h4>Comments (12) [-1]</h4>",
        "<h4>fn crew(&amp;self) [-3.5]</h4>",
        "<h2>Implementations [-1]</h2><h4>fn clone(&amp;self) [-1]</h4>",
        "<h3>Class notes for all [-1]</h3>",
    ] {
        assert_eq!(kept(&markup(other)).len(), 5, "{other}");
    }
}

#[test]
fn code_stays_above_the_dropped_links_of_its_box() {
    let gist = |link: &str| {
        let meta = format!("{link} with love by some people of <a href=h>the pier</a> [-3]");
        let code = "<pre>boat.sail() [-0.8]</pre>";
        kept(&format!(
            "<p>{TEXT}</p><div>{code}<div>{meta}</div></div><p>{TEXT}</p>"
        ))
        .len()
    };
    assert_eq!(
        gist("<a href=r>view raw</a> <a href=f>the_boats_of_the_pier.py</a>"),
        3
    );
    assert_eq!(gist("view raw the_boats_of_the_pier.py"), 2);
}

#[test]
fn code_stays_below_other_kept_code_and_a_few_kept_words() {
    let page = |label: &str| {
        format!(
            "<p>{TEXT}</p><pre>make pump</pre><p>{label}</p><pre>make pier [-1.5]</pre><h2>Menu [-2]</h2>"
        )
    };
    assert!(kept(&page("Then:")).contains(&"make pier".to_owned()));
    assert!(!kept(&page("Then: [-2]")).contains(&"make pier".to_owned()));
}

#[test]
fn code_stays_between_its_heading_and_its_paragraph() {
    let page = |heading: &str, code: &str, after: &str| {
        let part = format!("<h3>{heading}</h3><pre>{code}</pre>{after}");
        format!("<p>{TEXT}</p><h2>Functions</h2><p>Few.</p>{part}")
    };
    let has = |markup: &str| kept(markup).contains(&"make pump".to_owned());
    let text = "<p>Starts the pump.</p>";
    assert!(has(&page("init", "make pump [-0.5]", text)));
    for (heading, code, after) in [
        ("init", "make pump [-1.5]", text),
        ("init [-2]", "make pump [-0.5]", text),
        ("init", "make pump [-0.5]", "<p>Starts the pump. [-2]</p>"),
        (
            "init",
            "make pump [-0.5]",
            "<p><a href=/a>All functions</a></p>",
        ),
    ] {
        assert!(
            !has(&page(heading, code, after)),
            "{heading} {code} {after}"
        );
    }
}
