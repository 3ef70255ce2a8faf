//! Footnotes and references.

use super::*;

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
    // in doubt they are
    let doubted = links.replace("[-2]", "[-0.5]");
    assert_eq!(kept(&format!("<p>{TEXT}{doubted}")).len(), 3);
    assert_eq!(kept(&format!("<p>Kept<p>{TEXT} [-3]{doubted}")), ["Kept"]);
    // the heading of links that stay, also where it opens them
    let links = links.replace("[-2]", "[2]");
    let opened = links.replace("Sources [-1]", "<a href=#s>Sources [-1]</a>");
    let gone = opened.replace("</ul>", &format!("<li><a href=/b>{TEXT} [-3]</a></ul>"));
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
        format!("<p>{LEAD}<div><p>{TEXT} {mark} [{odds}]</div><footer>{note}</footer>")
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
        assert_eq!(settled(&bodies("-2", mark, &liked)).0, [LEAD], "{note}");
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
fn notes_for_the_eyes_and_for_the_ears_are_written_once() {
    let note =
        |label: &str| format!("<li>{label} {TEXT} [-2.5]<li>{label} Ash, elm and oak [-2.5]");
    let notes = |label: &str| format!("<ul class=footnotes>{}</ul>", note(label));
    for (second, count) in [("", 4), ("No", 5)] {
        let markup = format!("<p>{TEXT}</p>{}{}", notes("Note 1"), notes(second));
        assert_eq!(kept(&markup).len(), count, "{second}");
    }
}
