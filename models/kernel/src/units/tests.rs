//! Which blocks form a unit.

use super::*;

/// The units of a kind: their texts, members divided by `|`.
fn found(markup: &str, kind: UnitKind) -> Vec<String> {
    let table = read(markup);
    let units = Units::of(&table);
    let text = |span: &Span| {
        let blocks = table.blocks[span.blocks()].iter();
        let texts: Vec<&str> = blocks.map(|block| table.text_of(block)).collect();
        texts.join(" ")
    };
    let of_kind = units.all.iter().filter(|unit| unit.kind == kind);
    of_kind
        .map(|unit| {
            let members: Vec<String> = units.members(unit).iter().map(text).collect();
            members.join("|")
        })
        .collect()
}

#[test]
fn a_table_is_its_rows_and_a_table_of_layout_is_none() {
    let rows = "<tr><th>Tree<th>Age<tr><td>Ash<td>49<tr><td>Birch<td>60";
    for (markup, rows) in [
        (
            format!("<p>a<table>{rows}</table><p>b"),
            "Tree Age|Ash 49|Birch 60",
        ),
        (
            format!("<table><caption>Trees</caption>{rows}</table>"),
            "Tree Age|Ash 49|Birch 60",
        ),
    ] {
        assert_eq!(found(&markup, UnitKind::Table), [rows], "{markup}");
    }
    let nested = format!("<table><tr><td>menu<td><table>{rows}</table></table>");
    assert_eq!(found(&nested, UnitKind::Table).len(), 1);
    assert!(found("<table><tr><td>menu<td>text</table>", UnitKind::Table).is_empty());
    let headline =
        "<table><tr><th colspan=2><h1>A roof falls in</h1><tr><td>Print<td>Discuss</table>";
    assert!(found(headline, UnitKind::Table).is_empty());
    assert_eq!(
        found(&headline.replace("h1", "h3"), UnitKind::Table).len(),
        1
    );
    let beside = format!("<table>{rows}</table><table>{rows}</table>");
    assert_eq!(found(&beside, UnitKind::Table).len(), 2);
}

#[test]
fn roles_make_a_table_too() {
    let cells = |one: &str, two: &str| {
        format!("<div role=row><div role=cell>{one}</div><div role=cell>{two}</div></div>")
    };
    let rows = cells("Ash", "49") + &cells("Birch", "60");
    for markup in [
        format!("<p>a<div role=table>{rows}</div><p>b"),
        format!("<div role='grid'><div role=rowgroup>{rows}</div></div>"),
    ] {
        assert_eq!(
            found(&markup, UnitKind::Table),
            ["Ash 49|Birch 60"],
            "{markup}"
        );
    }
    let prose = "A text of some length about the trees of the park, ".repeat(4);
    let prose = format!(
        "<div role=grid>{}{rows}</div>",
        cells(&prose, &prose).repeat(2)
    );
    assert!(found(&prose, UnitKind::Table).is_empty());
    assert!(found(&cells("Ash", "49"), UnitKind::Table).is_empty());
}

#[test]
fn the_caption_of_a_table_belongs_to_it_and_is_no_row() {
    let table = read("<table><caption>Trees</caption><tr><td>Ash<td>49<tr><td>Birch<td>60</table>");

    let units = Units::of(&table);

    assert_eq!(units.all[0].span, Span::new(0, 5));
    assert_eq!(units.members(&units.all[0])[0], Span::new(1, 3));
}

#[test]
fn lists_have_their_items_whatever_stands_in_them() {
    for (markup, items) in [
        ("<ul><li>a<li>b<li>c</ul>", vec!["a|b|c"]),
        ("<ol><li><p>a</p><p>b</p><li>c</ol>", vec!["a b|c"]),
        (
            "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>",
            vec!["a b c|d", "b|c"],
        ),
        ("<ul><li>a</ul>", vec![]),
        ("<ul><li></li><li>a<li>b</ul>", vec!["a|b"]),
        ("<menu><li>a<li>b</menu>", vec!["a|b"]),
        ("<ul><div>a</div><div>b</div></ul>", vec!["a|b"]),
    ] {
        assert_eq!(found(markup, UnitKind::List), items, "{markup}");
    }
}

#[test]
fn the_letters_of_an_index_lead_to_no_notes() {
    let index = "<p>All: <a href=#a>A</a> | <a href=#b>B</a> | <a href=#e>\u{c9}</a></p>";
    for parts in [
        "<p id=a>A<p>Ash<p id=b>B<p>Birch<p id=e>\u{c9}<p>\u{c9}rable",
        "<p><a name=a>A</a><p>Ash<p><a name=b>B</a><p>Birch",
        "<dl><dt id=a>A<dt id=b>B</dl>",
    ] {
        let found = found(&format!("{index}{parts}"), UnitKind::Notes);
        assert!(found.is_empty(), "{parts}");
    }
    // a note has words
    let notes = format!("{index}<p id=a>A Ash.<p id=b>B Birch.");
    assert_eq!(found(&notes, UnitKind::Notes), ["A Ash.|B Birch."]);
}

#[test]
fn notes_that_marks_link_to_are_notes_wherever_they_are() {
    let text = "<p>It is so.<sup><a href=#a>1</a></sup> It was.<a href=#b>[2]</a></p>";
    for (notes, found_notes) in [
        ("<hr><p id=a>1. c<p><a name=b></a>2. d", vec!["1. c|2. d"]),
        (
            "<div id=a>c<p>d</div><p>e<div id=b>f</div>",
            vec!["c d", "f"],
        ),
        ("<div class=footnotes><p id=a>c<p id=b>d</div>", vec!["c d"]),
        (
            "<div><a id=a></a>c<br><br><a id=b></a>d<br><br>e</div>",
            vec!["c|d"],
        ),
        (
            "<table><tr><td id=a>1<td>c<tr><td><a id=b></a>2<td>d</table>",
            vec!["1 c|2 d"],
        ),
        ("<section id=a><h2>c</h2>d</section>", vec![]),
    ] {
        assert_eq!(
            found(&format!("{text}{notes}"), UnitKind::Notes),
            found_notes,
            "{notes}"
        );
    }
}

#[test]
fn a_term_and_its_definitions_are_one_member() {
    for (markup, members) in [
        ("<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>", vec!["a b c|d e"]),
        ("<dl><dt>a<dt>b<dd>c<dt>d<dd>e</dl>", vec!["a b c|d e"]),
        ("<dl><dt>a<dd>b</dl>", vec!["a b"]),
        ("<dl><dt>a<dd>b<dd>c</dl>", vec![]),
        ("<dl><dt>a<dt>b</dl>", vec!["a|b"]),
        ("<dl><dd>a<dd>b</dl>", vec!["a|b"]),
    ] {
        assert_eq!(found(markup, UnitKind::Definitions), members, "{markup}");
    }
}

#[test]
fn siblings_of_one_name_and_class_are_a_series_and_posts_a_thread() {
    let siblings = |label: &str, count: usize| -> String {
        let each =
            (0..count).map(|at| format!("<div {}>{at}</div>", label.replace('#', &at.to_string())));
        each.collect()
    };
    for (label, count, series, threads) in [
        ("class=card", 3, vec!["0|1|2"], vec![]),
        ("class=card", 2, vec![], vec![]),
        ("class='card card-#'", 3, vec!["0|1|2"], vec![]),
        ("class='card odd' id=c#", 3, vec!["0|1|2"], vec![]),
        ("", 3, vec![], vec![]),
        ("class=post", 2, vec![], vec!["0|1"]),
        ("class=postbody", 2, vec![], vec!["0|1"]),
        ("id=comment-#", 2, vec![], vec!["0|1"]),
        ("class=message", 2, vec![], vec!["0|1"]),
        ("itemtype=https://schema.org/Answer", 2, vec![], vec!["0|1"]),
        ("class=poster", 3, vec!["0|1|2"], vec![]),
    ] {
        let markup = siblings(label, count);
        assert_eq!(found(&markup, UnitKind::Series), series, "{label}");
        assert_eq!(found(&markup, UnitKind::Thread), threads, "{label}");
    }
}

#[test]
fn an_accepted_answer_is_in_one_thread_with_the_others() {
    for other in ["answer accepted-answer", "answer accepted", "answer online"] {
        let markup = format!("<div class='{other}'>a</div><div class=answer>b</div>");
        assert_eq!(found(&markup, UnitKind::Thread), ["a|b"], "{other}");
    }
    let markup = "<div class='answer form'>a</div><div class=answer>b</div>";
    assert!(found(markup, UnitKind::Thread).is_empty());
}

#[test]
fn containers_of_one_class_with_unlike_contents_are_no_series() {
    let columns = |contents: [&str; 3]| {
        contents
            .map(|each| format!("<section class=col>{each}</section>"))
            .concat()
    };
    let card = "<h3>a</h3><p>b</p>";

    let cards = columns([card, card, "<p>b</p>"]);
    let grid = columns([
        "<h1>a</h1><p>b</p>",
        "<ul><li>c<li>d</ul>",
        "<h4>e</h4><div>f</div>",
    ]);

    assert_eq!(found(&cards, UnitKind::Series), ["a b|a b|b"]);
    assert!(found(&grid, UnitKind::Series).is_empty());
}

#[test]
fn a_heading_governs_what_follows_to_the_next_of_its_level_or_the_end_of_its_element() {
    for (markup, sections) in [
        ("<h2>A</h2><p>a<p>b<h2>B</h2><p>c", vec!["a b", "c"]),
        (
            "<h2>A</h2><p>a<h3>B</h3><p>b<h2>C</h2><p>c",
            vec!["a B b", "b", "c"],
        ),
        ("<div><h2>A</h2><p>a</div><p>b", vec!["a"]),
        ("<div><header><h2>A</h2></header><p>a</div><p>b", vec!["a"]),
        ("<h2>A</h2><h2>B</h2><p>b", vec!["b"]),
        ("<p>a<h2>A</h2>", vec![]),
        ("<h2>A<div>B</div></h2><p>a", vec!["a"]),
        ("<ul><li>a<li><h2>A</h2></ul><p>b", vec![]),
        ("<ul><li><h2>A</h2><li>a<li>b</ul><p>c", vec!["a b"]),
        ("<ul><li>a<h2>A</h2><li>b</ul>", vec![]),
    ] {
        assert_eq!(found(markup, UnitKind::Section), sections, "{markup}");
    }
}

#[test]
fn notes_are_found_by_roles_classes_and_headings() {
    for markup in [
        "<div class=footnotes role=doc-endnotes><ol><li>n<li>m</ol></div>",
        "<section class='footnotes footnotes-end-of-document'><ol><li>n<li>m</ol></section>",
        "<aside role=doc-endnotes><p>n<p>m</aside>",
        "<ol class=wp-block-footnotes><li>n<li>m</ol>",
        "<div class='mw-references-wrap'><ol class=references><li>n<li>m</ol></div>",
        "<div class='reflist columns'><ol class=references><li>n<li>m</ol></div>",
        "<ol class=easy-footnotes-wrapper><li>n<li>m</ol>",
        "<section class=ref-list><ul><li>n<li>m</ul></section>",
        "<h2>References</h2><p>n<p>m",
        "<h2>7. Literatur</h2><p>n<p>m",
        "<h3>Notes :</h3><ol><li>n<li>m</ol>",
        "<h2>参考文献</h2><p>n<p>m",
        "<p><b>References</b><p>n<p>m",
        "<p>Quellen:<ul><li>n<li>m</ul>",
    ] {
        let markup = format!("<p>text{markup}");
        assert_eq!(found(&markup, UnitKind::Notes), ["n m"], "{markup}");
    }
    for markup in [
        "<div class=footer><p>n</div>",
        "<div class=release-notes><p>n</div>",
        "<h2>Notes for visitors</h2><p>n",
        "<div class=reference><p>n</div>",
        "<p>References<p>n",
        "<p>References<p>n<div>m</div>",
        "<p>References<div>n</div><div>m</div>",
    ] {
        assert!(found(markup, UnitKind::Notes).is_empty(), "{markup}");
    }
}

#[test]
fn figures_are_units() {
    let figure = "<figure><img src=a><figcaption>A bee</figcaption></figure>";
    assert_eq!(found(figure, UnitKind::Figure), ["A bee"]);
}

#[test]
fn each_unit_knows_the_smallest_around_it() {
    let table = read("<h2>A</h2><ul><li>a<ul><li>b<li>c</ul><li>d</ul><p>e");

    let units = Units::of(&table);

    let kinds: Vec<&str> = units.all.iter().map(|unit| unit.kind.as_str()).collect();
    let parents: Vec<u32> = units.all.iter().map(|unit| unit.parent).collect();
    assert_eq!(kinds, ["section", "list", "list"]);
    assert_eq!(parents, [NO_UNIT, 0, 1]);
}

#[test]
fn a_page_without_blocks_or_elements_has_what_can_be_known() {
    assert_eq!(Units::of(&BlockTable::default()), Units::default());
    let mut table = read("<h2>A</h2><table><tr><td>a<td>b<tr><td>c<td>d</table>");
    table.elements = None;

    let units = Units::of(&table);

    let kinds: Vec<UnitKind> = units.all.iter().map(|unit| unit.kind).collect();
    assert_eq!(kinds, [UnitKind::Table]);
}

#[test]
fn units_hold_their_members_in_order_whatever_the_page() {
    let parts = [
        "<ul>",
        "<li>a",
        "</ul>",
        "<h2>b</h2>",
        "<table>",
        "<tr><td>c<td>d",
        "</table>",
        "<div class=post>",
        "</div>",
        "<p>e",
        "<pre>f",
        "</pre>",
        "<h3>g",
        "<dl><dt>h<dd>i",
    ];
    let mut seed = 1_u64;
    let mut units_seen = 0;
    for _ in 0..200 {
        let mut markup = String::new();
        for _ in 0..30 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            markup.push_str(parts[(seed >> 33) as usize % parts.len()]);
        }
        let table = read(&markup);
        let units = Units::of(&table);
        units_seen += units.all.len();
        for (at, unit) in units.all.iter().enumerate() {
            assert!(unit.span.end as usize <= table.blocks.len(), "{markup}");
            assert!(
                unit.parent == NO_UNIT || (unit.parent as usize) < at,
                "{markup}"
            );
            let mut end = unit.span.first;
            for member in units.members(unit) {
                assert!(
                    unit.span.holds(*member) && member.first >= end,
                    "{markup} {unit:?}"
                );
                end = member.end;
            }
        }
    }
    assert!(units_seen > 500, "{units_seen}");
}

#[test]
fn items_that_no_list_is_around_are_a_list_if_they_are_next_to_each_other() {
    for (markup, lists) in [
        (
            "<p>a<li>Ash<li>Birch<li>Fir</li><p>b",
            vec!["Ash|Birch|Fir"],
        ),
        (
            "<div><li>Ash</li><li>Birch</li></div><div><li>Elm</li><li>Fir</li></div>",
            vec!["Ash|Birch", "Elm|Fir"],
        ),
        (
            "<li>Ash<li>Birch</li><h3>b</h3><li>Elm<li>Fir",
            vec!["Ash|Birch", "Elm|Fir"],
        ),
        ("<li>Ash</li><h3>b</h3><li>Fir", vec![]),
        // an item that is not closed is around the rest of the page
        ("<li>Ash<li>Birch<li>Fir<h3>b</h3><p>c", vec!["Ash|Birch"]),
        ("<ul><li>Ash<li>Birch</ul><p>a<li>Fir", vec!["Ash|Birch"]),
    ] {
        assert_eq!(found(markup, UnitKind::List), lists, "{markup}");
    }
}
