//! Data tables.

use super::*;

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
    // between text, however long the caption
    let long = "<figcaption>Ships of the old harbour in summer [-1.5]</figcaption>";
    let table = "<table><tr><td>Anna [-1]<td>Mary [-1]<tr><td>Anna [-1]<td>Mary [-1]</table>";
    for (figure, count) in [
        (format!("<figure>{table}{long}</figure>"), 7),
        (format!("<figure>{long}{table}</figure>"), 7),
        (format!("<div>{table}<div>{long}</div></div>"), 2),
    ] {
        let markup = format!("<p>{TEXT}</p>{figure}<p>{TEXT}</p>");
        assert_eq!(kept(&markup).len(), count, "{figure}");
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
fn a_table_of_links_inside_text_stays_if_it_has_headers() {
    let table = |cell: &str, rows: usize| {
        let head = format!("<tr><{cell}>Name [-1]</{cell}><{cell}>Goals [-1]</{cell}>");
        let row = "<tr><td><a href=/a>Anna [-1]</a><td><a href=/b>12 [-1]</a>";
        format!(
            "<p>{TEXT}<table>{head}{}</table><p>{TEXT}",
            row.repeat(rows)
        )
        .replace("Name [-1]", "<a href=/n>Name [-1]</a>")
        .replace("Goals [-1]", "<a href=/g>Goals [-1]</a>")
    };
    assert_eq!(kept(&table("th", 2)).len(), 8);
    // two rows of links, or no headers
    assert_eq!(kept(&table("th", 1)).len(), 2);
    assert_eq!(kept(&table("td", 2)).len(), 2);
}

#[test]
fn controls_around_a_table_are_not_between_it_and_the_text() {
    let table = "<table><tr><td>Anna [-1]<td>Mary [-1]<tr><td>Eve [-1]<td>Ida [-1]</table>";
    let page = |above: &str, below: &str| {
        format!("<p>{TEXT}</p>{above}{table}<div>1 to 2 of 2 [-.5]</div>{below}<p>{TEXT}</p>")
    };
    let bars = "<div>Show entries [-.5]</div><div>Search [-1.5]</div>";
    assert_eq!(kept(&page(bars, "<div>Next [-1]</div>")).len(), 6);
    assert_eq!(kept(&page(&bars.repeat(2), "")).len(), 2);
    assert_eq!(kept(&page(bars, "<div>Gone [-3]</div>")).len(), 2);
}

#[test]
fn the_title_and_the_notes_of_a_table_stay_in_a_box_with_it() {
    let table = "<table><tr><td>Anna<td>Mary<tr><td>Eve<td>Ida</table>";
    let page = |above: &str, below: &str| {
        format!("<p>{TEXT}</p><div>{above}<div>{table}</div>{below}</div><p>{TEXT}</p>")
    };
    for (above, below) in [
        ("<div class=caption><p>Ships [-1]</p></div>", ""),
        ("<span>Table 1. Ships [-1]</span>", ""),
        ("", "<div class=tblwrap-foot><div>a Ships [-1]</div></div>"),
        ("", "<p class=source>Ships [-1]</p>"),
    ] {
        assert_eq!(kept(&page(above, below)).len(), 7, "{above}{below}");
    }
    for (above, below) in [
        ("<div class=bar><p>Ships [-1]</p></div>", ""),
        ("<div class=caption><p>Ships [-3]</p></div>", ""),
        ("", "<p class=footer>Ships [-1]</p>"),
        // in a box with other text
        (
            "<p>One</p><p>Two</p><div class=caption>Ships [-1]</div>",
            "",
        ),
    ] {
        assert!(
            !kept(&page(above, below)).contains(&"Ships".to_owned()),
            "{above}{below}"
        );
    }
    // of a dropped table
    let gone = page("<span>Table 1. Ships [-1]</span>", "").replace("Anna<", "Anna [-9]<");
    let gone = gone
        .replace("Mary<", "Mary [-9]<")
        .replace("Eve<", "Eve [-9]<");
    assert_eq!(kept(&gone), [TEXT, TEXT]);
}
