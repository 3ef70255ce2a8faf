//! Inputs that repeat constructs which could take more than linear time.

/// The prefix, the repeated part, and the suffix. `#` in the part is its number.
pub type Construct = (&'static str, &'static str, &'static str);

/// The input of about this many bytes.
pub fn page(construct: &Construct, bytes: usize) -> String {
    let (before, part, after) = construct;
    let mut page = (*before).to_owned();
    for number in 0.. {
        if page.len() >= bytes {
            break;
        }
        page += &part.replace('#', &number.to_string());
    }
    page + after
}

/// Half of the bytes are one part, and the other half another one.
pub fn halves(one: &str, other: &str, bytes: usize) -> String {
    let half = |part: &str| part.repeat(bytes / 2 / part.len());
    half(one) + &half(other)
}

pub static CONSTRUCTS: &[Construct] = &[
    // nothing is closed
    ("", "<div>", ""),
    ("", "<span>", ""),
    ("", "<p>", ""),
    ("", "<li>", ""),
    ("", "<ul><li>", ""),
    ("", "<dl><dd><dl><dt>", ""),
    ("", "<table>", ""),
    ("", "<table><tr><td>", ""),
    ("", "<table><caption>", ""),
    ("", "<template>", ""),
    ("", "<select>", ""),
    ("", "<button>", ""),
    ("", "<svg>", ""),
    ("", "<math><mi>", ""),
    ("", "<svg><foreignObject>", ""),
    ("", "<x-#>", ""),
    // formatting elements
    ("", "<b>", ""),
    ("", "<b></b>", ""),
    ("", "<b id=#>", ""),
    ("", "<b id=#></b>", ""),
    ("", "<p><b id=#></p>", ""),
    ("<p>", "<b id=#></p>", ""),
    ("", "<a href=#>", ""),
    ("", "<a href=#><div>", ""),
    ("", "<a href=#><b>", ""),
    ("", "<a><svg><desc>", ""),
    ("", "<nobr>", ""),
    ("", "<i><b id=#></i>", ""),
    ("", "<b><i><u><s><em><div></b>", ""),
    ("", "<b><div></b>x", ""),
    ("", "<div><b></div>x", ""),
    ("", "<b><p></b>x</p>", ""),
    ("", "</b>", ""),
    ("<b id=1><b id=2><b id=3><i><u>", "<p>x", ""),
    ("<b><div>", "x<br>", "</b>"),
    ("", "<b><object></b>", ""),
    ("", "<template><object></template>", ""),
    ("", "<template><object></template><b></b>", ""),
    ("", "<object><b></object>", ""),
    ("<table><td>", "<b>x<td>", ""),
    // tables
    ("<table>", "x<br>", ""),
    ("<table>", "<b>x", ""),
    ("<table>", "<div></div> ", ""),
    ("<table>", "<form></form>", ""),
    ("<table>", "<tr><td>x</td></tr>", ""),
    ("<table>", "<col>", ""),
    ("<table>", "<a href=#>x", ""),
    ("", "<table><a>", ""),
    ("", "<table><b><tr>", ""),
    ("", "<table></table>", ""),
    ("<template><table>", "x<br>", ""),
    // end tags for elements that are not open, or open far away
    ("<div><div><div><div>", "</span>", ""),
    ("", "<span></div>", ""),
    ("<p>", "<button></p>", ""),
    ("", "</p>", ""),
    ("", "</br>", ""),
    ("", "</table>", ""),
    ("<form>", "<div></form><form>", ""),
    ("<form>", "<span></form><form></span>", ""),
    ("", "<form><div></form>", ""),
    ("", "<frameset>", ""),
    ("", "<html a=#><body b=#>", ""),
    // tokens
    ("", "<", ""),
    ("", "</", ""),
    ("", "</>", ""),
    ("", "<!", ""),
    ("", "<!-", ""),
    ("", "<!--", ""),
    ("", "<!---->", ""),
    ("<!--", "--", ""),
    ("<!--", "--!", ""),
    ("", "<?", ""),
    ("<svg>", "<![CDATA[", ""),
    ("<svg>", "<![CDATA[]]>", ""),
    ("<p ", "a ", ">"),
    ("<p ", "a# ", ">"),
    ("<p ", "a#=x ", ">"),
    ("<b ", "a#=x ", "><b a><b a><b a>"),
    ("<p ", "a=\"", ">"),
    ("<p ", "/", ">"),
    ("", "<p a=x b='y' c=\"z\" d>", ""),
    ("", "&", ""),
    ("", "&#", ""),
    ("", "&amp", ""),
    ("<table>", "&#32;", ""),
    ("<head>", "&#32;", ""),
    ("", "\0", ""),
    ("<table>", " \0", ""),
    ("", "\r", ""),
    ("", "\u{FFFD}", ""),
    // raw text
    ("", "<script>", ""),
    ("<script>", "<!--<script>", ""),
    ("<script>", "</scrip", ""),
    ("", "<script></script>", ""),
    ("", "<title>", ""),
    ("", "<title></title>", ""),
    ("<title>", "</titl", ""),
    ("", "<textarea>", ""),
    ("", "<iframe></iframe>", ""),
    ("", "<noscript><iframe>", ""),
    ("", "<noscript><iframe></noscript>", ""),
    ("", "<plaintext>", ""),
    ("", "<pre>\n", ""),
    // options
    ("", "<div/>", ""),
    ("", "<a/><b/>", ""),
    ("", "<div><template shadowrootmode=open>", ""),
    (
        "",
        "<div><template shadowrootmode=open>x<br></template></div>",
        "",
    ),
    ("", "<template id=B:0></template><p>", ""),
    ("<template id=B:0></template>", "<div hidden id=S:0>", ""),
    (
        "",
        "<template id=B:0></template><div hidden id=S:0><p><!--/$-->",
        "",
    ),
    ("<frameset>", "<noframes><p>", ""),
    ("<frameset>", "<noframes><b></noframes>", ""),
    ("<frameset>", "x ", ""),
];
