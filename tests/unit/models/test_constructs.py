"""Pages of one construct each: their cost grows with their size, and with nothing else.

A sample of what `make hostile` does with all of them, and up to 7 MB.
"""

from typing import Final

import pytest

from tests.exponents import exponent
from tests.growth.constructs import constructs
from tests.growth.modes import MAX_PARSES, URL, cleaner, page_s, parse_s
from winnow.models.document import Page

SMALL_BYTES: Final = 64_000
BYTES: Final = 4 * SMALL_BYTES
# a cache that a page outgrows costs up to .2; a page that is looked at for each of its words, .7
MAX_EXPONENT: Final = 1.35
# below it, the fixed cost of a page is most of the time
LEAST_S: Final = 0.02
EVERY: Final = 12
# of all addresses of a page
ADDRESS_BYTES: Final = 1 << 20
# each was quadratic once, or cost more than a hundred parses
ONCE_BAD: Final = (
    "decade, in one line",
    "ISO date, in one word",
    "posted, in one line",
    "by, in one word",
    "投稿日, in one word",
    "emoji, in one word",
    "Autor, line by line",
    "a long class around code",
    "a long link around paragraphs",
    "a long link around runs",
    "a long link around raised signs",
    "a base of folders",
    "bodies of articles",
    "texts that begin alike",
    "texts that begin alike, with tags",
    "text in nested authors",
    "a formula of nested powers",
)
CONSTRUCTS: Final = constructs()
SAMPLE: Final = sorted({*ONCE_BAD, *list(CONSTRUCTS)[::EVERY]})
FEW: Final = tuple(list(CONSTRUCTS)[:: 5 * EVERY])


def _exceeded(mode: str, name: str) -> str:
    """Say which bound a construct passes, if any.

    Only what passes one in three looks counts. The second takes the least of three times, as other
    work on the machine adds to some. The third has pages four times as large, as an engine may drop
    the small page and keep the large one.
    """
    message = ""
    for size, times in ((SMALL_BYTES, 1), (SMALL_BYTES, 3), (BYTES, 3)):
        bodies = [CONSTRUCTS[name](each) for each in (size, 4 * size)]
        small, large = (page_s(mode, body, times) for body in bodies)
        assert small is not None, f"{name}: {size} bytes are refused"
        assert large is not None, f"{name}: {4 * size} bytes are refused"
        most = MAX_PARSES[mode] * parse_s(4 * size)
        growth = exponent([len(body) for body in bodies], [small, large])
        if large > most:
            message = f"{large:.3f} s, at most {most:.3f} s"
        elif large > LEAST_S and growth > MAX_EXPONENT:
            message = f"grows by its size to the power of {growth:.2f}"
        else:
            return ""
    return message


@pytest.mark.parametrize("name", SAMPLE)
def test_the_cost_of_a_construct_grows_with_its_size(name: str) -> None:
    assert not _exceeded("Markdown", name)


@pytest.mark.parametrize("mode", [mode for mode in MAX_PARSES if mode != "Markdown"])
@pytest.mark.parametrize("name", FEW)
def test_the_cost_of_a_construct_grows_with_its_size_in_every_mode(mode: str, name: str) -> None:
    assert not _exceeded(mode, name)


@pytest.mark.parametrize("name", SAMPLE)
def test_the_text_of_a_construct_is_about_as_long_as_its_page(name: str) -> None:
    body = CONSTRUCTS[name](SMALL_BYTES)

    text = cleaner("Markdown").clean(Page(URL, body, "text/html")).text

    # every character may be escaped, and short references may have a long base, up to a bound
    assert len(text) < 4 * len(body) + ADDRESS_BYTES


def test_constructs_are_of_the_size_that_is_asked_for() -> None:
    sizes = {name: len(construct(SMALL_BYTES)) for name, construct in CONSTRUCTS.items()}

    assert {name: size for name, size in sizes.items() if not 0.5 < size / SMALL_BYTES < 4} == {}
