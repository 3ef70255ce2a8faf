"""Which documents of a run are written: those that a filter wants, and one of each copy."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from winnow.models.errors import WinnowError
from winnow.models.filtering import DEDUP_BYTES, CopyRule, DocumentFilter
from winnow.worker.terminal import shown_path


class FingerprintsError(WinnowError):
    """A file of fingerprints cannot be read, or is of another kind."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is wanted of documents; by default all are.

    Attributes:
        documents: the filter.
        dedup: which documents are copies, of which only the first is written; None writes all.
        against: files of fingerprints of earlier runs, whose documents count as written.
        memory_bytes: of fingerprints.
    """

    documents: DocumentFilter = field(default_factory=DocumentFilter)
    dedup: CopyRule | None = None
    against: tuple[Path, ...] = ()
    memory_bytes: int = DEDUP_BYTES

    def facts(self) -> dict[str, str]:
        """Return what decides, by the names of options; empty values for what was not given.

        Raises:
            FingerprintsError: a file of fingerprints cannot be read.
        """
        wanted = self.documents
        return {
            "--language": _listed(wanted.languages),
            "--min-confidence": f"{wanted.min_confidence:g}" if wanted.min_confidence else "",
            "--min-words": str(wanted.min_words or ""),
            "--page-type": _listed(wanted.page_types),
            "--drop-page-type": _listed(wanted.dropped_page_types),
            "--dedup": str(self.dedup or ""),
            "--dedup-against": _listed(map(_digest, self.against)),
            "--dedup-memory": str(self.memory_bytes) if self.dedup else "",
        }


ALL: Final = Choice()


def _listed(names: Iterable[str]) -> str:
    return ",".join(sorted(names))


def _digest(path: Path) -> str:
    digest = sha256()
    try:
        with path.open("rb") as file:
            while part := file.read(1 << 20):
                digest.update(part)
    except OSError as error:
        raise FingerprintsError(f"{shown_path(path)}: {error.strerror}") from error
    return digest.hexdigest()
