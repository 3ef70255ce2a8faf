//! Changes of verdicts for whole units.

use super::*;
use crate::engines::hybrid::forest::sigmoid;
use crate::engines::hybrid::roles::Convention;
use crate::engines::page_type::PageType;
use crate::units::read;

const TEXT: &str =
    "The council of the town decided to keep the old lighthouse on the northern pier.";

/// The kept part of a page, one line per block, if the engine gives each block the log-odds at the
/// end of its text: `Ash [-1]`; 2 without them.
fn settled(markup: &str) -> (Vec<String>, Vec<(String, Decider)>) {
    settled_with(markup, None)
}

/// The same with other log-odds of every block whose text an earlier one has.
fn settled_with(markup: &str, of_copies: Option<f32>) -> (Vec<String>, Vec<(String, Decider)>) {
    let given = |at: usize, texts: &[&str]| of_copies.filter(|_| texts[..at].contains(&texts[at]));
    let (table, judgement) = judged(markup, given);
    let texts = table.blocks.iter().map(|block| table.text_of(block));
    let bare = |text: &str| {
        text.rsplit_once(" [")
            .map_or(text, |(text, _)| text)
            .to_owned()
    };
    let rows = texts.zip(&judgement.verdicts).zip(&judgement.deciders);
    let kept = rows
        .clone()
        .filter(|((_, verdict), _)| **verdict == Verdict::Kept);
    let decided = rows.filter(|(_, decider)| **decider != Decider::Engine);
    (
        kept.map(|((text, _), _)| bare(text)).collect(),
        decided
            .map(|((text, _), decider)| (bare(text), *decider))
            .collect(),
    )
}

/// A page and its judgement with some log-odds, else those at the end of each text.
fn judged(markup: &str, given: impl Fn(usize, &[&str]) -> Option<f32>) -> (BlockTable, Judgement) {
    let table = read(markup);
    let odds = |text: &str| {
        let marked = text
            .trim_end_matches(['?', '？', '؟', ':', '：'])
            .rsplit_once('[')
            .and_then(|(_, end)| end.strip_suffix(']'));
        marked.and_then(|odds| odds.parse().ok()).unwrap_or(2.0_f32)
    };
    let texts: Vec<&str> = table
        .blocks
        .iter()
        .map(|block| table.text_of(block))
        .collect();
    let odds = (0..texts.len()).map(|at| given(at, &texts).unwrap_or_else(|| odds(texts[at])));
    let probabilities: Vec<f32> = odds.map(sigmoid).collect();
    let weights: Vec<f32> = texts
        .iter()
        .map(|text| text.split_whitespace().count() as f32)
        .collect();
    let mut judgement = Judgement {
        threshold: Some(0.5),
        page_types: Some([0.0; PageType::COUNT]),
        ..Judgement::of_content(probabilities.iter().map(|p| *p > 0.5))
    };
    judgement.probabilities = probabilities;
    // a page of the class `forum` is one
    if let Some(types) = judgement.page_types.as_mut() {
        types[PageType::Forum as usize] = f32::from(u8::from(markup.contains("class=forum")));
    }
    settle(&table, &weights, Convention::Auto, &mut judgement);
    (table, judgement)
}

fn kept(markup: &str) -> Vec<String> {
    settled(markup).0
}

/// Whether a line of an article of two paragraphs is dropped.
fn goes(line: &str) -> bool {
    let markup = format!("<h1>Title</h1><p>{TEXT}</p>{line}<p>{TEXT}</p>");
    let (_, decided) = settled(&markup);
    !decided.is_empty()
}

#[test]
fn a_data_table_is_kept_or_dropped_whole_by_its_words() {
    let table = |odds: [f32; 4]| {
        let [a, b, c, d] = odds;
        format!("<p>{TEXT}<table><tr><th>x [{a}]<th>y [{b}]<tr><td>u [{c}]<td>v [{d}]</table>")
    };
    for (odds, count) in [
        ([3.0, -1.0, 2.0, -1.0], 5),
        ([1.0, -3.0, -3.0, 1.0], 1),
        ([1.0, 1.0, 1.0, 1.0], 5),
        ([-1.0, -1.0, -1.0, -1.0], 1),
        // one cell has a limited weight
        ([50.0, -3.0, -3.0, -3.0], 1),
    ] {
        assert_eq!(kept(&table(odds)).len(), count, "{odds:?}");
    }
    let (_, decided) = settled(&table([3.0, -1.0, 2.0, 1.0]));
    assert_eq!(decided, [("y".to_owned(), Decider::Table)]);
}

#[test]
fn a_table_inside_text_stays_unless_it_is_clearly_boilerplate_or_links() {
    let table = |odds: &str, cell: &str| {
        let cell = cell.replace('+', odds);
        let row = format!("<tr><td>{cell}<td>{cell}");
        format!("<table><caption>Ships</caption>{row}{row}</table>")
    };
    let few = table("[-1]", "Anna +");
    let least = table("[-3]", "Anna +");
    let links = table("[-1]", "<a href=/a>A ship +</a>");
    for (markup, count) in [
        (format!("<p>{TEXT}{few}<p>{TEXT}"), 7),
        (format!("<p>{TEXT}{few}"), 1),
        (format!("<p>{TEXT}{few}<p>{TEXT} [-3]"), 1),
        (format!("<p>{TEXT}{least}<p>{TEXT}"), 2),
        (format!("<p>{TEXT}{links}<p>{TEXT}"), 2),
        // its heading and a label of it are part of the text
        (format!("<p>{TEXT}<h2>Ships</h2>{few}<p>{TEXT}"), 8),
        (
            format!("<p>{TEXT}<p>Ships:</p>{few}<h2>Crews</h2><p>{TEXT}"),
            9,
        ),
        (format!("<p>{TEXT}<h2>Ships [-2]</h2>{few}<p>{TEXT}"), 2),
        (format!("<h2>{TEXT}</h2>{few}<p>{TEXT}"), 2),
        // below a dropped label, or a few short paragraphs
        (
            format!("<p>{TEXT}<div>Scroll for more [-1.5]</div>{few}<p>{TEXT}"),
            7,
        ),
        (
            format!("<p>{TEXT}<div>Scroll for more [-2.5]</div>{few}<p>{TEXT}"),
            2,
        ),
        (
            format!("<p>{TEXT}<div>{TEXT} [-1.5]</div>{few}<p>{TEXT}"),
            2,
        ),
        (
            format!(
                "<p>Of all ships that came<p>In the winter these stayed in port:{few}<p>{TEXT}"
            ),
            8,
        ),
        (format!("<p>{TEXT}<p>a<p>b<p>c{few}<p>{TEXT}"), 5),
    ] {
        assert_eq!(kept(&markup).len(), count, "{markup}");
    }
    // below one word in a cell of a layout
    for head in [
        "<th>Ships",
        "<th colspan=2><b>Ships</b>",
        "<td>Ships",
        "<th><h2>Ships</h2>",
    ] {
        let cell = format!("<tr><td><p>{TEXT}</p>{few}<p>{TEXT}</p>");
        let markup = format!("<table><tr>{head}{cell}</table>");
        assert_eq!(kept(&markup).len(), 8, "{head}");
        let cell = format!("<tr><td>{few}");
        let markup = format!("<p>{TEXT}</p><table><tr>{head}{cell}</table><p>{TEXT}</p>");
        assert_eq!(kept(&markup).len(), 8, "{head}");
    }
}

#[test]
fn a_table_in_doubt_stays_below_text_or_a_sure_heading() {
    let table = |odds: f32, rows: usize| {
        let row = format!("<tr><td>Anna [{odds}]<td>1911 [{odds}]");
        format!("<table>{}</table><p>x [-3]", row.repeat(rows))
    };
    let few = table(-0.9, 3);
    let text = &format!("<p>{TEXT}");
    for above in [
        text.as_str(),
        "<h3>Ships</h3>",
        &format!("{text}<h3>Ships [0.5]</h3>"),
    ] {
        let markup = format!("{text}<p>Gone [-2]{above}");
        let alone = kept(&markup).len();
        assert_eq!(kept(&format!("{markup}{few}")).len(), alone + 6, "{above}");
    }
    // of links, less likely, too short, or below something else
    let links = few.replace("<td>Anna [-0.9]", "<td><a href=/a>Anna [-0.9]</a>");
    for (above, table) in [
        (text.as_str(), links),
        (text, table(-1.1, 3)),
        (text, table(-0.9, 2)),
        ("<h3>Ships [0.5]</h3>", few.clone()),
        ("<p>Ships", few),
    ] {
        let markup = format!("{text}<p>Gone [-2]{above}{table}");
        assert!(!kept(&markup).contains(&"1911".to_owned()), "{markup}");
    }
}

#[test]
fn a_caption_outside_of_its_table_stays_and_goes_with_it() {
    for (first, last) in [
        ("<figure><figcaption>Ships [-1]</figcaption>", "</figure>"),
        ("<figure>", "<figcaption>Ships [-1]</figcaption></figure>"),
        ("<div><p class=caption>Ships [-1]</p>", "</div>"),
        (
            "<div>",
            "<p class='wide table-caption'>Ships [-1]</p></div>",
        ),
    ] {
        let table = |odds: &str| {
            let rows = format!("<tr><td>Anna {odds}<td>Mary {odds}").repeat(2);
            format!("<p>{TEXT}</p>{first}<table>{rows}</table>{last}")
        };
        assert_eq!(kept(&table("[2]")).len(), 6, "{first}{last}");
        let liked = table("[-2]").replace("Ships [-1]", "Ships [1]");
        assert_eq!(kept(&liked), [TEXT], "{first}{last}");
    }
    for other in [
        "<p>Ships [-1]</p>",
        "<p class=captioned>Ships [-1]</p>",
        "<div><p class=caption>Ships [-1]</p></div>",
        "<figure><img src=a><figcaption>Ships [-1]</figcaption></figure>",
    ] {
        let table = "<table><tr><td>Anna<td>Mary<tr><td>Anna<td>Mary</table>";
        assert_eq!(
            kept(&format!("<p>{TEXT}</p>{other}{table}")).len(),
            5,
            "{other}"
        );
    }
}

#[test]
fn a_caption_stays_with_its_table_unless_it_is_clearly_boilerplate() {
    let table = |caption: &str, cell: &str| {
        let row = format!("<tr><td>Ash {cell}<td>49 {cell}");
        format!("<p>{TEXT}<table><caption>Trees {caption}</caption>{row}{row}</table>")
    };
    for (caption, cell, count) in [
        ("[1]", "[1]", 6),
        ("[-1]", "[1]", 6),
        ("[-3]", "[1]", 5),
        ("[1]", "[-1]", 1),
        ("[-1]", "[-1]", 1),
    ] {
        assert_eq!(kept(&table(caption, cell)).len(), count, "{caption} {cell}");
    }
    let (_, decided) = settled(&table("[-1]", "[1]"));
    assert_eq!(decided, [("Trees".to_owned(), Decider::Table)]);
}

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
fn a_table_is_whole_in_bare_divs_in_forms_and_next_to_other_tables() {
    let rows = "<tr><td>12<td>Ash [-2]<td>—<td>$800<tr><td>13<td>Oak<td>— [-1]<td>$900";
    for (before, after) in [
        ("<div><div>", "</div></div>"),
        ("<form><div>", "</div></form>"),
        ("<table><tr><td>menu [-4]<td>", "</table>"),
        ("<main>", "</main>"),
    ] {
        let markup = format!("{before}<p>{TEXT}</p><table>{rows}</table>{after}");
        assert_eq!(kept(&markup).len(), 9, "{before}");
    }
}

#[test]
fn alike_items_stay_or_go_together_but_for_those_of_a_wide_margin() {
    for (items, count) in [
        ("<li>two eggs<li>one cup of milk<li>salt [-1]", 3),
        ("<li>two eggs [-1]<li>one cup of milk [-1]<li>salt", 0),
        ("<li>two eggs [-1]<li>one cup of milk [-1]<li>salt [4]", 1),
        // classes say what an item is about, not that it is another thing
        (
            "<li class=salary>30 to 50 an hour [1]<li class=place>Leeds [-0.5]<li class=week>4 days",
            3,
        ),
        ("<li>two large eggs<li>one cup of milk<li>sign up [-4]", 2),
        // badges of the items are not like their texts
        (
            "<li><p>two eggs</p><b><div class=badge>new [-1]</div></b>\
             <li><p>one cup of milk</p><div class=badge>sale [-1]</div>",
            2,
        ),
    ] {
        assert_eq!(kept(&format!("<ul>{items}</ul>")).len(), count, "{items}");
    }
}

#[test]
fn what_a_page_hides_at_first_stays_or_goes_together_too() {
    for (rest, count) in [
        ("<li>flour<li>sugar [-1]<li>two spoons of honey", 5),
        ("<li>log in [-1]<li>cart<li>help and contact [-1]", 2),
    ] {
        // the rest of a list, which a button shows
        let open = "<ul><li>two eggs<li>one cup of milk</ul>";
        let items = format!("{open}<ul style='display: none'>{rest}</ul>");
        assert_eq!(kept(&items).len(), count, "{rest}");
        let items = rest.replace("<li>", "<li hidden>");
        let items = format!("<ul><li>two eggs<li>one cup of milk{items}</ul>");
        assert_eq!(kept(&items).len(), count, "{rest}");
    }
}

#[test]
fn parts_of_a_text_are_one_series_also_with_another_series_between_them() {
    let part = |text: &str| format!("<div class=part><p>{text}</p></div>");
    let share = "<div class=share><p>Oak & Co [-2]</p><b>12 [-2]</b></div>";
    let unsure = part(&format!("{TEXT} [-1]"));
    let page = [&part(TEXT), share, &unsure, share, share, &part(TEXT)].concat();

    assert_eq!(kept(&page), [TEXT, TEXT, TEXT]);
}

#[test]
fn no_member_goes_alone_if_others_with_the_same_elements_stay() {
    let offer = |class: &str, text: &str| {
        format!("<div class=offer><h3>Plan [1]</h3><p class={class}>{text}</p></div>")
    };
    let sure = || offer("text", TEXT);
    let unsure = |odds: f32| offer("lead", &format!("{TEXT} [{odds}]")).replace("[1]", "[-1]");
    let step = |name: &str, odds: f32| format!("<li>Step [{odds}]<{name}>{TEXT} [{odds}]</{name}>");
    let heads = |odds: f32| format!("<dt>Ash [{odds}]<dd class=c{odds}>{TEXT} [{odds}]");
    for (members, count) in [
        (sure() + &sure() + &unsure(-1.5), 6),
        (
            offer("text", &format!("{TEXT} [0.5]")) + &unsure(-1.5).repeat(2),
            0,
        ),
        // too far from the others, or surely content
        (sure() + &sure() + &unsure(-2.5), 4),
        (
            offer("text", &format!("{TEXT} [3.5]")) + &unsure(-2.5).repeat(3),
            1,
        ),
        // two different things
        (sure() + &unsure(-1.5), 2),
        // other elements: a form, a picture
        (
            sure()
                + &sure()
                + &unsure(-1.5)
                    .replace("p class", "span class")
                    .replace("h3", "b"),
            4,
        ),
        // hidden at first
        (
            sure() + &sure() + &unsure(-1.5).replace("class=offer", "class=offer hidden"),
            4,
        ),
        (
            format!(
                "<ol>{}{}{}</ol>",
                step("p", 2.0),
                step("p", 2.0),
                step("p", -1.0)
            ),
            6,
        ),
        (
            format!("<dl>{}{}{}</dl>", heads(2.0), heads(1.0), heads(-1.0)),
            6,
        ),
    ] {
        let around =
            "<p>Boats to the islands leave from here at nine and at noon on most days.</p>";
        let markup = format!("{around}{members}");
        assert_eq!(kept(&markup).len(), count + 1, "{members}");
    }
}

#[test]
fn a_sure_heading_keeps_doubtful_paragraphs_below_it() {
    let part = |heading: f32, text: &str| format!("<h2>Data [{heading}]</h2>{text}");
    let doubted = format!("<p>{TEXT} [-0.8]</p>");
    for (section, count) in [
        (part(1.5, &doubted), 2),
        (part(1.5, &doubted.repeat(2)), 3),
        // the heading is not sure, or the text is clearly not content
        (part(0.5, &doubted), 0),
        (part(1.5, &doubted.replace("-0.8", "-1.5")), 0),
        // links, lists, cells, hidden text, a control
        (
            part(1.5, &doubted.replace("council", "<a href=/c>council</a>")),
            0,
        ),
        (part(1.5, &format!("<ul><li>{TEXT} [-0.8]</ul>")), 0),
        (part(1.5, &doubted.replace("<p>", "<p hidden>")), 0),
        (part(1.5, &doubted).replace("Data [1.5]", "Share"), 0),
        // some of it is kept
        (part(1.5, &format!("{doubted}<p>Ash and oak</p>")), 2),
    ] {
        let others =
            "<h2>Ash</h2><p>Boats leave from here at nine and at noon on most days of May.";
        let markup = format!("{others}{others}{section}");
        assert_eq!(kept(&markup).len(), count + 4, "{section}");
    }
}

#[test]
fn a_layout_of_prose_in_cells_is_no_table_that_stays_or_goes_whole() {
    let prose = TEXT.repeat(3);
    for (cells, count) in [
        (
            format!("<tr><td>{TEXT}<td>{prose} [-1]<tr><td>{prose}<td>{prose} [-2]"),
            2,
        ),
        // one cell of each row has a text
        ("<tr><td>Ash and oak [-1]<td><tr><td>Elm<td>".to_owned(), 1),
        // headers tell what the columns are
        (
            format!("<tr><th>Tree<th>Text<tr><td>{TEXT}<td>{TEXT} [-1]"),
            4,
        ),
    ] {
        let markup = format!("<p>{TEXT}</p><table>{cells}</table>");
        assert_eq!(kept(&markup).len(), count + 1, "{cells}");
    }
}

#[test]
fn posts_follow_each_other_and_user_panels_do_not() {
    let post = |user: &str, text: &str| {
        format!(
            "<tr><td class=user>{user} [-1]<td><table><tr><td><div class=postbody>{text}</div>\
             </table>"
        )
    };
    let text = "Music: Slow Saw, see the link of the channel [-2]";
    let markup = format!("<table>{}{}</table>", post("oak", text), post("ash", TEXT));

    let found = kept(&markup);

    assert_eq!(
        found,
        ["Music: Slow Saw, see the link of the channel", TEXT]
    );
}

#[test]
fn notes_stay_with_the_text_before_them() {
    let notes = "<div class=footnotes><ol><li>first note [-2]<li>second [-4]</ol></div>";
    assert_eq!(kept(&format!("<p>{TEXT}{notes}")).len(), 3);
    assert_eq!(kept(&format!("<p>Kept<p>{TEXT} [-3]{notes}")), ["Kept"]);
    let references = "<h2>References [-1]</h2><ol><li>Holm A. [-2]<li>Lind K. [-3]</ol>";
    assert_eq!(kept(&format!("<p>{TEXT}{references}")).len(), 4);
    for class in ["footnote", "footnote brackets", "sidenote"] {
        let note = format!("<div class='{class}'><a href=#m>1</a> <p>A note. [-2]</div>");
        assert_eq!(kept(&format!("<p>{TEXT}{note}")).len(), 3, "{class}");
    }
    // links to other pages are not notes
    let links = "<h2>Sources [-1]</h2><ul><li><a href=/a>The archive of the town [-2]</a></ul>";
    assert_eq!(kept(&format!("<p>{TEXT}{links}")).len(), 1);
    // the heading of links that stay, also where it opens them
    let links = links.replace("[-2]", "[2]");
    let opened = links.replace("Sources [-1]", "<a href=#s>Sources [-1]</a>");
    let gone = opened.replace("</ul>", &format!("<li><a href=/b>{TEXT} [-2]</a></ul>"));
    for (links, count) in [(&links, 3), (&opened, 3), (&gone, 1)] {
        assert_eq!(kept(&format!("<p>{TEXT}{links}")).len(), count, "{links}");
    }
    // a link with a sign
    let line = |sign: &str| {
        let link = format!("<p>{sign}<a href=/e>energy.example [-1]</a></p>");
        kept(&format!(
            "<p>{TEXT}<div class=footnotes>{link}<p>A note.</div>"
        ))
        .len()
    };
    assert_eq!([line("* "), line("")], [3, 2]);
}

#[test]
fn a_note_stays_with_its_mark_and_goes_with_it() {
    let bodies = |odds: &str, mark: &str, note: &str| {
        let note = note.replace("A note.", "A note. [-2]");
        format!("<p>{TEXT}<div><p>{TEXT} {mark} [{odds}]</div><footer>{note}</footer>")
    };
    for (mark, note) in [
        ("<sup><a href=#n>1</a></sup>", "<hr><p id=n>1. A note.</p>"),
        (
            "<a href=#n>[1]</a>",
            "<p><a href=#m name=n>[1]</a> A note.</p>",
        ),
        (
            "<a href='https://a.example/b#n'><sup>1</sup></a>",
            "<div><small id=n>A note.</small></div>",
        ),
        (
            "<a href=#n>1</a>",
            "<div id=n><a href=#m>1</a> A note.</div>",
        ),
        ("<a href=#n>1</a>", "<ol><li id=n>A note.</ol>"),
        ("<a href=#n>*</a>", "<aside id=n>* A note.</aside>"),
        ("<sup><a href=#n>1</a></sup>", "<p id=n></p><p>A note.</p>"),
        (
            "<sup><a href=#n>1</a></sup>",
            "<p><a id=n></a></p><p>A note.</p>",
        ),
        (
            "<sup><a href=#n>1</a></sup>",
            "<table><tr><td id=n></td><td>A note.</table>",
        ),
        (
            "<a href=#n>[note 1]</a>",
            "<table><tr><td><a name=n></a>A note.</table>",
        ),
    ] {
        let (kept, decided) = settled(&bodies("2", mark, note));
        assert_eq!(kept.len(), 3, "{note}");
        assert_eq!(decided.len(), 1, "{note}");
        assert_eq!(decided[0].1, Decider::Mark, "{note}");
        let liked = note.replace("A note.", "A note. [2]");
        assert_eq!(settled(&bodies("-2", mark, &liked)).0, [TEXT], "{note}");
    }
    // a term has its definition
    let terms = "<dl><dt id=n>1<dd>A note.</dl>";
    assert_eq!(
        kept(&bodies("2", "<sup><a href=#n>1</a></sup>", terms)).len(),
        4
    );
    for (mark, part) in [
        // a section, the number of comments, a word, a place before the link
        (
            "<sup><a href=#n>1</a></sup>",
            "<div id=n><h2>A part [-2]</h2><p>A note.</div>",
        ),
        (
            "<a href=#comments>(3)</a>",
            "<div id=comments>A note.</div>",
        ),
        ("<a href=#n>[more of it]</a>", "<p id=n>A note.</p>"),
        ("<a href=#n>1</a>", "<p id=n>A note.</p>"),
        ("<b id=n></b><sup><a href=#n>1</a></sup>", "<p>A note.</p>"),
    ] {
        let (_, decided) = settled(&bodies("2", mark, part));
        assert!(decided.is_empty(), "{part} {decided:?}");
    }
}

#[test]
fn a_list_of_links_is_references_if_they_are_works() {
    let list = |items: [&str; 2]| {
        let [one, two] = items;
        let items = format!("<li><a href=/a>{one} [-2]</a><li><a href=/b>{two} [-2]</a>");
        format!("<p>{TEXT}<h2>Sources [-1]</h2><ul>{items}</ul>")
    };
    assert_eq!(
        kept(&list(["Holm A. Saws. 1999.", "Lind K. doi:10.1000/x"])).len(),
        4
    );
    assert_eq!(
        kept(&list(["How to choose a saw", "All about oaks"])).len(),
        1
    );
}

#[test]
fn a_term_that_is_a_link_stays_with_its_definition() {
    let terms =
        "<dt><a href=#a>Bow [-4]</a><dt>Prow [-4]<dd>The front of a ship<dt>Port [-4]<dd>Left [-4]";
    let found = kept(&format!("<p>{TEXT}<dl>{terms}</dl>"));
    assert_eq!(found, [TEXT, "Bow", "Prow", "The front of a ship"]);
}

#[test]
fn a_heading_goes_with_all_that_it_governs_and_the_title_stays() {
    let title = "<title>The old lighthouse | News</title>";
    let body = format!("{title}<h1>Title</h1><p>{TEXT}<h2>History</h2><p>{TEXT}");
    for (end, count) in [
        (
            "<h2>More on this</h2><ul><li>One day in May [-4]<li>b [-4]</ul>",
            4,
        ),
        (
            "<h2>More on this</h2><p>kept<ul><li>One day in May [-4]<li>b [-4]</ul>",
            6,
        ),
        ("<h2>More on this</h2><h3>Deeper</h3><p>Kept words", 7),
        (
            "<h2>More [1]</h2><ul><li><a href=/a>In May [-4]</a><li><a href=/b>In June [-4]</a></ul><p>kept",
            5,
        ),
        (
            "<h2>All days [2.5]</h2><ul><li><a href=/a>In May [-4]</a><li><a href=/b>In June [-4]</a></ul><p>kept",
            6,
        ),
        (
            "<h2>Days</h2><ul><li><a href=/a>In May</a><li><a href=/b>In June</a></ul><p>kept",
            8,
        ),
        // links in other elements than lists
        (
            "<h2>More [1]</h2><div><p><a href=/a>May [-4]</a></p><p><a href=/b>June [-4]</a></div><p>kept",
            5,
        ),
        (
            "<h3>More [1]</h3><table><tr><td><a href=/a>May [-4]</a><td><a href=/b>June [-4]</a></table><p>kept",
            5,
        ),
        (
            "<h2>Days [1]</h2><div><a href=/a>In May [-4]</a></div><p>kept",
            6,
        ),
        (
            "<h2>Days [1]</h2><div><p><a href=/a>In May [-4]</a></p><p>A day in June [-4]</div><p>kept",
            6,
        ),
        (
            "<h2>Days [1]</h2><div><p><a href=/a>In May [-4]</a></p><p><a href=/b>In June</a></div><p>kept",
            7,
        ),
        ("<h2>At the end</h2>", 5),
        ("<h6>Photograph by Lind</h6><p>One day in May [-4]", 5),
        ("<h3>The old lighthouse</h3><p>One day in May [-4]", 5),
    ] {
        assert_eq!(kept(&format!("{body}{end}")).len(), count, "{end}");
    }
    // the headline of a teaser is its last line, and what follows is another teaser
    let cards = "<article class=post><p>A day in May [-2]</p><h3>One</h3></article>".repeat(2);
    let cards = format!("<h2>History</h2><p>{TEXT}{cards}<p>Ash and oak [-2]");
    assert_eq!(kept(&format!("{body}{cards}")).len(), 8);
    // names of things whose facts were dropped are a list; headlines of other pages are not
    let facts = "<div><h3>Name</h3><p>A fact of it. [-3]</div>".repeat(3);
    let links = "<div><h3><a href=/a>Name</a></h3><p>A fact of it. [-3]</div>".repeat(3);
    let sections = format!("<h2>A</h2><p>{TEXT}").repeat(4);
    assert_eq!(kept(&format!("<p>{TEXT}{sections}{facts}")).len(), 12);
    assert_eq!(kept(&format!("<p>{TEXT}{sections}{links}")).len(), 9);
    // unless much text was below them
    let text = format!(
        "<div><h3>Name</h3>{}</div>",
        format!("<p>{TEXT} [-3]").repeat(4)
    );
    assert_eq!(
        kept(&format!("<p>{TEXT}{sections}{}", text.repeat(3))).len(),
        9
    );
    assert_eq!(kept(&format!("<p>{TEXT}{}", text.repeat(3))).len(), 1);
    // a page of headings, each with a dropped lead
    let list = "<h3>One story</h3><p>Its lead is gone. [-3]".repeat(4);
    assert_eq!(kept(&format!("<p>{TEXT}{list}")).len(), 5);
}

#[test]
fn details_below_similar_headings_stay_unless_they_are_boilerplate() {
    let part = |detail: &str| format!("<div><h3>$125</h3><div>{detail}</div></div>");
    for (details, count) in [
        (["an hour [-.4]", "an hour [-.6]", "an hour [-.2]"], 7),
        (["an hour [-.8]", "an hour [-.6]", "an hour [-.2]"], 4),
        (["<a href=/a>an hour [-.2]</a>"; 3], 4),
        (["Share [-.2]"; 3], 4),
        (["Ash[-.2]"; 3], 4),
        (["an hour [-.2]", "a day [-.2]", "an hour [-.2]"], 7),
        // teasers
        (
            ["In May the council of the town met at the old pier again. [-.2]"; 3],
            4,
        ),
    ] {
        let markup = format!("<p>{TEXT}</p>{}", details.map(part).concat());
        assert_eq!(kept(&markup).len(), count, "{details:?}");
    }
    // of one heading
    assert_eq!(
        kept(&format!("<p>{TEXT}</p>{}", part("by the hour [-.2]"))).len(),
        2
    );
}

#[test]
fn a_short_title_among_titles_of_cards_stays() {
    let card =
        |title: &str| format!("<div><h3><a href=/a>{title}</a></h3><p>Five a day [-2]</div>");
    let long =
        card("A wallet of soft black leather for men and women with room for cards and coins");
    let short = card("A wallet of leather");
    let item = |title: &str| format!("<li><h3>{title}</h3><div>Read the full story [-2]</div>");
    for (cards, count) in [
        (format!("{long}{long}{short}"), 3),
        (format!("{short}{short}{long}"), 1),
        (short.repeat(3), 0),
        (
            format!(
                "<ul>{}<p>{TEXT}{}<p>{TEXT}{}</ul>",
                item("Ash"),
                item("Elm"),
                item("Oak")
            ),
            5,
        ),
        (
            format!(
                "<ul>{}<p>{TEXT}{}{}</ul>",
                item("Ash"),
                item("Elm"),
                item("Oak")
            ),
            2,
        ),
        // a heading of the text
        (
            format!(
                "<h2>Ash</h2><p>{TEXT}<h2>Elm</h2><p>{TEXT}<h2>More on this</h2><p>One, two, three [-2]"
            ),
            4,
        ),
    ] {
        let text = ["Ash", "Elm", "Oak"]
            .map(|part| format!("<h2>{part}</h2><p>{TEXT}"))
            .concat();
        assert_eq!(
            kept(&format!("{text}</p>{cards}")).len(),
            count + 6,
            "{cards}"
        );
    }
}

#[test]
fn headings_of_a_page_of_titles_stay() {
    let text = |count: usize| format!("<h2>Ash</h2><p>{TEXT}</p>").repeat(count);
    let title = "<h3>A wallet of soft black leather for all who carry more than ten coins</h3>\
                 <p>Five a day [-2]</p>";
    let end = "<h2>More of them</h2><p>One, two, three [-2]";
    for (texts, titles, count) in [(3, 1, 7), (1, 1, 4), (1, 3, 6)] {
        let markup = format!("{}{}{end}", text(texts), title.repeat(titles));
        assert_eq!(kept(&markup).len(), count, "{titles}");
    }
}

#[test]
fn a_heading_or_label_above_links_that_go_goes_in_lists_of_headings_too() {
    let links = "<li><a href=/a>Ash and elm [-2]</a><li><a href=/b>Oak [-2]</a>";
    let titles = "<h3>Ash</h3><p>One, two, three [-2]</p>".repeat(4);
    for (markup, count) in [
        (format!("{titles}<h3>Feeds</h3><ul>{links}</ul>"), 5),
        (format!("{titles}<h3>Feeds</h3><p>{links}"), 5),
        (
            format!("{titles}<h3><a href=/c>Feeds</a></h3><ul>{links}</ul>"),
            6,
        ),
        (
            format!("{titles}<h3>Feeds</h3><ul>{links}<li>Of all trees, one by one [-2]</ul>"),
            6,
        ),
        // details of a text that is outside of its element
        (format!("<div><h3>Ash</h3><p>{links}</div><p>{TEXT}</p>"), 3),
        (format!("<p>Other sites:</p><ul>{links}</ul>"), 1),
        (format!("<p><b>Andere Seiten：</b></p><ul>{links}</ul>"), 1),
        (format!("<p>Other sites</p><ul>{links}</ul>"), 2),
        (
            format!(
                "<p>Other sites:</p><ul>{}</ul>",
                links.replace("[-2]", "[2]")
            ),
            4,
        ),
        (
            format!("<p>{TEXT} This is what they said to us:</p><ul>{links}</ul>"),
            2,
        ),
    ] {
        assert_eq!(
            kept(&format!("<p>{TEXT}</p>{markup}")).len(),
            count,
            "{markup}"
        );
    }
}

#[test]
fn hidden_text_goes_when_its_words_are_kept_elsewhere() {
    let hidden = |text: &str| format!("<p>{TEXT}</p><div hidden>{text}</div>");
    let other = "Another text about something else that stands nowhere else on this page at all.";
    assert_eq!(kept(&hidden(TEXT)).len(), 1);
    assert_eq!(kept(&hidden(&format!("{TEXT} {TEXT}"))).len(), 1);
    assert_eq!(kept(&hidden(other)).len(), 2);
    // a tab of a list has items of its own
    let tab = format!("<ul hidden><li>{TEXT}<li>{other}</ul>");
    assert_eq!(kept(&format!("<p>{TEXT}{tab}")).len(), 3);
    // items that belong to a hidden text
    let (part, items) = (
        format!("<p>{TEXT}"),
        format!("<ul><li>{other}<li>Ash: {other}</ul>"),
    );
    let tab = format!("<ul hidden><li>{} {TEXT}</ul>", other.replace(' ', " not "));
    let hidden = format!("{part}{items}<div hidden>{part}{items}</div>{tab}");
    assert_eq!(kept(&hidden).len(), 4);
    // the visible copy is not kept
    assert_eq!(
        kept(&format!("<p>{TEXT} [-2]</p><div hidden>{TEXT}</div>")).len(),
        1
    );
    // hidden posts quote each other
    for around in ["noscript", "div aria-hidden=true", "div hidden"] {
        let posts = format!("<{around}><p>{TEXT}</p><blockquote>{TEXT}</blockquote>");
        assert_eq!(kept(&posts).len(), 2, "{around}");
    }
    // two visible copies are quotes as often as copies
    assert_eq!(kept(&format!("<p>{TEXT}</p><p>{TEXT}</p>")).len(), 2);
}

#[test]
fn a_paragraph_that_repeats_the_standfirst_goes_if_it_is_unsure() {
    let lead = "Nobody knew of the plan before the council met on Monday evening.";
    for (markup, count) in [
        (format!("<h2>{TEXT}</h2><p>{TEXT} [1]"), 1),
        (
            format!("<h2>{TEXT} {lead}</h2><p>{lead} [1]<p>0{TEXT} [1]"),
            1,
        ),
        (format!("<p>{TEXT}</p><div>{TEXT} [0.5]</div>"), 1),
        // all of a text above its beginning, a teaser above its text, or above two of them
        (
            format!("<p>{TEXT} {lead} [0.5]</p><div>{TEXT} [1]</div>"),
            1,
        ),
        (format!("<h2>{TEXT} [0.5]</h2><p>{TEXT} [1]"), 1),
        (format!("<div>{TEXT} [0.5]</div><h1>{TEXT}</h1>"), 1),
        (
            format!("<div>{TEXT} {TEXT} {lead} [0.5]</div><p>{TEXT} {TEXT}<p>{lead}"),
            2,
        ),
        (format!("<div>{TEXT} [0.5]</div><p>a<p>b<p>c<p>{TEXT}"), 5),
        (format!("<div>{TEXT} [2]</div><p>{TEXT} [3]"), 2),
        // a text that the engine is sure of, another text, a quote, one further down
        (format!("<h2>{TEXT} [3]</h2><p>{TEXT} [2.5]"), 2),
        (format!("<h2>{TEXT}</h2><p>{lead} [1]"), 2),
        (
            format!("<p>{TEXT}</p><blockquote>{TEXT} [1]</blockquote>"),
            2,
        ),
        (format!("<h2>{TEXT}</h2><p>a</p><p>b</p><p>{TEXT} [1]"), 4),
    ] {
        assert_eq!(kept(&markup).len(), count, "{markup}");
    }
}

#[test]
fn a_second_copy_goes_with_what_is_around_it_in_both_places() {
    let other = "Another text about something else that stands nowhere else on this page at all.";
    let card = |title: &str| format!("<div><h3>{title}</h3><div><p>{TEXT}</div></div>");
    let authors = |title: &str| format!("<div><p>{title}<div><p>{TEXT}</div><p>Read on</div>");
    let between = format!("<p>{other}</p>");
    for (first, second, gone) in [
        // of a carousel, a tab, another screen
        (card("Ash") + &between, card("Ash"), 2),
        (card("Ash"), card("Ash"), 2),
        (
            authors("The ash tree") + &between,
            authors("The ash tree"),
            3,
        ),
        (
            format!("<div>{between}<p>{TEXT}</div><h2>Trees</h2>"),
            format!("<div>{between}<p>{TEXT}</div>"),
            2,
        ),
        (
            format!("<section><p>{TEXT}</section>"),
            format!("<section><p>{TEXT}</section>"),
            1,
        ),
        // a headline, an item of a list, another break of a line
        (
            format!("<div><h3>{TEXT}</h3><p>By Ann Lind today</p></div>{between}"),
            format!("<div><h3>{TEXT}</h3><p>By Ann Lind today</p></div>"),
            2,
        ),
        // items of lists, which are repeated on purpose
        (
            format!("<ul><li><h3>Ash</h3><div>{TEXT}</div></ul>{between}"),
            format!("<ul><li><h3>Ash</h3><div>{TEXT}</div></ul>"),
            0,
        ),
        (
            format!("<ul><li><h3>{TEXT}</h3><p>By Ann Lind today</ul>{between}"),
            format!("<ul><li><h3>{TEXT}</h3><p>By Ann Lind today</ul>"),
            0,
        ),
        (
            format!("<ul><li>{TEXT}</ul>{between}"),
            format!("<h2>{TEXT}</h2><p>Ash and elm"),
            0,
        ),
        // right below it
        (format!("<p>{TEXT}"), format!("<p>{TEXT}"), 1),
        (format!("<h3>{TEXT}</h3>"), format!("<h3>{TEXT}</h3>"), 1),
        (
            format!("<div class=post>{TEXT}</div>"),
            format!("<div class=post>{TEXT}</div>"),
            0,
        ),
        // cards of two things with the same text or the same authors
        (card("Ash") + &between, card("Elm"), 0),
        (
            authors("The ash tree") + &between,
            authors("The elm tree"),
            0,
        ),
        // a line that two sections have in common
        (
            format!("<div><h2>Ash</h2><p>{TEXT}</div>"),
            format!("<div><h2>Elm</h2><p>{TEXT}</div>"),
            0,
        ),
        // the heading of the next part
        (
            format!("<div><h2>Ash</h2><p>{TEXT}</div><h2>Use</h2>"),
            format!("<div><h2>Elm</h2><p>{TEXT}</div><h2>Use</h2>"),
            0,
        ),
        (
            format!("<div><h2>Ash</h2><p>{TEXT}<h2>Use</h2><p>Fire</div>"),
            format!("<div><h2>Elm</h2><p>{TEXT}<h2>Use</h2><p>Wood</div>"),
            0,
        ),
        // a refrain, a quotation, another post, cells
        (
            format!("<p>Ash<p>{TEXT}{between}"),
            format!("<p>Ash<p>{TEXT}"),
            0,
        ),
        (
            format!("<div><h2>Ash</h2><p>{TEXT}</div>"),
            format!("<blockquote><h2>Ash</h2><p>{TEXT}</blockquote>"),
            0,
        ),
        (
            format!("<div><h2>Ash</h2><p>{TEXT}</div>"),
            format!("<div class=bbc_Quote><h2>Ash</h2><p>{TEXT}</div>"),
            0,
        ),
        (
            format!("<div class=post><h2>Ash</h2><p>{TEXT}</div>"),
            format!("<div class=post><h2>Ash</h2><p>{TEXT}</div>"),
            0,
        ),
        (
            format!("<table><tr><th>Ash<td>{TEXT}<tr><th>Elm<td>{other}"),
            format!("<tr><th>Ash<td>{TEXT}</table>"),
            0,
        ),
    ] {
        let markup = first + &second;
        let copies = |odds: f32| {
            let (_, decided) = settled_with(&markup, Some(odds));
            decided
                .iter()
                .filter(|(_, by)| *by == Decider::Copy)
                .count()
        };
        assert_eq!(copies(1.0), gone, "{markup}");
        // of a text that the engine is sure of, it is said twice
        assert_eq!(copies(2.0), 0, "{markup}");
    }
}

#[test]
fn the_less_likely_of_two_copies_goes() {
    let other = "<p>Another text about something else that stands nowhere else on this page.</p>";
    let part = format!("<section><h3>Ash</h3><p>{TEXT}</p></section>");
    let list = format!(
        "<ul>{}</ul>",
        format!("<li><h3>Ash</h3><p>{TEXT}</p>").repeat(3)
    );
    let refrain = format!("<p>{TEXT}</p><p>Ash</p><p>{TEXT}</p>");
    let posts = format!("<div class=post>{TEXT}</div>").repeat(2);
    let teaser = |beginning: &str| {
        let text = "Boats to the islands leave at nine.";
        format!("<div><p>{TEXT}</p><p>{beginning}…</p></div><div><p>{TEXT}</p><p>{text}</p></div>")
    };
    for (markup, odds, gone) in [
        // a teaser right above the text
        (
            format!("<div>{TEXT}</div><p>{TEXT}"),
            vec![1.5, 3.5],
            vec![0],
        ),
        (
            format!("<div>{TEXT}</div><p>{TEXT}"),
            vec![3.5, 1.5],
            vec![1],
        ),
        (format!("<p>{TEXT}</p><p>{TEXT}"), vec![3.0, 2.5], vec![]),
        (
            format!("<div>{TEXT}</div><p>{TEXT}"),
            vec![3.0, 2.5],
            vec![1],
        ),
        (
            format!("<div>{TEXT}</div><p>{TEXT}"),
            vec![3.5, 3.1],
            vec![],
        ),
        (part.repeat(2), vec![2.0, 2.0, 2.5, 2.5], vec![0, 1]),
        (part.repeat(2), vec![2.5, 2.5, 2.0, 2.0], vec![2, 3]),
        (part.repeat(2), vec![3.5, 3.5, 3.9, 3.9], vec![]),
        (
            format!("{part}{other}{part}"),
            vec![1.4, 1.4, 2.0, 2.5, 2.5],
            vec![0, 1],
        ),
        (
            format!("{part}{other}{part}"),
            vec![2.1, 2.1, 2.0, 2.5, 2.5],
            vec![],
        ),
        // the beginning of a text above all of it
        (
            teaser("Boats to the islands"),
            vec![2.5, 2.9, 2.2, 2.8],
            vec![0, 1],
        ),
        (teaser("A boat to Rome"), vec![2.5, 2.9, 2.2, 2.8], vec![]),
        (teaser("Boats"), vec![2.5, 2.9, 2.2, 2.8], vec![]),
        // other breaks of its lines
        (
            format!("{part}{other}{}", part.replace(" to keep", "<br>to keep")),
            vec![2.0, 2.5, 2.0, 2.0, 1.4],
            vec![3, 4],
        ),
        (refrain, vec![3.0, 2.0, 0.9], vec![]),
        // kept for the others although the engine is against it
        (list.clone(), vec![2.0, 2.0, 2.0, 2.0, 2.0, -1.5], vec![5]),
        (list, vec![2.0, 3.5, 2.0, 3.9, 2.0, -0.5], vec![]),
        (posts, vec![3.0, 2.0], vec![]),
    ] {
        let given = |at: usize, _: &[&str]| Some(odds[at]);
        let (_, judgement) = judged(&markup, given);
        let copies = (0..odds.len()).filter(|at| judgement.deciders[*at] == Decider::Copy);
        assert_eq!(copies.collect::<Vec<_>>(), gone, "{markup} {odds:?}");
    }
}

#[test]
fn a_heading_goes_with_the_headings_of_its_parts() {
    let gone = "<p>Its text is gone. [-3]</p>";
    for (below, count) in [
        (format!("<h3>Size</h3>{gone}"), 2),
        (format!("<h3>Size</h3>{gone}<h3>Age</h3>{gone}"), 2),
        (format!("<h3>Size</h3><h4>Height</h4>{gone}"), 2),
        (format!("<h3>Size</h3>{gone}<h3>Age</h3><p>{TEXT}"), 5),
    ] {
        let texts = format!("<h2>Elm</h2><p>{TEXT}</p>").repeat(2);
        let markup = format!("<p>{TEXT}</p>{texts}<h2>Ash</h2>{below}");
        assert_eq!(kept(&markup).len() - 3, count, "{below}");
    }
}

#[test]
fn a_doubtful_copy_goes_with_other_text_around_it_too() {
    let list = |items: &str| format!("<h3>Parts</h3><ul>{items}</ul>");
    let needs = list("<li>2 eggs<li>½ cup of milk<li>salt<li>40 g butter");
    let row = |title: &str| format!("<div class=c><p>{title}</p><div><p>{TEXT}</div></div>");
    let rows = row("Ash") + &row("Elm") + &row("Oak");
    for (first, second, gone) in [
        ("<p>Ash".to_owned(), "<p>Elm".to_owned(), 1),
        ("<h2>Ash</h2>".to_owned(), "<h3>Elm</h3>".to_owned(), 1),
        ("<p>Ash".to_owned(), "<h3>Cake</h3>".to_owned(), 1),
        // a quotation
        ("<p>Ash".to_owned(), "<p>Elm<div class=quote>".to_owned(), 0),
    ] {
        for (end, is_recipe) in [
            ("", false),
            (&*list("<li>egg<li>milk<li>2 cups"), false),
            (&*needs, true),
        ] {
            let markup =
                format!("{first}<div>{TEXT}</div><p>Oak</p><section>{second}<p>{TEXT}</p>{end}");
            let (_, decided) = settled_with(&markup, Some(0.7));
            let copies = decided
                .iter()
                .filter(|(_, by)| *by == Decider::Copy)
                .count();
            assert_eq!(copies, if is_recipe { 0 } else { gone }, "{markup}");
        }
    }
    // articles of WordPress, and what others answer there
    for (class, gone) in [("type-product", 1), ("type-reply", 0)] {
        let post = |text: &str| format!("<div class='post-1 {class}'>{text}<p>{TEXT}</div>");
        let markup = post("<p>Ash") + "<p>Oak<section>" + &post("<p>Elm");
        let (_, decided) = settled_with(&markup, Some(0.7));
        assert_eq!(decided.len(), gone, "{class}");
    }
    // the same data of three things
    let (_, decided) = settled_with(&rows, Some(0.7));
    assert_eq!(decided, []);
}

#[test]
fn a_card_of_a_story_is_shown_once_also_in_posts_and_lists() {
    let card = |title: &str| format!("<li class=post><h3>{title}</h3><p>{TEXT}</p>");
    let link = "<a href=/a>The old pier</a>";
    for (title, other, gone) in [
        (link, link, 2),
        (link, "<a href=/b>The new pier</a>", 0),
        ("The old pier", "The old pier", 0),
    ] {
        let markup = format!(
            "<ul>{}</ul><p>Boats</p><ol>{}</ol>",
            card(title),
            card(other)
        );
        let (_, decided) = settled_with(&markup, Some(1.2));
        assert_eq!(decided.len(), gone, "{markup}");
    }
}

#[test]
fn the_subject_of_a_thread_is_written_once() {
    let post = |title: &str| format!("<div class=post><h3>{title}</h3><p>{TEXT}</p></div>");
    for (titles, count) in [
        (["Old boats", "Re: Old boats", "RE: Re: Old boats"], 4),
        (["Alte Boote", "AW: Alte Boote", "Antw：Alte Boote"], 4),
        (["Re: Old boats", "Re: Old boats", "Re: New boats"], 5),
        (["Old boats", "Renew: Old boats", "Re: New boats"], 6),
        (["Old boats", "Old boats", "Old boats"], 6),
    ] {
        assert_eq!(kept(&titles.map(post).concat()).len(), count, "{titles:?}");
    }
}

#[test]
fn notes_for_the_eyes_and_for_the_ears_are_written_once() {
    let note =
        |label: &str| format!("<li>{label} {TEXT} [-2.5]<li>{label} Ash, elm and oak [-2.5]");
    let notes = |label: &str| format!("<ul class=footnotes>{}</ul>", note(label));
    for (second, count) in [("", 4), ("No", 5)] {
        let markup = format!("<p>{TEXT}</p>{}{}", notes("Note 1"), notes(second));
        assert_eq!(kept(&markup).len(), count, "{second}");
    }
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
fn headings_and_labels_of_a_hidden_copy_go_with_it() {
    let part = format!("<h2>The old pier</h2><p>{TEXT}</p><p>Free entry</p>");
    let hidden = |text: &str| format!("<div style='display:none'>{text}</div>");
    let other = "Boats to the islands leave from here at nine and at noon on most days.";
    let own = "<p>Opens on the first Monday of May and closes with the storms of late autumn.</p>";
    for (markup, count) in [
        (part.clone() + &hidden(&part), 3),
        (
            format!("<div class=visible-xs>{part}</div><div class=hidden-xs>{part}</div>"),
            3,
        ),
        // its own line
        (part.clone() + &hidden(&part.replace("Free", "No")), 4),
        // a tab of other things has the same labels
        (part.clone() + &hidden(&part.replace(TEXT, other)), 6),
        (part.clone() + &hidden("<p>Free entry</p>"), 4),
        (part.clone() + &hidden(&format!("{part}{own}")), 4),
    ] {
        assert_eq!(kept(&markup).len(), count, "{markup}");
    }
}

#[test]
fn copies_for_other_screens_or_for_ears_go_and_what_is_shown_twice_stays() {
    let other = "Another text about something else that stands on this page for large screens.";
    let passage = format!("<p>{TEXT}</p><p>{other}</p>");
    for (copy, count) in [
        (format!("<div class='d-none d-md-block'>{passage}</div>"), 2),
        (format!("<div class='sr-only x'>{TEXT} {other}</div>"), 2),
        (format!("<div id=screen-reader-text><b>{TEXT}</b></div>"), 2),
        (format!("<div class=reader>{TEXT} {other}</div>"), 3),
        (format!("<div class=sr-only>Nobody wrote {TEXT}</div>"), 2),
        (
            format!("<div class=sr-only>{}</div>", other.replace(' ', " not ")),
            3,
        ),
        (format!("<div aria-hidden=true>{passage}</div>"), 2),
        (format!("<section inert><div>{passage}</div></section>"), 2),
        (
            format!("<div style='position:absolute; left:-9999px'>{passage}</div>"),
            2,
        ),
        (
            format!("<div style='clip:rect(0 0 0 0)'>{passage}</div>"),
            2,
        ),
        (
            format!("<div class=visible-xs>{passage}</div><div class=hidden-xs>{passage}</div>"),
            2,
        ),
        (format!("<div>{passage}</div>"), 4),
        (format!("<div class=c-mobile-only>{passage}</div>"), 2),
        (format!("<div class=onlyMobile>{passage}</div>"), 2),
        (format!("<div class=Show_onDesktop__x>{passage}</div>"), 2),
        (format!("<div class=qu-display--none>{passage}</div>"), 2),
        (format!("<aside class=pullquote-left>{other}</aside>"), 2),
        (format!("<aside class=Pull-Quote>{other}</aside>"), 2),
        (
            "<blockquote class=pull-quote>decided to keep the old lighthouse</blockquote>"
                .to_owned(),
            2,
        ),
        ("<p class=pull-quote>the old lighthouse</p>".to_owned(), 3),
        // other words, and a text of its own
        (format!("<div class=hide-automobile>{passage}</div>"), 4),
        (format!("<div class=show-mobiles>{passage}</div>"), 4),
        (format!("<div class=text-size-mobile>{passage}</div>"), 4),
        (format!("<div class=rounded-none>{passage}</div>"), 4),
        (
            format!(
                "<div class=hide-mobile>{}</div>",
                other.replace(' ', " not ")
            ),
            3,
        ),
    ] {
        assert_eq!(kept(&format!("{passage}{copy}")).len(), count, "{copy}");
    }
}

#[test]
fn parts_for_different_screens_are_shown_once_and_parts_of_one_kind_together() {
    let other = "Another text about something else that stands on this page for large screens.";
    let part = format!("<h2>The old pier</h2><p>{TEXT}</p><p>Free entry</p>");
    let items = format!("<div class=mobile-only><h2>Ash</h2><p>{TEXT}</div>").repeat(2);
    let card = |screen: &str| format!("<div class=x-{screen}-card><h2>Ash</h2><p>{TEXT}</div>");
    for (markup, count) in [
        (card("desktop") + &card("mobile"), 2),
        (card("mobile").repeat(2), 4),
        (
            card("mobile").replace("<div", "<div id=a").repeat(2) + &card("mobile"),
            6,
        ),
        (card("text") + &card("mobile"), 4),
        (format!("<p>{other}{items}<p>{other}"), 6),
        (format!("<p>{other}<p>{TEXT}{items}"), 2),
        // signs at the ends of labels
        (
            part.clone()
                + &format!(
                    "<div class=hide-phone>{}</div>",
                    part.replace("pier<", "pier +<")
                ),
            3,
        ),
        // a class around the whole page
        (
            format!("<div class=show-desktop><p>{TEXT}<p>{other}<p>{TEXT}</div><p>Ash and oak"),
            4,
        ),
    ] {
        assert_eq!(kept(&markup).len(), count, "{markup}");
    }
}

#[test]
fn lines_that_send_readers_elsewhere_go_in_all_languages() {
    for line in [
        "<p><strong><a href=/a>READ MORE: Ferry stops for two weeks</a></strong></p>",
        "<p>Also read: <a href=/a>How the fishermen found a market</a></p>",
        "<p><b>Lesen Sie auch:</b> <a href=/a>Die Fähre steht still</a></p>",
        "<p><a href=/a>À LIRE AUSSI Le phare restera</a></p>",
        "<p>Lea también: <a href=/a>El faro se queda</a></p>",
        "<p>LEIA TAMBÉM | <a href=/a>O farol fica</a></p>",
        "<p>Leggi anche: <a href=/a>Il faro resta</a></p>",
        "<p>MORE: <a href=/a>How the fishermen found a market</a></p>",
        "<p>Read more about this: <a href=/a>The lighthouse stays</a></p>",
        "<p>Also on Harbour News: <a href=/a>The lighthouse stays</a></p>",
        "<p>Prečítajte si tiež: <a href=/a>Maják zostáva</a></p>",
        "<p>Lees ook: <a href=/a>De vuurtoren blijft</a></p>",
        "<p>Читайте также: <a href=/a>Маяк останется</a></p>",
        "<p>ЧИТАЙТЕ ТАКОЖ: <a href=/a>Маяк залишиться</a></p>",
        "<p>Czytaj też: <a href=/a>Latarnia zostaje</a></p>",
        "<p>Διαβάστε επίσης: <a href=/a>Ο φάρος μένει</a></p>",
        "<p>Baca juga: <a href=/a>Mercusuar</a></p>",
        "<p>関連記事：<a href=/a>灯台は残る</a></p>",
        "<p>اقرأ أيضا: <a href=/a>المنارة باقية</a></p>",
        "<p>İLGİLİ HABER: <a href=/a>Deniz feneri kalıyor</a></p>",
        "<p><a href=/a>From the archives: the lighthouse stays</a></p>",
        "<p>» <a href=/a>Related</a></p>",
        "<p>LEGGI ANCHE <a href=/a>I pescatori hanno un mercato</a></p>",
        "<p>【あわせて読みたい】<a href=/a>漁師たちが市場を見つけた</a></p>",
        "<p>WATCH: <a href=/a>Ferry stops for two weeks</a></p>",
        "<p>RELATED STORIES: <a href=/a>A market</a>, <a href=/b>A school in the hills</a></p>",
        "<h4>Related: <a href=/a>Ferry stops for two weeks</a></h4>",
        "<p>READ MORE</p><p><a href=/a>Ferry stops for two weeks in summer</a></p>",
        "<p><b>Read also:</b></p><ul><li><a href=/a>A market</a><li><a href=/b>A school</a></ul>",
        "<p><i>Sign up for our newsletter <a href=/a>here</a>.</i></p>",
        "<p>Suivez-nous sur <a href=/a>Facebook</a> et <a href=/b>Instagram</a></p>",
        "<p>Editor's pick: <a href=/a>Ten beaches in the north</a></p>",
        "<p><b>Top story:</b> <a href=/a>Ten beaches in the north</a></p>",
        "<p>Don’t miss: <a href=/a>Ten beaches in the north</a></p>",
        "<div>Tipp der Redaktion: <a href=/a>Zehn Strände im Norden</a></div>",
        "<p>À ne pas manquer | <a href=/a>Dix plages du nord</a></p>",
        "<p>No te lo pierdas: <a href=/a>Diez playas del norte</a></p>",
        "<p>Destaque: <a href=/a>Dez praias do norte</a></p>",
        "<p>Выбор редакции: <a href=/a>Десять пляжей на севере</a></p>",
        "<p>Nie przegap: <a href=/a>Dziesięć plaż na północy</a></p>",
        "<p>おすすめ：<a href=/a>北の十の浜</a></p>",
        "<p>لا تفوت: <a href=/a>عشرة شواطئ في الشمال</a></p>",
    ] {
        assert!(goes(line), "{line}");
    }
}

#[test]
fn the_way_to_a_page_and_appeals_for_support_go_in_all_languages() {
    for line in [
        "<p>You are here: <a href=/>Home</a> » <a href=/sea>Sea</a></p>",
        "<div>Sie befinden sich hier: <a href=/>Start</a> &gt; <a href=/s>See</a></div>",
        "<p>Vous êtes ici : <a href=/>accueil</a> » phare</p>",
        "<p>現在位置：<a href=/>ホーム</a> &gt; 灯台</p>",
        "<p>Вы здесь: <a href=/>Главная</a></p>",
        "<p>أنت هنا: <a href=/>الرئيسية</a></p>",
        "<p>Bliv medlem og få adgang til alle artikler. <a href=/m>Læs mere her</a></p>",
        "<p><a href=/m>Become a member today</a></p>",
        "<p><b>Support our journalism:</b> <a href=/m>give what you can</a></p>",
        "<p>Werden Sie Mitglied! <a href=/m>Hier beitreten</a></p>",
        "<p><a href=/m>Devenez membre</a> de notre communauté</p>",
        "<p><a href=/m>Hazte socio</a></p>",
        "<p>Word lid en lees alles: <a href=/m>naar de actie</a></p>",
        "<p><a href=/m>Поддержите нас</a></p>",
        "<p><a href=/m>支持我们</a></p>",
        "<p><a href=/m>会員登録はこちら</a></p>",
        "<p><a href=/m>후원하기</a></p>",
        "<p>हमारा समर्थन करें: <a href=/m>यहाँ दान करें</a></p>",
    ] {
        assert!(goes(line), "{line}");
    }
    for line in [
        "<p>You are here because the council asked for <a href=/a>the report</a>.</p>",
        "<p>You are here: the map shows the pier, the tower and the mill.</p>",
        "<h2>Become a member</h2>",
        "<p>Become a member of the guild, said the law, and you may carry a lamp.</p>",
        "<p>„Bliv medlem“, sagde hun til <a href=/a>avisen</a>, da havnen var tom.</p>",
        "<p>Become a member, he told <a href=/a>the paper of the town</a>.</p>",
        "<p>Become a member of the town council at twenty and you will know what she knew when \
         she <a href=/a>spoke</a>.</p>",
        "<p>Donate now and then, was his rule, and he kept it for all of his long life.</p>",
        "<p>Members of the club paid <a href=/a>a hundred crowns</a> for the lamp.</p>",
    ] {
        assert!(!goes(line), "{line}");
    }
}

#[test]
fn a_label_goes_with_all_links_of_its_list() {
    let links = |count: usize| {
        let link = |at| format!("<li><b>{at}</b><p><a href=/{at}>A day in May {at}</a></p>");
        (0..count).map(link).collect::<String>()
    };
    for (list, count) in [
        (format!("<ul>{}</ul>", links(3)), 1),
        (
            format!(
                "<ol>{}</ol>",
                links(20).replace("</a></p>", " [0.5]</a></p>")
            ),
            1,
        ),
        // of a front page
        (
            format!("<ol>{}</ol>", links(20)).replace("</a></p>", " [3]</a></p>"),
            42,
        ),
        // at the end of cards, not above the next one
        (
            "<div class=c><p><a href=/a>A day</a><p>Ann<p>Read more</div>".repeat(3),
            8,
        ),
        // a list of texts stays
        (
            format!("<ul><li><a href=/a>One</a> {TEXT}<li>{TEXT}</ul>"),
            4,
        ),
    ] {
        let markup = format!("<p>{TEXT}</p><h2>Most read</h2>{list}")
            .replace("<b>", "<a href=/a>")
            .replace("</b>", "</a>");
        assert_eq!(kept(&markup).len(), count, "{list}");
    }
}

#[test]
fn cards_below_a_heading_above_other_things_go() {
    let card = |at| {
        format!(
            "<div class=card><p><a href=/{at}>Bench {at} [1]</a><p>€ 12.{at} [1]<p>4.5 ({at}) [1]</div>"
        )
    };
    let cards: String = (0..3).map(card).collect();
    for (heading, below) in [
        ("<h2>Similar items</h2>", format!("<div>{cards}</div>")),
        ("<h2>Customers also viewed</h2>", cards.clone()),
        (
            "<p>Frequently bought together</p>",
            format!("<div>{cards}</div>"),
        ),
        (
            "<div>Das könnte dir auch gefallen</div>",
            format!("<ul><li>{cards}</ul>"),
        ),
        ("<h3>Produits similaires</h3>", cards.clone()),
        ("<h3>С этим товаром покупают</h3>", cards.clone()),
        ("<h3>関連商品</h3>", cards.clone()),
        // jobs, and the price above the name
        (
            "<h2>Similar jobs</h2>",
            "<ul><li><a href=/1>Roofer [1]</a><li><a href=/2>Joiner [1]</a></ul>".into(),
        ),
        (
            "<h2>Related products</h2>",
            format!("<div><p>€ 1 [1]<p>New [1]</p>{cards}</div>"),
        ),
    ] {
        let markup =
            format!("<div><p>{TEXT}</p><section>{heading}{below}</section><p>{TEXT}</p></div>");
        assert_eq!(kept(&markup), [TEXT, TEXT], "{heading}");
    }
    for (inner, count) in [
        // texts, without links, surely content, and another heading
        (
            format!(
                "<h2>Similar items</h2><div>{}</div>",
                format!("<p>{TEXT}<a href=/>A</a> {TEXT}").repeat(2)
            ),
            5,
        ),
        (
            "<h2>Similar items</h2><div><p>Ash [1]<p>Oak [1]</div>".into(),
            5,
        ),
        (
            format!(
                "<h2>Similar items</h2><div>{}</div>",
                cards.replace("[1]", "[3]")
            ),
            12,
        ),
        (format!("<h2>Prices</h2><div>{cards}</div>"), 12),
    ] {
        let markup = format!("<div><p>{TEXT}</p><section>{inner}</section><p>{TEXT}</p></div>");
        assert_eq!(kept(&markup).len(), count, "{inner}");
    }
}

#[test]
fn a_headline_among_headlines_is_no_promotion() {
    let link = |text: &str| format!("<li><a href=/a>{text}</a>");
    let plain = [link("A day in May"), link("Ships of the north")].concat();
    let promoted = link("Watch: The ferry leaves the port");
    let more = link("Read more: The ferry leaves the port");
    for (items, gone) in [
        (format!("{plain}{promoted}"), 0),
        (format!("{promoted}{plain}"), 0),
        (format!("{plain}{more}{plain}{promoted}"), 1),
        (format!("{promoted}{more}{promoted}"), 3),
        (format!("<li>Ash<li>Oak{promoted}"), 1),
    ] {
        let markup = format!("<p>{TEXT}</p><ul>{items}</ul><p>{TEXT}</p>");
        assert_eq!(settled(&markup).1.len(), gone, "{items}");
    }
    assert!(goes(
        "<p><a href=/a>Watch: The ferry leaves the port</a></p>"
    ));
}

#[test]
fn a_paragraph_that_is_only_a_link_stays_between_paragraphs() {
    let link = |text: &str| format!("<p><a href=/a>{text}</a></p>");
    for line in [
        link("The report of the ministry (PDF) [-1]"),
        "<div><a href=/a>The report of the ministry (PDF) [-1]</a></div>".to_owned(),
        "<div class=download><b><a href=/a>The report [-1]</a></b></div>".to_owned(),
        "<div id=source>Source: <a href=/a>Gazette of the town of the north [-1]</a></div>"
            .to_owned(),
        link("doi:10.1000/1 [-2]"),
        "<p><b><a href=/a>Source: Gazette [-1]</a></b></p>".to_owned(),
    ] {
        assert_eq!(
            kept(&format!("<p>{TEXT}</p>{line}<p>{TEXT}</p>")).len(),
            3,
            "{line}"
        );
    }
    for (markup, count) in [
        // an opening, the engine is sure, at an end, two of them, in another element, hidden
        (
            format!(
                "<p>{TEXT}</p>{}<p>{TEXT}</p>",
                link("Read more: a day [-1]")
            ),
            2,
        ),
        (
            format!("<p>{TEXT}</p>{}<p>{TEXT}</p>", link("Become a member [-1]")),
            2,
        ),
        (
            format!("<p>{TEXT}</p>{}<p>{TEXT}</p>", link("A day in May [-4]")),
            2,
        ),
        (format!("<p>{TEXT}</p>{}", link("A day in May [-1]")), 1),
        (
            format!("<p>{TEXT}</p>{}<p>{TEXT}</p>", link("A day [-1]").repeat(2)),
            2,
        ),
        (
            format!(
                "<p>{TEXT}</p><div>{}</div><p>{TEXT}</p>",
                link("A day [-1]")
            ),
            2,
        ),
        (format!("<p>{TEXT}</p><p>A day [-1]</p><p>{TEXT}</p>"), 2),
        (
            format!(
                "<p>{TEXT}</p><div class=related-story><a href=/a>A day [-1]</a></div><p>{TEXT}</p>"
            ),
            2,
        ),
        (
            format!(
                "<p>{TEXT}</p><div><a href=/a>May</a> <a href=/b>June [-1]</a></div><p>{TEXT}</p>"
            ),
            2,
        ),
        (
            format!("<p>{TEXT}</p><div><a href=/a>Editor's pick: a day [1]</a></div><p>{TEXT}</p>"),
            2,
        ),
        (
            format!("<p>{TEXT}</p><div><div><a href=/a>A day [-1]</a></div></div><p>{TEXT}</p>"),
            2,
        ),
        (
            format!("<div><p>{TEXT}</p></div><div><a href=/a>A day [-1]</a></div><p>{TEXT}</p>"),
            2,
        ),
    ] {
        assert_eq!(kept(&markup).len(), count, "{markup}");
    }
}

#[test]
fn lines_around_the_article_of_a_wiki_go() {
    for line in [
        "<div id=siteSub class=noprint>From Seawiki, the encyclopedia of the sea</div>",
        "<h3 id=siteSub>Aus Seewiki</h3>",
        "<div id=contentSub>(Redirected from <a href=/b>Light house</a>)</div>",
        "<div id=contentSub><div id=mw-content-subtitle>&lt; <a href=/b>Towers</a></div></div>",
        "<div id=jump-to-nav>Jump to: <a href=#a>navigation</a></div>",
        "<div class=printfooter>Retrieved from <a href=/b>http://sea.example/b</a></div>",
        "<div class=page-header__page-subtitle>Redirected from <a href=/b>Beacon</a></div>",
        "<table class='metadata ambox'><tr><td>This article <b>has no sources</b>.</table>",
        "<div class='bandeau-container metadata'>Cet article ne cite pas ses sources.</div>",
    ] {
        assert!(goes(line), "{line}");
    }
    for line in [
        "<p>From Wikipedia, the free encyclopedia, she copied the names of the masons.</p>",
        "<p>Redirected from the coast road, the buses stop at the school.</p>",
        "<div class=contentSubtitle>The tower in winter</div>",
        "<div class='template-box warning'>Do not climb the tower in a storm.</div>",
        &format!("<div id=contentSub>{}</div>", TEXT.repeat(5)),
    ] {
        assert!(!goes(line), "{line}");
    }
}

#[test]
fn a_dialog_that_is_closed_at_first_goes() {
    let passage = format!("<p>{TEXT} It was built by seven masons in one summer.</p>");
    for (dialog, count) in [
        (
            "<div role=dialog aria-hidden=true><p>Use this panel</p></div>",
            1,
        ),
        (
            "<div role=alertdialog hidden><div><p>Use this panel</p></div></div>",
            1,
        ),
        ("<dialog><p>Use this panel</p></dialog>", 1),
        ("<div role=dialog><p>Use this panel</p></div>", 2),
        ("<div aria-hidden=true><p>Use this panel</p></div>", 2),
    ] {
        assert_eq!(kept(&format!("{passage}{dialog}")).len(), count, "{dialog}");
    }
    // the text of the page itself
    let only = format!("<p>May</p><dialog>{passage}</dialog>");
    assert_eq!(kept(&only).len(), 2);
}

#[test]
fn prose_that_begins_like_promotion_stays() {
    for line in [
        "<p>Also on the radio at <a href=/a>https://radio.example/b</a></p>",
        "<p>Video: <a href=/a>https://v.example/b</a><br>Music: Slow Saw - Morning Shift</p>",
        "<p>Read more books, the mayor said, and play less.</p>",
        "<p>Related: the debt of the town, which grew.</p>",
        "<p>See also the second chapter of <a href=/a>the report</a>, which says the opposite.</p>",
        "<p><a href=/a>The minutes of the council</a></p>",
        "<h2><a href=/a>Related work</a></h2>",
        "<p>More from the sea than from the land came to the market of the town.</p>",
        "<pre>read more: <a href=/a>less</a></pre>",
        "<p>Related: the debt of the town, of which <a href=/a>the report</a> says little or nothing.</p>",
        "<p><a href=/a>Relatedness of trees</a></p>",
        "<p>Read also:</p><p>Nobody had a better word for it.</p>",
        &format!(
            "<p>Related articles:</p><p><a href=/a>{}</a></p>",
            TEXT.repeat(9)
        ),
        "<p>Watch <a href=/a>the film of the meeting of the council</a></p>",
        "<p>Sign up for our course, which begins in May.</p>",
        "<p>Related<br><a href=/a>A market</a></p><p><a href=/b>A school in the hills</a></p>",
        "<h2>Read more</h2>",
        "<p>Top story: the town kept its lighthouse, and the council is proud of it.</p>",
        "<p>Don't miss the light, as the keeper said to all who came to the tower.</p>",
        "<p>Editor's pick of the year is <a href=/a>the tower</a>, which was painted in spring.</p>",
        "<p>Destaque: a torre foi <a href=/a>pintada</a> pelos moradores na primavera.</p>",
        "<p>Top story</p>",
        "<p>Recomendado por <a href=/a>los vecinos del puerto del norte</a></p>",
    ] {
        assert!(!goes(line), "{line}");
    }
}

#[test]
fn controls_labels_of_advertisements_and_notices_about_scripts_go() {
    for line in [
        "<p>ADVERTISEMENT</p>",
        "<div>Anzeige</div>",
        "<p>Article continues below advertisement</p>",
        "<p>Teilen</p>",
        "<p><a href=#top>Back to top ↑</a></p>",
        "<div>5 min read</div>",
        "<div>1,204 views</div>",
        "<noscript>You need to enable JavaScript to run this app.</noscript>",
        "<noscript><p>Aktivieren Sie bitte JavaScript.</p></noscript>",
        "<p>To view this video please enable JavaScript, and consider another browser</p>",
        "<dialog><p>Sign up for our newsletter.</p></dialog>",
        "<h3>You may also like</h3><ul><li><a href=/a>A market</a><li><a href=/b>A school</a></ul>",
        "<p>Subscribe to continue reading</p>",
        "<blockquote>The lamp is old.<div>Click to expand...</div></blockquote>",
        "<blockquote><p>Die Lampe ist alt.</p><div><a>Zum Vergrößern anklicken....</a></div></blockquote>",
        "<div>Sponsored stories</div><div><a href=/a>Ten tricks with rope</a></div>",
        "<p>Already a subscriber? <a href=/a>Log in</a></p>",
        "<h2>Ähnliche Artikel</h2><p><a href=/a>Die Fähre steht still</a></p>",
        "<h2><a href=/t>Читайте также</a></h2><ul><li><a href=/a>Порт закрыт</a></ul>",
        "<div><h2>Related stories</h2></div><aside><h1>Dining out [-3]</h1></aside>",
        "<h2>More on this</h2><ul><li><a href=/a>A market</a><li><a href=/b>A school</a></ul>",
        "<p>Trackback URL for this entry: <a href=/t/1>http://a.example/t/1</a></p>",
        "<p>Trackback URL for this entry:<br>http://a.example/t/1</p>",
        "<div>Trackback-URL für diesen Eintrag: https://a.example/t/1</div>",
        "<p>この記事のトラックバックURL：http://a.example/t/1</p>",
        "<p>引用網址：http://a.example/t/1</p>",
        "<p>本文链接：https://a.example/t/1</p>",
        "<p>URL de trackback : https://a.example/t/1</p>",
        "<p>PIN FOR LATER</p>",
        "<div>★ Leave a Review!</div>",
        "<div>Napisz własną recenzję</div>",
        "<p><a href=/r>レビューを書く</a></p>",
        "<div>Buy It Now<br>Add to cart<br>Add to Watchlist</div>",
        "<p>In den Warenkorb</p>",
        "<div>カートに入れる</div>",
        "<ul><li>Buy It Now<li><span>Add to cart</span><li>Add to Watchlist</ul>",
    ] {
        assert!(goes(line), "{line}");
    }
    for line in [
        "<h2>Share</h2>",
        "<blockquote>Click to expand the map, the sailor said.</blockquote>",
        "<ul><li>Learn more<li>Sleep less</ul>",
        "<p>Learn more, talk less.</p>",
        "<p>Share prices fell.</p>",
        "<div>Out of stock<br>Add to cart</div>",
        "<ul><li>Share<li>Bond</ul>",
        "<pre>share</pre>",
        "<p>JavaScript is disabled by some of the readers of this page.</p>",
        "<p>Already a member of the crew in <a href=/a>1987</a>, she became its captain.</p>",
        "<noscript><p>The picture shows the lighthouse.</p></noscript>",
        "<title>JavaScript for all</title><p>Please enable JavaScript first.</p>",
        "<p>Sign up for our newsletter.</p>",
        "<h3>You may also like</h3><p>Tea and coffee on the upper deck.</p>",
        "<h3><a href=/a>Most popular</a></h3><p>Tea and coffee on the upper deck.</p>",
        "<h2>See also</h2><ul><li><a href=/a>Lighthouse</a><li><a href=/b>Pier</a></ul>",
        "<p>Source: https://a.example/t/1</p>",
        "<p>The trackback URL of this entry was often wrong: http://a.example/t/1 and others</p>",
        "<p>Trackback URL for this entry: see http://a.example/t/1</p>",
        "<pre>Trackback URL: https://a.example/t/1</pre>",
        "<p>Permalink: https://a.example/t/1</p>",
        "<p>Leave a review of the ferry at the pier.</p>",
        "<ul><li>Write a review<li>Add a picture</ul>",
    ] {
        assert!(!goes(line), "{line}");
    }
}

#[test]
fn controls_of_posts_and_reviews_go() {
    let post = |class: &str, end: &str| {
        format!("<div class={class}><p>{TEXT}</p>{end}</div><div class={class}><p>{TEXT}</p></div>")
    };
    for control in [
        "<a href=/r>Reply</a>",
        "<p><a href=/r>Report</a></p>",
        "<div><span>Like</span></div>",
        "<div role=button>Quote</div>",
        "<ul><li><a href=/r>Reply</a><li><a href=/q>Quote</a></ul>",
        "<div><a href=/r>Reply</a> <a href=/q>Quote</a> <a href=/l>Like (3)</a></div>",
        "<p><a href=/r>Antworten</a> | <a href=/q>Melden</a></p>",
        "<div><a href=/r>Répondre</a></div>",
        "<div><a href=/r>Ответить</a></div>",
        "<div><a href=/r>返信</a></div>",
        "<div>Helpful (12)</div>",
    ] {
        for class in ["comment", "review", "post-body"] {
            assert_eq!(
                kept(&post(class, control)),
                [TEXT, TEXT],
                "{class} {control}"
            );
        }
        assert!(kept(&post("entry", control)).len() > 2, "{control}");
    }
    for rank in [
        "<h5>Well-known member</h5>",
        "<p>Senior Member</p>",
        "<div>Bekanntes Mitglied</div>",
    ] {
        assert_eq!(kept(&post("post", rank)), [TEXT, TEXT], "{rank}");
        assert!(kept(&post("entry", rank)).len() > 2, "{rank}");
    }
    for text in [
        "<h3>Reply</h3>",
        "<p>Member of the council</p>",
        "<p>Report to the harbour office</p>",
        "<ul><li>Reply<li>Quote</ul>",
        "<pre>quote</pre>",
        "<p>Like it or not</p>",
        "<p>Quote:</p>",
        "<p><b>Report</b></p>",
        "<div>Report:</div>",
    ] {
        assert!(kept(&post("comment", text)).len() > 2, "{text}");
    }
}

#[test]
fn see_also_and_its_items_stay_together() {
    let count = |below: &str| kept(&format!("<h1>Joints</h1><p>{TEXT}</p>{below}")).len();
    for (below, all) in [
        (
            "<h2>See also</h2><ul><li><a href=/a>Tenon [-1.5]</a></ul>",
            4,
        ),
        (
            "<h2>Siehe auch:</h2><ul><li><a href=/a>Zapfen [-1]</a><li><a href=/b>Dübel [-1]</a></ul>",
            5,
        ),
        ("<h2>関連項目</h2><ul><li><a href=/a>木造 [-1]</a></ul>", 4),
        // surely boilerplate
        (
            "<h2>See also</h2><ul><li><a href=/a>Tenon [-3]</a><li><a href=/b>Dowel [-3]</a></ul>",
            2,
        ),
        (
            "<h2>See the joint</h2><ul><li><a href=/a>Tenon [-1.5]</a></ul>",
            3,
        ),
    ] {
        assert_eq!(count(below), all, "{below}");
    }
    // the title of a note
    for (title, is_title) in [
        ("See also", true),
        ("Siehe auch", true),
        ("See this", false),
    ] {
        let list = "<ul><li><a href=/a>Tenon</a></ul>";
        for below in [list, "<p>See the page on the tenon.</p>"] {
            let markup = format!("<p>{TEXT}</p><div><p>{title}</p>{below}</div>");
            let odds = |at: usize, texts: &[&str]| (texts[at] == title).then_some(-2.0);
            let (_, judgement) = judged(&markup, odds);
            let is_kept = judgement.verdicts[1] == Verdict::Kept;
            assert_eq!(is_kept, is_title, "{markup}");
        }
    }
}

#[test]
fn boxes_that_ask_to_subscribe_go_whole() {
    let page = |title: &str, inner: &str| {
        format!("<title>{title}</title><p>{TEXT}</p><div>{inner}</div><p>{TEXT}</p>")
    };
    for inner in [
        "<h3>Sign up to our newsletter</h3><p>The best stories every Friday.",
        "<div><p>🚀 Sign up for The Replay newsletter</p></div><p>A letter a week.<p>For free.",
        "<h3>Subscribe to continue reading</h3><p>Only € 1. Cancel anytime.</p>",
        "<h3>Jetzt weiterlesen mit dem Plus-Abo</h3><p>Alle Artikel. Jederzeit kündbar.</p>",
        "<p>Iscriviti alla newsletter</p><p>Ogni venerdì le storie migliori.</p>",
        "<p>Zapisz się do newslettera</p><p>Co tydzień najlepsze teksty.</p>",
        "<h4>Подпишитесь на рассылку</h4><p>Лучшее за неделю.</p>",
        "<h4>メールマガジンに登録</h4><p>毎週金曜日にお届けします。</p>",
    ] {
        assert_eq!(kept(&page("Bridges", inner)), [TEXT, TEXT], "{inner}");
    }
    for (title, inner, count) in [
        (
            "A newsletter",
            "<h3>Sign up to our newsletter</h3><p>Every Friday.",
            4,
        ),
        // not for readers of this site
        (
            "Docs",
            "<h3>Subscribe to the topic</h3><p>Call it first.",
            4,
        ),
        (
            "Docs",
            "<h3>The newsletter of the guild</h3><p>It is old.",
            4,
        ),
        // the request is not the beginning of the box
        (
            "Docs",
            "<h3>Steps</h3><p>Subscribe to our newsletter first.<p>Wait.",
            5,
        ),
        (
            "Docs",
            "<h3>Sign up for our newsletter</h3><ol><li>Open it.<li>Send it.</ol>",
            5,
        ),
    ] {
        assert_eq!(kept(&page(title, inner)).len(), count, "{inner}");
    }
    assert!(goes("<p>Join our mailing list: <a href=/a>here</a></p>"));
    assert!(!goes("<p>Zapisz się do <a href=/a>szkoły</a></p>"));
    // a long part of the text, and a page without other text
    let long = format!(
        "<h3>Sign up to our newsletter</h3>{}",
        format!("<p>{TEXT}</p>").repeat(5)
    );
    assert_eq!(kept(&page("Docs", &long)).len(), 8);
    assert_eq!(
        kept("<div><h3>Sign up to our newsletter</h3><p>Every Friday.</div>").len(),
        2
    );
}

#[test]
fn offers_of_a_subscription_go_with_the_request_next_to_them() {
    let offer = |before: &str, items: [&str; 3], after: &str| {
        let items = items.map(|item| format!("<li>{item}</li>")).concat();
        let markup =
            format!("<p>{TEXT}</p><div>{before}<ul>{items}</ul>{after}</div><p>{TEXT}</p>");
        kept(&markup).len()
    };
    let english = [
        "Unlimited access to all articles",
        "Cancel anytime",
        "A letter",
    ];
    for (before, items, after) in [
        ("<h3>Subscribe to read the full story</h3>", english, ""),
        (
            "",
            english,
            "<p>Already a subscriber? <a href=/a>Log in</a></p>",
        ),
        (
            "<p>Jetzt weiterlesen</p>",
            [
                "Unbegrenzter Zugang zu allem",
                "Monatlich kündbar",
                "Eine App",
            ],
            "<p>Bereits Abonnent? <a href=/a>Anmelden</a></p>",
        ),
        (
            "<h2>Abonnez-vous pour lire la suite</h2>",
            ["Accès illimité au site", "Sans engagement", "Le journal"],
            "",
        ),
        (
            "",
            [
                "Acceso ilimitado a la web",
                "Cancela cuando quieras",
                "La revista",
            ],
            "<p>¿Ya eres suscriptor? <a href=/a>Inicia sesión</a></p>",
        ),
        (
            "<p>Чтобы читать дальше, войдите</p>",
            [
                "Неограниченный доступ",
                "Неограниченный доступ к архиву",
                "Письма",
            ],
            "",
        ),
    ] {
        assert_eq!(offer(before, items, after), 2, "{before}{items:?}{after}");
    }
    for (before, items, count) in [
        ("<p>The paper has a new offer:</p>", english, 6),
        (
            "<h3>Subscribe to read the full story</h3>",
            ["Two eggs", "A cup of milk", "Unlimited access to salt"],
            6,
        ),
        ("<p>Subscribe to nothing.</p>", english, 6),
    ] {
        assert_eq!(offer(before, items, ""), count, "{before}{items:?}");
    }
    for line in [
        "<p>Subscribe to read this article and others. <a href=/a>Subscribe</a></p>",
        "<p><a href=/a>Get unlimited digital access for a pound</a></p>",
        "<p>To continue reading, <a href=/a>subscribe</a>.</p>",
        "<p>Abbonati per continuare a leggere. <a href=/a>Abbonati</a></p>",
        "<p><a href=/a>Оформите подписку, чтобы читать дальше</a></p>",
        "<p>この記事は有料会員限定です。<a href=/a>会員登録はこちら</a></p>",
    ] {
        assert!(goes(line), "{line}");
    }
    for line in [
        "<p>Unlimited access to the tower was what they had asked for.</p>",
        "<p>Subscribe to read was what the paper <a href=/a>told</a> its readers for two long years \
         before it gave the wall up.</p>",
        "<p>Already a subscriber of three papers, she <a href=/a>said</a> that she reads none of \
         them on paper any more.</p>",
        "<p>Get full access to the tower in May, said the keeper.</p>",
    ] {
        assert!(!goes(line), "{line}");
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
fn filler_text_goes_unless_the_page_is_about_it() {
    let filler = "Lorem ipsum dolor sit amet, consectetur adipiscing elit.";
    for (markup, count) in [
        (
            format!("<h2>Lorem ipsum</h2><p>{filler}</p><li>LOREM IPSUM DOLOR SIT AMET"),
            1,
        ),
        (
            format!("<p>Printers have long used lorem ipsum.</p><p>{filler}"),
            3,
        ),
        (
            format!("<p>Lorem ipsum is the text of printers.</p><p>{filler}"),
            3,
        ),
        ("<p>Dolor sit amet".to_owned(), 2),
    ] {
        assert_eq!(
            kept(&format!("<p>{TEXT}</p>{markup}")).len(),
            count,
            "{markup}"
        );
    }
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
fn notices_that_ask_for_consent_go_and_articles_about_it_stay() {
    for line in [
        "<p>Benchit and its partners use cookies and similar technologies.</p>",
        "<p>By rejecting non-essential cookies, Benchit may still use certain cookies.</p>",
        "<p>We use cookies to give you the best experience.</p>",
        "<p>Wir verwenden Cookies, um Inhalte zu personalisieren.</p>",
        "<p>Nous utilisons des cookies pour mesurer l'audience.</p>",
        "<p>Utilizamos cookies propias y de terceros.</p>",
        "<p>Мы используем файлы cookie.</p>",
        "<p>Używamy plików cookie, aby poprawić działanie strony.</p>",
        "<p>Käytämme evästeitä sivustolla.</p>",
        "<p>当サイトではCookieを使用しています。</p>",
    ] {
        assert!(goes(line), "{line}");
    }
    // the rest of the dialog of a notice is dropped with it
    let dialog =
        "<div id=cookie-banner><p>We use cookies.</p><p>You can say no at any time.</p></div>";
    assert_eq!(kept(&format!("<p>{TEXT}{dialog}<p>{TEXT}")).len(), 2);
    assert!(!goes(
        "<p>Grandmother baked cookies for all of her neighbours.</p>"
    ));
    // a sentence inside an article about it
    let inside = format!(
        "<article><p>{TEXT}</p><p>By accepting all cookies, readers allow a site to follow them.</p>\
         <p>{TEXT}</p></article>"
    );
    assert_eq!(kept(&inside).len(), 3);
    let below = format!(
        "<article><p>{TEXT}</p><p>{TEXT}</p><p>By accepting all cookies, you agree.</p></article>"
    );
    assert_eq!(kept(&below).len(), 2);
    assert!(!goes(
        "<h2>What cookies are</h2><p>Most sites say: we use cookies to help you.</p>"
    ));
}

#[test]
fn every_phrase_of_consent_has_a_stem_that_is_looked_for_first() {
    for phrase in phrases::CONSENT {
        let mut stems = phrases::CONSENT_STEMS.iter();
        assert!(stems.any(|stem| phrase.contains(stem)), "{phrase}");
    }
}

#[test]
fn the_best_container_of_a_page_stays_when_nothing_else_would() {
    let menu = "<nav><a href=/>Home page of the site [-4]</a></nav>";
    let words = format!("<p>{TEXT} [-2]<p>{TEXT} [-1]");
    for body in [
        format!("<main>{words}</main>"),
        format!("<article>{words}</article>"),
        format!("<div>{words}</div>"),
    ] {
        let (kept, decided) = settled(&format!("{menu}{body}{menu}"));
        assert_eq!(kept.len(), 2, "{body}");
        assert!(
            decided
                .iter()
                .all(|(_, decider)| *decider == Decider::Container)
        );
    }
    assert!(kept("<p>Not found [-2]").is_empty());
    assert!(kept(&format!("<div hidden>{TEXT} {TEXT} [-1]</div>")).is_empty());
}

#[test]
fn comments_stay_what_they_are_and_other_engines_are_left_alone() {
    let table = read("<table><tr><td>a<td>b<tr><td>c<td>d</table>");
    let mut judgement = Judgement {
        threshold: Some(0.5),
        probabilities: vec![0.9, 0.9, 0.9, 0.4],
        verdicts: vec![
            Verdict::Kept,
            Verdict::Comment,
            Verdict::Kept,
            Verdict::Boilerplate,
        ],
        ..Judgement::default()
    };
    settle(&table, &[1.0; 4], Convention::Auto, &mut judgement);
    assert_eq!(judgement.verdicts[1], Verdict::Comment);
    assert_eq!(judgement.verdicts[3], Verdict::Kept);

    let mut judgement = Judgement::of_content([true, false].into_iter());
    settle(&table, &[1.0; 4], Convention::Auto, &mut judgement);
    assert!(judgement.deciders.is_empty());
}

#[test]
fn a_heading_between_kept_text_of_its_element_stays() {
    let page = |heading: &str, after: &str| format!("<div><p>{TEXT}</p>{heading}{after}</div>");
    let list = "<ul><li>At eight from the pier</li><li>At noon from the mill</li></ul>";
    let text = &format!("<p>{TEXT}</p>");
    for after in [
        list,
        text,
        "<dl><dt>Pier<dd>At eight o'clock in summer</dl>",
        TEXT,
    ] {
        for heading in ["<h3>Programm [-1]</h3>", "<h5>予定 [-2]</h5>"] {
            let markup = page(heading, after);
            assert!(settled(&markup).1.len() == 1, "{markup}");
        }
    }
    // clearly none, above links, or above and in something else
    let link = "<ul><li><a href=/a>The mill is sold to a school</a></li></ul>";
    let card = &format!("<div class=card><p>{TEXT}</p></div>");
    for (heading, after) in [
        ("<h3>Programm [-3.5]</h3>", list),
        ("<h3>Programm [-1]</h3>", link),
        ("<h3>Programm [-1]</h3>", card),
        ("<h3>Programm [-1]</h3>", "<h3>Second</h3>"),
        ("<h3><a href=/a>Programm [-1]</a></h3>", list),
        ("<div class=box><h3>Programm [-1]</h3></div>", list),
        ("<h3>Programm [-1]</h3>", "<p>Gone [-2]</p>"),
    ] {
        let markup = page(heading, after);
        assert!(!kept(&markup).contains(&"Programm".to_owned()), "{markup}");
    }
}

#[test]
fn a_heading_in_doubt_stays_above_text_that_stays() {
    let page =
        |heading: &str, after: &str| format!("<p>{TEXT}<p>Gone [-2]{heading}{after}<p>x [-2]");
    let text = &format!("<p>{TEXT}</p>");
    let list =
        "<ul><li>Under the pier from June to August</li><li>In the mill every Friday</li></ul>";
    let card = &format!("<div class=card>{text}</div>");
    let is_kept = |markup: &str| kept(markup).contains(&"Programm".to_owned());
    for after in [text, list, card, &format!("{text}<p>Gone with it [-2]</p>")] {
        for heading in [
            "<h2>Programm [-.9]</h2>",
            "<div class=head><h4>Programm [-.5]</h4></div>",
        ] {
            assert!(is_kept(&page(heading, after)), "{heading}{after}");
        }
    }
    // a line with a link, and the last heading of the text
    let linked = "<p>For the days of all films, <a href=/a>read the whole list</a>.</p>";
    assert!(is_kept(&page("<h2>Programm [-.5]</h2>", linked)));
    let last = format!("<main><p>{TEXT}</p><h2>Programm [-.5]</h2>{list}</main>");
    assert!(is_kept(&format!(
        "{last}<p>{TEXT} [-2]</p><p>{TEXT} [-3]</p>"
    )));
    // clearly none, a link, above links, a heading, or more text that goes, or above all text
    let link = "<ul><li><a href=/a>The mill is sold to a school</a></li></ul>";
    let mostly = &format!("<p>Open</p><p>{TEXT} [-2]</p>");
    for (heading, after) in [
        ("<h2>Programm [-1.1]</h2>", text.as_str()),
        ("<h2><a href=/a>Programm [-.5]</a></h2>", text),
        ("<h2>Programm [-.5]</h2>", link),
        ("<h2>Programm [-.5]</h2>", "<h3>Second</h3>"),
        ("<h2>Programm [-.5]</h2>", mostly),
    ] {
        assert!(!is_kept(&page(heading, after)), "{heading}{after}");
    }
    let lead = format!("<p>Gone [-2]</p><h2>Programm [-.5]</h2><p>{TEXT}</p>");
    assert!(!is_kept(&lead));
}

#[test]
fn no_heading_in_doubt_ends_the_text() {
    let menu = "<p>Anna Lind [-2]</p><p>The town [-2]</p>";
    let is_kept = |heading: &str, after: &str| {
        let kept = kept(&format!("<h1>Piers</h1><p>{TEXT}</p>{heading}{after}"));
        kept.iter().any(|text| text == "Our office")
    };
    for heading in ["<h2>Our office [.9]</h2>", "<h5>Our office [.1]</h5>"] {
        for after in [menu, "<h2>Places [-2]</h2><p>x [-2]", "<p>\u{2192} [-2]"] {
            assert!(!is_kept(heading, after), "{heading}{after}");
        }
        // above text, one of several headings, or at the end of the page
        for (before, after) in [
            ("", format!("<p>{TEXT}</p>{menu}")),
            (
                "<h2>Our ships</h2><h2>Our crew</h2>",
                "<p>Gone [-2]".to_owned(),
            ),
            ("", String::new()),
        ] {
            assert!(
                is_kept(&format!("{before}{heading}"), &after),
                "{heading}{after}"
            );
        }
    }
    // a link, surely of the text, or a sentence
    for heading in [
        "<h2><a href=/a>Our office [.9]</a></h2>",
        "<h5>Our office [1.1]</h5>",
    ] {
        assert!(is_kept(heading, "<p>\u{2192} [-2]"), "{heading}");
    }
}

#[test]
fn similar_headings_above_text_stay_together() {
    let titles = ["The pier", "The mill", "The weir"];
    let page = |title: &str, between: &str, of: &[&str]| {
        let entry = |name: &&str| {
            format!("<div>{title}</div>{between}<p>{TEXT}</p>").replace("Title", name)
        };
        let entries: String = of.iter().map(entry).collect();
        format!("<p>{TEXT}<p>Gone [-2]{entries}<p>x [-2]")
    };
    let count = |markup: &str| {
        let kept = kept(markup);
        let is_title = |text: &&String| titles.iter().any(|title| text.ends_with(title));
        kept.iter().filter(is_title).count()
    };
    for title in [
        "<h3>Title [-1.5]</h3>",
        "<h3><a href=/a>Title [-.5]</a></h3>",
        "<h3><a href=/a>Title [-1.5]</a></h3>",
    ] {
        for between in ["", "<div><i>\u{2192}</i></div><div><i>\u{2193}</i></div>"] {
            let markup = page(title, between, &titles);
            assert_eq!(count(&markup), 3, "{markup}");
        }
        // too few, with other text between, or surely none
        assert_eq!(count(&page(title, "", &titles[..2])), 0, "{title}");
        let gone = "<p>By Anna Lind [-2]</p>";
        assert_eq!(count(&page(title, gone, &titles)), 0, "{title}");
        let sure = title.replace(".5", ".5 [-3]");
        assert_eq!(count(&page(&sure, "", &titles)), 0, "{title}");
    }
    // kept ones are similar too
    let mixed = page("<h3>Title [-1.5]</h3>", "", &titles);
    let mixed = mixed.replacen("[-1.5]", "[1]", 2);
    assert_eq!(count(&mixed), 3);
    // the subject of answers
    let answers = page("<h3>Re: The pier [-.5]</h3>", "", &titles);
    assert_eq!(count(&answers), 0);
}

#[test]
fn a_likely_heading_stays_above_a_dropped_credit_and_above_a_table_at_the_begin() {
    let page = |heading: &str| {
        format!("<p>{TEXT}</p><h2>{heading}</h2><div>Photo: Anna Lind [-2]</div><p>{TEXT}</p>")
    };
    assert!(kept(&page("The pier [-.5]")).contains(&"The pier".to_owned()));
    assert!(!kept(&page("The pier [-1.5]")).contains(&"The pier".to_owned()));
    let rows = "<tr><td>2 cups of flour<td>sieved twice".repeat(3);
    let facts =
        "<p>Serves four people.</p><p>Takes 30 minutes.</p><p>Easy, as most of them are.</p>";
    let recipe = |facts| format!("{facts}<h2>Ingredients [-.5]</h2><table>{rows}</table>");
    assert!(kept(&recipe(facts)).contains(&"Ingredients".to_owned()));
    assert!(!kept(&recipe("")).contains(&"Ingredients".to_owned()));
}

#[test]
fn a_line_of_a_card_does_not_stay_for_the_heading_above_all_cards() {
    let card = |title: &str| format!("<div class=card><p>{title}</p></div>");
    let cards: String = ["Tea [-.5]", "Jam [-2]", "Oil [-2]"].map(card).concat();
    let markup = format!("<p>{TEXT}</p><h2>More [2]</h2>{cards}<h2>Next</h2><p>{TEXT}</p>");
    assert_eq!(kept(&markup), [TEXT, "Next", TEXT]);
}

#[test]
fn a_likely_passage_with_changed_words_right_below_another_is_written_once() {
    let long =
        format!("{TEXT} It stands there for a hundred years, and nobody has ever asked why.");
    let changed = long.replace("asked why", "asked how");
    let page = |second: &str| format!("<p>{long} [3]</p>{second}<p>It is so.</p>");
    assert_eq!(
        kept(&page(&format!("<div>{changed} [2.5]</div>"))),
        [&long, "It is so."]
    );
    // a refrain, other words, too few that are equal
    for second in [
        format!("<p>{changed} [2.5]</p>"),
        format!("<div>{} [2.5]</div>", long.replace("council", "mayor")),
        format!("<div>{} [2.5]</div>", TEXT.replace("pier", "coast")),
    ] {
        assert_eq!(kept(&page(&second)).len(), 3, "{second}");
    }
}

#[test]
fn a_card_has_its_title_once() {
    let title = "Anna's pressure cooker of six quarts with two lids and a book of recipes";
    let other = "Anna's other cooker is as large as the first one, but it is made of steel";
    let count = |second: &str| {
        let second = format!("<div><h3>{second}</h3></div>");
        let card = format!("<li><h3><a href=/a>{title}</a></h3><p>$ 20</p>{second}</li>");
        let markup = format!("<ul>{card}<li>Net<li>Pier</ul>");
        settled_with(&markup, Some(1.8)).0.len()
    };
    assert_eq!(count(title), 4);
    assert_eq!(count(other), 5);
}

#[test]
fn the_title_of_an_item_goes_if_its_text_is_a_copy() {
    let text = |which: &str| {
        format!("The {which} harbour keeps its boats dry in every storm of the winter.")
    };
    let item = |title: &str, which: &str| {
        format!(
            "<div class=item><div>{title}</div><p class=hidden>{}</p></div>",
            text(which)
        )
    };
    let items = [
        item("Boats [.5]", "new"),
        item("Piers [.5]", "old"),
        item("Nets [2]", "big"),
    ];
    let above: String = ["new", "old", "big"]
        .map(|which| format!("<p>{}</p>", text(which)))
        .concat();
    let markup = format!(
        "{above}<p>{TEXT}</p><h2>Parts</h2>{}<p>{TEXT}</p>",
        items.concat()
    );
    let kept = kept(&markup);
    assert!(!kept.contains(&"Boats".to_owned()), "{kept:?}");
    assert!(kept.contains(&"Nets".to_owned()), "{kept:?}");
}

#[test]
fn the_rest_of_a_quote_stays_above_its_answer() {
    let quote = |odds: f32| {
        format!("<p>The pier is closed for the whole of the winter.</p><p>Anna Lind [{odds}]</p>")
    };
    let simple = |odds: f32| format!("<blockquote>{}</blockquote>", quote(odds));
    let boxed = |odds: f32| {
        let text = format!("<div>Anna said: [{odds}]</div><div>{}</div>", quote(odds));
        format!("<blockquote class=quote><div>{text}</div></blockquote>")
    };
    let inner = |odds: f32| {
        format!(
            "<blockquote>{}<p>No. [{odds}]</p></blockquote>",
            simple(odds)
        )
    };
    let count = |quote: &str, answer: &str| {
        let post = format!("<p>x [-3]</p><div class=post>{quote}{answer}</div><p>y [-3]</p>");
        kept(&post).len()
    };
    let paragraph = format!("<p>{TEXT}</p>");
    for answer in [
        TEXT,
        "Thanks!",
        &paragraph,
        &format!("<div>{paragraph}</div>"),
    ] {
        assert_eq!(count(&simple(-0.9), answer), 3, "{answer}");
        assert_eq!(count(&boxed(-0.5), answer), 4, "{answer}");
        assert_eq!(count(&inner(-0.5), answer), 4, "{answer}");
    }
    // a control to see more of it goes
    let more = simple(-0.9).replace("</blockquote>", "<p>Click to expand...</p></blockquote>");
    let odds = |at: usize, texts: &[&str]| texts[at].starts_with("Click").then_some(-4.0);
    let (_, judgement) = judged(&format!("<div class=post>{more}{TEXT}</div>"), odds);
    assert_eq!(
        judgement
            .verdicts
            .iter()
            .filter(|verdict| **verdict == Verdict::Kept)
            .count(),
        3
    );
    // clearly none, links, above a heading, in another element, or nothing is answered
    assert_eq!(count(&simple(-2.1), TEXT), 2);
    let link = simple(-0.9).replace("<p>", "<p><a href=/a>");
    assert_eq!(count(&link, TEXT), 2);
    // who said what goes, and what nobody kept
    let name = |odds: f32| {
        let said = format!("<p>Anna said:</p><p>{TEXT} [{odds}]</p>");
        format!("<blockquote>{said}</blockquote>")
    };
    assert_eq!(count(&name(-0.9), TEXT), 3);
    assert_eq!(count(&name(-1.5), TEXT), 1);
    let unnamed = name(-1.5).replace("said:", "said");
    assert_eq!(count(&unnamed, TEXT), 2);
    let gone = simple(-0.9).replace("winter.", "winter. [-0.2]");
    assert_eq!(count(&gone, TEXT), 1);
    assert_eq!(count(&simple(-0.9), &format!("<h2>The pier</h2>{TEXT}")), 3);
    assert_eq!(count(&format!("<aside>{}</aside>", simple(-0.9)), TEXT), 2);
    assert_eq!(count(&simple(-0.9), "<p>Thanks! [-1]</p>"), 1);
}

#[test]
fn a_list_below_kept_text_of_its_element_stays() {
    let list = |tag: &str| {
        let items = "<li>Oats [-2]</li><li>A rope [-1]</li>";
        format!("<{tag}>{items}</{tag}>")
    };
    let below =
        |lead: &str, list: &str| format!("<main><p>{TEXT}</p>{lead}{list}</main><p>End [-2]</p>");
    for (lead, list) in [
        ("", list("ul")),
        (
            "",
            list("ol class=wp-block-list").replace("/ol class=wp-block-list", "/ol"),
        ),
        ("<p>You need:</p>", list("ul")),
        ("<h3>What you need</h3>", list("ul")),
        (
            "",
            "<dl><dt>Oats [-1]<dd>One bag [-2]<dt>Rope [-1]<dd>Ten metres [-2]</dl>".to_owned(),
        ),
    ] {
        assert!(
            kept(&below(lead, &list)).contains(&"Oats".to_owned()),
            "{lead}{list}"
        );
    }
    let twice = format!(
        "{}<p>x [-2]</p><ul><li>Oats [-2]</li><li>A tent</li></ul>",
        below("", &list("ul"))
    );
    let twice = twice.replace("A tent", "Oats");
    assert_eq!(
        kept(&twice).iter().filter(|line| *line == "Oats").count(),
        1
    );
    // of links, in a box, below something else, or clearly none
    for (lead, list) in [
        (
            "",
            list("ul").replace("[-1]", "[-3]").replace("[-2]", "[-3]"),
        ),
        ("<p>Gone [-2]</p>", list("ul")),
        ("", format!("<div class=meta>{}</div>", list("ul"))),
        (
            "",
            list("ul")
                .replace("<li>", "<li><a href=/x>")
                .replace("</li>", "</a></li>"),
        ),
        ("<div class=bar>Bar</div>", list("ul")),
    ] {
        assert!(
            !kept(&below(lead, &list)).contains(&"Oats".to_owned()),
            "{lead}{list}"
        );
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
fn short_values_between_text_stay_with_their_labels() {
    let facts = |value: &str, below: &str| {
        let fact = |name: &str| {
            format!("<div class=fact><div>{name} [-0.4]</div><div>{value}</div></div>")
        };
        let facts = ["Length", "Width", "Engine"].map(fact).concat();
        kept(&format!(
            "<p>{TEXT}</p><div class=facts>{facts}</div>{below}"
        ))
        .len()
    };
    let below = format!("<p>{TEXT}</p>");
    assert_eq!(facts("22 metres [-0.4]", &below), 8);
    assert_eq!(facts("22 metres [-0.4]", ""), 1);
    for other in [
        "22 metres [-1.5]",
        "<a href=m>22 metres</a> [-0.4]",
        "a value with far more words than any fact has [-0.4]",
    ] {
        assert_eq!(facts(other, &below), 2, "{other}");
    }
}

#[test]
fn a_short_comment_stays_with_the_others() {
    // rows of a table, and siblings that are only striped
    let row = |text: &str| {
        format!(
            "<tr><td><table><tr><td class=vote>v [-3]<td><div class=comment><div class='text c00'>{text}</div></div></table>"
        )
    };
    let rows = [row(TEXT), row("Seconded. [-2]"), row(TEXT)].concat();
    assert_eq!(kept(&format!("<table>{rows}</table>")).len(), 3);
    let striped = |text: &str| format!("<p class=name>Ada [-3]</p><p class=body>{text}</p>");
    for (one, two) in [("odd", "even"), ("even alt", "odd")] {
        let posts = [TEXT, "Seconded. [-2]", TEXT, "Merged, thank you. [-2]"];
        let of = |at: usize| [one, two][at % 2];
        let posts = posts.iter().enumerate();
        let posts: String = posts
            .map(|(at, text)| format!("<div class='{}'>{}</div>", of(at), striped(text)))
            .collect();
        assert_eq!(kept(&posts).len(), 4, "{one}");
    }
    // far below the threshold, in the same place of posts
    let post = |text: &str| format!("<div class=comment><div class=md><p>{text}</p></div></div>");
    let posts = [TEXT, "Merged. [-3.5]", TEXT].map(post).concat();
    assert_eq!(kept(&posts).len(), 3);
    let panel = |text: &str| format!("<li class=comment><ul><li>{text}</li></ul></li>");
    let panels = [TEXT, "866 posts [-3.5]", TEXT].map(panel).concat();
    assert_eq!(kept(&format!("<ol>{panels}</ol>")).len(), 2);
}

#[test]
fn a_question_above_its_kept_answer_stays() {
    let count = |question: &str, answer: &str| {
        let page = format!("<p>{TEXT}</p>{question}<div><p>{answer}</p></div>");
        kept(&page).len() - 1
    };
    for question in [
        "<h4>Is there a shop [-1]?</h4>",
        "<h4><a href=#x>Is there a shop [-1]?</a></h4>",
        "<div role=button>Wie lange dauert es [-1]?</div>",
        "<dl><dt>営業時間は [-1]？</dl>",
        "<p>أين المتجر [-1]؟</p>",
    ] {
        assert_eq!(count(question, TEXT), 2, "{question}");
    }
    let gone = &format!("{TEXT} [-1]");
    for (question, answer) in [
        ("<h4>Is there a shop [-2.5]?</h4>", TEXT),
        ("<h4>Is there a shop [-1]</h4>", TEXT),
        ("<h4>Is there a shop [-1]?</h4>", "Yes."),
        (
            "<h4>Is there a shop [-1]?</h4>",
            &format!("<a href=/x>{TEXT}</a>"),
        ),
    ] {
        assert_eq!(count(question, answer), 1, "{question} {answer}");
    }
    assert_eq!(count("<h4>Is there a shop [-1]?</h4>", gone), 0);
    // the title of the page, and of all posts
    let titled = "<title>Is there a shop [-1]? - Forum</title><h4>Is there a shop [-1]?</h4>";
    assert_eq!(count(titled, TEXT), 1);
    let posts = format!("<div><h4>Re: a shop [-1]?</h4></div><p>{TEXT}</p>");
    assert_eq!(count(&posts.repeat(2), TEXT), 3);
}

#[test]
fn titles_of_panels_stay_with_their_kept_text() {
    let panels = |title: [&str; 3], text: &str| {
        let panel = |title: &str| {
            format!("<div class=item>{title}<div class=text><p>{text}</p></div></div>")
        };
        title.map(panel).concat()
    };
    let titles = |begin: &str, end: &str, odds: [f32; 3]| {
        odds.map(|odds| format!("{begin}Delivery [{odds}]{end}"))
    };
    let count = |titles: &[String; 3], text: &str| {
        let [a, b, c] = titles;
        kept(&panels([a, b, c], text)).len()
    };
    for (begin, end) in [
        ("<div class=tab-title role=button>", "</div>"),
        ("<div role=button>", "</div>"),
        ("<h4>", "</h4>"),
        ("<div class=faq-question><span>", "</span></div>"),
    ] {
        assert_eq!(
            count(&titles(begin, end, [-1.0, -1.5, -2.5]), TEXT),
            6,
            "{begin}"
        );
        assert_eq!(count(&titles(begin, end, [-2.5; 3]), TEXT), 3, "{begin}");
        assert_eq!(
            count(&titles(begin, end, [-1.0; 3]), "Short text"),
            3,
            "{begin}"
        );
    }
    let date = titles("<div class=date>", "</div>", [-1.0; 3]);
    assert_eq!(count(&date, TEXT), 3);
}

#[test]
fn linked_titles_of_items_stay_with_their_kept_text() {
    let items = |title: &str, detail: &str, text: &str| {
        let item = format!("<li>{title}{detail}<p>{text}</p></li>");
        format!("<ul>{}</ul>", item.repeat(3))
    };
    let count = |markup: &str| {
        let texts = kept(markup);
        texts.iter().filter(|text| *text == "Delivery").count()
    };
    let heading = "<h4><a href=/x>Delivery [-1]</a></h4>";
    let name = "<div class=product-name><a href=/x>Delivery [-1]</a></div>";
    let date = "<div>3 May 2025 [-3]</div>";
    for (title, detail) in [(heading, ""), (name, ""), (heading, date), (name, date)] {
        assert_eq!(count(&items(title, detail, TEXT)), 3, "{title}{detail}");
    }
    for (title, detail, text) in [
        (heading, "", "Short text"),
        (heading, "", "Gone with it [-2]"),
        ("<h4><a href=/x>Delivery [-2.5]</a></h4>", "", TEXT),
        (
            "<div class=tag><a href=/x>Delivery [-1]</a></div>",
            "",
            TEXT,
        ),
        (heading, &date.repeat(3), TEXT),
    ] {
        assert_eq!(
            count(&items(title, detail, text)),
            0,
            "{title}{detail}{text}"
        );
    }
}

#[test]
fn who_said_a_quotation_of_a_figure_stays_with_it() {
    let figure = |quote: &str, credit: &str| {
        format!(
            "<p>{TEXT}</p><figure>{quote}<figcaption>{credit}</figcaption></figure><p>{TEXT}</p>"
        )
    };
    let quote = "<blockquote><p>The pier is older than the mill.</p></blockquote>";
    let has = |markup: &str| kept(markup).iter().any(|text| text.contains("Ann Bee"));
    assert!(has(&figure(quote, "Ann Bee, builder [-1.5]")));
    assert!(has(&figure(quote, "<p>— Ann Bee [-1]</p>")));
    let dropped = "<blockquote><p>The pier is older than the mill. [-2]</p></blockquote>";
    for (quote, credit) in [
        (quote, "Ann Bee, builder [-2.5]"),
        (quote, "<a href=/b>Ann Bee [-1]</a>"),
        (dropped, "Ann Bee, builder [-1.5]"),
        ("<img src=a.png>", "Ann Bee, builder [-1.5]"),
    ] {
        assert!(!has(&figure(quote, credit)), "{quote}{credit}");
    }
}

#[test]
fn prices_stay_with_the_names_of_items() {
    let items = |price: &str, name: &str| {
        let item = |kind: &str| {
            format!(
                "<div class=item><h5>{name}{kind}</h5><p>Oak, {kind}</p>{price}<a href=/b>Buy [-3]</a></div>"
            )
        };
        ["Bench", "Chair", "Table"].map(item).concat()
    };
    let count = |markup: &str| {
        let texts = kept(markup);
        texts.iter().filter(|text| text.contains("37")).count()
    };
    for price in [
        "<div>$37.00 [-1]</div>",
        "<div>€ 37 [-1.9]</div>",
        "<div>From £37 [-1]</div>",
        "<div><a href=/x>37,00 € [-1]</a></div>",
    ] {
        assert_eq!(count(&items(price, "")), 3, "{price}");
    }
    for (markup, what) in [
        (items("<div>$37.00 [-2.1]</div>", ""), "unlikely"),
        (items("<div>37 left [-1.2]</div>", ""), "no price"),
        (items("<div hidden>$37.00 [-1]</div>", ""), "hidden"),
    ] {
        assert_eq!(count(&markup), 0, "{what}");
    }
}

#[test]
fn a_value_stays_below_a_heading_that_is_its_label() {
    let box_of = |heading: &str, value: &str| {
        format!("<p>{TEXT}</p><div><h3>{heading}</h3><div>{value}</div><p>{TEXT}</p></div>")
    };
    let has = |markup: &str, text: &str| kept(markup).contains(&text.to_owned());
    assert!(has(&box_of("Yield:", "12 [-0.5]"), "12"));
    assert!(has(&box_of("Ertrag：", "12 Stück [-0.9]"), "12 Stück"));
    for (heading, value, text) in [
        ("Yield:", "12 [-1.5]", "12"),
        ("Yield", "12 [-0.5]", "12"),
        ("Yield [-2]:", "12 [-0.5]", "12"),
    ] {
        assert!(!has(&box_of(heading, value), text), "{heading} {value}");
    }
}

#[test]
fn answers_inside_of_posts_are_like_posts() {
    let post = |text: &str, inside: &str| {
        format!("<div class=post><p>Anna [-3]</p><div>{text}</div>{inside}</div>")
    };
    let answer = |text: &str| format!("<div class=answers>{}</div>", post(text, ""));
    let posts = [
        post(TEXT, &answer("Thanks [-2]")),
        post(TEXT, &answer("So it was on the pier [-1]")),
        post(TEXT, ""),
    ];
    assert_eq!(
        kept(&posts.concat()),
        [TEXT, "Thanks", TEXT, "So it was on the pier", TEXT]
    );
    // another part of a post
    let other = |inside: &str| format!("<div class=tools><div>{inside}</div></div>");
    let posts = [TEXT; 3].map(|text| post(text, &other("Answer [-2]")));
    assert_eq!(kept(&posts.concat()), [TEXT; 3]);
}

#[test]
fn doubtful_lines_that_items_repeat_do_not_follow_their_texts() {
    let list = |lines: [&str; 3]| {
        let item = |line: &str| format!("<li><div>{TEXT}</div><div>{line}</div>");
        lines.map(item).concat()
    };
    let of = |lines| kept(&format!("<p>{TEXT}<ul>{}</ul>", list(lines))).len();
    assert_eq!(
        of([
            "2 · Share this [-2]",
            "0 · Share this [-2]",
            "17 · Share this [-2]"
        ]),
        4
    );
    // other words, or not doubtful
    assert_eq!(of(["An oak [-2]", "An ash [-2]", "An elm [-2]"]), 7);
    assert_eq!(of(["Share this [-.5]"; 3]), 7);
    assert_eq!(of(["5 May [-2]", "6 May [-2]", "7 May [-2]"]), 7);
}

#[test]
fn details_of_posts_in_a_list_are_not_like_their_texts() {
    let list = |class: &str, detail: &str| {
        let item = format!("<li class=item><div>{TEXT}</div><div>{detail}</div></li>");
        format!("<ul class='{class}'>{}</ul>", item.repeat(3))
    };
    let count = |markup: &str| kept(markup).len();
    for detail in ["301 posts [-1.5]", "0 [-1]"] {
        assert_eq!(count(&list("DataList Comments", detail)), 3, "{detail}");
    }
    // likely, longer, of other lists, and short posts
    for (class, detail) in [("comments", "Yes [-0.5]"), ("dates", "6 May [-1.5]")] {
        assert_eq!(count(&list(class, detail)), 6, "{class} {detail}");
    }
    let short = format!("<li class=item><div>{TEXT}</div></li>").repeat(3);
    let longer =
        format!("<ul class=comments>{short}<li class=item><div>The mill on it [-1.5]</div></ul>");
    assert_eq!(count(&longer), 4);
    let short = format!("<ul class=comments>{short}<li class=item><div>Thanks [-1.5]</div></ul>");
    assert_eq!(count(&short), 4);
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

#[test]
fn what_a_dropped_heading_announces_goes_with_it() {
    let card = |text: &str| {
        format!(
            "<div class=card><h4><a href=/a>Low tide [0.5]</a></h4><p>{text}</p><a href=/a>9 replies [-2]</a></div>"
        )
    };
    let kept_below = |heading: &str| {
        let cards = card("The mill is sold [0.5]").repeat(2);
        let box_of = format!("<section><h3>{heading}</h3>{cards}</section>");
        let markup = format!("<p>{TEXT}</p><p>{TEXT} Again.</p>{box_of}");
        let (table, judgement) =
            judged(&markup, |at, texts| (texts[at] == heading).then_some(-1.0));
        let rows = table.blocks.iter().zip(&judgement.verdicts);
        let kept = rows.filter(|(_, verdict)| **verdict == Verdict::Kept);
        kept.skip(2)
            .map(|(block, _)| table.text_of(block).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(kept_below("You may also like…"), [""; 0]);
    assert_eq!(kept_below("Low and high tide").len(), 4);
}

#[test]
fn a_box_of_facts_stays_above_its_article() {
    let row = |tag: &str, name: &str, value: &str| {
        format!("<div class=pi-data><{tag}>{name} [-1]</{tag}><div>{value} [-1.5]</div></div>")
    };
    let rows = |tag: &str| row(tag, "Born", "Year 411") + &row(tag, "Home", "Low Town");
    for (begin, end) in [
        ("<aside class='portable-infobox pi-theme'>", "</aside>"),
        ("<div class=infobox>", "</div>"),
        (
            "<section class='wp-block-infobox'><div class=infobox>",
            "</div></section>",
        ),
    ] {
        for tag in ["h3", "div"] {
            let markup = format!("{begin}{}{end}<p>{TEXT}</p>", rows(tag));
            assert_eq!(kept(&markup).len(), 5, "{markup}");
        }
    }
    let box_of = |rows: &str| format!("<aside class=infobox>{rows}</aside>");
    let rows = rows("div");
    for markup in [
        format!("<aside class=sidebar>{rows}</aside><p>{TEXT}</p>"),
        format!("<p>{TEXT}</p>{}<p>{TEXT} [-2]</p>", box_of(&rows)),
        format!("{}<p>{TEXT}</p>", box_of(&rows.replace("-1", "-3"))),
        format!(
            "{}<p>{TEXT}</p>",
            box_of("<a href=/a>Born in Low Town [-1]</a>")
        ),
    ] {
        assert!(!kept(&markup).contains(&"Born".to_owned()), "{markup}");
        assert!(
            !kept(&markup).contains(&"Born in Low Town".to_owned()),
            "{markup}"
        );
    }
}

#[test]
fn a_comment_stays_with_those_like_it_unless_comments_are_dropped() {
    let post = |text: &str| format!("<div class=post><div class=body>{text}</div></div>");
    let table = read(&[post(TEXT), post("Thank you."), post(TEXT)].concat());
    let verdict = |comments: Convention, others: f32, own: f32| {
        let mut judgement = Judgement {
            threshold: Some(0.5),
            probabilities: vec![others, own, others],
            verdicts: vec![Verdict::Kept, Verdict::Comment, Verdict::Kept],
            ..Judgement::default()
        };
        settle(&table, &[14.0, 2.0, 14.0], comments, &mut judgement);
        judgement.verdicts[1]
    };
    assert_eq!(verdict(Convention::Auto, 0.9, 0.3), Verdict::Kept);
    assert_eq!(verdict(Convention::Auto, 0.6, 0.3), Verdict::Kept);
    // dates and bylines are often just above the threshold
    assert_eq!(verdict(Convention::Auto, 0.51, 0.1), Verdict::Comment);
    assert_eq!(verdict(Convention::Drop, 0.9, 0.3), Verdict::Comment);
    assert_eq!(verdict(Convention::Drop, 0.9, 0.9), Verdict::Comment);
    // most of them are comments
    let mut judgement = Judgement {
        threshold: Some(0.5),
        probabilities: vec![0.7, 0.55, 0.7],
        verdicts: vec![Verdict::Comment, Verdict::Comment, Verdict::Kept],
        ..Judgement::default()
    };
    settle(&table, &[14.0, 2.0, 14.0], Convention::Auto, &mut judgement);
    assert_eq!(judgement.verdicts[1], Verdict::Comment);
}

#[test]
fn a_label_and_its_value_stay_together_in_members_of_two_parts() {
    let pair = |name: &str, value: &str| {
        format!("<div class=fact><p class=n>{name}</p><div class=v>{value}</div></div>")
    };
    let quote = |name: &str| {
        format!(
            "<div class=quote><blockquote>{TEXT}</blockquote><div class=name>{name}</div></div>"
        )
    };
    let item = |name: &str, value: &str| format!("<li><span>{name}</span><div>{value}</div>");
    let facts = |of: &dyn Fn(&str, &str) -> String| {
        of("Material [-0.5]", "Steel [0.3]") + &of("Länge [-0.5]", "20 cm [0.3]")
    };
    let names = ["Anna L. [-0.7]", "Ines B. [-0.9]", "J. W. [-0.5]"];
    for (markup, count) in [
        (facts(&pair) + &pair("Farbe [-0.5]", "blau [0.3]"), 6),
        (format!("<ul>{}</ul>", facts(&item)), 4),
        (
            format!("<dl>{}</dl>", facts(&|n, v| format!("<dt>{n}<dd>{v}"))),
            4,
        ),
        (names.map(quote).concat(), 6),
        // a value below its heading may be less likely
        (
            ["", "", ""]
                .map(|_| "<div class=c><h3>System</h3><p>For 64 bits [-1.5]</p></div>")
                .concat(),
            6,
        ),
        // and so may a value next to its name
        (pair("Torque [0.5]", "55 Nm [-1.5]").repeat(3), 6),
        (pair("Torque [0.5]", "55 Nm [-2.5]").repeat(3), 3),
        (pair("Torque [0.5]", &format!("{TEXT} [-1.5]")).repeat(3), 3),
        // badges, controls and links
        (
            ["New [-1]", "Sale [-1]", "New [-1]"]
                .map(|badge| pair(badge, TEXT))
                .concat(),
            3,
        ),
        (pair(TEXT, "List[-0.5]").repeat(3), 3),
        (
            pair(TEXT, "Ash[-0.5]") + &pair(TEXT, "Oak[-0.5]").repeat(2),
            6,
        ),
        (
            ["Share [-0.5]", "Show more [-0.5]", "Reply [-0.5]"]
                .map(|control| pair(control, TEXT))
                .concat(),
            3,
        ),
        (
            ["a", "b", "c"]
                .map(|of| pair(TEXT, &format!("<a href=/{of}>Guide to {of} [-0.5]</a>")))
                .concat(),
            3,
        ),
        // only one of several, and far from content
        (
            pair("Farbe [-0.5]", "blau [0.3]") + &pair("x [-1]", "y [-1]").repeat(3),
            0,
        ),
        (pair("Farbe [-3]", "blau [0.3]").repeat(3), 3),
    ] {
        let markup = format!("<p>{TEXT} It is new.</p>{markup}");
        assert_eq!(kept(&markup).len(), count + 1, "{markup}");
    }
}

#[test]
fn a_label_stays_above_its_value_and_a_named_one_keeps_it() {
    let has = |markup: &str| {
        let lines = kept(&format!("<p>{TEXT}</p>{markup}"));
        (
            lines.contains(&"Minimum".to_owned()),
            lines.contains(&"Berlin".to_owned()),
        )
    };
    for markup in [
        "<div><div>Minimum [-1.5]:</div><div>Berlin</div></div>",
        "<div>Minimum [-1.5]:<ul><li>Berlin</ul></div>",
        "<ul><li><b>Minimum [-1.5]:</b><div>Berlin</div></ul>",
        "<div class=f><div class=field__label>Minimum [0.5]:</div><div>Berlin [-1]</div></div>",
        "<div class=f><p class='f-label'>Minimum [-1]:</p><p class=value>Berlin</p></div>",
    ] {
        assert_eq!(has(markup), (true, true), "{markup}");
    }
    for (markup, label, value) in [
        ("<div>Minimum [-2.5]:<p>Berlin</p></div>", false, true),
        // of another element, above a link or a heading
        (
            "<header><p>Minimum [-1]:</p></header><main><p>Berlin</p></main>",
            false,
            true,
        ),
        (
            "<div><p>Minimum [-1]:</p><p><a href=/x>Berlin</a></p></div>",
            false,
            true,
        ),
        (
            "<div><p>Minimum [-1]:</p><h2>Berlin</h2></div>",
            false,
            true,
        ),
        (
            "<div><div class=label-box>Minimum [0.5]:</div><div>Berlin [-1]</div></div>",
            true,
            false,
        ),
        (
            "<div class=f><p>Minimum [0.5]:</p><p>Berlin [-1]</p></div>",
            true,
            false,
        ),
    ] {
        assert_eq!(has(markup), (label, value), "{markup}");
    }
    // the way to the page is above all text
    let markup = "<div>You are here [-0.5]:<p>Start, news, towns</p></div>";
    assert_eq!(kept(&format!("{markup}<p>{TEXT}</p>")).len(), 2);
}

#[test]
fn lines_of_an_address_or_of_facts_stay_together() {
    let lines = |lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| format!("<p>{line}</p>")).collect();
        format!(
            "<p>{TEXT} It is so.</p><section>{}</section>",
            lines.concat()
        )
    };
    for (markup, count) in [
        (
            lines(&[
                "12 Quay Street [-0.2]",
                "Brent BR1 2QQ",
                "Tel: 01632 960 112 [-0.6]",
            ]),
            3,
        ),
        (
            lines(&[
                "Prep: 10 min",
                "Servings: 4 [-0.6]",
                "Energie: 310 kcal",
                "Fett 3 g [-0.2]",
            ]),
            4,
        ),
        (
            lines(&[
                "住所：東京都 1-2 [-0.5]",
                "電話：03-1234",
                "時間：9時 [-0.5]",
            ]),
            3,
        ),
        (
            lines(&[
                "Marktplatz 1",
                "Telefon: 0333 1210",
                "office@town.example [-2.5]",
            ]),
            3,
        ),
        // dates and bylines of texts, and what is far from content
        (
            lines(&[
                "Great post!",
                "Posted by: Jo, March 20 [-0.7]",
                "Thanks a lot.",
            ]),
            2,
        ),
        (lines(&["June 4, 12:30 [-0.7]", "An early start"]), 1),
        (
            lines(&["Prep: 10 min", "Servings: 4", "Author: Jo [-1.9]"]),
            2,
        ),
        (
            lines(&[
                "Prep: 10 min",
                "Servings: 4",
                "<a href=/c>12 answers [-0.5]</a>",
            ]),
            2,
        ),
        (
            lines(&[
                "1 ship [-1.5]",
                "2 ships [-1.5]",
                "3 ships [-1.5]",
                "4 boats [0.1]",
            ]),
            1,
        ),
        (
            lines(&["Prep: 10 min", "Cook: 20 min", "write @jo or @ann [-2.5]"]),
            2,
        ),
    ] {
        assert_eq!(kept(&markup).len(), count + 1, "{markup}");
    }
}

#[test]
fn a_table_of_what_a_product_is_like_stays_with_its_description() {
    let row = |name: &str, value: &str| format!("<tr><th>{name} [-1]<td>{value} [-1.8]");
    let table = format!(
        "<table>{}{}</table>",
        row("Weight", "2 kg"),
        row("Farbe", "rot")
    );
    let terms = "<dl><dt>Weight [-1]<dd>2 kg [-1.8]<dt>材質 [-1]<dd>木 [-1]</dl>".to_owned();
    let page = |begin: &str, table: &str| {
        let tabs = format!("<div class=tab><h2>Data [-2]</h2>{table}</div>");
        format!("{begin}<div class=description><p>{TEXT}</p></div>{tabs}")
    };
    for begin in [
        "<div class='type-product instock'>",
        "<main class=product-detail>",
        "<div itemscope itemtype='https://schema.org/Product'>",
    ] {
        for table in [&table, &terms] {
            let markup = page(begin, table);
            assert_eq!(kept(&markup).len(), 6, "{markup}");
        }
    }
    let product = "<div class=product>";
    let link = "<td><a href=/x>a long way to the colours [-2]</a>";
    let cards = format!("{product}<p>{TEXT}</p>{table}<p>x [-3]</p></div>");
    for (markup, count) in [
        (page("<div class=post>", &table), 1),
        (page("<div class=production>", &table), 1),
        (page(product, &table.replace("[-1", "[-3")), 1),
        (
            page(
                product,
                &table
                    .replace("<td>2 kg [-1.8]", link)
                    .replace("<td>rot [-1.8]", link),
            ),
            1,
        ),
        // wide tables, prose, hidden ones
        (page(product, &table.replace("<tr>", "<tr><td>x [-2]")), 1),
        (
            page(
                product,
                &table.replace("<td>", &format!("<td>{}", TEXT.repeat(20))),
            ),
            1,
        ),
        (page(product, &table.replace("<table", "<table hidden")), 1),
        (page(product, &table).replace(TEXT, "Very good"), 1),
        (page(&format!("{product}</div>"), &table), 1),
        // one of several
        (cards.repeat(3), 3),
    ] {
        assert_eq!(kept(&markup).len(), count, "{markup}");
    }
}

#[test]
fn a_list_of_labels_stays_below_text_and_a_likely_list_above_it() {
    let people = "<li><span>Director [-0.5]</span><ul><li><a href=/a>Ada Alder [-1.5]</a></ul>\
        <li><span>Writers [-0.5]</span><ul><li><a href=/b>Max Bright [-1.5]</a></ul>";
    let facts = "<ul><li>Oak & Co [-0.5]<li>30 hours, from March on [-0.9]</ul>";
    for (markup, count) in [
        (format!("<p>{TEXT}</p><ul>{people}</ul>"), 5),
        (format!("{facts}<p>{TEXT}</p>"), 3),
        (
            format!(
                "<p>{TEXT}</p><ul>{}</ul>",
                people.replace("<span>", "<a href=/c>")
            ),
            1,
        ),
        (format!("{}<p>{TEXT}</p>", facts.replace("-0", "-1")), 1),
        (format!("{facts}<div><p>{TEXT}</p></div>"), 1),
        (
            format!("{}<p>{TEXT}</p>", facts.replace("<li>", "<li><a href=/x>")),
            1,
        ),
        (format!("{facts}<p>Short text</p>"), 1),
    ] {
        assert_eq!(kept(&markup).len(), count, "{markup}");
    }
}

#[test]
fn a_notice_that_links_earn_money_goes() {
    for line in [
        "<p>This post may contain affiliate links. Please read our <a href=/d>policy</a>.</p>",
        "<p><em>*This article contains affiliate links, from which we may earn money.</em></p>",
        "<div>As an Amazon Associate I earn from qualifying purchases.</div>",
        "<ul><li>We may earn a commission if you buy something through our links.</ul>",
        "<blockquote>When you buy through links on our site, we may earn money.</blockquote>",
        "<p>Dieser Beitrag enthält Affiliate-Links.</p>",
        "<p>* Die mit * gekennzeichneten Links sind Affiliate-Links.</p>",
        "<p>Cet article contient des liens d’affiliation.</p>",
        "<p>Este artículo contiene enlaces de afiliados.</p>",
        "<p>Questo articolo contiene link affiliati.</p>",
        "<p>※本記事はアフィリエイト広告を利用しています。</p>",
        "<p>이 포스팅은 쿠팡 파트너스 활동의 일환으로 수수료를 받습니다.</p>",
    ] {
        assert!(goes(line), "{line}");
    }
    for line in [
        "<p>This post contains photographs of the harbour.</p>",
        "<p>This post may contain affiliates of the party, the council was told.</p>",
        "<p>Affiliate links paid for a third of the costs of the paper.</p>",
        "<p>As an Amazon associate, she packed parcels at night.</p>",
        "<p>We may earn more than our parents, but we own less.</p>",
        "<p>Disclosure: this article was written by a friend of the mayor.</p>",
        "<p>Dieser Beitrag enthält viele Bilder.</p>",
        "<p>Die mit Sternchen verzierten Türen sind verkauft.</p>",
        "<h2>This post contains affiliate links: what the law says</h2>",
        "<pre>This post contains affiliate links.</pre>",
    ] {
        assert!(!goes(line), "{line}");
    }
    // a page about such notices quotes them
    let notice = "<p>This post contains affiliate links.</p>";
    for (title, count) in [("How to disclose affiliate links", 2), ("Ten plums", 1)] {
        let markup = format!("<title>{title}</title><p>{TEXT}</p>{notice}");
        assert_eq!(kept(&markup).len(), count, "{title}");
    }
}

#[test]
fn a_request_to_rate_a_recipe_goes() {
    for line in [
        "<p>Did you make this recipe? Please leave a star rating in the comments!</p>",
        "<p>★ Have you tried this recipe? Tell us how it was.</p>",
        "<div>Tried this Recipe? Tag me today!</div>",
        "<div><strong>Made this recipe?</strong> Share a photo.</div>",
        "<p>Hast Du dieses Rezept ausprobiert? Dann hinterlasse gerne einen Kommentar.</p>",
        "<p>Vous avez essayé cette recette ? Dites-nous tout.</p>",
        "<p>¿Has probado esta receta? Cuéntanos en los comentarios.</p>",
        "<p>Hai provato questa ricetta? Lasciaci un commento.</p>",
        "<p>Heb je dit recept gemaakt? Laat het weten.</p>",
        "<p>Попробовали этот рецепт? Поставьте оценку.</p>",
        "<p>Bu tarifi denediniz mi? Yorum yazın.</p>",
    ] {
        assert!(goes(line), "{line}");
    }
    for line in [
        "<p>Did you make this recipe with less sugar? Mine burnt at the edges.</p>",
        "<p>Have you tried this recipe in a gas oven?</p>",
        "<p>Tried this recipe twice, and both cakes fell.</p>",
        "<p>Vous avez essayé cette recette avec du miel ?</p>",
        "<h2>Tried this recipe?</h2>",
    ] {
        assert!(!goes(line), "{line}");
    }
}

#[test]
fn buttons_between_a_headline_and_its_text_go() {
    let text = |buttons: &str| kept(&format!("<h1>Bees</h1>{buttons}<p>{TEXT}</p>"));
    for buttons in [
        "<ul><li>Share<li>Save<li>Print<li>Comments</ul>",
        "<p>Share | Print | Email</p>",
        "<p>By Ann Bee [-1]</p><div>Facebook</div><div>Print</div>",
        "<div>Teilen</div><div>Drucken</div><div>Merken</div>",
        "<div>Partager Imprimer Enregistrer</div>",
        "<div>Compartir 12</div><div>Guardar</div>",
        "<div>印刷</div><div>シェア</div>",
    ] {
        assert_eq!(text(buttons), ["Bees", TEXT], "{buttons}");
    }
    // one word, other words, and a list in the text
    for (buttons, count) in [
        ("<p>Print</p>", 3),
        ("<p>Save the bees</p><p>Print</p>", 4),
        ("<h2>Print</h2><h2>Save</h2>", 4),
    ] {
        assert_eq!(text(buttons).len(), count, "{buttons}");
    }
    let menu = "<ul><li>Open<li>Save<li>Print</ul>";
    let lines = kept(&format!(
        "<h1>Bees</h1><p>{TEXT}</p><p>{TEXT} It is old.</p>{menu}"
    ));
    assert_eq!(lines.len(), 6);
}

#[test]
fn the_facts_of_an_event_stay_with_its_description() {
    let facts = "<dl><dt>Venue [-4]<dd>Old Mill [-4]<dd><a href=/m>12 River Lane [-4]</a></dl>";
    let event = |class: &str| format!("<div class={class}><p>{TEXT}</p></div>");
    for class in [
        "tribe-events-venue",
        "event-details",
        "'box event_info'",
        "Veranstaltungsort",
        "organizer",
    ] {
        let markup = format!(
            "<main>{}<div class={class}>{facts}</div></main>",
            event("event")
        );
        assert_eq!(kept(&markup).len(), 4, "{class}");
    }
    for (markup, reason) in [
        (
            format!("<main><p>{TEXT}</p><div class=event-info>{facts}</div></main>"),
            "the text is of no event",
        ),
        (
            format!(
                "<main>{}<div class=prevents-info>{facts}</div></main>",
                event("event")
            ),
            "another name",
        ),
        (
            format!(
                "<main>{}<aside class=event-info>{facts}</aside></main>",
                event("event")
            ),
            "another event",
        ),
        (
            format!(
                "<main>{}{}</main>",
                event("event"),
                format!("<div class=event-info>{facts}</div>").repeat(3)
            ),
            "a list of events",
        ),
    ] {
        assert_eq!(kept(&markup), [TEXT], "{reason}");
    }
    let controls = "<div class=event-meta>At noon [-4]<p>Add to calendar</p></div>";
    let markup = format!("<main>{}{controls}</main>", event("event"));
    assert_eq!(kept(&markup), [TEXT, "At noon"]);
}

#[test]
fn comments_on_a_report_stay_in_a_tracker() {
    let comment = |text: &str| format!("<div class=comment><p>{text} [-3]</p></div>");
    let comments = ["It is fixed.", "It works now."].map(comment).concat();
    let fields = "<p>Status: Closed</p><p>Priority: High</p>";
    let tracker = |class: &str, fields: &str| {
        kept(&format!(
            "<main><div class={class}>{fields}<p>{TEXT}</p></div>{comments}</main>"
        ))
    };
    for class in [
        "issue-content",
        "ticket",
        "bz_first",
        "'node project-issue'",
    ] {
        assert_eq!(tracker(class, fields).len(), 5, "{class}");
    }
    for (class, fields) in [
        ("issue", "<p>Status: Closed</p>"),
        ("tissue", fields),
        ("x", fields),
    ] {
        let lines = tracker(class, fields);
        assert!(
            !lines.contains(&"It is fixed.".to_owned()),
            "{class} {fields}"
        );
    }
}

#[test]
fn fields_stay_next_to_a_kept_one() {
    let field = |name: &str, value: &str| {
        format!("<div class=f><div class=field-label>{name}</div><div>{value}</div></div>")
    };
    for (fields, count) in [
        (
            field("When:", "Noon [-1]") + &field("Who [-1]:", "<a href=/a>Ann [-1.5]</a>"),
            4,
        ),
        (field("Who [-1]:", "Ann [-1]") + &field("When:", "Noon"), 4),
        (field("When:", "Noon") + &field("Who [-3]:", "Ann [-3]"), 2),
        (
            field("When [-1]:", "Noon [-1]") + &field("Who [-1]:", "Ann [-1]"),
            0,
        ),
        (field("When:", "Noon") + "<p>Far away [-1]</p>", 2),
    ] {
        assert_eq!(
            kept(&format!("<p>{TEXT}</p>{fields}")).len(),
            count + 1,
            "{fields}"
        );
    }
}

#[test]
fn the_few_words_below_a_kept_heading_of_a_series_stay() {
    let part = |heading: &str, below: &str| {
        format!("<section class=s><h2>{heading}</h2>{below}</section>")
    };
    let text = format!("<p>{TEXT}</p>");
    for (parts, has_place) in [
        (
            [
                text.as_str(),
                text.as_str(),
                "<div>Town hall, room 3 [-1.5]</div>",
            ],
            true,
        ),
        (
            [
                text.as_str(),
                text.as_str(),
                "<div>Town hall, room 3 [-2.5]</div>",
            ],
            false,
        ),
        (
            [
                text.as_str(),
                text.as_str(),
                "<div><a href=/t>Town hall, room 3 [-1.5]</a></div>",
            ],
            false,
        ),
        (
            [
                text.as_str(),
                "<p>From noon to the end of the day [-3]</p>",
                "<div>Town hall, room 3 [-1.5]</div>",
            ],
            false,
        ),
    ] {
        let markup = ["When", "What", "Where"].iter().zip(parts);
        let markup: String = markup
            .map(|(heading, below)| part(heading, below))
            .collect();
        let lines = kept(&markup);
        assert_eq!(
            lines.contains(&"Town hall, room 3".to_owned()),
            has_place,
            "{markup}"
        );
    }
}

#[test]
fn the_last_of_dropped_questions_or_headings_does_not_stay_alone() {
    let questions = ["Where", "When", "How"].map(|word| format!("<li>{word} do they meet [-1]?"));
    let headings = ["Size", "Care", "Help"].map(|word| format!("<h3>{word} [-.5]</h3>"));
    for list in [
        format!("<nav><ol>{}</ol></nav>", questions.concat()),
        headings.concat(),
    ] {
        let markup = format!("<p>{TEXT}</p>{list}<p>{TEXT}</p>");
        assert_eq!(kept(&markup).len(), 2, "{markup}");
    }
    let lone = format!("<p>{TEXT}</p>{}<p>{TEXT}</p>", headings[0]);
    assert_eq!(kept(&lone).len(), 3);
}

#[test]
fn what_looks_like_promotion_stays_as_a_sure_item_among_others() {
    let link =
        |text: &str, odds: f32| format!("<li>{text} <a href=/a>building rapport [{odds}]</a>");
    let work = "<li>Listening Effectively, by John Kline";
    for (items, count) in [
        (format!("{work}{}{work}", link("See also", 2.0)), 3),
        (format!("{}{work}{work}", link("See also", 2.0)), 3),
        // in doubt, with a mark, or the others are alike
        (format!("{work}{}{work}", link("See also", 0.9)), 2),
        (format!("{work}{}{work}", link("See also:", 2.0)), 2),
        (link("See also", 2.0).repeat(3), 0),
    ] {
        let markup = format!("<p>{TEXT}</p><ul>{items}</ul><p>{TEXT}</p>");
        assert_eq!(kept(&markup).len(), count + 2, "{items}");
    }
}

#[test]
fn numbers_one_after_the_other_go() {
    let page = |numbers: &[&str], element: &str| {
        let numbers = numbers.iter();
        let numbers: String = numbers
            .map(|number| format!("<{element}>{number}</{element}>"))
            .collect();
        kept(&format!("<p>{TEXT}</p>{numbers}<p>{TEXT}</p>")).len() - 2
    };
    let slides = ["1", "2", "3", "4", "5", "6"];
    assert_eq!(page(&slides, "div"), 0);
    assert_eq!(page(&["8", "9", "10", "11", "12"], "p"), 0);
    // results, years without an end, and a few
    assert_eq!(page(&["1", "3", "2", "0", "4", "1"], "div"), 6);
    assert_eq!(page(&["2001", "2003", "2005", "2007", "2009"], "p"), 5);
    assert_eq!(page(&slides[..4], "div"), 4);
    assert_eq!(page(&["1", "2", "3 €", "4", "5"], "div"), 5);
}

#[test]
fn cards_inside_of_cards_go_with_them() {
    let card = |text: &str| {
        format!(
            "<div class=card><h3>Tax [-1]</h3>{text}<div class=m><a href=/a>More [-1.9]</a></div></div>"
        )
    };
    let plain = card("<div class=t>Advice for a firm and its people [0.5]</div>");
    let other = card("<p>Advice for a firm and its people [-.5]</p>");
    let row = format!("<div class=tier>{plain}{plain}{other}</div>");
    let unlikely = format!(
        "<div class=tier>{}</div>",
        card("<div class=t>Advice for a firm [-2]</div>").repeat(3)
    );
    let rows = [row, unlikely.clone(), unlikely].concat();
    assert_eq!(kept(&format!("<p>{TEXT}</p>{rows}<p>{TEXT}</p>")).len(), 2);
}

#[test]
fn filters_go_with_their_values_but_not_what_is_called_like_them() {
    let page = |part: &str| format!("<h1>Benches</h1><p>{TEXT}</p>{part}<h2>Oak</h2><p>{TEXT}</p>");
    for (part, left) in [
        (
            "<h2>Filter:</h2><p>Brand</p><ul><li>Holm (12)<li>Ash (7)</ul><p>Sort by:</p>",
            0,
        ),
        ("<h3>Filtern nach Marke</h3><ul><li>Holm (12)</ul>", 0),
        (
            "<h2>Filters</h2><p>Availability</p><ul><li>In stock (2)</ul>",
            0,
        ),
        ("<div>Filter</div><div>Sort by</div>", 0),
        // a part of a manual, years, and a name alone
        (
            "<h3>Filter</h3><p>It leaves out what is empty in a list of any length.</p>",
            2,
        ),
        ("<h3>Sort</h3><ul><li>Holm (1999)</ul>", 2),
        (
            "<h3>Filter</h3><p>It leaves out what is empty in a list of any length at all.</p><h3>Sort</h3><p>It puts what is in a list of any length in order, if it can.</p>",
            4,
        ),
        ("<ul><li>Filter<li>Sort by</ul>", 2),
        ("<ul><li>Holm (12)<li>Ash (7)</ul>", 2),
        ("<p>Filter</p>", 1),
    ] {
        assert_eq!(kept(&page(part)).len(), 4 + left, "{part}");
    }
}

#[test]
fn dates_of_posts_stay_between_their_headings_and_texts() {
    let post = |date: &str| format!("<article><h2>Ash</h2>{date}<p>{TEXT}</p></article>");
    let last = |date: &str| format!("<article><h2>Ash</h2><p>{TEXT}</p>{date}</article>");
    for (posts, left) in [
        (post("<div>3 May 2025 [-1.5]</div>").repeat(2), 6),
        (
            post("<div>Posted on 3 May 2025 by Ann [-1.5]</div>").repeat(2),
            6,
        ),
        (last("<div>3 May 2025 [-1.5]</div>").repeat(3), 9),
        (post("<div>3 May 2025 [-2.5]</div>").repeat(2), 4),
        (post("<div>3 May 2025 [-1.5]</div>"), 2),
        (post("<div>In the garden [-1.5]</div>").repeat(2), 4),
        (
            post("<div>Ash</div><div>3 May 2025 [-1.5]</div>").repeat(2),
            6,
        ),
    ] {
        assert_eq!(kept(&posts).len(), left, "{posts}");
    }
}

#[test]
fn the_rights_of_the_site_are_no_text_below_the_text() {
    let page = |line: &str, after: &str| {
        let head = "<title>Bees | Hive</title><h1>Bees</h1>";
        format!("{head}<p>{TEXT}</p>{line}{after}")
    };
    let below = format!("<p>{TEXT}</p>");
    for (line, after, left) in [
        ("<p>© 2025 The Hive. All rights reserved.</p>", "", 0),
        ("<div>Copyright © 2025, The Hive</div>", "", 0),
        (
            "<p>You are receiving this email because you signed up at the fair.</p>",
            "",
            0,
        ),
        ("<p>You are receiving this letter.</p>", "", 1),
        (
            "<p>(c) The Hive 2025</p><p>Alle Rechte vorbehalten.</p>",
            "",
            0,
        ),
        ("<p>© RIPRODUZIONE RISERVATA</p>", "", 0),
        // an agency, an author, a licence, a sentence, a heading
        (
            "<p>© 2025 The Harbour Press. All rights reserved.</p>",
            "",
            1,
        ),
        ("<p>© Ann Bee</p>", "", 1),
        ("<p>Copyright 2025 The Hive</p>", below.as_str(), 2),
        ("<p>Copyright law changed in 2025.</p>", "", 1),
        ("<h2>All rights reserved</h2>", "<p>A poem</p>", 2),
    ] {
        assert_eq!(kept(&page(line, after)).len(), 2 + left, "{line}");
    }
}

#[test]
fn answers_of_a_discussion_stay_unless_they_are_boilerplate() {
    let page = |class: &str, label: &str, odds: &str| {
        let one = |at: usize| {
            format!(
                "<li><div class={label}><i>Ann [-4]</i><div><p>{TEXT} {at} [{odds}]</div></div>"
            )
        };
        let said: String = (0..4).map(one).collect();
        format!("<body class={class}><h1>Pier</h1><p>{TEXT}</p><ol>{said}</ol>")
    };
    for (class, label, odds, count) in [
        ("forum", "comment", "-1", 6),
        ("forum", "reply-12", "-1.9", 6),
        // clearly boilerplate
        ("forum", "comment", "-2.5", 2),
        ("forum", "teaser", "-1", 2),
        ("article", "comment", "-1", 2),
    ] {
        let found = kept(&page(class, label, odds));
        assert_eq!(found.len(), count, "{class} {label} {odds} {found:?}");
    }
    // below a long text a few answers decide for themselves
    let long = format!("<p>{TEXT}</p>").repeat(20);
    let few = page("forum", "comment", "-1").replace("<ol>", &format!("{long}<ol>"));
    assert!(!kept(&few).iter().any(|line| line.ends_with(" 1")));
}

#[test]
fn a_definition_in_doubt_stays_with_its_term() {
    for (odds, count) in [(-0.5, 13), (-2.0, 5)] {
        let one = |at: usize| {
            let lines =
                format!("<div>{TEXT} {at} [{odds}]</div><div>By Ann and Bob [{odds}]</div>");
            format!("<dt>[{at}] Paper<dd><div>{lines}</div>")
        };
        let list: String = (0..4).map(one).collect();
        let found = kept(&format!("<p>{TEXT}<dl>{list}</dl>"));
        assert_eq!(found.len(), count, "{odds} {found:?}");
    }
}

#[test]
fn a_heading_with_its_picture_stays_above_text_that_comes_after_them() {
    let page = |head: &str, box_of: &str, after: &str| {
        format!(
            "<p>{TEXT}<section><div>{head}{box_of}</div>{after}</section><h2>Piers</h2><p>{TEXT}"
        )
    };
    let head = "<h3>Lamp Two [1.5]</h3>";
    let links =
        "<div><a href=/b>Buy at a shop [-3]</a></div><div><a href=/c>Or there [-3]</a></div>";
    let picture = format!("<figure><figcaption>Ann Bee [-3]</figcaption></figure>{links}");
    let text = format!("<p>{TEXT}");
    for (head, box_of, after, stays) in [
        (head, &picture, text.as_str(), true),
        (head, &picture, "<h3 class=a>Why [-3]</h3>", false),
        (head, &picture, "", false),
        ("<h3>Lamp Two [0.5]</h3>", &picture, &text, false),
        (head, &links.to_owned(), &text, false),
    ] {
        let markup = page(head, box_of, after);
        assert_eq!(
            kept(&markup).contains(&"Lamp Two".to_owned()),
            stays,
            "{markup}"
        );
    }
    // the links of a gallery are not a menu
    let gallery = "<div><a href=/a>View photos [-3]</a><figcaption><a href=/b>Ann [-3]</a></figcaption></div>";
    let found = kept(&format!(
        "<p>{TEXT}<h2>Lamp Two [0.5]</h2>{gallery}<p>{TEXT}"
    ));
    assert!(found.contains(&"Lamp Two".to_owned()), "{found:?}");
}

#[test]
fn a_term_of_a_list_of_its_own_stays_with_its_definition() {
    let of = |term: &str, definition: &str| {
        kept(&format!(
            "<p>{TEXT}<dl><dt>{term}<dd><p>{definition}</dl><p>{TEXT}"
        ))
    };
    assert_eq!(
        of("PORT [-1]", "The port. [1]"),
        [TEXT, "PORT", "The port.", TEXT]
    );
    assert_eq!(of("PORT [-1]", "The port. [-3]"), [TEXT, TEXT]);
    let inner = "<dt>Hash [-1]<dt>Trees [-1]";
    let contents = format!("<p>{TEXT}<dl><dt>Kinds<dd><dl>{inner}</dl></dd><dt>Order</dl>");
    assert_eq!(kept(&contents).len(), 5);
}

#[test]
fn values_of_a_definition_list_may_be_links() {
    let list = |odds: &str| {
        let rows = ["Port", "Owner", "Site"]
            .map(|name| format!("<dt>{name} [2]<dd><a href=/a>The {name} of it {odds}</a>"));
        kept(&format!("<p>{TEXT}<dl>{}</dl><p>{TEXT}", rows.concat()))
    };
    assert_eq!(list("[-.5]").len(), 8);
    assert_eq!(list("[-2]").len(), 5);
}

#[test]
fn a_detail_stays_if_it_is_kept_in_most_items() {
    let items = |odds: [&str; 4]| {
        let item = |(at, odds): (usize, &&str)| {
            format!(
                "<li class=post><header>Ann{at} on day {at}:0{at} {odds}</header><p>{TEXT} {at}"
            )
        };
        let items: String = odds.iter().enumerate().map(item).collect();
        let list = kept(&format!("<p>{TEXT}<ol>{items}</ol>"));
        list.iter().filter(|line| line.starts_with("Ann")).count()
    };
    assert_eq!(items(["[-1]", "[-1]", "[-1]", "[-1]"]), 0);
    assert_eq!(items(["[3.1]", "[3.1]", "[3.1]", "[-3.9]"]), 3);
    assert_eq!(items(["[3.1]", "[3.1]", "[-1]", "[3.1]"]), 4);
}
