"""Images in Markdown: once each, with the best address, in their links."""

import pytest

from tests.unit.models.page.test_markdown_round_trip import markdown

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


def test_an_image_keeps_no_link_where_links_are_left_out() -> None:
    written = markdown("<p>x</p><a href=b><img src=a></a>", links=False)

    assert written == f"x\n\n![]({FOLDER}a)"
