"""Images in Markdown: once each, with the best address, in their links."""

import pytest

from tests.unit.models.page.test_markdown_round_trip import markdown
from winnow.models.cleaner import Cleaner
from winnow.models.document import Page
from winnow.models.options import CleanerOptions

FOLDER = "https://page.invalid/folder/"


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("<img class=lazy data-src=a.jpg src='data:image/gif;base64,R0lG'>", "a.jpg"),
        ("<img data-src=a.jpg src=data:x><noscript><img src=a.jpg></noscript>", "a.jpg"),
        ("<img src=blank.png data-actualsrc=a.jpg>", "a.jpg"),
        ("<img src=data:x><noscript><img src=a.jpg></noscript>", "a.jpg"),
        ("<img src=/i/blank.gif><noscript><img src=a.jpg></noscript>", "a.jpg"),
        ("<img data-src=a.jpg?w=9 src=data:x><noscript><img src=a.jpg></noscript>", "a.jpg?w=9"),
        ("<noscript><img src=a.jpg></noscript><img data-src=a.jpg src=spacer.gif>", "a.jpg"),
        ("<div><img data-src=a.jpg></div><noscript><p><img src=a.jpg></p></noscript>", "a.jpg"),
        ("<img srcset='b.jpg 320w, a.jpg 1200w'>", "a.jpg"),
        ("<img src=placeholder.png srcset='b.jpg 1x, a.jpg 2x'>", "a.jpg"),
        ("<img src=data:x data-srcset='a.jpg 2x,b.jpg 1.5x'>", "a.jpg"),
        ("<img data-lazy-srcset='a.jpg'>", "a.jpg"),
        ("<img src=a.jpg srcset='b.jpg 2x'>", "a.jpg"),
        ("<picture><source srcset='b.webp, a.jpg 2x'><img alt=''></picture>", "a.jpg"),
        ("<picture><source data-srcset=a.jpg><img src=data:x></picture>", "a.jpg"),
        ("<picture><source srcset=b.webp><img src=a.jpg></picture>", "a.jpg"),
        ("<amp-img src=a.jpg></amp-img>", "a.jpg"),
        ("<amp-img src=a.jpg><noscript><img src=a.jpg></noscript></amp-img>", "a.jpg"),
    ],
)
def test_an_image_is_written_once_from_its_best_source(markup: str, name: str) -> None:
    assert markdown(f"<p>a</p>{markup}<p>b") == f"a\n\n![]({FOLDER}{name})\n\nb"


@pytest.mark.parametrize(
    "attributes",
    [
        "data-flickity-lazyload=/folder/a.jpg",
        "data-hi-res-src=/folder/a.jpg src=data:x",
        "src=/loading.gif data-echo=/folder/a.jpg",
        "src=spacer.gif data-orig-file=/folder/a.jpg data-large-file=/b.jpg",
        "data-thumb=/b.jpg data-full=/folder/a.jpg",
        "data-fallback-src=/404.png data-hires=/folder/a.jpg",
        "data-ll-srcset='/b.jpg 300w, /folder/a.jpg 900w'",
        "data-orig-srcset='/b.jpg 1x, /folder/a.jpg 2x' src=data:x",
        "nitro-lazy-src=/folder/a.jpg",
        "data-low-src=/folder/a.jpg",
        "onerror=\"this.src='/b.jpg'\" data-cfsrc=/folder/a.jpg",
    ],
)
def test_an_image_of_a_script_with_any_name_for_its_source_is_found(attributes: str) -> None:
    expected = f"![]({FOLDER}a.jpg)"

    assert markdown(f"<p>x</p><img {attributes}>") == f"x\n\n{expected}"


def test_a_lazy_address_keeps_its_parameters() -> None:
    image = "<img data-lazyload='/image?id=3&amp;w=9'>"

    assert markdown(f"<p>x</p>{image}") == "x\n\n![](https://page.invalid/image?id=3&w=9)"


@pytest.mark.parametrize(
    "attributes",
    [
        "data-title=a.jpg",
        "data-page=/ships/12",
        "data-caption='the file /a.jpg'",
        "data-meta='{&quot;a&quot;:&quot;/a.jpg&quot;}'",
        "longdesc=/a.jpg",
        "data-offset=300",
        "onclick=open('/a.jpg')",
    ],
)
def test_another_attribute_of_an_image_is_not_its_source(attributes: str) -> None:
    assert markdown(f"<p>x</p><img {attributes}>") == "x"
    assert markdown(f"<p>x</p><img src=b.jpg {attributes}>") == f"x\n\n![]({FOLDER}b.jpg)"


@pytest.mark.parametrize(
    "linked",
    [
        "<a href=https://tea.invalid rel='nofollow sponsored'><img src=tea.jpg></a>",
        "<a href=https://tea.invalid><img src=tea.png width=468 height=60></a>",
        "<a href=//tea.invalid><span><img src=tea.png width=728px height=90></span></a>",
        "<a href=https://build.invalid/x><img src=https://img.shields.io/x/y.svg></a>",
        "<a href=https://travis-ci.org/x/y><img src=https://travis-ci.org/x/y.svg></a>",
        "<a href=https://build.invalid/x><img src=https://build.invalid/x/badge.svg></a>",
        "<a href=https://ad.doubleclick.net/c><img src=/i.jpg></a>",
    ],
)
def test_a_banner_or_a_badge_is_left_out_next_to_an_image_of_the_text(linked: str) -> None:
    own = "<a href=a.jpg><img src=a-small.jpg></a>"
    expected = f"[![]({FOLDER}a-small.jpg)]({FOLDER}a.jpg)"

    assert markdown(f"<p>x</p><p>{own}</p><p>{linked}</p>") == f"x\n\n{expected}"
    assert markdown(f"<p>x</p><p>{own} {linked}</p>") == f"x\n\n{expected}"


@pytest.mark.parametrize(
    "linked",
    [
        "<a href=https://photos.invalid/1><img src=a.jpg></a>",
        "<a href=/tea><img src=a.jpg width=468 height=60></a>",
        "<a href=https://photos.invalid/1><img src=a.jpg width=640 height=480></a>",
        "<a href=https://photos.invalid/1 rel=nofollow><img src=a.jpg></a>",
    ],
)
def test_an_image_that_leads_to_another_site_stays(linked: str) -> None:
    assert f"![]({FOLDER}a.jpg)" in markdown(f"<p>x</p><p>{linked}</p>")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>x<img src=a.jpg><img src=b.jpg>", f"x ![]({FOLDER}a.jpg) ![]({FOLDER}b.jpg)"),
        (
            "<p>x</p>"
            + "".join(
                f"<img data-src={name}.jpg><noscript><img src={name}.jpg></noscript>"
                for name in "ab"
            ),
            f"x\n\n![]({FOLDER}a.jpg)\n\n![]({FOLDER}b.jpg)",
        ),
        ("<p>x <img src=data:x><img srcset=','>", "x"),
    ],
)
def test_images_that_differ_stay_two(markup: str, expected: str) -> None:
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>x</p><a href=b><img src=a></a>", f"x\n\n[![]({FOLDER}a)]({FOLDER}b)"),
        ("<p>x <a href=b><img src=a></a>.", f"x [![]({FOLDER}a)]({FOLDER}b) ."),
        ("<p><a href=b>x <img src=a> y</a>", f"[x ![]({FOLDER}a) y]({FOLDER}b)"),
        (
            "<figure><a href=b><img src=a alt='x [y]'></a><figcaption>c</figcaption></figure>",
            f"[![x \\[y\\]]({FOLDER}a)]({FOLDER}b)\n\n*c*",
        ),
        ("<p>x</p><a href=javascript:b><img src=a></a>", f"x\n\n![]({FOLDER}a)"),
    ],
)
def test_an_image_keeps_the_link_around_it(markup: str, expected: str) -> None:
    assert markdown(markup) == expected


@pytest.mark.parametrize(
    "markup",
    [
        "<img src=a.gif width=1 height=1>",
        "<img src=a.gif height=0>",
        "<img src=a.gif width=1px height=20>",
        "<img src=a.gif style='width: 1px; height: 1px'>",
        "<img src=a.gif style='display:none'>",
        "<img src=/i/spacer.gif>",
        "<img src='https://www.facebook.com/tr?id=1&ev=PageView'>",
        "<noscript><img src=https://vg07.met.vgwort.de/na/0123></noscript>",
    ],
)
def test_an_image_that_only_counts_readers_or_fills_a_place_is_left_out(markup: str) -> None:
    assert markdown(f"<p>x</p>{markup}<p>y {markup}</p>", links=False) == "x\n\ny"


@pytest.mark.parametrize(
    "markup",
    [
        "<img src=a.jpg width=16 height=16>",
        "<img src=a.jpg width=100% height=1>",
        "<img srcset=a.jpg width=0 height=0>",
        "<img data-src=a.jpg width=1 height=1>",
        "<img src=a.jpg width=0 height=0 style='width:100%;height:auto'>",
        "<img src=a.jpg style='min-height:1px;width:1.5em'>",
        "<amp-img src=a.jpg width=1 height=1 layout=responsive></amp-img>",
    ],
)
def test_a_small_image_or_one_that_grows_stays(markup: str) -> None:
    assert markdown(f"<p>x</p>{markup}") == f"x\n\n![]({FOLDER}a.jpg)"


TEXT = "The wheel of the old mill was mended by the people of the village in a long summer."
PARAGRAPHS = (
    f"<p>{TEXT}</p><p>They cut new blocks of stone, and a mason from the next town helped them.</p>"
)
FIGURE = "<figure><img src=a.jpg><figcaption>The wheel in May, by Ann Bee.</figcaption></figure>"
IMAGE = "![](https://page.invalid/a.jpg)"


def kept(body: str, **options: str) -> str:
    """Return the Markdown of an article without captions, with images."""
    page = f"<html lang=en><title>The mill</title><article>{body}</article>"
    chosen = {"images": "keep", "captions": "drop", "format": "markdown", **options}
    cleaner = Cleaner(CleanerOptions().with_values(chosen))
    return cleaner.clean(Page("https://page.invalid/", page.encode(), "text/html")).text


@pytest.mark.parametrize(
    "figure",
    [
        FIGURE,
        "<figure><figcaption>The wheel in May.</figcaption><img src=a.jpg></figure>",
        "<div class=wp-caption><img src=a.jpg><p class=wp-caption-text>The wheel in May.</p></div>",
        "<p><img src=a.jpg></p><p>Photo: Ann Bee / Getty Images</p>",
    ],
)
def test_an_image_stays_without_its_caption(figure: str) -> None:
    written = kept(f"{PARAGRAPHS}{figure}{PARAGRAPHS}")

    assert IMAGE in written
    assert "wheel in May" not in written
    assert "Photo" not in written


def test_a_figure_at_an_end_of_the_text_stays_and_one_that_links_elsewhere_goes() -> None:
    heading = "<h1>The mill</h1><p>By Ann Bee, 3 May 2025</p>"
    dropped = {"title": "drop", "bylines": "drop"}

    assert kept(f"{heading}{FIGURE}{PARAGRAPHS}", **dropped).startswith(IMAGE)
    assert kept(f"{PARAGRAPHS}{FIGURE}<nav><a href=b>Home</a></nav>").endswith(IMAGE)
    other = FIGURE.replace("<img src=a.jpg>", "<a href=other.html><img src=a.jpg></a>")
    assert IMAGE not in kept(f"{heading}{other}{PARAGRAPHS}", **dropped)


def test_an_image_keeps_no_link_where_links_are_left_out() -> None:
    written = markdown("<p>x</p><a href=b><img src=a></a>", links=False)

    assert written == f"x\n\n![]({FOLDER}a)"


def test_an_image_for_readers_without_scripts_leaves_its_sentence_whole() -> None:
    lazy = "<img data-src=a.jpg><noscript> <img src=a.jpg> </noscript>"
    sentence = "The wheel {}of the mill turns again since the beginning of May, says the miller."

    written = kept(f"{PARAGRAPHS}<p>{sentence.format(lazy)}</p>{PARAGRAPHS}", images="drop")

    assert sentence.format("") in written


def test_the_source_of_a_quotation_is_not_the_foot_of_the_page() -> None:
    quote = "<p>The mill will turn for a hundred years, they say, or longer still.</p>"
    source = "<footer>— <cite>Eve Stone</cite>, at the opening</footer>"

    written = kept(f"{PARAGRAPHS}<blockquote>{quote}{source}</blockquote>{PARAGRAPHS}")

    assert "Eve Stone" in written


def test_images_alone_in_cells_are_in_their_cells() -> None:
    rows = (
        "<tr><th>a<th>b<th>c<tr><td>d<td><img src=1.png alt='x|y'><td>e"
        "<tr><td><a href=f><img src=2.png></a><img src=3.png><td>g<td>"
        "<tr><td>h<td>i<td><img src=4.png>"
    )

    assert markdown(f"<p>a</p><table>{rows}</table><p>b") == "\n".join([
        "a", "", "| a | b | c |", "| --- | --- | --- |",
        f"| d | ![x\\|y]({FOLDER}1.png) | e |",
        f"| [![]({FOLDER}2.png)]({FOLDER}f) ![]({FOLDER}3.png) | g |  |",
        f"| h | i | ![]({FOLDER}4.png) |", "", "b",
    ])  # fmt: skip


def test_an_image_next_to_a_table_is_written() -> None:
    table = "<table><tr><th>a<th>b<tr><td>c<td>d</table>"
    grid = "| a | b |\n| --- | --- |\n| c | d |"

    image = f"![]({FOLDER}1.png)"
    assert markdown(f"<p>a</p><img src=1.png>{table}<p>b") == f"a\n\n{image}\n\n{grid}\n\nb"
    assert markdown(f"<p>a</p>{table}<img src=1.png><p>b") == f"a\n\n{grid}\n\n{image}\n\nb"
