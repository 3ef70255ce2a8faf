"""Corrected gold texts: changed labels of a page's blocks.

A patch has numbers of blocks and digests, but no text of a page. `winnow label` writes it, and it
is applied when a set is read with patches (docs/labelling.md).
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import Final

import msgspec

from winnow.models._kernel import Blocks
from winnow.models._kernel.lab import lcs_pairs
from winnow.models.document import Page
from winnow.models.errors import WinnowError
from winnow.models.page import blocks_of

SHIPPED: Final = Path(__file__).with_name("patches")

# scripts without blanks between words are aligned by characters
_UNSPACED: Final = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\w)+")
# minimum run of a block's words in the gold text: shorter runs can be chance
_LEAST_RUN: Final = 3
# minimum words of a block to search for it elsewhere in the gold text
_LEAST_MOVED: Final = 2


class PatchError(WinnowError):
    """A patch cannot be read, or does not match its page."""


class Patch(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The changes to the gold text of one page.

    Attributes:
        set_name, page_id: as `winnow.lab.sets.tasks` names them.
        page: hex SHA-256 of the page as the server sent it.
        gold: hex SHA-256 of the gold text before the patch, without marks.
        result: hex SHA-256 of the gold text after the patch; empty if no block changes.
        reason: the reason for people; required if blocks change.
        content: numbers of blocks that become content.
        boilerplate: numbers of blocks that become boilerplate.
        roles: numbers of blocks, by role.
    """

    set_name: str = msgspec.field(name="set")
    page_id: str = msgspec.field(name="id")
    page: str
    gold: str
    result: str = ""
    reason: str = ""
    content: tuple[int, ...] = ()
    boilerplate: tuple[int, ...] = ()
    roles: dict[str, tuple[int, ...]] = {}

    @property
    def name(self) -> str:
        """The page's id, unique over all sets."""
        return f"{self.set_name}/{self.page_id}"

    @property
    def changes_text(self) -> bool:
        """Whether it changes the gold text."""
        return bool(self.content or self.boilerplate)


class Laid:
    """A gold text aligned with the blocks of its page.

    Attributes:
        shares: per block, the share of its words that is in the gold text.
    """

    def __init__(self, texts: Sequence[str], gold: str) -> None:
        """Align the gold text by a longest common subsequence of words, then by moved blocks.

        Raises:
            ValueError: the texts are too long to align (`winnow.models._kernel.lab.lcs_pairs`).
        """
        self._texts: Final = texts
        self._gold: Final = gold
        words = [_words(text) for text in texts]
        wanted = _words(gold)
        # the block of each word of the gold text, -1 without a block
        self._owners: Final = _owners(words, wanted)
        held = [0] * len(texts)
        for owner in self._owners:
            if owner >= 0:
                held[owner] += 1
        lengths = [max(1, len(block)) for block in words]
        self.shares: Final = [hits / length for hits, length in zip(held, lengths, strict=True)]

    @cached_property
    def _pieces(self) -> list[str]:
        """The gold text in pieces, one per word; the first piece has the start of the text."""
        starts = [found.start() for found in _WORD.finditer(self._gold)]
        starts[:1] = [0] * bool(starts)
        return [self._gold[start:end] for start, end in pairwise([*starts, len(self._gold)])]

    def changed(self, content: Iterable[int], boilerplate: Iterable[int]) -> str:
        """Return the gold text with these blocks complete, or removed; the rest unchanged."""
        added = set(content)
        cut = added | set(boilerplate)
        places: dict[int, list[int]] = {}
        for order in sorted(added):
            before = [at for at, owner in enumerate(self._owners) if 0 <= owner < order]
            places.setdefault(before[-1] + 1 if before else 0, []).append(order)
        parts: list[str] = []
        for at, piece in enumerate([*self._pieces, ""]):
            parts += [f"\n{self._texts[order]}\n" for order in places.get(at, [])]
            if at < len(self._owners) and self._owners[at] not in cut:
                parts.append(piece)
        lines = (line.strip() for line in "".join(parts).splitlines())
        return "\n".join(line for line in lines if line)


class Patches:
    """Patches by page."""

    def __init__(self, patches: Iterable[Patch]) -> None:
        """Collect them.

        Raises:
            PatchError: a page has two patches, or a changing patch has no reason.
        """
        self._by_name: Final[dict[str, Patch]] = {}
        for patch in patches:
            if patch.name in self._by_name:
                raise PatchError(f"{patch.name}: has two patches: keep one of them")
            if patch.changes_text and not patch.reason.strip():
                raise PatchError(f"{patch.name}: the patch has no reason: add one")
            self._by_name[patch.name] = patch

    @classmethod
    def read(cls, folder: Path) -> "Patches":
        """Read the `.jsonl` files of a folder.

        Raises:
            PatchError: a file cannot be read, or the patches cannot be used together.
        """
        files = sorted(folder.glob("*.jsonl"))
        if not files:
            raise PatchError(f"{folder}: has no patches (*.jsonl)")
        return cls(chain.from_iterable(map(read_patches, files)))

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self._by_name)

    def text(self, set_name: str, page_id: str, body: bytes, gold: str) -> str:
        """Return the gold text of a page, corrected if there is a patch.

        Raises:
            PatchError: the patch is for another page, gold text or division into blocks.
        """
        patch = self._by_name.get(f"{set_name}/{page_id}")
        if patch is None or not patch.changes_text:
            return gold
        check_origin(patch, body, gold)
        texts = block_texts(body)
        if max(patch.content + patch.boilerplate) >= len(texts):
            raise PatchError(f"{patch.name}: the page has only {len(texts)} blocks: {_AGAIN}")
        mended = Laid(texts, gold).changed(patch.content, patch.boilerplate)
        if sha256(mended) != patch.result:
            raise PatchError(f"{patch.name}: the page is now divided into other blocks: {_AGAIN}")
        return mended


_AGAIN: Final = "correct it again with `winnow label`"


def read_patches(path: Path) -> Iterator[Patch]:
    """Yield the patches of a file, one per line.

    Raises:
        PatchError: it cannot be read, or a line is not a patch.
    """
    try:
        lines = _content(path).splitlines()
    except OSError as error:
        raise PatchError(f"{path}: {error.strerror}") from error
    for number, line in enumerate(lines, start=1):
        try:
            yield msgspec.json.decode(line, type=Patch)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise PatchError(f"{path}, line {number}: not a patch ({error})") from error


def _content(path: Path) -> bytes:
    """Read a regular file of a folder: no link out of the folder, no pipe that blocks."""
    if path.is_symlink():
        raise PatchError(f"{path} is a symbolic link")
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise PatchError(f"{path} is not a regular file")
        return file.read()


def check_origin(patch: Patch, body: bytes, gold: str) -> None:
    """Refuse a patch that was made for another page or gold text.

    Raises:
        PatchError: the digests differ.
    """
    for what, content, digest in (("page", body, patch.page), ("gold text", gold, patch.gold)):
        if sha256(content) != digest:
            raise PatchError(f"{patch.name}: the patch was made for another {what}: {_AGAIN}")


def sha256(content: bytes | str) -> str:
    """Return the hex SHA-256 of bytes, or of a text as UTF-8."""
    content = content.encode(errors="surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(content).hexdigest()


def page_outline(body: bytes) -> Blocks:
    """Cut a page into the blocks that patches number.

    Raises:
        InvalidPage: the page cannot be read.
    """
    return blocks_of(Page("", body, "text/html"), wanted="every")


def block_texts(body: bytes) -> list[str]:
    """Return the texts of the blocks that patches number; raises as `page_outline`."""
    blocks = page_outline(body)
    return [blocks.block(order).text for order in range(len(blocks))]


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _owners(blocks: Sequence[Sequence[str]], wanted: Sequence[str]) -> list[int]:
    """Return the block of each gold word; -1 without a block."""
    numbers: dict[str, int] = {}
    page = [numbers.setdefault(word, len(numbers)) for block in blocks for word in block]
    block_of = [order for order, block in enumerate(blocks) for _ in block]
    gold = [numbers.setdefault(word, len(numbers)) for word in wanted]
    owners = [-1] * len(gold)
    # the longest first: a sentence is a more likely owner of its first word than a one-word heading
    for run in sorted(_runs(lcs_pairs(page, gold), block_of), key=len, reverse=True):
        order = block_of[run[0][0]]
        first, end = _extended(page, gold, owners, block_of, run)
        if end - first >= min(_LEAST_RUN, len(blocks[order])):
            owners[first:end] = [order] * (end - first)
    _own_moved(blocks, wanted, owners)
    return owners


def _runs(
    pairs: Iterable[tuple[int, int]], block_of: Sequence[int]
) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairs that follow each other on both sides, block by block."""
    run: list[tuple[int, int]] = []
    for at, wanted in pairs:
        if run and ((at - 1, wanted - 1) != run[-1] or block_of[at] != block_of[run[-1][0]]):
            yield run
            run = []
        run.append((at, wanted))
    if run:
        yield run


def _extended(
    page: Sequence[int],
    gold: Sequence[int],
    owners: Sequence[int],
    block_of: Sequence[int],
    run: Sequence[tuple[int, int]],
) -> tuple[int, int]:
    """Return the range of a run in the gold text, extended by adjacent words of the block.

    Another block may own these words by chance. The range is empty if the run's words have an
    owner.
    """
    (start, first), (last, final) = run[0], run[-1]
    if any(owner >= 0 for owner in owners[first : final + 1]):
        return first, first

    def goes_with(at: int, wanted: int) -> bool:
        return (
            0 <= at < len(page)
            and 0 <= wanted < len(gold)
            and block_of[at] == block_of[start]
            and owners[wanted] < 0
            and page[at] == gold[wanted]
        )

    before = after = 0
    while goes_with(start - before - 1, first - before - 1):
        before += 1
    while goes_with(last + after + 1, final + after + 1):
        after += 1
    return first - before, final + after + 1


def _own_moved(blocks: Sequence[Sequence[str]], wanted: Sequence[str], owners: list[int]) -> None:
    """Find whole blocks that the gold text has in another place."""
    owned = set(owners)
    free = [word if owner < 0 else "\0" for word, owner in zip(wanted, owners, strict=True)]
    starts: Mapping[str, list[int]] = _places(free)
    for order, block in enumerate(blocks):
        if order in owned or len(block) < _LEAST_MOVED:
            continue
        for at in starts.get(block[0], []):
            if free[at : at + len(block)] == list(block):
                owners[at : at + len(block)] = [order] * len(block)
                free[at : at + len(block)] = ["\0"] * len(block)
                break


def _places(words: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        if word != "\0":
            places.setdefault(word, []).append(at)
    return places
