"""Labelled sets -> pages of an evaluation: what to clean, and the expected text."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Final

from winnow.lab.sets.gold import GoldPage, GoldSet, gold_text, page_bytes
from winnow.lab.sets.labelled import LabelledPage, labelled_pages
from winnow.lab.sets.parts import Part, part_of, site_of
from winnow.lab.sets.patches import Patches
from winnow.models.document import Page

# the public sets by the name of their folder or archive; other sets are plain text
_GOLD_SETS: Final = {
    "cleaneval": GoldSet.CLEANEVAL,
    "dragnet": GoldSet.DRAGNET,
    "dragnet+c": GoldSet.DRAGNET_COMMENTS,
    "page-signal": GoldSet.PAGE_SIGNAL,
    "daniel": GoldSet.DANIEL,
}
# folders inside a set that are named after the language of their pages
_LANGUAGES: Final = {
    "chinese": "zh",
    "english": "en",
    "greek": "el",
    "polish": "pl",
    "russian": "ru",
}


@dataclass(frozen=True, slots=True)
class Selection:
    """Which pages of a set are selected.

    Attributes:
        part: only pages of sites of this part; None for all.
        page_ids: only pages with these ids inside the set; None for all.
        language: only pages in this language; None for all.
        limit: maximum pages per group; always the same pages.
    """

    part: Part | None = None
    limit: int | None = None
    page_ids: frozenset[str] | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One page to clean, and its gold.

    Attributes:
        wanted: gold; its page id is `SET/ID`, unique over all sets.
        in_set: id of the page inside its set.
        site: registered name of the host, for splits by site; the page's id if the host is
        unknown.
    """

    page: Page
    wanted: GoldPage
    in_set: str
    site: str

    def digest(self) -> bytes:
        """Return the SHA-256 of id, page and gold text, which determine a score."""
        parts = (self.wanted.page_id.encode(), self.page.body, self.wanted.text.encode())
        return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).digest()


def set_name(source: Path) -> str:
    """Return the name of a set: its folder's, or its archive's without suffixes."""
    named = source.resolve() if source.name in {"", ".."} else source
    return named.name.removesuffix(".zst").removesuffix(".tar")


def gold_set_of(source: Path) -> GoldSet:
    """Return how a set marks its content, by the set's name."""
    return _GOLD_SETS.get(set_name(source), GoldSet.PLAIN)


def tasks(
    source: Path, gold_set: GoldSet, selection: Selection, patches: Patches | None = None
) -> Iterator[Task]:
    """Yield the selected pages of a set that have gold text, ordered by id.

    Pages with an empty gold do not measure an engine and are left out. A public set that is read
    with other marks than its own gets their name (`dragnet+c`). The selection of pages does not
    depend on patches.

    Raises:
        LabelledError: `source` cannot be read, or has no labelled page.
        PatchError: a patch does not match its page.
    """
    name = set_name(source)
    if _GOLD_SETS.get(name, gold_set) is not gold_set:
        name = gold_set.value
    pages = [page for page in labelled_pages(source) if _is_in(selection, page)]
    if selection.limit is not None:
        pages = _sample(pages, gold_set, selection.limit)
    for labelled in pages:
        task = _task(labelled, gold_set, name)
        if patches:
            task = _patched(task, patches, name)
        if task.wanted.text:
            yield task


def _patched(task: Task, patches: Patches, name: str) -> Task:
    text = patches.text(name, task.in_set, task.page.body, task.wanted.text)
    return replace(task, wanted=replace(task.wanted, text=text))


def _is_in(selection: Selection, page: LabelledPage) -> bool:
    return (
        (selection.page_ids is None or page.page_id in selection.page_ids)
        and selection.language in {None, _language(page)}
        and (selection.part is None or part_of(_site(page)) is selection.part)
    )


def _site(page: LabelledPage) -> str:
    return site_of(page.page_id, page.html, page.facts.url)


def _language(page: LabelledPage) -> str:
    folder = PurePosixPath(page.page_id).parent.name
    return primary_subtag(page.facts.language) or _LANGUAGES.get(folder, "")


def _sample(pages: list[LabelledPage], gold_set: GoldSet, limit: int) -> list[LabelledPage]:
    """Return at most `limit` pages per folder, chosen by a hash of their ids, ordered by id."""
    drawn: dict[str, list[LabelledPage]] = {}
    for page in sorted(pages, key=lambda p: hashlib.sha256(p.page_id.encode()).digest()):
        group = drawn.setdefault(page.page_id.rpartition("/")[0], [])
        if len(group) < limit and gold_text(gold_set, page.gold):
            group.append(page)
    return sorted(chain.from_iterable(drawn.values()), key=lambda page: page.page_id)


def _task(labelled: LabelledPage, gold_set: GoldSet, name: str) -> Task:
    facts = labelled.facts
    folder, _, _ = labelled.page_id.rpartition("/")
    site = _site(labelled)
    wanted = GoldPage(
        page_id=f"{name}/{labelled.page_id}",
        group=f"{name}/{folder}" if folder else name,
        text=gold_text(gold_set, labelled.gold),
        language=_language(labelled),
        page_type=facts.page_type,
        required=facts.required,
        forbidden=facts.forbidden,
    )
    is_known = site != labelled.page_id
    url = facts.url or (f"http://{site}/{labelled.page_id}" if is_known else "")
    page = Page(url=url, body=page_bytes(gold_set, labelled.html))
    return Task(page=page, wanted=wanted, in_set=labelled.page_id, site=site)


def primary_subtag(lang: str) -> str:
    """Return `pt` for `pt-BR`; only letters, because pages can declare anything."""
    subtag = lang.replace("_", "-").partition("-")[0].strip().lower()
    return subtag if subtag.isascii() and subtag.isalpha() and len(subtag) in {2, 3} else ""
