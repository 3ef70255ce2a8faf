"""Choose which documents of a run are written: by a filter, and one of each group of copies."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from winnow.models.errors import WinnowError
from winnow.models.filtering import DEDUP_BYTES, CopyRule, DocumentFilter
from winnow.worker.terminal import shown_path


class FingerprintsError(WinnowError):
    """A file of fingerprints cannot be read, or has another kind of fingerprints."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which documents are written; by default all.

    Attributes:
        documents: the filter.
        dedup: what counts as a copy; only the first of copies is written. None writes all.
        against: files of fingerprints of earlier runs, whose documents count as written.
        memory_bytes: memory for fingerprints.
    """

    documents: DocumentFilter = field(default_factory=DocumentFilter)
    dedup: CopyRule | None = None
    against: tuple[Path, ...] = ()
    memory_bytes: int = DEDUP_BYTES

    def facts(self) -> dict[str, str]:
        """Return the deciding options by name; an option not given has an empty value.

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
