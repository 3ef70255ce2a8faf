"""The progress of a run: its complete shards, and where to continue; rewritten per shard."""

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, TypeVar, get_origin

import orjson

from winnow.models.errors import InvalidPage, WinnowError
from winnow.models.filtering import Unwanted
from winnow.worker.batch.archives.cleaning import Outcome
from winnow.worker.batch.archives.entries import BEGIN, Position, Skipped
from winnow.worker.batch.archives.folders import MAX_READ_BYTES, Folder, ForeignFileError, open_own

LEDGER: Final = "ledger.json"
ERRORS: Final = "errors.jsonl"
FINGERPRINTS: Final = "fingerprints.bin"
SHARD_SUFFIXES: Final = {"jsonl": ".jsonl.zst", "parquet": ".parquet", "warc": ".warc.wet.gz"}
_KIND: Final = "winnow clean, version 1"


class _DataClass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


T = TypeVar("T", bound=_DataClass)


class OtherRunError(WinnowError):
    """The folder has the output of a run with other inputs, options or models."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The values that must be the same to continue a run.

    Attributes:
        form: format of the output.
        options: options of the cleaner, the URLs of files and the choice of documents, by name.
        fingerprint: fingerprint of the cleaner: version, models, options.
        inputs: number of files.
        inputs_digest: digest of their names and sizes, in order.
    """

    form: str
    options: dict[str, str]
    fingerprint: str
    inputs: int
    inputs_digest: str

    def difference(self, other: "Plan") -> str:
        """Return the first difference to another plan, in words; empty without one."""
        if self.form != other.form:
            return f"--format was {self.form}, now {other.form}"
        for name, value in other.options.items():
            if (was := self.options.get(name, "")) != value:
                return f"option {name} was {was or 'not given'}, now {value or 'not given'}"
        if self.fingerprint != other.fingerprint:
            return "the models or the version of Winnow have changed"
        if self.inputs != other.inputs:
            return f"there were {self.inputs} input files, now {other.inputs}"
        same = self.inputs_digest == other.inputs_digest
        return "" if same else "names, sizes or order of the input files have changed"


def digest_of_inputs(inputs: Iterable[tuple[str, int]]) -> str:
    """Return the digest of names and sizes."""
    # the standard library's JSON: names may not be valid text
    return sha256(json.dumps(list(inputs)).encode()).hexdigest()


@dataclass(slots=True)
class Counts:
    """Counts of outcomes.

    Attributes:
        documents: number of documents written.
        skipped, errors: number of entries without a document, by reason.
        dropped: number of dropped documents, by reason.
        mended: number of repaired records, by violation of the standards.
        page_bytes: bytes of the pages that gave documents, decoded.
        document_bytes: bytes written for them, before compression.
        seconds: time of all runs so far.
    """

    documents: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    mended: Counter[str] = field(default_factory=Counter)
    page_bytes: int = 0
    document_bytes: int = 0
    seconds: float = 0.0

    def add(self, outcome: Outcome) -> None:
        """Count one."""
        self.mended.update(each.value for each in outcome.mended)
        if isinstance(outcome.result, Skipped):
            self.skipped[outcome.result.value] += 1
        elif isinstance(outcome.result, InvalidPage):
            self.errors[outcome.result.reason.value] += 1
        elif isinstance(outcome.result, Unwanted):
            self.dropped[outcome.result.value] += 1
        else:
            self.documents += 1
            self.page_bytes += outcome.page_bytes
            self.document_bytes += len(outcome.result)


@dataclass(frozen=True, slots=True)
class Shard:
    """A complete file of documents."""

    name: str
    documents: int
    file_bytes: int


@dataclass(slots=True)
class Ledger:
    """The progress of a run.

    Attributes:
        shards: the complete shards.
        file: number of the input file to continue in.
        position: where to continue in it.
        has_response: whether that file already had a response.
        errors_bytes, fingerprints_bytes: sizes of the log of errors and of the log of
        fingerprints up to there.
        is_complete: whether the run is finished.
    """

    plan: Plan
    shards: list[Shard] = field(default_factory=list)
    file: int = 0
    position: Position = BEGIN
    has_response: bool = False
    errors_bytes: int = 0
    fingerprints_bytes: int = 0
    counts: Counts = field(default_factory=Counts)
    is_complete: bool = False

    def move(self, outcome: Outcome) -> None:
        """Continue after an outcome."""
        is_same = outcome.file == self.file
        self.has_response = (is_same and self.has_response) or not outcome.is_no_response
        self.file, self.position = outcome.file, outcome.place.then

    def write(self, folder: Folder) -> None:
        """Write it to the folder, and replace the previous ledger.

        Raises:
            OSError: the disk is full, for example; the previous ledger is unchanged.
        """
        fields = orjson.dumps({"kind": _KIND, **_fields(self)}, option=orjson.OPT_INDENT_2)
        folder.replace(LEDGER, fields + b"\n")


def read_ledger(folder: Folder, plan: Plan) -> Ledger:
    """Return the progress of a plan's run; without a ledger in the folder it starts.

    Raises:
        OtherRunError: the folder has the output of another run, or similar files.
    """
    names = set(folder.names())
    foreign = next((name for name in sorted(names) if name.startswith("part-")), None)
    if foreign and LEDGER not in names:
        raise OtherRunError(f"holds {foreign}, but no {LEDGER}: the output of another program")
    ledger = open_ledger(folder, plan)
    for shard in ledger.shards:
        if shard.name not in names:
            raise OtherRunError(f"{shard.name} is missing")
    _forget_unlisted(folder, ledger)
    return ledger


def open_ledger(folder: Folder, plan: Plan) -> Ledger:
    """Return the progress of a plan's run; without a ledger it starts.

    Raises:
        OtherRunError: the ledger belongs to another run, or is damaged.
    """
    content = folder.read(LEDGER)
    if content is None:
        return Ledger(plan)
    ledger = _ledger(content)
    if difference := ledger.plan.difference(plan):
        raise OtherRunError(f"holds the output of another run: {difference}")
    return ledger


def forget_run(folder: Folder) -> None:
    """Remove the files of an earlier run.

    Raises:
        OtherRunError: there is no ledger that lists them.
    """
    content = folder.read(LEDGER)
    if content is None:
        return
    ledger = _ledger(content)
    _forget_unlisted(folder, ledger)
    for shard in ledger.shards:
        folder.remove(shard.name)
    for name in (ERRORS, FINGERPRINTS, LEDGER):
        folder.remove(name)


def _forget_unlisted(folder: Folder, ledger: Ledger) -> None:
    """Remove a shard that was complete, but not yet listed, when its run ended."""
    for name in folder.names():
        if name.startswith(f"part-{len(ledger.shards):05d}."):
            folder.remove(name)


def outputs_in(folder: Path) -> frozenset[str]:
    """Return the names of the files in a folder that one of our runs has written."""
    try:
        with open_own(folder / LEDGER, os.O_RDONLY) as file:
            return outputs_of(file.read(MAX_READ_BYTES))
    except (OSError, ForeignFileError):
        return frozenset()


def outputs_of(content: bytes) -> frozenset[str]:
    """Return the names of the files of a run; empty if this is not its ledger."""
    try:
        ledger = _ledger(content)
    except OtherRunError:
        return frozenset()
    written = {shard.name for shard in ledger.shards}
    if ledger.plan.form in SHARD_SUFFIXES:  # the next shard may exist without being listed
        written.add(shard_name(len(ledger.shards), SHARD_SUFFIXES[ledger.plan.form]))
    return frozenset(written | {LEDGER, ERRORS, FINGERPRINTS})


def shard_name(number: int, suffix: str) -> str:
    """Return the name of a shard."""
    return f"part-{number:05d}{suffix}"


def checked_shards(stored: Sequence[dict[str, Any]], form: str) -> list[Shard]:
    """Return the shards that a ledger lists.

    Raises:
        OtherRunError: a name cannot come from a run: the ledger is not ours.
        TypeError: a value has a wrong type.
    """
    shards = [typed(Shard, each) for each in stored]
    for number, shard in enumerate(shards):
        if shard.name != shard_name(number, SHARD_SUFFIXES.get(form, "")):
            raise OtherRunError(f"{LEDGER} lists {shard.name!r}, which is not a name of a shard")
    return shards


def typed(kind: type[T], values: Mapping[str, Any]) -> T:
    """Return a dataclass from the values of a file.

    Raises:
        TypeError: a value has a wrong type, is missing or unknown.
    """
    made = kind(**values)
    for each in fields(made):
        wanted: Any = get_origin(each.type) or each.type
        if not isinstance(getattr(made, each.name), (int, float) if wanted is float else wanted):
            raise TypeError(f"{each.name} has a wrong type")
    return made


def _ledger(content: bytes) -> Ledger:
    try:
        stored = orjson.loads(content)
        if stored["kind"] != _KIND:
            raise OtherRunError(
                f"{LEDGER} was written by another version of Winnow: {stored['kind']}"
            )
        plan = typed(Plan, stored["plan"])
        counts = stored["counts"]
        names = ("skipped", "errors", "dropped", "mended")
        tallies = {name: Counter(dict(counts.get(name, {}))) for name in names}
        return typed(Ledger, {
            **{name: value for name, value in stored.items() if name != "kind"},
            "plan": plan,
            "shards": checked_shards(stored["shards"], plan.form),
            "position": typed(Position, stored["position"]),
            "counts": typed(Counts, counts | tallies),
        })  # fmt: skip
    except (ValueError, KeyError, TypeError) as error:
        raise OtherRunError(f"{LEDGER} is damaged: {error}") from None


def _fields(ledger: Ledger) -> dict[str, Any]:
    counts = ledger.counts
    return {
        "plan": ledger.plan,
        "is_complete": ledger.is_complete,
        "file": ledger.file,
        "position": ledger.position,
        "has_response": ledger.has_response,
        "errors_bytes": ledger.errors_bytes,
        "fingerprints_bytes": ledger.fingerprints_bytes,
        "counts": {
            "documents": counts.documents,
            "skipped": dict(counts.skipped),
            "errors": dict(counts.errors),
            "dropped": dict(counts.dropped),
            "mended": dict(counts.mended),
            "page_bytes": counts.page_bytes,
            "document_bytes": counts.document_bytes,
            "seconds": round(counts.seconds, 3),
        },
        "shards": ledger.shards,
    }
