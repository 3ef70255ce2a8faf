//! Whole pages, and what no unit decides.

use super::*;

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
