"""The guard's figure for texts that move, against the memory that the parser takes."""

import resource

from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import Limits, prepare

PAGE_BYTES = 200_000
# what nodes and copies of the page itself take, and room for what moves
LINEAR_BYTES = 30_000_000
UNBOUND = Limits(moved=1 << 40)

CONTEXTS = (
    "",
    "<p>",
    "<table>",
    "<table><tr>",
    "<table><tr><td>",
    "<table><colgroup>",
    "<table><caption>",
    "<p>x<table>",
    "<select>",
    "<svg>",
    "<svg><title>",
    "<template>",
    "<template><table>",
    "<p>x</body>",
    "<p>x</body></html>",
    "<frameset>",
    "<frameset></frameset>",
    "<form>",
    "<button>",
)
NAMES = (
    "a b body br button caption center col colgroup dd div dt font form frame frameset h1 head hr"
    " html image img input li math noembed noframes noscript option p select span style svg table"
    " tbody td template textarea th title tr x-y"
).split()
STARTS = [f"<{name}{attribute}>" for name in NAMES for attribute in ("", " k=value", " k='v'/")]
ENDS = [f"</{name}{attribute}>" for name in NAMES for attribute in ("", " k=value")]
TEXTS = ["t", "some text ", "some text that is long, and ends here. ", " ", "\n", "x&amp;", "\0t"]
OTHERS = ["<!--c-->", "<!doctype x>", "<?pi x>", "<![CDATA[cd]]>"]
PIECES = st.one_of(*map(st.sampled_from, (TEXTS, STARTS, ENDS, OTHERS)))


def _bytes_taken(markup: bytes) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    LexborHTMLParser(markup)
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    return faults * resource.getpagesize()


@settings(max_examples=300, deadline=None)
@given(context=st.sampled_from(CONTEXTS), pieces=st.lists(PIECES, min_size=1, max_size=5))
def test_parse_takes_no_more_memory_than_the_guard_foresees(
    context: str, pieces: list[str]
) -> None:
    unit = "".join(pieces)
    markup = (context + unit * (PAGE_BYTES // len(unit))).encode()
    try:
        census = dict(prepare(Page("", markup, "text/html"), UNBOUND).census)
    except InvalidPage:
        return  # never parsed

    assert _bytes_taken(markup) < LINEAR_BYTES + 1.3 * census["moved"]
