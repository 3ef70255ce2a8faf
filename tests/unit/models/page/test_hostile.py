"""Bodies made to do harm: the only refusal is `InvalidPage`, and time is bounded."""

import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.lab.sets.labelled import labelled_pages
from winnow.models._kernel import Blocks, render
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import blocks_of

_TAGS = (
    *("p", "div", "table", "tr", "td", "th", "ul", "ol", "li", "dl", "dd", "pre"),
    *("blockquote", "h2", "a", "b", "svg", "math", "template", "x-y"),
)
_PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in _TAGS] + [f"</{tag}>" for tag in _TAGS]),
    st.sampled_from(
        ["<br>", "<!--", "-->", "<td colspan=999 rowspan=2>", "&amp;", "```", "|", "# ", "&#0;"]
    ),
    st.text(max_size=12),
)
_BODIES = st.one_of(st.binary(max_size=300), st.lists(_PIECES, max_size=40).map("".join))
_SECONDS_A_MEGABYTE = 3.0


def _blocks(body: bytes | str, content_type: str = "") -> Blocks | None:
    body = body if isinstance(body, bytes) else body.encode()
    try:
        return blocks_of(Page("https://sample.invalid/", body, content_type))
    except InvalidPage:
        return None


@given(body=_BODIES, content_type=st.sampled_from(["", "text/html", "text/plain; charset=koi8-r"]))
def test_any_body_is_cut_or_refused_with_a_reason(body: bytes | str, content_type: str) -> None:
    cut = _blocks(body, content_type)

    if cut is not None:
        blocks = [cut.block(order) for order in range(len(cut))]
        assert all(block.text.strip() for block in blocks)
        assert all(0 <= block.link_chars <= len(block.text) for block in blocks)


@given(body=_BODIES, seed=st.randoms(use_true_random=False))
def test_rendered_text_is_the_text_of_the_kept_blocks(
    body: bytes | str, seed: random.Random
) -> None:
    cut = _blocks(body)
    if cut is None:
        return
    verdicts = bytes(seed.randrange(2) for _ in range(len(cut)))

    rendered = render(cut, None, verdicts, "text", False)

    kept = [cut.block(order).text for order, code in enumerate(verdicts) if not code]
    assert rendered.text.split() == " ".join(kept).split()
    assert rendered.chars_kept == sum(map(len, kept))


@given(body=_BODIES)
def test_markdown_holds_every_character_of_the_text_in_order(body: bytes | str) -> None:
    cut = _blocks(body)
    if cut is None:
        return
    everything = bytes(len(cut))

    written = iter(render(cut, None, everything, "markdown", False).text)

    text = "".join(render(cut, None, everything, "text", False).text.split())
    assert all(character in written for character in text)


@pytest.mark.quality
@pytest.mark.parametrize("name", ["cleaneval", "wcxb"])
def test_damaged_real_pages_are_cut_or_refused_in_bounded_time(shared: Path, name: str) -> None:
    chance = random.Random(21)
    pages = chance.sample(list(labelled_pages(shared / "pages" / f"{name}.tar.zst")), 25)
    for page in pages:
        body = _damaged(page.html, chance)
        before = time.thread_time()

        _blocks(body)

        allowed = _SECONDS_A_MEGABYTE * max(len(body) / 1e6, 0.05)
        assert time.thread_time() - before < allowed, page.page_id


def _damaged(body: bytes, chance: random.Random) -> bytes:
    """Bytes flipped, stretches of the page cut out, repeated and moved."""
    damaged = bytearray(body)
    for _ in range(20):
        start = chance.randrange(len(damaged) + 1)
        stretch = damaged[start : start + chance.randrange(200)]
        where = chance.randrange(len(damaged) + 1)
        damaged[where:where] = stretch * chance.randrange(1, 20)
        del damaged[start : start + chance.randrange(50)]
    for _ in range(50):
        damaged[chance.randrange(len(damaged))] = chance.choice(b"<>\"'=/&!-\x00 \xff")
    return bytes(damaged)
