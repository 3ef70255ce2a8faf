"""How far a run is: which shards are whole, and where to read on; written anew with each shard."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import orjson

from models.errors import InvalidPage, WinnowError
from worker.archives.cleaning import Outcome
from worker.archives.entries import BEGIN, Position, Skipped
from worker.archives.folders import Folder

LEDGER: Final = "ledger.json"
ERRORS: Final = "errors.jsonl"
_KIND: Final = "winnow clean, version 1"


class OtherRunError(WinnowError):
    """The folder has the output of a run with other inputs, options or models."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be the same for a run to go on.

    Attributes:
        form: of the output.
        options: of the cleaner, by name.
        fingerprint: of the cleaner: version, models, options.
        inputs: how many files.
        inputs_digest: of their names and sizes in their order.
    """

    form: str
    options: dict[str, str]
    fingerprint: str
    inputs: int
    inputs_digest: str

    def difference(self, other: "Plan") -> str:
        """Return what differs in another plan, in words; empty for nothing."""
        if self.form != other.form:
            return f"--format was {self.form}, and is {other.form}"
        for name, value in other.options.items():
            if self.options.get(name) != value:
                return f"option {name} was {self.options.get(name)}, and is {value}"
        if self.fingerprint != other.fingerprint:
            return "the models or the version of Winnow are others"
        if self.inputs != other.inputs:
            return f"there were {self.inputs} input files, and are {other.inputs}"
        same = self.inputs_digest == other.inputs_digest
        return "" if same else "the input files have other names, sizes or another order"


def digest_of_inputs(inputs: Iterable[tuple[str, int]]) -> str:
    """Return the digest of names and sizes."""
    # of the standard library: names may be no text
    return sha256(json.dumps(list(inputs)).encode()).hexdigest()


@dataclass(slots=True)
class Counts:
    """What became of all that was read.

    Attributes:
        documents: how many were written.
        skipped, errors: how many gave none, by reason.
        page_bytes: of the pages that gave documents, unpacked.
        document_bytes: of what was written of them, before it was packed.
        seconds: of all runs until then.
    """

    documents: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    page_bytes: int = 0
    document_bytes: int = 0
    seconds: float = 0.0

    def add(self, outcome: Outcome) -> None:
        """Count one."""
        if isinstance(outcome.result, Skipped):
            self.skipped[outcome.result.value] += 1
        elif isinstance(outcome.result, InvalidPage):
            self.errors[outcome.result.reason.value] += 1
        else:
            self.documents += 1
            self.page_bytes += outcome.page_bytes
            self.document_bytes += len(outcome.result)


@dataclass(frozen=True, slots=True)
class Shard:
    """A file of documents that is whole."""

    name: str
    documents: int
    file_bytes: int


@dataclass(slots=True)
class Ledger:
    """What is done of a run.

    Attributes:
        shards: that are whole.
        file: number of the input file to read on in.
        position: where to read on in it.
        errors_bytes: of the log of errors, up to there.
        is_complete: nothing is left to do.
    """

    plan: Plan
    shards: list[Shard] = field(default_factory=list)
    file: int = 0
    position: Position = BEGIN
    errors_bytes: int = 0
    counts: Counts = field(default_factory=Counts)
    is_complete: bool = False

    def write(self, folder: Folder) -> None:
        """Write it to the folder, in the place of the last one.

        Raises:
            OSError: the disk is full, or the like; the last one still holds.
        """
        fields = orjson.dumps({"kind": _KIND, **_fields(self)}, option=orjson.OPT_INDENT_2)
        folder.replace(LEDGER, fields + b"\n")


def read_ledger(folder: Folder, plan: Plan) -> Ledger:
    """Return how far the run of a plan is; a folder without a ledger is where one begins.

    Raises:
        OtherRunError: the folder has the output of another run, or something that looks like it.
    """
    names = set(folder.names())
    foreign = next((name for name in sorted(names) if name.startswith("part-")), None)
    if foreign and LEDGER not in names:
        raise OtherRunError(f"holds {foreign}, and no {LEDGER}: another program's output")
    ledger = open_ledger(folder, plan)
    for shard in ledger.shards:
        if shard.name not in names:
            raise OtherRunError(f"{shard.name} is gone")
    _forget_unlisted(folder, ledger)
    return ledger


def open_ledger(folder: Folder, plan: Plan) -> Ledger:
    """Return how far the run of a plan is; without a ledger it begins.

    Raises:
        OtherRunError: the ledger is of another run, or damaged.
    """
    content = folder.read(LEDGER)
    if content is None:
        return Ledger(plan)
    ledger = _ledger(content)
    if difference := ledger.plan.difference(plan):
        raise OtherRunError(f"holds the output of another run: {difference}")
    return ledger


def forget_run(folder: Folder) -> None:
    """Remove what a run of ours has written.

    Raises:
        OtherRunError: there is no ledger that says what that is.
    """
    content = folder.read(LEDGER)
    if content is None:
        return
    ledger = _ledger(content)
    _forget_unlisted(folder, ledger)
    for shard in ledger.shards:
        folder.remove(shard.name)
    for name in (ERRORS, LEDGER):
        folder.remove(name)


def _forget_unlisted(folder: Folder, ledger: Ledger) -> None:
    """Remove the shard that had its name when its run ended, and was not listed yet."""
    for name in folder.names():
        if name.startswith(f"part-{len(ledger.shards):05d}."):
            folder.remove(name)


def is_output(folder: Path) -> bool:
    """Whether a run has written to a folder."""
    try:
        with (folder / LEDGER).open("rb") as file:
            return _KIND.encode() in file.read(256)
    except OSError:
        return False


def _ledger(content: bytes) -> Ledger:
    try:
        fields = orjson.loads(content)
        if fields["kind"] != _KIND:
            raise OtherRunError(f"{LEDGER} is of another version of Winnow: {fields['kind']}")
        counts = fields["counts"]
        return Ledger(
            plan=Plan(**fields["plan"]),
            shards=[Shard(**shard) for shard in fields["shards"]],
            file=fields["file"],
            position=Position(**fields["position"]),
            errors_bytes=fields["errors_bytes"],
            counts=replace(
                Counts(**counts),
                skipped=Counter(counts["skipped"]),
                errors=Counter(counts["errors"]),
            ),
            is_complete=fields["is_complete"],
        )
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise OtherRunError(f"{LEDGER} is damaged: {error}") from None


def _fields(ledger: Ledger) -> dict[str, Any]:
    counts = ledger.counts
    return {
        "plan": ledger.plan,
        "is_complete": ledger.is_complete,
        "file": ledger.file,
        "position": ledger.position,
        "errors_bytes": ledger.errors_bytes,
        "counts": {
            "documents": counts.documents,
            "skipped": dict(counts.skipped),
            "errors": dict(counts.errors),
            "page_bytes": counts.page_bytes,
            "document_bytes": counts.document_bytes,
            "seconds": round(counts.seconds, 3),
        },
        "shards": ledger.shards,
    }
