//! Lists, series, threads and their members.

use super::*;

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
fn items_stay_above_the_kept_list_in_one_of_them() {
    let list = |odds: &str, around: [&str; 2]| {
        let [open, close] = around;
        let inner = format!("<ul><li>Gull [{odds}]<ol><li>old<li>new</ol><li>Tern [{odds}]</ul>");
        kept(&format!(
            "<main><p>{TEXT}</p>{open}{inner}{close}<p>{TEXT}</p></main>"
        ))
    };
    let outer = ["<ul><li>Boats of the island", "<li>Seals</ul>"];
    assert_eq!(list("-1", outer).len(), 8);
    assert_eq!(list("-1", ["", ""]).len(), 6);
    // less likely, or of links
    assert_eq!(list("-3", outer).len(), 6);
    assert_eq!(list("-3", ["", ""]).len(), 4);
    let links = "<ul><li>Boats<ul><li><a href=/x>Gull [-1]</a><ol><li>old</ol></ul></ul>";
    let links = kept(&format!("<main><p>{TEXT}</p>{links}<p>{TEXT}</p></main>"));
    assert!(!links.contains(&"Gull".to_owned()));
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
        let markup = format!("<p>It is new. {LEAD}</p>{markup}");
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

#[test]
fn a_list_of_links_stays_if_a_line_inside_of_the_text_introduces_it() {
    let page = |lead: &str, odds: f32, after: &str| {
        let items = "<li><a href=/a>check the tide [-1.5]</a><li><a href=/b>call [-1.5]</a>";
        format!("<main><p>{TEXT}</p><p>{lead} [{odds}]:</p><ul>{items}</ul>{after}</main>")
    };
    let text = format!("<p>{TEXT}</p>");
    for lead in ["You can", "More than forty boats are here, among them"] {
        assert_eq!(kept(&page(lead, 2.0, &text)).len(), 5, "{lead}");
    }
    for (lead, odds, after) in [
        ("You can", 0.5, text.as_str()),
        ("You can", 2.0, "<p>End [-2]</p>"),
        ("More stories of the port", 2.0, &text),
        ("Weitere Nachrichten", 2.0, &text),
        ("You may also like these", 2.0, &text),
    ] {
        let kept = kept(&page(lead, odds, after));
        assert!(!kept.contains(&"call".to_owned()), "{lead} {odds} {after}");
    }
}

#[test]
fn a_list_stays_below_a_paragraph_of_its_post_or_panel() {
    let posts = |lead: &str, odds: f32| {
        let list = format!("<ol><li>Stop [{odds}]<li>Step off [{odds}]</ol>");
        let post = format!("<div class=post><p>{TEXT}</p></div>");
        format!("{post}<div class=post>{lead}{list}</div>{post}")
    };
    assert_eq!(kept(&posts("<p>Less water.</p>", -1.5)).len(), 5);
    assert_eq!(kept(&posts("<p>Less water.</p>", -2.5)).len(), 3);
    assert_eq!(kept(&posts("<div>Less water.</div>", -1.5)).len(), 3);
    let panels = |odds: f32| {
        let list = format!("<ul><li>Tenants [{odds}]<li>Lodgers [{odds}]</ul>");
        let panel = format!("<div class=panel><p>Anyone in the town.</p>{list}</div>");
        let other = "<div class=panel><p>Your lease.</p></div>";
        format!("<p>{TEXT}</p>{other}{panel}{other}<p>{TEXT}</p>")
    };
    assert_eq!(kept(&panels(-0.5)).len(), 7);
    assert_eq!(kept(&panels(-1.5)).len(), 5);
}

#[test]
fn a_list_in_doubt_stays_below_a_likely_heading() {
    let page = |heading: &str, item: &str, odds: f32| {
        let items = format!("<li>{item}</li>")
            .replace('+', &format!("[{odds}]"))
            .repeat(2);
        let text = format!("<div><p>{TEXT}</p></div>");
        format!("{text}<h2>{heading}</h2><div><ul>{items}</ul></div>{text}")
    };
    let (short, mixed) = ("A whisk +", "<a href=/a>Office</a> for dues +");
    for item in [short, mixed] {
        assert_eq!(kept(&page("Equipment", item, -0.5)).len(), 5, "{item}");
    }
    let comment = "<a href=/u>Ash +</a><p>May 1 +</p><p>A lovely whisk, a lovely bowl +</p>";
    for (heading, item, odds) in [
        ("Equipment [-.5]", short, -0.5),
        ("Equipment", short, -1.5),
        ("You may also like", short, -0.5),
        ("Similar tools", short, -0.5),
        ("Equipment", "\u{2022} +", -0.5),
        ("More recipes you will love", mixed, -0.5),
        ("Equipment", "<a href=/a>A whisk +</a>", -0.5),
        ("2 comments", comment, -0.5),
    ] {
        assert!(
            kept(&page(heading, item, odds)).len() < 4,
            "{heading} {item} {odds}"
        );
    }
    let headline = page("Equipment", short, -0.5);
    let headline = format!("<title>Equipment | A shop</title>{headline}");
    assert!(kept(&headline).len() < 4);
}

#[test]
fn terms_in_doubt_stay_below_their_heading() {
    let page = |heading: f32, odds: f32| {
        let terms = format!("<dl><dt>Lane [{odds}]<dd>A lane of tasks [{odds}]</dl>");
        let text = format!("<div><p>{TEXT}</p></div>");
        format!("{text}<h2>Structs [{heading}]</h2>{terms}<h2>Others [-3]</h2>{text}")
    };
    assert_eq!(kept(&page(1.0, -0.5)).len(), 5);
    assert_eq!(kept(&page(-3.0, -0.5)).len(), 2);
    assert!(!kept(&page(1.0, -1.5)).contains(&"Lane".to_owned()));
}
