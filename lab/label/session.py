"""A person's changes to the labels of pages, with undo and redo; each change is saved."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from winnow.lab.label.pages import ROLES, LabelledBlocks
from winnow.lab.sets.patches import Laid, Patch, PatchError, check_origin, read_patches, sha256

# a block counts as gold from this share of its words on; as part gold above 1 minus this share
WHOLE: Final = 0.8
MOST_REASON_CHARS: Final = 2000


@dataclass(frozen=True, slots=True)
class Marks:
    """The changes to one page.

    Attributes:
        content: by block number, whether it is content, if that differs from the gold text.
        roles: by block number, its role, if that differs from the rules.
        reason: the reason, in words.
    """

    content: Mapping[int, bool] = field(default_factory=lambda: MappingProxyType({}))
    roles: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    reason: str = ""


_NOTHING: Final = Marks()


class Session:
    """Marks of some pages, their history, and the file with the marks as patches."""

    def __init__(self, pages: Sequence[LabelledBlocks], path: Path) -> None:
        """Continue with the patches in the file; lines of other pages stay in it.

        Raises:
            PatchError: the file cannot be read, or a patch is for another page or gold text.
        """
        self.pages: Final = tuple(pages)
        self._path: Final = path
        self._marks: Final = [_NOTHING] * len(pages)
        self._undone: list[tuple[int, Marks]] = []
        self._done: list[tuple[int, Marks]] = []
        self._others: Final[list[Patch]] = []
        places = {page.name: at for at, page in enumerate(pages)}
        for patch in read_patches(path) if os.path.lexists(path) else ():
            if (at := places.get(patch.name)) is None:
                self._others.append(patch)
            else:
                self._marks[at] = _marks_of(patch, pages[at])

    def marks(self, at: int) -> Marks:
        """Return the changes to a page."""
        return self._marks[at]

    def mark(self, at: int, block: int, *, is_content: bool) -> None:
        """Mark a block as content or not."""
        content = dict(self._marks[at].content)
        share = self.pages[at].shares[block]
        if share >= WHOLE if is_content else share <= 1 - WHOLE:
            content.pop(block, None)
        else:
            content[block] = is_content
        self._change(at, replace(self._marks[at], content=MappingProxyType(content)))

    def name_role(self, at: int, block: int, role: str) -> None:
        """Set the role of a block, one of `ROLES`."""
        if role not in ROLES:
            raise ValueError(f"unknown role {role!r}; use {', '.join(ROLES)}")
        roles = dict(self._marks[at].roles)
        if role == self.pages[at].roles[block]:
            roles.pop(block, None)
        else:
            roles[block] = role
        self._change(at, replace(self._marks[at], roles=MappingProxyType(roles)))

    def give_reason(self, at: int, reason: str) -> None:
        """Set the reason for the changes to a page."""
        if len(reason) > MOST_REASON_CHARS:
            raise ValueError(f"a reason must have at most {MOST_REASON_CHARS} characters")
        self._change(at, replace(self._marks[at], reason=" ".join(reason.split())))

    def undo(self) -> int | None:
        """Undo the last change; return its page, None if there is no change."""
        return self._step(self._done, self._undone)

    def redo(self) -> int | None:
        """Redo the last undone change; return its page, None if there is none."""
        return self._step(self._undone, self._done)

    def _change(self, at: int, marks: Marks) -> None:
        if marks == self._marks[at]:
            return
        self._done.append((at, self._put(at, marks)))
        self._undone.clear()

    def _step(self, taken: list[tuple[int, Marks]], given: list[tuple[int, Marks]]) -> int | None:
        if not taken:
            return None
        at, marks = taken[-1]
        given.append((at, self._put(at, marks)))
        taken.pop()
        return at

    def _put(self, at: int, marks: Marks) -> Marks:
        """Save new marks of a page, and return the old ones; if saving fails nothing changes."""
        before, self._marks[at] = self._marks[at], marks
        try:
            self._save()
        except OSError:
            self._marks[at] = before
            raise
        return before

    def _save(self) -> None:
        own = [
            _patch(page, marks)
            for page, marks in zip(self.pages, self._marks, strict=True)
            if marks != _NOTHING
        ]
        patches = sorted((*self._others, *own), key=lambda patch: patch.name)
        replace_file(self._path, b"".join(msgspec.json.encode(each) + b"\n" for each in patches))


def replace_file(path: Path, content: bytes) -> None:
    """Write a file atomically: it is always the old or the new one."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    # create a new file: an existing one in a shared folder could be a link to another file
    with fresh.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _patch(page: LabelledBlocks, marks: Marks) -> Patch:
    content = tuple(sorted(block for block, is_content in marks.content.items() if is_content))
    boilerplate = tuple(sorted(marks.content.keys() - set(content)))
    is_changed = bool(marks.content)
    return Patch(
        set_name=page.set_name,
        page_id=page.page_id,
        page=sha256(page.body),
        gold=sha256(page.gold),
        result=(
            sha256(Laid(page.texts, page.gold).changed(content, boilerplate)) if is_changed else ""
        ),
        reason=marks.reason,
        content=content,
        boilerplate=boilerplate,
        roles={
            role: tuple(sorted(block for block, named in marks.roles.items() if named == role))
            for role in ROLES
            if role in marks.roles.values()
        },
    )


def _marks_of(patch: Patch, page: LabelledBlocks) -> Marks:
    check_origin(patch, page.body, page.gold)
    roles = {block: role for role, blocks in patch.roles.items() for block in blocks}
    content = dict.fromkeys(patch.content, True) | dict.fromkeys(patch.boilerplate, False)
    if any(not 0 <= block < len(page.texts) for block in (*content, *roles)):
        raise PatchError(f"{patch.name}: the page has only {len(page.texts)} blocks")
    if unknown := sorted(set(roles.values()) - set(ROLES)):
        raise PatchError(f"{patch.name}: unknown role {unknown[0]!r}")
    return Marks(MappingProxyType(content), MappingProxyType(roles), patch.reason)
