//! Headings and titles.

use super::*;

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
fn a_line_of_a_card_does_not_stay_for_the_heading_above_all_cards() {
    let card = |title: &str| format!("<div class=card><p>{title}</p></div>");
    let cards: String = ["Tea [-.5]", "Jam [-2]", "Oil [-2]"].map(card).concat();
    let markup = format!("<p>{TEXT}</p><h2>More [2]</h2>{cards}<h2>Next</h2><p>{TEXT}</p>");
    assert_eq!(kept(&markup), [TEXT, "Next", TEXT]);
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
    let one_is_kept = [3.5, -1.5, -2.2];
    assert_eq!(count(&titles("<h4>", "</h4>", one_is_kept), TEXT), 6);
    let signs = "</h4><i><div>\u{2192} [-2]</div><div>+ [-2]</div></i>".repeat(2);
    assert_eq!(count(&titles("<h4>", &signs, [-1.0; 3]), TEXT), 6);
    let labels = signs.replace('+', "open");
    assert_eq!(count(&titles("<h4>", &labels, [-1.0; 3]), TEXT), 6);
    let labels = labels.replace('\u{2192}', "close");
    assert_eq!(count(&titles("<h4>", &labels, [-1.0; 3]), TEXT), 3);
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
fn the_heading_of_a_player_without_words_goes() {
    let page = |heading: &str, below: &str| {
        let lines = kept(&format!("<p>{TEXT}</p>{heading}{below}<p>{TEXT}</p>"));
        lines.iter().filter(|line| *line != TEXT).count()
    };
    let next = "<h2>The way</h2>";
    for heading in [
        "<h2>Video</h2>",
        "<h3>Vidéos :</h3>",
        "<h2>ВИДЕО</h2>",
        "<h2>動画</h2>",
    ] {
        assert_eq!(page(heading, next), 1, "{heading}");
    }
    // words or parts below it, another heading, or a sure one
    for (heading, below) in [
        ("<h2>Video</h2>", "<p>Ann at sea</p>"),
        ("<h2>Video</h2>", "<h3>Ann at sea</h3>"),
        ("<h2>Video games</h2>", next),
        ("<h2>Video [4]</h2>", next),
        ("<p>Video</p>", next),
    ] {
        assert_eq!(page(heading, below), 2, "{heading}{below}");
    }
}
