"""`winnow near-copies`: list documents in shards that are copies of others."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click
import orjson

from winnow.models.errors import OptionsError
from winnow.models.filtering import DEDUP_BYTES, CopyFilter, CopyRule
from winnow.worker.batch.archives.shards import MissingPackageError
from winnow.worker.batch.archives.written import DOCUMENT_SHARDS, documents_in
from winnow.worker.batch.inputs import InputError, find_pages
from winnow.worker.cli.failure import CannotStart, complain
from winnow.worker.cli.paths import PathName
from winnow.worker.terminal import counted, one_line

_MEMBERS: Final = ("url", "text_digest", "simhash")


@dataclass(slots=True)
class _Search:
    """Compares each document with the documents before it.

    Attributes:
        originals: URLs of documents that are not copies, by their number.
        documents, copies: counts.
    """

    rule: CopyRule
    seen: CopyFilter
    originals: list[str] = field(default_factory=list)
    documents: int = 0
    copies: int = 0

    def copy_in(self, document: dict[str, Any]) -> dict[str, Any] | None:
        """Return what a document is a copy of, None if it is not a copy."""
        self.documents += 1
        fingerprint = self.rule.fingerprint_in(document)
        if fingerprint is None:
            return None
        if found := self.seen.original_of(fingerprint):
            number, bits = found
            self.copies += 1
            return {"url": document["url"], "copy_of": self.originals[number], "bits": bits}
        self.seen.remember(fingerprint)
        self.originals.append(document["url"])
        return None


@click.command("near-copies")
@click.argument("paths", nargs=-1, required=True, type=PathName())
@click.option("--dedup", metavar="exact|simhash:N", default="simhash:3", show_default=True,
              help="What counts as a copy: the same text, or fingerprints that differ in at most "
              "N bits, 0 to 8.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object per copy.")
def command(*, paths: tuple[Path, ...], dedup: str, as_json: bool) -> None:
    """List documents in shards that are copies of others.

    PATHs are shards of documents, JSON lines (also .gz, .zst) or Parquet, and folders of them.

    One line per copy: its URL, the URL of the first document with this text, and the number of
    bits in which their fingerprints differ. The last line, on standard error, has the counts.
    """
    try:
        rule = CopyRule.of(dedup)
    except OptionsError as error:
        raise click.UsageError(str(error)) from error
    search = _Search(rule, CopyFilter(rule, DEDUP_BYTES))
    failed = _Failures()
    try:
        for document in _documents(paths, failed):
            if found := search.copy_in(document):
                _print(found, as_json=as_json)
    except MissingPackageError as error:
        raise CannotStart(str(error)) from error
    click.echo(
        f"{counted(search.copies, 'copy', 'copies')} among "
        f"{counted(search.documents, 'document')} ({rule})",
        err=True,
    )
    if search.seen.forgotten:
        complain(f"{counted(search.seen.forgotten, 'document')} forgotten: the memory is full")
    sys.exit(1 if failed.number else 0)


@dataclass(slots=True)
class _Failures:
    number: int = 0


def _documents(paths: Sequence[Path], failed: _Failures) -> Iterator[dict[str, Any]]:
    for found in find_pages(paths, DOCUMENT_SHARDS):
        try:
            if isinstance(found, InputError):
                raise found
            yield from documents_in(found.path, _MEMBERS)
        except InputError as error:
            complain(str(error))
            failed.number += 1


def _print(found: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps(found))
    else:
        click.echo("\t".join(one_line(str(value)) for value in found.values()))
