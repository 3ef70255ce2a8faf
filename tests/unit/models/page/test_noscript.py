"""Raw text in `noscript` that its own end tag does not end: it must not swallow the page."""

import pytest

from tests.trees.rows import kernel_rows, lexbor_rows
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import Limits, blocks_of, tree_of

TEXT = "The council met on Monday."
FRAME = '<iframe src="https://tags.invalid/ns.html" height="0" />'


def text_of(body: str) -> str:
    return blocks_of(
        Page("https://example.invalid/", body.encode(), "text/html"), wanted="shown"
    ).text


@pytest.mark.parametrize(
    "before",
    [
        f"<body><noscript>{FRAME}</noscript>",
        f"<head><noscript>{FRAME}</noscript></head><body>",
        f"<body><NOSCRIPT>{FRAME.upper()}</NOSCRIPT\n>",
        f"<body><noscript><p>Turn scripts on.</p>{FRAME}</noscript>" * 3,
        "<body><noscript>Größe <noembed>x</noscript>",
        "<body><noscript><textarea></noscript>",
        "<body><noscript><style>p {}</noscript>",
        "<head><noscript><title></noscript></head>",
    ],
)
@pytest.mark.parametrize("after", ["", "<iframe src=film></iframe>", "<noscript>x</noscript>"])
def test_text_is_found_after_raw_text_that_a_noscript_leaves_open(before: str, after: str) -> None:
    assert TEXT in text_of(f"{before}<p>{TEXT}</p>{after}")


def test_raw_text_is_closed_where_its_noscript_ends() -> None:
    page = f"<noscript>Größe {FRAME} x</noscript><p>a<noscript><XMP></noscript><p>b"

    assert kernel_rows(page) == lexbor_rows(
        f"<noscript>Größe {FRAME} x</iframe></noscript><p>a<noscript><XMP></xmp></noscript><p>b"
    )


@pytest.mark.parametrize(
    "page",
    [
        "<noscript><iframe></iframe></noscript><p>x",
        "<iframe><noscript><img></noscript></iframe><p>x",
        "<iframe><p>x</noscript>",
        "<noscript><iframe><p>x",
        "<noscript><p>x</noscript><iframe></noscript>",
        "<noscript><script>'</noscript>'</script></noscript><p>x",
        "<noscript><plaintext></noscript><p>x",
        "<!-- <noscript> --><iframe></noscript><p>x",
        "<svg><noscript><iframe></noscript></svg><p>x",
    ],
)
def test_page_stays_as_it_is_when_no_raw_text_leaks_out_of_a_noscript(page: str) -> None:
    assert kernel_rows(page) == lexbor_rows(page)


def test_elements_after_a_leak_are_counted() -> None:
    page = f"<noscript>{FRAME}</noscript>" + "<div>" * 100

    with pytest.raises(InvalidPage, match="more than 99 elements open"):
        tree_of(page, Limits(depth=99))


def test_blocks_of_a_page_of_leaks_equal_the_blocks_without_them() -> None:
    leaking = "".join(f"<noscript>{FRAME}</noscript><p>Paragraph {n}.</p>" for n in range(200))
    closed = leaking.replace("</noscript>", "</iframe></noscript>")

    assert (
        blocks_of(Page("", leaking.encode(), "text/html")).text
        == blocks_of(Page("", closed.encode(), "text/html")).text
    )


@pytest.mark.parametrize(
    "foreign",
    [
        "<math><noscript>x</noscript></math>",
        "<math><mrow><noscript></noscript></mrow></math>" * 300,
        "<svg><noscript>x</noscript></svg>",
        "<math><mtext><noscript>x</noscript></mtext></math>",
    ],
)
def test_noscript_inside_another_namespace_leaves_nothing_open(foreign: str) -> None:
    body = f"<article><h1>Bees</h1>{foreign}<p>{TEXT}</article><footer><p>Imprint"
    blocks = blocks_of(Page("", f"<body>{body}".encode(), "text/html"), wanted="every")

    paths = [blocks.block(order).tag_path for order in range(len(blocks))]
    assert paths[0] == "body/article/h1"
    assert paths[-2:] == ["body/article/p", "body/footer/p"]
