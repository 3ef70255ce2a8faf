"""What the tree of the standard leaves out, and a browser shows."""

import pytest

from winnow.models.document import Page
from winnow.models.page import Wanted, blocks_of

TEXT = "The council met on Monday."
FRAMES = "<html><frameset><frame src=a>{}</frameset></html>"


def text_of(markup: str, wanted: Wanted = "shown") -> str:
    return blocks_of(Page("", markup.encode(), "text/html"), wanted=wanted).text


@pytest.mark.parametrize("name", ["shadowrootmode", "shadowroot"])
@pytest.mark.parametrize("mode", ["open", "CLOSED"])
def test_a_declarative_shadow_root_is_read_in_its_place(name: str, mode: str) -> None:
    shadow = f"<template {name}={mode}><p>{TEXT}</template>"

    assert text_of(f"<p>a</p><my-card>{shadow}<p>b</my-card>") == f"a\n{TEXT}\nb\n"


def test_what_react_sends_after_the_page_is_read_in_its_place() -> None:
    page = "<p>a</p><!--$?--><template id=B:0></template><p>Loading</p><!--/$--><p>c</p>"
    parts = "<div hidden id=S:0>{}</div><script>$RC('B:0','S:0')</script>"
    row = "<!--$?--><template id=B:1></template><!--/$-->"
    rows = f"<table hidden><tbody id=S:1><tr><td>{TEXT}</table><script>$RC('B:1','S:1')</script>"

    assert text_of(page + parts.format(f"<p>{TEXT}")) == f"a\n{TEXT}\nc\n"
    assert text_of(page + parts.format(f"<p>b{row}") + rows) == f"a\nb\n{TEXT}\nc\n"
    assert text_of(page) == "a\nLoading\nc\n"


@pytest.mark.parametrize("attribute", ["", " shadowroot", " shadowrootmode=''", " shadow=open"])
def test_any_other_template_is_not_read(attribute: str) -> None:
    assert text_of(f"<p>a</p><div><template{attribute}><p>{TEXT}</template></div>") == "a\n"


@pytest.mark.parametrize(
    "instead",
    [f"<noframes><p>{TEXT}</noframes>", f"<noframes>{TEXT}</noframes>"],
)
def test_noframes_content_is_read(instead: str) -> None:
    assert text_of(FRAMES.format(instead)) == f"{TEXT}\n"


def test_noframes_in_a_page_without_frames_is_not_read() -> None:
    assert text_of(f"<p>a</p><noframes><p>{TEXT}</p></noframes>") == "a\n"
