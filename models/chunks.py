"""The text of a document -> chunks for an index: by heading and paragraph, of limited size."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from struct import iter_unpack
from typing import Final

from winnow.models._kernel import BLOCK_KINDS, count_tokens
from winnow.models.errors import OptionsError

Count = Callable[[str], int]

# Each chunk under a heading repeats its title.
MAX_TITLE_CHARS: Final = 200
_UNIT: Final = "<IBB"
_HEADING, _PARAGRAPH, _TABLE, _CODE = (
    BLOCK_KINDS.index(name) for name in ("heading", "paragraph", "table_cell", "code")
)
# Where a paragraph that is too long is cut: after a sentence, else after a word. In scripts without
# spaces no space follows a sentence.
_SENTENCE_END: Final = re.compile(
    # followed by closing quotation marks and brackets
    "(?<=[.!?\\u2026])[\"'\\u201d\\u2019\\xbb)\\]]*\\s+"
    "|(?<=[\\u3002\\uff01\\uff1f])[\\u300d\\u300f\\u201d\\u2019\\uff09]*"
)
_SPACE: Final = re.compile(r"\s+")
_HEADING_MARK: Final = re.compile(r"[>\s]*#{1,6} ")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of the text of a document.

    Attributes:
        text: exactly as in the document.
        headings: the titles of the headings above it, the outermost first; a heading in
            the chunk is the last of them.
        start, end: its position in the text, in characters, half open.
        tokens: its length, by the given count.
    """

    text: str
    headings: tuple[str, ...]
    start: int
    end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part that is not cut: a table, a code listing, a paragraph, or a sentence of a long one."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Section:
    """The text under one heading."""

    headings: tuple[str, ...]
    pieces: list[_Piece]


def chunks_of(
    text: str, outline: bytes, max_tokens: int, overlap: int, count: Count = count_tokens
) -> tuple[Chunk, ...]:
    """Cut a text into chunks; see `Document.chunks`.

    Raises:
        OptionsError: a number is out of its range.
    """
    if max_tokens < 1:
        raise OptionsError(f"max_tokens {max_tokens}: must be at least 1")
    if not 0 <= overlap <= max_tokens // 2:
        raise OptionsError(f"overlap {overlap}: must be 0 to half of max_tokens, {max_tokens // 2}")
    packer = _Packer(text, max_tokens, overlap, count)
    sections = _sections(text, outline, packer.parted)
    return tuple(chunk for section in sections for chunk in packer.chunks(section))


def _sections(
    text: str, outline: bytes, parted: Callable[[_Piece], Iterable[_Piece]]
) -> Iterator[_Section]:
    """Yield the text under each heading; headings without text stay with the following text."""
    path: list[tuple[int, str]] = []
    section = _Section((), [])
    has_text = False
    for start, end, kind, level in _units(text, outline):
        piece = _Piece(start, end)
        if kind == _HEADING:
            if has_text:
                yield section
            path = [each for each in path if each[0] < level]
            path.append((level, _title(text[start:end])))
            headings = tuple(title for _, title in path)
            section = _Section(headings, [] if has_text else section.pieces)
            has_text = False
            section.pieces.append(piece)
        else:
            section.pieces.extend([piece] if kind in {_TABLE, _CODE} else parted(piece))
            has_text = True
    if section.pieces:
        yield section


def _units(text: str, outline: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Yield start and end of each unit in characters, the code of its kind, and its level."""
    encoded = text.encode("utf-8", errors="surrogatepass")
    # a document that was built by hand has no outline: its text is one paragraph
    marks = list(iter_unpack(_UNIT, outline)) or [(0, _PARAGRAPH, 0)]
    ends = [at for at, _, _ in marks[1:]] + [len(encoded)]
    start = 0
    for (at, kind, level), end in zip(marks, ends, strict=True):
        written = encoded[at:end].decode("utf-8", errors="surrogatepass")
        if kept := written.rstrip():
            yield start, start + len(kept), kind, level
        start += len(written)


def _title(heading: str) -> str:
    title = " ".join(_HEADING_MARK.sub("", heading, count=1).split())
    return title if len(title) <= MAX_TITLE_CHARS else title[: MAX_TITLE_CHARS - 1] + "…"


class _Packer:
    """Packs the pieces of a section into chunks."""

    def __init__(self, text: str, max_tokens: int, overlap: int, count: Count) -> None:
        self._text = text
        self._max_tokens = max_tokens
        self._overlap = overlap
        self._count = count

    def parted(self, piece: _Piece) -> Iterable[_Piece]:
        """Return a piece, cut into sentences or words if it is too long for a chunk."""
        if self._tokens(piece.start, piece.end) <= self._max_tokens:
            return [piece]
        return [
            part
            for sentence in self._cut(piece, _SENTENCE_END)
            for part in (
                [sentence]
                if self._tokens(sentence.start, sentence.end) <= self._max_tokens
                else self._words(sentence)
            )
        ]

    def chunks(self, section: _Section) -> Iterator[Chunk]:
        """Yield the chunks of a section, each with as many pieces as fit."""
        pieces = section.pieces
        first, before = 0, -1
        while first < len(pieces):
            start = self._with_overlap(pieces, before, first)
            fits = partial(self._fits_to, pieces, start, first)
            end = first + 1 + _most(len(pieces) - first - 1, fits)
            tokens = self._tokens(start, pieces[end - 1].end)
            yield Chunk(
                self._text[start : pieces[end - 1].end], section.headings,
                start, pieces[end - 1].end, tokens,
            )  # fmt: skip
            before, first = first, end

    def _with_overlap(self, pieces: Sequence[_Piece], before: int, first: int) -> int:
        """Return the start of a chunk that repeats the end of the previous one."""
        if before < 0 or not self._overlap:
            return pieces[first].start
        end, until = pieces[first - 1].end, pieces[first].end

        def repeats(number: int) -> bool:
            start = pieces[first - number].start
            is_short = self._tokens(start, end) <= self._overlap
            return is_short and self._tokens(start, until) <= self._max_tokens

        return pieces[first - _most(first - before - 1, repeats)].start

    def _fits_to(self, pieces: Sequence[_Piece], start: int, first: int, number: int) -> bool:
        return self._tokens(start, pieces[first + number].end) <= self._max_tokens

    def _tokens(self, start: int, end: int) -> int:
        return self._count(self._text[start:end])

    def _cut(self, piece: _Piece, border: re.Pattern[str]) -> Iterator[_Piece]:
        start = piece.start
        for found in border.finditer(self._text, piece.start, piece.end):
            if start < found.end() < piece.end:
                yield _Piece(start, found.end() - len(found[0]) + len(found[0].rstrip()))
                start = found.end()
        yield _Piece(start, piece.end)

    def _words(self, sentence: _Piece) -> Iterator[_Piece]:
        """Yield the words of a sentence that is longer than a chunk; a longer word is halved."""
        for word in self._cut(sentence, _SPACE):
            yield from self._halves(word)

    def _halves(self, word: _Piece) -> Iterator[_Piece]:
        size = word.end - word.start
        if size < 2 or self._tokens(word.start, word.end) <= self._max_tokens:  # noqa: PLR2004 - halves
            yield word
            return
        middle = word.start + size // 2
        yield from self._halves(_Piece(word.start, middle))
        yield from self._halves(_Piece(middle, word.end))


def _most(limit: int, holds: Callable[[int], bool]) -> int:
    """Return the largest number up to `limit` that `holds`; all smaller ones must hold too.

    The search takes a number of calls proportional to the logarithm of the result.
    """
    low, step = 0, 1
    while low + step <= limit and holds(low + step):
        low += step
        step *= 2
    high = min(low + step - 1, limit)
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low
