"""Find copies of documents in the order of a run; keep fingerprints next to the output."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from winnow.models.filtering import CopyFilter, CopyRule, Unwanted
from winnow.worker.batch.archives.cleaning import Outcome
from winnow.worker.batch.archives.folders import Folder, Log
from winnow.worker.batch.archives.ledger import FINGERPRINTS, OtherRunError
from winnow.worker.batch.choice import Choice, FingerprintsError

# names the kind of fingerprints; eight bytes each follow, little-endian
_HEAD_BYTES: Final = 16
_EXACT: Final = b"winnow exact   1"
_SIMHASH: Final = b"winnow simhash 1"
_PART_BYTES: Final = 1 << 20


class CopyLog:
    """Finds copies, and keeps the fingerprints of written documents in a log.

    Without a rule for copies it finds no copies and writes nothing.
    """

    def __init__(self, choice: Choice, folder: Folder | None = None, kept_bytes: int = 0) -> None:
        """Continue after `kept_bytes` of the log; without a folder there is no log.

        Raises:
            FingerprintsError: a file of an earlier run cannot be used.
            OptionsError: the memory is too small.
            OtherRunError: the log was not written by this run.
        """
        self._filter: CopyFilter | None = None
        self._log: Log | None = None
        if choice.dedup is None:
            return
        self._filter = CopyFilter(choice.dedup, choice.memory_bytes)
        head = head_of(choice.dedup)
        for path in choice.against:
            for fingerprint in fingerprints_in(path, choice.dedup):
                self._filter.remember(fingerprint)
        if folder is None:
            return
        self._log = folder.log(FINGERPRINTS, kept_bytes)
        kept = b"".join(self._log.kept()) if kept_bytes else head
        if len(kept) != (kept_bytes or len(head)) or not kept.startswith(head):
            raise OtherRunError(f"{FINGERPRINTS} was not written by this run")
        if not kept_bytes:
            self._log.write(head)
        for fingerprint in _numbers(kept[len(head) :]):
            self._filter.remember(fingerprint)

    def without_copy(self, outcome: Outcome) -> Outcome:
        """Return the outcome, without its document if that is a copy."""
        if isinstance(outcome.result, bytes) and self.is_copy(outcome.fingerprint):
            return msgspec.structs.replace(outcome, result=Unwanted.COPY)
        return outcome

    def is_copy(self, fingerprint: int | None) -> bool:
        """Whether a document is a copy of one that was kept."""
        return self._filter is not None and self._filter.is_copy(fingerprint)

    def keep(self, fingerprint: int | None) -> None:
        """Note that a document is written."""
        if self._filter is None or fingerprint is None:
            return
        self._filter.remember(fingerprint)
        if self._log:
            self._log.write(fingerprint.to_bytes(8, "little"))

    def sync(self) -> int:
        """Flush the log to disk, and return its size in bytes."""
        return self._log.sync() if self._log else 0

    def close(self) -> None:
        """Close the log."""
        if self._log:
            self._log.close()

    @property
    def forgotten(self) -> int:
        """Number of documents forgotten because the memory was full."""
        return self._filter.forgotten if self._filter else 0


def head_of(rule: CopyRule) -> bytes:
    """Return the first bytes of a file of fingerprints."""
    return _EXACT if rule.distance is None else _SIMHASH


def fingerprints_in(path: Path, rule: CopyRule) -> Iterator[int]:
    """Yield the fingerprints of an earlier run.

    Raises:
        FingerprintsError: the file cannot be read, or has another kind of fingerprints.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            if head != head_of(rule):
                found = {
                    _EXACT: "was written with --dedup exact",
                    _SIMHASH: "was written with --dedup simhash",
                }
                why = found.get(head, f"is not a {FINGERPRINTS} of winnow")
                raise FingerprintsError(f"{path}: {why}, but --dedup is {rule}")
            while part := file.read(_PART_BYTES):
                yield from _numbers(part)
    except OSError as error:
        raise FingerprintsError(f"{path}: {error.strerror}") from error


def _numbers(content: bytes) -> Iterable[int]:
    """Return the complete numbers in some bytes; a kill may have cut the last one."""
    return memoryview(content[: len(content) // 8 * 8]).cast("Q")
