"""When a page was published and changed: which of its dates count."""

import pytest

from tests.unit.models.page.stated import PROSE, TITLE, linked, metadata_of, metas

HEADLINE = "<h1>Bees</h1>"


@pytest.mark.parametrize(
    "url",
    [
        "file:///home/ann/bees.html",
        "s3://bucket/2025/bees.html",
        "gs://bucket/bees.html",
        "hdfs://store/bees",
        "urn:uuid:0e1c",
        "ni:///sha-256;f4OxZX",
        "ftp://sample.invalid/",
        "dat://sample/",
        "bees.html",
        "/home/ann/bees.html",
        "",
        "https://sample.invalid/?p=123",
        "https://sample.invalid/index.php?id=123",
        "https://sample.invalid/?page_id=7&lang=en",
    ],
)
def test_a_page_has_an_author_and_a_date_with_any_address(url: str) -> None:
    shown = metadata_of(TITLE, f"{HEADLINE}<p>By Ann Bee</p><p>3 May 2025</p>{PROSE}", url=url)
    declared = metadata_of(TITLE + metas(("author", "Ann Bee")), HEADLINE + PROSE, url=url)

    assert (shown.author, shown.published_at) == ("Ann Bee", "2025-05-03")
    assert declared.author == "Ann Bee"


@pytest.mark.parametrize(
    "url",
    [
        "https://sample.invalid",
        "HTTP://sample.invalid/",
        "https://sample.invalid/?utm_source=mail",
        "https://sample.invalid:8080/#top",
        "https://sample.invalid/?",
    ],
)
def test_a_front_page_has_no_author_and_no_date_of_its_own(url: str) -> None:
    page = metadata_of(
        TITLE + metas(("author", "Ann Bee")), f"{HEADLINE}<p>3 May 2025</p>", url=url
    )

    assert (page.author, page.published_at) == ("", "")


# as trafilatura, htmldate, metascraper, newspaper4k and goose3 know them, and what they lack
PUBLISHED = (
    "article:published_time", "og:article:published_time", "og:published_time", "published_time",
    "vr:published_time", "krn:published_time", "mediator_published_time", "lp:published_time",
    "shareaholic:article_published_time", "article:published", "article:published_date",
    "article.published", "article:publicationdate", "article:post_date", "article_date_original",
    "published_at", "published_on", "published", "published-date", "published_date",
    "PublishedDate", "publish-date", "PublishDate", "publish_date", "publishtime",
    "publish_time", "pub_date", "pubdate", "pub-date", "bt:pubDate", "og:pubdate", "rbpubdate",
    "parsely-pub-date", "prism.publicationDate", "publication_date", "publication-date",
    "publicationDate", "OriginalPublicationDate", "dc.date.issued", "DC.Date", "dc:date",
    "DC.issued",
    "dc.date.publication", "dcterms.issued", "dcterms.date", "dcterms.created", "eprints.date",
    "citation_publication_date", "citation_online_date", "citation_date", "rnews:datePublished",
    "datePublished", "date_published", "date-published", "og:datePublished", "dateposted",
    "DisplayDate", "og:release_date", "release_date", "sailthru.date",
    "cXenseParse:recs:publishtime", "iso-8601-publish-date", "date.release", "first_published",
    "dcsext.articlefirstpublished", "analyticsAttributes.articleDate", "article_date", "doc_date",
    "datecreated", "dateCreated", "date_created", "created", "article.created", "creation_date",
    "pdate", "ptime", "gentime", "og:regdate", "date", "article.date", "search.date", "wp:date",
    "cXenseParse:recs:articlepublishtime", "cXenseParse:pbu-publicationdate", "sort_date",
    "DCTERMS.available", "DC.date.available", "dcterms.dateSubmitted", "field-name-post-date",
    "ArticlePublicationDate", "dateofpublication", "twt-published-at", "content_create_date",
    "createdate", "create_date", "eprints.datestamp",
)  # fmt: skip
CHANGED = (
    "article:modified_time", "og:article:modified_time", "og:modified_time", "modified_time",
    "vr:modified_time", "article:modified", "article:modified_date", "article.updated",
    "og:updated_time", "updated_time", "updated_at", "last_updated", "lastmod", "lastmodified",
    "Last-Modified", "last_modified", "dateModified", "date_modified", "dc.modified",
    "DC.date.modified", "dcterms.modified", "bt:modDate", "modificationdate", "revision_date",
    "revised", "rnews:dateModified", "article:post_modified", "article:update_time", "utime",
    "lastdate", "last_updated_date", "eomportal-lastUpdate", "date-revised", "last-edited",
)  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_name_of_publication_is_known(name: str) -> None:
    by_name = metadata_of(TITLE + f'<meta name="{name}" content="2020-05-06">', HEADLINE + PROSE)
    by_property = metadata_of(
        TITLE + f'<meta property="{name}" content="2020-05-06T10:00:00+02:00">', HEADLINE + PROSE
    )

    assert by_name.published_at == "2020-05-06"
    assert by_name.modified_at == ""
    assert by_property.published_at == "2020-05-06T10:00:00+02:00"


@pytest.mark.parametrize("name", CHANGED)
def test_a_name_of_a_change_is_known(name: str) -> None:
    found = metadata_of(TITLE + metas((name, "2020-05-06")), HEADLINE + PROSE)

    assert (found.published_at, found.modified_at) == ("", "2020-05-06")


@pytest.mark.parametrize(
    "name",
    [
        "video:release_date", "book:release_date", "music:release_date", "event:start_time",
        "og:start_time", "expires", "expiry_date", "article:expiration_time", "unavailable_after",
        "server_date", "build_date", "citation_conference_date", "dcterms.valid", "birthdate",
        "og:video:release_date", "video:upload_date", "publisher", "updated-by", "page_date",
    ],
)  # fmt: skip
def test_a_name_of_another_date_does_not_date_the_page(name: str) -> None:
    found = metadata_of(TITLE + metas((name, "2020-05-06")), HEADLINE + PROSE)

    assert (found.published_at, found.modified_at) == ("", "")


def test_the_header_in_markup_says_when_the_page_changed() -> None:
    head = TITLE + '<meta http-equiv=Last-Modified content="Wed, 06 May 2020 10:00:00 GMT">'
    found = metadata_of(head, HEADLINE + PROSE)

    assert (found.published_at, found.modified_at[:10]) == ("", "2020-05-06")


@pytest.mark.parametrize("header", ["expires", "refresh", "date"])
def test_another_header_in_markup_does_not_date_the_page(header: str) -> None:
    head = TITLE + f'<meta http-equiv={header} content="2020-05-06">'
    found = metadata_of(head, HEADLINE + PROSE)

    assert (found.published_at, found.modified_at) == ("", "")


def test_a_strong_name_goes_before_a_weak_one() -> None:
    for weak in ("created", "gentime", "ptime", "date_created"):
        head = TITLE + metas((weak, "2019-01-01"), ("publish_date", "2020-05-06"))

        assert metadata_of(head, HEADLINE + PROSE).published_at == "2020-05-06"


OTHERS = (
    "<aside><a href=/w><time datetime=2026-03-05>Mar 5, 2026</time> Wasps</a></aside>",
    "<aside><p>Mar 5, 2026</p></aside>",
    "<nav><time datetime=2026-03-05>Mar 5, 2026</time></nav>",
    "<footer><p>Mar 5, 2026</p></footer>",
    "<footer><time datetime=2026-03-05>Mar 5, 2026</time></footer>",
    "<h2>Related articles</h2><article><h3>Wasps</h3><p>Mar 5, 2026</p></article>",
    "<h2>You might also like</h2><ul><li>Wasps <time datetime=2026-03-05>x</time></ul>",
    "<div>Read next</div><div class=date>Mar 5, 2026</div>",
    "<h3>More from The Hive</h3><span itemprop=datePublished content=2026-03-05></span>",
    "<h2>12 Comments</h2><p>Bob, Mar 5, 2026</p>",
    "<h2>Ähnliche Artikel</h2><p>5. März 2026</p>",
    "<h2>関連記事</h2><p>2026年3月5日</p>",
)


@pytest.mark.parametrize("others", OTHERS)
def test_the_date_of_another_article_is_not_the_date_of_the_page(others: str) -> None:
    body = f"<main><article>{HEADLINE}{PROSE}</article>{others}</main>"

    assert metadata_of(TITLE, body).published_at == ""


@pytest.mark.parametrize(
    "comment",
    [
        "<div class=comment><b>Bob</b> Mar 5, 2026<p>We saw them too.</div>",
        "<ul><li id=comment-12><time datetime=2026-03-05>Mar 5</time><p>We saw them.</ul>",
        "<div class='user-comment odd'><p>Bob on Mar 5, 2026</p><p>We saw them.</p></div>",
        "<section id=comments class=comments-area><p>Bob, Mar 5, 2026</p></section>",
        "<div class=review><b>Bob</b> <span class=date>Mar 5, 2026</span><p>Good bees.</div>",
        "<div class=kommentare><p>Bob am 5. März 2026</p></div>",
    ],
)
def test_the_date_of_a_comment_is_not_the_date_of_the_page(comment: str) -> None:
    body = f"<main><article>{HEADLINE}{PROSE}</article>{comment}</main>"

    assert metadata_of(TITLE, body).published_at == ""


@pytest.mark.parametrize(
    "own",
    [
        f"<div class=comment>{HEADLINE}<p>May 22, 2025</p>{PROSE}</div>",
        f"<article class=review>{HEADLINE}<p>May 22, 2025</p>{PROSE}</article>",
        f"{HEADLINE}<div class=comment-count>May 22, 2025 | 3 comments</div>{PROSE}",
        f"{HEADLINE}<div class=commented>May 22, 2025</div>{PROSE}",
    ],
)
def test_a_label_around_the_headline_is_not_of_a_comment(own: str) -> None:
    assert metadata_of(TITLE, own).published_at == "2025-05-22"


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        (
            "<div><h4>Latest news</h4><a href=/w>Wasps have left us</a> Mar 5, 2026</div>",
            "",
        ),
        ("<div><h4>Latest</h4><a href=/w>Wasps have left us</a><p>Mar 5, 2026</div>", ""),
        ("<p>Latest</p><p>Mar 5, 2026</p>", "2026-03-05"),
        ("<p>Latest</p><p><a href=/ann>Ann Bee</a></p><p>Mar 5, 2026</p>", "2026-03-05"),
        ("<h4>Related</h4><a href=/w>Wasps have left us</a><p>Mar 5, 2026</p>", "2026-03-05"),
    ],
)
def test_a_box_of_other_articles_may_be_above_the_headline(box: str, expected: str) -> None:
    assert metadata_of(TITLE, f"{box}{HEADLINE}{PROSE}").published_at == expected


@pytest.mark.parametrize("others", OTHERS)
@pytest.mark.parametrize(
    "own",
    [
        "<p class=meta>May 22, 2025</p>{}",
        "<div><p>May 22, 2025</p><a href=/news/>News</a></div>{}",
        "<header><time datetime=2025-05-22>May 22</time></header>{}",
        "{}<p>22 May 2025</p>",
        "{}<footer>Posted on 22 May 2025</footer>",
    ],
)
def test_the_date_of_the_page_is_near_its_headline(own: str, others: str) -> None:
    body = f"<main><article>{own.format(HEADLINE)}{PROSE}</article>{others}</main>"

    assert metadata_of(TITLE, body).published_at == "2025-05-22"


PROGRAMME = "<li><time datetime=2031-06-0{0}>{0} June</time> Tea and cake"
EVENT = {"@type": "Event", "name": "Bees", "startDate": "2031-06-01T10:00", "endDate": "2031-06-02"}


@pytest.mark.parametrize(
    ("head", "shown"),
    [
        (linked(EVENT), "<p>When: <time datetime=2031-06-01T10:00>1 June 2031</time></p>"),
        (linked(EVENT), "<p><time datetime=2031-06-01T10:00>1 June 2031, 10:00</time></p>"),
        (linked(EVENT), "<p>1 June 2031</p>"),
        (linked(EVENT), "<p>2 June 2031</p>"),
        (linked({**EVENT, "@type": "MusicEvent"}), "<p>June 1, 2031</p>"),
        (linked({**EVENT, "@type": ["Thing", "SportsEvent"]}), "<p>June 1, 2031</p>"),
        (linked({"@graph": [{"@type": "WebPage"}, EVENT]}), "<p>June 1, 2031</p>"),
        ("", "<p>When: <time datetime=2031-06-01>1 June 2031</time></p>"),
        ("", "<p>When</p><p>1 June 2031</p>"),
        ("", "<p>Deadline:</p><p>Sunday, 1 June 2031</p>"),
        ("", "<p>Deadline:</p><p class=date>Sunday, 1 June 2031</p>"),
        ("", "<p><time datetime=2031-06-01>June 1, 2031 at 6:00 PM to 8:30 PM CEST</time></p>"),
        ("", "<p>1 June 2031, 19.30–21 Uhr</p>"),
        ("", "<p>12 March 1931 – 1 June 2031</p>"),
        ("", "<p>Starts: June 1, 2031</p>"),
        ("", "<p>Deadline: <time datetime=2031-06-01>June 1</time></p>"),
        ("", "<p>Applications close</p><p>Apply by June 1, 2031</p>"),
        ("", "<p>Doors open June 1, 2031</p>"),
        ("", "<p>Expires: 2031-06-01</p>"),
        ("", "<p>Beginn: 1. Juni 2031</p>"),
        ("", "<p>Built: 1 June 2001</p>"),
        ("", "<p>開催日時：2031年6月1日</p>"),
        ("", "<p><time itemprop=startDate datetime=2031-06-01>1 June 2031</time></p>"),
        ("", "<p class=event-date>1 June 2031</p>"),
        ("", "<p><span class=tribe-event-date-start>June 1, 2031 @ 10:00 am</span></p>"),
        ("", "<p class=h-event><time class=dt-start datetime=2031-06-01>June 1, 2031</time></p>"),
        ("", "<p><meta itemprop=startDate content=2031-06-01>1 June 2031</p>"),
        ("", "<p>1 June 2031</p><p>Location: the old mill</p>"),
        ("", "<dl><dt>Date<dd>1 June 2031<dt>Lieu<dd>Moulin</dl>"),
        ("", "<p>Ort: Mühle · Datum: 1. Juni 2031</p>"),
        ("", "<p>1 June 2031</p><p>Místo: Přístav</p>"),
        ("", "<h3>Funeral service</h3><p>June 1, 2031, 2:00 PM</p>"),
        ("", "<time datetime=2031-06-01>Saturday, June 1</time><h2>Where</h2><p>The old mill"),
        ("", f"<ul>{PROGRAMME.format(1)}{PROGRAMME.format(8)}</ul>"),
        (
            metas(("article:modified_time", "2025-05-09")),
            "<p><time datetime=2031-06-01>x</time></p>",
        ),
    ],
)
def test_the_day_of_an_event_is_not_when_the_page_was_published(head: str, shown: str) -> None:
    assert metadata_of(TITLE + head, HEADLINE + shown + PROSE).published_at == ""


@pytest.mark.parametrize(
    "shown",
    [
        "<p>Local</p><p>3 May 2025</p>",
        "<p>Published 3 May 2025</p><p>Location: Kent</p>",
        "<p>3 May 2025</p><p>The location of the mill is a secret.</p>",
        "<p>Posted: 3 May 2025 | Location: Kent</p>",
    ],
)
def test_a_place_is_not_always_of_an_event(shown: str) -> None:
    assert metadata_of(TITLE, HEADLINE + shown + PROSE).published_at == "2025-05-03"


def test_the_first_of_several_articles_does_not_date_and_sign_their_list() -> None:
    post = "<article><h2>Wasps</h2><p>By Ann Bee, 3 May 2025</p>" + PROSE + "</article>"
    alone = metadata_of(TITLE, f"<main>{HEADLINE}{post}</main>")
    several = metadata_of(TITLE, f"<main>{HEADLINE}{post}{post}</main>")
    own = metadata_of(TITLE, f"<main>{post.replace('<h2>Wasps</h2>', HEADLINE)}{post}</main>")

    assert (alone.published_at, alone.author) == ("2025-05-03", "Ann Bee")
    assert (several.published_at, several.author) == ("", "")
    assert (own.published_at, own.author) == ("2025-05-03", "Ann Bee")


def test_a_page_about_an_event_has_the_date_that_it_declares() -> None:
    head = TITLE + linked(EVENT) + metas(("article:published_time", "2030-01-02"))

    assert metadata_of(head, f"{HEADLINE}<p>1 June 2031</p>{PROSE}").published_at == "2030-01-02"
    shown = f"{HEADLINE}<p>Published 2 January 2030</p><p>1 June 2031</p>{PROSE}"
    assert metadata_of(TITLE + linked(EVENT), shown).published_at == "2030-01-02"


@pytest.mark.parametrize(
    "sentence",
    [
        "On <time datetime=1666-09-02>2 September 1666</time> a fire broke out in Pudding Lane.",
        "<time datetime=1666-09-02>2 September 1666</time>",
        "On <time datetime=2005-07-07>7 July 2005</time> four bombs went off in London.",
        "The bees of <time datetime=2005-07-07>7 July 2005</time> were the first of their kind.",
        "The council met on 7 July 2005 and heard what had been done.",
        "He was born on 7 July 1995 in a small town near the border",
        "By 7 July 2005 the bees had left the town, and nobody knew why they did.",
        "Am <time datetime=2005-07-07>7. Juli 2005</time> brannten in der Stadt vier Häuser ab.",
        "Le 7 juillet 2005, les abeilles sont revenues dans la ville après des années.",
        "2005年7月7日、この町で大きな火事が起きました。",
    ],
)
def test_a_date_in_a_sentence_is_not_the_date_of_the_page(sentence: str) -> None:
    assert metadata_of(TITLE, f"{HEADLINE}<p>{sentence}</p>{PROSE}").published_at == ""


@pytest.mark.parametrize(
    "byline",
    [
        "Published <time datetime=2025-05-03>3 May 2025</time>",
        "By Ann Bee on <time datetime=2025-05-03>3 May</time> in News, 5 min read",
        "This article was first published on 3 May 2025.",
        "Posted on May 3, 2025 by Ann Bee in The garden",
        "Veröffentlicht am 3. Mai 2025 um 10:00 Uhr",
        "Publié le 3 mai 2025 à 10h00 par Ann Bee",
        "Date: 3 May 2025",
        "投稿日：2025年5月3日",
        "<abbr class=published title=2025-05-03T10:00:00>3 May</abbr>",
        "<abbr class=published itemprop=datePublished title='2025-05-03T10:00:00'>May</abbr>",
        "<span class=post-date title='2025-05-03'>a year ago</span>",
        "<span itemprop=datePublished content=2025-05-03>3 May</span>",
        "<meta itemprop=datePublished content=2025-05-03>",
        "<time class=entry-date datetime=2025-05-03>3 May</time>",
        "<time pubdate datetime=2025-05-03T10:00>3 May</time>",
        "<a href=/p/7><time datetime=2025-05-03>3 May 2025</time></a>",
    ],
)
def test_a_date_in_a_byline_is_the_date_of_the_page(byline: str) -> None:
    found = metadata_of(TITLE, f"{HEADLINE}<p>{byline}</p>{PROSE}").published_at

    assert found[:10] == "2025-05-03"


@pytest.mark.parametrize(
    "shown",
    [
        "<p>Published: 3 May 2025 | Updated: 9 May 2025</p>",
        "<p>Updated: 9 May 2025 | Published: 3 May 2025</p>",
        "<p>Updated 9 May 2025</p><p>Published 3 May 2025</p>",
        "<p>3 May 2025 (updated 9 May 2025)</p>",
        "<p>May 3, 2025 - Updated on May 9, 2025</p>",
        "<p>Last modified: 9 May 2025. First published: 3 May 2025.</p>",
        "<p>Updated</p><p>9 May 2025</p><p>Published</p><p>3 May 2025</p>",
        "<time class=updated datetime=2025-05-09>x</time> <time datetime=2025-05-03>y</time>",
        "<p>Updated <time datetime=2025-05-09>9 May</time><p><time datetime=2025-05-03>y</time>",
        "<p>Aktualisiert: 9. Mai 2025</p><p>Veröffentlicht: 3. Mai 2025</p>",
        "<p>Mis à jour le 9 mai 2025</p><p>Publié le 3 mai 2025</p>",
        "<p>更新日：2025年5月9日　公開日：2025年5月3日</p>",
        "<span class=modified-date>9 May 2025</span><span class=post-date>3 May 2025</span>",
    ],
)
def test_a_date_of_change_is_not_the_date_of_publication_when_both_are_shown(shown: str) -> None:
    found = metadata_of(TITLE, f"{HEADLINE}<div>{shown}</div>{PROSE}")

    assert (found.published_at, found.modified_at) == ("2025-05-03", "2025-05-09")


@pytest.mark.parametrize(
    ("lang", "shown"),
    [
        ("cs", "Publikováno 3. května 2025"),
        ("sk", "3. mája 2025"),
        ("sl", "3. maja 2025"),
        ("hr", "Objavljeno 3. svibnja 2025."),
        ("uk", "Опубліковано 3 травня 2025 року"),
        ("bg", "3 май 2025"),
        ("fi", "Julkaistu lauantaina 3. toukokuuta 2025"),
        ("sv", "Publicerad 3 maj 2025"),
        ("hu", "2025. május 3., szombat 9:13"),
        ("lt", "2025 m. gegužės 3 d."),
        ("lv", "2025. gada 3. maijs"),
        ("ro", "Publicat la 3 mai 2025"),
        ("ca", "3 de maig de 2025"),
        ("eu", "2025ko maiatzaren 3a"),
        ("tr", "Yayınlanma: 3 Mayıs 2025"),
        ("vi", "Ngày 3 tháng 5 năm 2025"),
        ("id", "3 Mei 2025"),
        ("ar", "3 مايو 2025"),
        ("ar", "السبت 3 أيار 2025"),
        ("he", "3 במאי 2025"),
        ("hi", "3 मई 2025"),
        ("th", "3 พฤษภาคม 2568"),
        ("ar", "\u0663 مايو \u0662\u0660\u0662\u0665"),
        ("ar", "\u06f3 مايو \u06f2\u06f0\u06f2\u06f5"),
        ("hi", "\u0969 मई \u0968\u0966\u0968\u096b"),
        ("th", "\u0e53 พฤษภาคม \u0e52\u0e55\u0e56\u0e58"),
        ("ja", "\uff12\uff10\uff12\uff15年\uff15月\uff13日"),
    ],
)
def test_a_shown_date_is_read_in_the_language_of_the_page(lang: str, shown: str) -> None:
    page = metadata_of(TITLE, f"{HEADLINE}<p>{shown}</p>{PROSE}", lang=lang)

    assert page.published_at == "2025-05-03"


@pytest.mark.parametrize(
    "history",
    [
        "Received: 3 March 2025 / Accepted: 4 April 2025 / Published: 3 May 2025",
        "Received 3 March 2025<br>Accepted 4 April 2025<br>Published 3 May 2025",
        "Accepted: 4 April 2025</p><p>Published online: 3 May 2025",
    ],
)
def test_a_manuscript_is_published_after_it_was_received(history: str) -> None:
    page = metadata_of(TITLE, f"{HEADLINE}<p>{history}</p>{PROSE}")

    assert page.published_at == "2025-05-03"


@pytest.mark.parametrize("element", ["relative-time", "local-time", "time-ago", "time"])
def test_an_element_that_shows_how_long_ago_it_was_has_the_date(element: str) -> None:
    ago = f'<{element} datetime="2025-05-03T10:00:00Z">last year</{element}>'
    headline = "<h1>Why early bees leave late</h1>"  # no label of the date after it
    page = metadata_of(TITLE, f"{headline}<p>{ago}</p>{PROSE}")

    assert page.published_at == "2025-05-03T10:00:00Z"


@pytest.mark.parametrize(
    ("title", "expected"), [("May 3, 2025, 10:15", "2025-05-03"), ("5 min read", "")]
)
def test_an_element_that_shows_how_long_ago_it_was_may_have_the_date_in_its_title(
    title: str, expected: str
) -> None:
    page = metadata_of(TITLE, f'<h1>Early bees</h1><p><time title="{title}">1 year</time></p>')

    assert page.published_at == expected


def test_a_time_of_publication_may_be_empty() -> None:
    page = metadata_of(TITLE, f"{HEADLINE}<time datetime=2025-05-03 pubdate></time>{PROSE}")

    assert page.published_at == "2025-05-03"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("1746266400", "2025-05-03T10:00:00Z"),
        ("1746266400000", "2025-05-03T10:00:00Z"),
        ("20250503T100000Z", "2025-05-03T10:00:00Z"),
        ("Sat, 05/31/2025 - 17:57", "2025-05-31"),
        ("Sat, 05/03/2025 - 17:57", "2025-05-03"),
        ("Tue, 07/11/2023 - 17:57", "2023-07-11"),
        ("Sat, 03/05/2025", "2025-05-03"),
        ("Sun, 05/03/2025 - 17:57", ""),
        ("Sa, 05/03/2025", ""),
        ("20250503100000", "2025-05-03"),
        ("20250503106100", ""),
        ("202505031000", ""),
        ("17462664", ""),
    ],
)
def test_a_declared_date_is_read_as_software_writes_it(content: str, expected: str) -> None:
    page = metadata_of(TITLE + metas(("article:published_time", content)))

    assert page.published_at == expected


@pytest.mark.parametrize(
    "name",
    ["bepress_citation_date", "nyt_pub_date", "newsdate", "releaseDate", "Date.Issued",
     "article-publish-date", "contentPublishDate", "weibo:article:create_at", "time_published",
     "article:original_publish_date", "posted"],
)  # fmt: skip
def test_more_names_of_the_date_of_publication(name: str) -> None:
    assert metadata_of(TITLE + metas((name, "2025-05-03"))).published_at == "2025-05-03"


@pytest.mark.parametrize(
    "foot",
    [
        "<footer>This page was last modified on May 3, 2025 by the contributors.</footer>",
        "<footer><p>This page was last edited on 3 May 2025, at 10:00.<p>Terms</footer>",
        "<footer>Zuletzt geändert: 03.05.2025</footer>",
        "<aside>Dernière mise à jour le 3 mai 2025</aside>",
        "<footer><p>最終更新 2025年5月3日</p></footer>",
    ],
)
def test_the_foot_of_a_page_dates_only_its_last_change(foot: str) -> None:
    page = metadata_of(TITLE, HEADLINE + PROSE + foot)

    assert (page.modified_at, page.published_at) == ("2025-05-03", "")


@pytest.mark.parametrize(
    "foot",
    [
        "<footer>3 May 2025</footer>",
        "<footer>Copyright 2025, last updated by Ann Bee</footer>",
        "<footer>The town was last modified by fire on 3 May 1666</footer>",
    ],
)
def test_another_date_at_the_foot_is_not_a_date_of_change(foot: str) -> None:
    assert metadata_of(TITLE, HEADLINE + PROSE + foot).modified_at == ""


@pytest.mark.parametrize("headline", ["Registration of bees", "Updated bees", "Event: bees"])
def test_a_headline_is_not_a_label_of_the_date_above_it(headline: str) -> None:
    page = metadata_of(f"<title>{headline}</title>", f"<p>3 May 2025</p><h1>{headline}</h1>{PROSE}")

    assert (page.published_at, page.modified_at) == ("2025-05-03", "")


@pytest.mark.parametrize(
    "heading",
    [
        "Most popular", "Archives", "Upcoming events", "Lees ook", "Läs också", "Læs også",
        "Lue myös", "İlgili haberler", "Související články", "Kapcsolódó cikkek",
        "Articole similare", "Pročitajte i", "Читайте також", "Διαβάστε επίσης", "Baca juga",
        "Bài viết liên quan", "مقالات ذات صلة", "כתבות נוספות", "관련 기사", "ข่าวที่เกี่ยวข้อง",
    ],
)  # fmt: skip
def test_a_heading_announces_other_articles_in_many_languages(heading: str) -> None:
    others = f"<div><h2>{heading}</h2><p>Wasps</p><p>2025-05-03</p></div>"

    assert metadata_of(TITLE, HEADLINE + PROSE + others).published_at == ""


@pytest.mark.parametrize("joint", [" - ", " – ", " to ", " bis "])
def test_the_first_and_last_day_of_something_do_not_date_a_page(joint: str) -> None:
    page = metadata_of(TITLE, f"{HEADLINE}<p>3 May 2025{joint}9 June 2025</p>{PROSE}")

    assert (page.published_at, page.modified_at) == ("", "")


def test_two_dates_with_a_word_between_them_are_dates_of_a_page() -> None:
    page = metadata_of(TITLE, f"{HEADLINE}<p>3 May 2025 – updated 9 June 2025</p>{PROSE}")

    assert (page.published_at, page.modified_at) == ("2025-05-03", "2025-06-09")


def test_the_date_that_drupal_marks_as_created_is_the_date_of_the_page() -> None:
    mark = 'property="dc:date dc:created" content="2025-05-03T10:00:00+02:00"'
    page = metadata_of(TITLE, f"{HEADLINE}<span {mark}>Submitted by Ann on Saturday</span>{PROSE}")

    assert page.published_at == "2025-05-03T10:00:00+02:00"


def test_the_creation_of_an_article_dates_it_if_nothing_else_does() -> None:
    article = {"@type": "Article", "headline": "Bees", "dateCreated": "2025-05-03"}

    assert metadata_of(TITLE + linked(article), HEADLINE + PROSE).published_at == "2025-05-03"
    dated = {**article, "datePublished": "2025-05-04"}
    assert metadata_of(TITLE + linked(dated), HEADLINE + PROSE).published_at == "2025-05-04"
    offer = {"@type": "Product", "name": "Honey", "dateCreated": "2025-05-03"}
    assert metadata_of(TITLE + linked(offer), HEADLINE + PROSE).published_at == ""


@pytest.mark.parametrize(
    ("date", "lang"),
    [
        ("令和7年5月3日", "ja"),
        ("中華民國114年5月3日", "zh-TW"),
        ("3 أيار/مايو 2025", "ar"),
        ("\u200e3\u200f May 2025", "en"),
        ("৩ মে ২০২৫", "bn"),
    ],
)
def test_dates_of_other_eras_and_calendars_of_the_same_days_are_read(date: str, lang: str) -> None:
    page = metadata_of(TITLE, f"{HEADLINE}<p>{date}</p>{PROSE}", lang=lang)

    assert page.published_at == "2025-05-03"


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("3 كانون الثاني 2025", "2025-01-03"),
        ("3 تشرين الأول 2025", "2025-10-03"),
        ("3 كانون الاول 2025", "2025-12-03"),
        ("3 تشرين 2025", ""),
    ],
)
def test_months_of_two_words_are_read(date: str, expected: str) -> None:
    page = metadata_of(TITLE, f"{HEADLINE}<p>{date}</p>{PROSE}", lang="ar")

    assert page.published_at == expected


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("LONDON, May 3, 2025 (Reuters) - ", "2025-05-03"),
        ("NEW YORK, May 3, 2025 /PRNewswire/ -- ", "2025-05-03"),
        ("Hull, 3 May 2025 (GLOBE NEWSWIRE) -- ", "2025-05-03"),
        ("May 3, 2025 (Reuters) — ", "2025-05-03"),
        ("In London, on May 3, 2005 (a Tuesday), the bees of the town had left. ", ""),
        ("The town burned on May 3, 2005 - nobody knows why it did. ", ""),
        ("He died in Hull, May 3, 2005 (aged 70) and was buried there. ", ""),
    ],
)
def test_a_report_has_the_date_before_its_agency(start: str, expected: str) -> None:
    report = f"<p>{start}{PROSE.removeprefix('<p>')}"

    assert metadata_of(TITLE, f"{HEADLINE}{report}{PROSE}").published_at == expected


def test_the_day_of_the_visit_in_the_header_of_the_site_is_not_the_date_of_the_page() -> None:
    header = "<header><div class=date>Saturday, 28 November 2026</div></header>"
    body = f"<main><article>{HEADLINE}{{}}{PROSE}</article></main>"

    assert metadata_of(TITLE, header + body.format("")).published_at == ""
    shown = metadata_of(TITLE, header + body.format("<p>3 May 2025</p>"))
    assert shown.published_at == "2025-05-03"
    own = f"<header><p>3 May 2025</p>{HEADLINE}</header>{PROSE}"
    assert metadata_of(TITLE, own).published_at == "2025-05-03"
