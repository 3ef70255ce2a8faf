"""Pages whose trees are compared with lexbor's: real, mutated, and of random pieces."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from tests.fuzz.mutation import mutated
from tests.trees.rows import kernel_rows, lexbor_rows
from winnow.lab.sets.labelled import labelled_pages
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import decode

_LONGEST_MUTATED: Final = 30_000

# contexts around the pieces of pages
_CONTEXTS: Final = (
    "", "<p>", "<table>", "<table><tr>", "<table><tr><td>", "<table><colgroup>", "<table><caption>",
    "<p>x<table>", "<select>", "<svg>", "<svg><title>", "<math><mi>", "<template>",
    "<template><table>", "<p>x</body>", "<p>x</body></html>", "<frameset>", "<frameset></frameset>",
    "<form>", "<button>", "<b><i>", "<a href=x>", "<ruby><rb>", "<object>", "<head>", "<pre>",
)  # fmt: skip
_NAMES: Final = (
    "a b big body br button caption center col colgroup dd div dl dt em font form frame frameset h1"
    " h2 head hr html i image img input li math mi mtext nobr noembed noframes noscript object ol"
    " optgroup option p plaintext pre rb rt rtc ruby script select span strong style svg table"
    " tbody td template textarea tfoot th thead title tr u ul x-y xmp desc foreignObject"
    " annotation-xml mglyph"
).split()
_OTHERS: Final = (
    "t", "some text ", " ", "\n", "x&amp;", "&notit;", "&#0;", "&#x80;", "&", "<", "</", "<!", "<?",
    "<!--c-->", "<!-->", "<!--", "-->", "--!>", "<!doctype html>", "<!doctype x>", "<?pi x>",
    "<![CDATA[cd]]>", "]]>", "</>", "< a>", "\0", "\f", "\u00e9", "\U0001f41d", '"', "'", "=", "/>",
)  # fmt: skip
_ATTRIBUTES: Final = (
    "", " id=a", " id=b", " class='x y'", ' href="?a=1&amp;b=2&copy=3"', " hidden", " / ",
    " a=1 a=2", " color=red", " encoding=text/html", " type=hidden", " =x", ' x="y', " z='>'", "/",
)  # fmt: skip


def _piece(random: Random) -> str:
    kind = random.randrange(4)
    if kind == 0:
        return random.choice(_OTHERS)
    name = random.choice(_NAMES)
    if kind == 1:
        return f"</{name}>"
    return f"<{name}{random.choice(_ATTRIBUTES)}>"


def random_page(random: Random) -> str:
    """Return a page of random pieces of markup."""
    pieces = (_piece(random) for _ in range(random.randrange(1, 30)))
    return random.choice(_CONTEXTS) + "".join(pieces)


# Where lexbor departs from the standard: `image` is an `img` before the table, what ends in `<?` or
# `<!` is a comment, only a doctype between columns is ignored, and only the text after frames
# that is not white space.
DEPARTURES: Final = re.compile(r"<image|<[?!]$|<colgroup.*<!doctype|<frameset.*</html>", re.DOTALL)


def differs(markup: str) -> bool:
    """Return whether the trees differ where lexbor keeps to the standard."""
    if DEPARTURES.search(markup):
        return False
    try:
        return kernel_rows(markup, is_repaired=False) != lexbor_rows(markup)
    except InvalidPage:
        return False  # lexbor has no limits


def development_pages(shared: Path) -> Iterator[str]:
    """Yield the markup of all development pages that are HTML."""
    for archive in sorted((shared / "pages").glob("*.tar.zst")):
        for page in labelled_pages(archive):
            source = decode(Page("", page.html, "text/html"))
            if source.form == "html":
                yield source.markup.decode()


def mutated_pages(pages: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """Yield pages that two others were mixed into, with damage."""
    random = Random(seed)
    given = [page.encode() for page in pages if len(page) < _LONGEST_MUTATED]
    for _ in range(count):
        one, other = random.sample(given, 2)
        yield mutated(one, other, random).decode(errors="replace")
