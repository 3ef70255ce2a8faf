//! What is written once.

use super::*;

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
        (list, vec![2.0, 3.5, 2.0, 3.9, 2.0, 0.5], vec![]),
        (posts, vec![3.0, 2.0], vec![]),
    ] {
        let given = |at: usize, _: &[&str]| Some(odds[at]);
        let (_, judgement) = judged(&markup, given);
        let copies = (0..odds.len()).filter(|at| judgement.deciders[*at] == Decider::Copy);
        assert_eq!(copies.collect::<Vec<_>>(), gone, "{markup} {odds:?}");
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
        (
            format!(
                "<div class=reader>{TEXT} {}</div>",
                other.replace(' ', " not ")
            ),
            3,
        ),
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

/// The numbers of the blocks that go as copies, if the blocks have some log-odds.
fn copies_of(markup: &str, odds: &[f32]) -> Vec<usize> {
    let (_, judgement) = judged(markup, |at, _| odds.get(at).copied());
    let decided = judgement.deciders.iter().enumerate();
    let copies = decided.filter(|(_, by)| **by == Decider::Copy);
    copies.map(|(at, _)| at).collect()
}

#[test]
fn a_text_that_is_cut_off_above_the_whole_one_is_written_once() {
    let page = |first: &str| format!("<p>{first}</p><p>{TEXT} It stands there.</p>");
    for end in ["…", "..."] {
        let cut = format!("{}{end}", &TEXT[..60]);
        assert_eq!(
            kept(&page(&cut)),
            [format!("{TEXT} It stands there.")],
            "{cut}"
        );
    }
    assert_eq!(kept(&page(TEXT)).len(), 2);
}

#[test]
fn an_excerpt_of_a_longer_text_is_written_once() {
    let more = "It stands there for a hundred years, and nobody has ever asked why.";
    let other = "Another text about something else that stands nowhere else on this page.";
    let (begins, ends) = (format!("{TEXT} {more}"), format!("{more} {TEXT}"));
    let item =
        |title: &str| format!("<li><h3>{TEXT} {title}</h3><p>$ 20<div><h3>{TEXT}</h3></div>");
    let needs = "<ul><li>2 eggs<li>½ cup of milk<li>40 g butter</ul>";
    for (markup, odds, gone) in [
        // a pull quote, a standfirst, the likely text of a title
        (
            format!("<p>{begins}<div>{TEXT}</div>"),
            vec![3.9, 3.9],
            vec![1],
        ),
        (
            format!("<p>{ends}<div>{TEXT}</div>"),
            vec![3.9, 3.9],
            vec![1],
        ),
        (
            format!("<h2>{TEXT}</h2><p>0 {TEXT}"),
            vec![3.0, 3.9],
            vec![0],
        ),
        (
            format!("<ul>{}<li>Net<li>Pier</ul>", item("$ 20")),
            vec![2.0, 2.0, 3.5, 2.0, 2.0],
            vec![2],
        ),
        // one in doubt, further away, also cut off
        (
            format!("<p>{begins}<p>{other}<div>{TEXT}</div>"),
            vec![2.0, 2.0, 1.0],
            vec![2],
        ),
        (
            format!("<div>{TEXT}..</div><p>{other}<p>{begins}"),
            vec![1.0, 2.0, 2.0],
            vec![0],
        ),
        (
            format!("<ul><li>{ends}</ul><p>{other}<div>{TEXT}</div>"),
            vec![2.0, 2.0, 1.0],
            vec![2],
        ),
        // a sure one, one likelier than its text, other words, a refrain
        (
            format!("<p>{begins}<p>{other}<div>{TEXT}</div>"),
            vec![2.0, 2.0, 1.7],
            vec![],
        ),
        (
            format!("<p>{begins}<p>{other}<p>Pier<div>{TEXT}</div>"),
            vec![0.5, 2.0, 2.0, 1.0],
            vec![],
        ),
        (
            format!("<p>{begins}<p>{other}<p>Pier<div>{TEXT} No.</div>"),
            vec![2.0, 2.0, 2.0, 1.0],
            vec![],
        ),
        (format!("<p>{begins}<p>{TEXT}"), vec![3.0, 3.0], vec![]),
        // points of a list, entries of a list of contents, a heading, a summary, a post, a quote
        (
            format!("<ul><li>{TEXT}</ul><p>{begins}"),
            vec![1.0, 2.0],
            vec![],
        ),
        (
            format!("<div><a href=#a>1. {TEXT}</a></div><h2 id=a>{TEXT}</h2><p>{other}"),
            vec![2.0; 3],
            vec![],
        ),
        (
            format!("<p>{ends}<p>{other}<h3>{TEXT}</h3><p>{other} Ash."),
            vec![2.0, 2.0, 1.0, 2.0],
            vec![],
        ),
        (
            format!("<p>{begins}<p>{other}<p>Pier<div>{TEXT}</div>{needs}"),
            vec![2.0, 2.0, 2.0, 1.0, 2.0, 2.0, 2.0],
            vec![],
        ),
        (
            format!("<div class=post>{begins}</div><div class=post><p>{TEXT}</div>"),
            vec![3.0, 3.0],
            vec![],
        ),
        (
            format!("<p>{begins}<div class=quote><p>{TEXT}</div>"),
            vec![3.0, 3.0],
            vec![],
        ),
        (
            format!("<p>{begins}<blockquote>{TEXT}</blockquote>"),
            vec![3.0, 3.0],
            vec![],
        ),
    ] {
        assert_eq!(copies_of(&markup, &odds), gone, "{markup}");
    }
}

#[test]
fn the_third_of_three_copies_goes_if_the_second_does() {
    let lines = format!("<p>{TEXT}").repeat(3);
    assert_eq!(copies_of(&lines, &[3.0, 1.9, 1.8]), [1, 2]);
    assert!(copies_of(&lines, &[3.0, 2.5, 1.8]).is_empty());
}

#[test]
fn a_heading_right_below_an_equal_one_goes() {
    let card = |second: &str| format!("<div><h3>Joco Cup 4oz</h3></div><h3>{second}</h3><p>{TEXT}");
    assert_eq!(copies_of(&card("Joco Cup 4oz"), &[2.0, 1.0, 2.0]), [1]);
    assert!(copies_of(&card("Joco Cup 6oz"), &[2.0, 1.0, 2.0]).is_empty());
    // too short to say so, or not right below
    assert!(copies_of(&card("Joco Cup 4oz").replace(" 4oz", ""), &[2.0, 1.0, 2.0]).is_empty());
    let parts = format!("<h3>Joco Cup 4oz</h3><p>{TEXT}</p>").repeat(2);
    assert!(copies_of(&parts, &[2.0, 3.9, 1.0, 3.9]).is_empty());
}

#[test]
fn a_copy_goes_with_what_is_around_it_if_it_is_far_less_likely_or_has_changed_words() {
    let other = "<p>Another text about something else that stands nowhere else on this page.</p>";
    let part = |title: &str, text: &str| format!("<section>{title}<p>{text}</p></section>");
    let equal = format!(
        "{}{other}{}",
        part("<h3>Ash</h3>", TEXT),
        part("<h3>Ash</h3>", TEXT)
    );
    assert_eq!(copies_of(&equal, &[3.0, 3.0, 2.0, 1.8, 1.8]), [3, 4]);
    assert!(copies_of(&equal, &[2.5, 2.5, 2.0, 1.8, 1.8]).is_empty());
    assert!(copies_of(&equal.replace("h3", "p"), &[3.0, 3.0, 2.0, 1.8, 1.8]).is_empty());
    let long =
        format!("{TEXT} It stands there for a hundred years, and nobody has ever asked why.");
    let changed = |to: &str| {
        let again = format!("<p>{}</p>", long.replace("asked why", to));
        format!(
            "{}{other}{}",
            part(&format!("<p>{long}"), TEXT),
            part(&again, TEXT)
        )
    };
    assert_eq!(
        copies_of(&changed("asked how"), &[3.0, 3.0, 2.0, 2.0, 1.4]),
        [3, 4]
    );
    let few = changed("asked him to come and to see what is left of it");
    assert!(copies_of(&few, &[3.0, 3.0, 2.0, 2.0, 1.4]).is_empty());
}

#[test]
fn what_only_its_list_keeps_and_the_same_item_of_two_lists_are_written_once() {
    let item = |text: &str| format!("<li><h3>Ash</h3><p>{text}</p>");
    let other = "Another text about something else that stands nowhere else on this page.";
    let list = format!("<ul>{}</ul>", [TEXT, TEXT, other].map(item).concat());
    // kept for the other items alone
    assert_eq!(copies_of(&list, &[3.0, 3.0, 3.0, -0.4, 3.0, 3.0]), [3]);
    assert!(copies_of(&list, &[3.0, -0.2, 3.0, -0.4, 3.0, 3.0]).is_empty());
    // a step whose words the story has
    let step = format!("<p>{TEXT}<p>{other}<ol><li>Mix it<li>Bake it for an hour<li>{TEXT}</ol>");
    assert!(copies_of(&step, &[3.0, 3.0, 3.0, 3.0, -0.4]).is_empty());
    // a text below a list that has it, in doubt and not
    let below =
        format!("<ul><li>{TEXT}<li>{other}</ul><p>Pier</p><section><p>Elm<p>{TEXT}</section>");
    assert_eq!(copies_of(&below, &[3.0, 3.0, 3.0, 3.0, 0.5]), [4]);
    assert!(copies_of(&below, &[3.0, 3.0, 3.0, 3.0, 1.2]).is_empty());
    // cards of one story in two places, and of two things with the same text
    let cards = |title: &str| {
        let card = |title: &str| format!("<div class=c><h3>{title}</h3><p>{TEXT}</p></div>");
        let row = |title: &str, others: [&str; 2]| {
            let others = others.map(|of| card(of).replace(TEXT, &format!("{of}: {other}")));
            format!("<section>{}{}</section>", card(title), others.concat())
        };
        row("Ash", ["Elm", "Fir"]) + "<p>Pier</p>" + &row(title, ["Yew", "Box"])
    };
    let odds = [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, -0.5, 0.5];
    assert!(copies_of(&cards("Ash"), &odds).contains(&8));
    assert!(!copies_of(&cards("Oak"), &odds).contains(&8));
}
