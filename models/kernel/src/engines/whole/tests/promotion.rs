//! Promotion, controls, notices and placeholders.

use super::*;

#[test]
fn a_term_that_is_a_link_stays_with_its_definition() {
    let terms =
        "<dt><a href=#a>Bow [-4]</a><dt>Prow [-4]<dd>The front of a ship<dt>Port [-4]<dd>Left [-4]";
    let found = kept(&format!("<p>{TEXT}<dl>{terms}</dl>"));
    assert_eq!(found, [TEXT, "Bow", "Prow", "The front of a ship"]);
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
            "<div class=c><p><a href=/a>A day [4]</a><p>Ann [4]<p>Read more</div>".repeat(3),
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
fn leads_of_cards_go_with_a_heading_about_other_pages() {
    let card = format!("<li><h3>A market [-2]</h3><p>{TEXT} [1]</p><a href=/a>More [-2]</a>");
    let thread = "<div class=post><h4><a href=/a>Why? [-1]</a></h4><p>Tea or coffee? [1]</p></div>";
    let post = format!("<div class=post><a href=/u>Ann [-1]</a><p>{TEXT} [1]</p></div>");
    let unlinked = card.replace("<a href=/a>", "<b>").replace("</a>", "</b>");
    let long = card.replace("<p>", &format!("<p>{}", TEXT.repeat(4)));
    let list = |card: &str| format!("<ul>{}</ul>", card.repeat(3));
    let (heading, other) = ("<h2>Related content</h2>", "<h2>Related work</h2>");
    for (heading, cards, count) in [
        (heading, list(&card), 1),
        ("<span>Related content</span>", list(&card), 1),
        (heading, thread.repeat(3), 1),
        (other, list(&card), 4),
        (heading, post.repeat(3), 4),
        (heading, list(&card.replace("[1]", "[4]")), 4),
        (heading, list(&unlinked), 4),
        (heading, list(&long), 4),
    ] {
        let markup = format!("<p>{TEXT}</p>{heading}{cards}");
        let is_heading = |at: usize, texts: &[&str]| texts[at].starts_with("Related");
        let (_, judgement) = judged(&markup, |at, texts| is_heading(at, texts).then_some(-3.0));
        let kept = judgement.verdicts.iter();
        let kept = kept.filter(|verdict| **verdict == Verdict::Kept);
        assert_eq!(kept.count(), count, "{markup}");
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
        &format!("<div id=contentSub>{}</div>", LEAD.repeat(5)),
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
        "<p>Para ver este contenido debes aceptar las cookies de redes sociales.</p>",
        "<p>Ich bin damit einverstanden, dass mir externe Inhalte angezeigt werden.</p>",
        "<h4>Empfohlener redaktioneller Inhalt</h4>",
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
    assert!(!goes(
        "<p>Die Schule braucht für das neue Fach einen externen Lehrer.</p>"
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
    let facts = "Oslo, part time</p><p>From May";
    assert_eq!(count(&items("<h4>Delivery [-1]</h4>", "", facts)), 3);
    let button = "<h4>Delivery [-1.9]</h4><h2>A shop</h2>";
    assert!(count(&items(button, "", facts)) < 3);
    let partly = "<p>Nobody knows for how long yet [-4]</p>";
    assert!(count(&items("<h4>Delivery [-1]</h4>", partly, facts)) < 3);
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
fn a_box_of_facts_stays_above_its_article() {
    let row = |tag: &str, name: &str, value: &str| {
        format!("<div class=pi-data><{tag}>{name} [-1]</{tag}><div>{value} [-1.5]</div></div>")
    };
    let rows = |tag: &str| row(tag, "Born", "Year 411") + &row(tag, "Home", "Low Town");
    for (begin, end) in [
        ("<aside class='portable-infobox pi-theme'>", "</aside>"),
        ("<div class=infobox>", "</div>"),
        ("<table class='infobox vcard'><tr><td>", "</table>"),
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
fn numbers_of_votes_for_posts_go() {
    let page = |class: &str, [first, second]: [&str; 2], text: &str| {
        let post = |count: &str| {
            format!("<div class=post><div class={class}>{count}</div><p>{text} {count}</p></div>")
        };
        kept(&[post(first), post(second), post("3")].concat()).len()
    };
    for class in ["votes", "js-vote-count", "'count upvote'"] {
        assert_eq!(page(class, ["12", "-1"], TEXT), 3, "{class}");
    }
    // another class, more than a number, or without a text
    assert_eq!(page("number", ["12", "-1"], TEXT), 6);
    assert_eq!(page("votes", ["12 %", "1.5"], TEXT), 5);
    assert_eq!(page("votes", ["12", "-1"], "Ann Bee"), 6);
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
fn tags_of_a_page_go_and_lines_about_tags_stay() {
    for line in [
        "<p>Tags: <a href=/a>ash</a>, <a href=/b>oak</a></p>",
        "<div>Filed under: <a href=/a>Harbours</a></div>",
        "<p>Schlagwörter: <a href=/a>Hafen</a></p>",
        "<p><strong>İlginizi çekebilir: <a href=/a>Köprü açılıyor</a></strong></p>",
        "<p>Do you have a story? Write to <a href=/a>our desk</a>.</p>",
        "<p>Got a story? <a href=/a>Tell us</a></p>",
        "<p>Article continues after ad</p>",
        "<div>Print Recipe Pin Recipe</div>",
    ] {
        assert!(goes(line), "{line}");
    }
    for line in [
        "<p>Tags: plates with the <a href=/a>names</a> of boats hang at each of the berths.</p>",
        "<p>Tags of metal hang at <a href=/a>each berth of the harbour</a></p>",
        "<p>Got a story, or so they thought: the <a href=/a>crew</a> waited.</p>",
        "<p>Keywords: harbours, boats, bearings</p>",
        "<p>Do you have a story that nobody believes? Everybody on this quay has one.</p>",
    ] {
        assert!(!goes(line), "{line}");
    }
}
