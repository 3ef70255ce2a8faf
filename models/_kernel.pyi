"""The native kernel (`models/kernel`, Rust): the manual of its Python side."""

from collections.abc import Sequence
from typing import Protocol, final

from selectolax.lexbor import LexborHTMLParser

from models.document import Block

__all__ = [
    "KERNEL_VERSION",
    "Blocks",
    "Prepared",
    "Rendered",
    "Sentences",
    "align_characters",
    "char_edit_distance",
    "edit_distance",
    "lcs_length",
    "lcs_pairs",
    "paragraphs",
    "prepare",
    "render",
    "tag_names",
    "walk",
]

KERNEL_VERSION: str

class _Limits(Protocol):
    """The bounds that `prepare` reads; see `models.page.limits.Limits`."""

    @property
    def page_bytes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def attributes(self) -> int: ...
    @property
    def names(self) -> int: ...
    @property
    def steps(self) -> int: ...

@final
class Prepared:
    """A page that may be parsed.

    Attributes:
        markup: UTF-8 without a byte order mark; the body itself where it is that already.
        charset: lower-case WHATWG name of the charset the body came in.
        form: `html` or `text`.
        census: what the guard counted, by name of the limit; zeros for text.
    """

    @property
    def markup(self) -> bytes: ...
    @property
    def charset(self) -> str: ...
    @property
    def form(self) -> str: ...
    @property
    def census(self) -> list[tuple[str, int]]: ...

@final
class Blocks:
    """The blocks of one page, in document order.

    Attributes:
        text: the texts of all blocks, each followed by a line feed.
        chars: characters of all block texts.
        first_heading: text of the first heading of level 1, else empty.
        declared: what the page says about itself: names and values in document order. Names are
            `title`, `lang`, `base`, `canonical`, `meta:NAME`, `time`, `time:article`, `json-ld`.
    """

    def __len__(self) -> int: ...
    def block(self, order: int) -> Block:
        """Make one block a value. Raises IndexError past the end."""

    def details(self, order: int) -> list[tuple[str, int]]:
        """Return what the walk knows of a block beside its value, by name."""

    @property
    def text(self) -> str: ...
    @property
    def chars(self) -> int: ...
    @property
    def first_heading(self) -> str: ...
    @property
    def declared(self) -> list[tuple[str, str]]: ...

@final
class Rendered:
    """Text made of what verdicts keep, and how much that is.

    Attributes:
        chars_kept: characters of the kept sentences, without what stands between them.
    """

    @property
    def text(self) -> str: ...
    @property
    def blocks_kept(self) -> int: ...
    @property
    def sentences_kept(self) -> int: ...
    @property
    def tokens_kept(self) -> int: ...
    @property
    def chars_kept(self) -> int: ...

@final
class Sentences:
    """The scored sentences of one page, in the order of its blocks."""

    def __len__(self) -> int: ...

def prepare(body: bytes, content_type: str, url: str, limits: _Limits) -> Prepared:
    """Find charset and form of a body and check it against the limits; releases the GIL.

    `content_type` and `url` may be empty; the domain of the URL helps to detect the charset.

    Raises:
        InvalidPage: the body is empty, no text, or beyond a limit.
    """

def walk(tree: LexborHTMLParser) -> Blocks:
    """Cut a parsed page into blocks; releases the GIL, so `tree` must not be in other hands.

    Raises:
        TypeError: `tree` is no selectolax LexborHTMLParser.
    """

def paragraphs(text: bytes) -> Blocks:
    """Cut plain text in UTF-8 into blocks at blank lines; releases the GIL."""

def render(
    blocks: Blocks, sentences: Sentences | None, verdicts: bytes, form: str, mark: bool
) -> Rendered:
    """Write what is kept of a page; releases the GIL.

    `verdicts` holds a code of `Verdict` (its position) for each sentence, or for each block when
    `sentences` is None. `form` is `text`. With `mark`, dropped sentences stay, marked with
    their perplexity: `<ppl 9123.4>...</ppl>`.

    Raises:
        ValueError: the number of verdicts or the form is wrong.
    """

def tag_names() -> list[str]:
    """Return the element names by lexbor's number; empty where a number is no element."""

def lcs_length(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the length of the longest common subsequence of two sequences of symbols.

    Symbols are 32-bit numbers. Releases the GIL. Takes len x len / 64 steps.

    Raises:
        ValueError: the product of the lengths exceeds 2**40.
    """

def lcs_pairs(left: Sequence[int], right: Sequence[int]) -> list[tuple[int, int]]:
    """Return one longest common subsequence as increasing pairs of positions (left, right).

    Keeps at most 64 MB of rows. Errors as for `lcs_length`.
    """

def edit_distance(left: Sequence[int], right: Sequence[int]) -> int:
    """Return the Levenshtein distance: insertions, deletions, substitutions, each 1.

    Errors as for `lcs_length`.
    """

def char_edit_distance(left: str, right: str) -> int:
    """Return the Levenshtein distance of two texts in code points; errors as for `lcs_length`."""

def align_characters(source: str, cleaned: str, /) -> bytes:
    """Return, for each character of `source`, where it stands in `cleaned`.

    Little-endian int32, -1 for a character of `source` alone. Positions grow from left to right.
    The GIL is released.

    Raises:
        ValueError: the texts are long and have too little in common.
    """
