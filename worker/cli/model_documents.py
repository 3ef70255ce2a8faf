"""Documents that Winnow has cleaned -> a file of text that a language model learns from."""

import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

from winnow.extras import MissingExtraError, importing
from winnow.lab.train.language.training import Stages
from winnow.models.errors import WinnowError
from winnow.models.filtering import CopyFilter, CopyRule, DocumentFilter, Unwanted
from winnow.worker.batch.archives.shards import MissingPackageError
from winnow.worker.batch.archives.written import DOCUMENT_SHARDS, documents_in
from winnow.worker.batch.inputs import InputError, find_pages
from winnow.worker.cli.choice_options import say_dropped
from winnow.worker.cli.failure import CannotStart, complain
from winnow.worker.terminal import counted

TEXT_NAME: Final = "documents.txt"
_COPIES: Final = CopyRule(3)
_MEMBERS: Final = (
    *("url", "text", "language", "confidence", "words", "page_type"),
    *("text_digest", "simhash"),
)

Message = Mapping[str, Any]


@dataclass(slots=True)
class _Chosen:
    """Documents that are wanted, each text once, and how many there were."""

    wanted: DocumentFilter
    copies: CopyFilter = field(default_factory=lambda: CopyFilter(_COPIES))
    dropped: Counter[str] = field(default_factory=Counter)
    taken: int = 0

    def takes(self, message: Message) -> bool:
        fingerprint = _COPIES.fingerprint_in(message)
        why = self.wanted.fault_in(message)
        if why is None and self.copies.is_copy(fingerprint):
            why = Unwanted.COPY
        if why is not None:
            self.dropped[why] += 1
            return False
        if fingerprint is not None:
            self.copies.remember(fingerprint)
        self.taken += 1
        return True


@contextmanager
def text_of_documents(
    named: Sequence[str], wanted: DocumentFilter, folder: Path, stages: Stages
) -> Iterator[Path]:
    """Write the paragraphs of documents, one per line, to a file that exists during the block.

    Args:
        named: shards and folders of them; any other name is a topic.
        wanted: which documents; near copies are taken once.
        folder: where the file may be made.
        stages: what to call meanwhile.

    Raises:
        CannotStart: there is no such file or topic, one cannot be read, or no document is wanted.
    """
    chosen = _Chosen(wanted)
    with tempfile.TemporaryDirectory(prefix=".winnow-", dir=folder) as name:
        path = Path(name) / TEXT_NAME
        with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            for message in _messages(named, stages):
                if chosen.takes(message):
                    file.writelines(f"{line}\n" for line in _paragraphs(message))
        say_dropped(chosen.dropped, chosen.copies.forgotten)
        if not chosen.taken:
            raise CannotStart("no document to learn from")
        complain(f"{counted(chosen.taken, 'document')} taken")
        yield path


def _paragraphs(message: Message) -> list[str]:
    text = message.get("text")
    lines = text.splitlines() if isinstance(text, str) else []
    return [line.strip() for line in lines if line.strip()]


def _messages(named: Sequence[str], stages: Stages) -> Iterator[Message]:
    for name in named:
        path = Path(name)
        if path.exists() or os.sep in name:
            yield from _of_shards(path, stages)
        else:
            yield from _of_topic(name, stages)


def _of_shards(path: Path, stages: Stages) -> Iterator[Message]:
    try:
        shards = []
        for found in find_pages([path], DOCUMENT_SHARDS):
            if isinstance(found, InputError):
                raise found
            shards.append(found.path)
        sizes = [shard.stat().st_size for shard in shards]
        stages.begin("reading documents", sum(sizes))
        for shard, size in zip(shards, sizes, strict=True):
            yield from documents_in(shard, _MEMBERS)
            stages.advance(size)
    except (WinnowError, MissingPackageError) as error:
        raise CannotStart(str(error)) from error


def _of_topic(name: str, stages: Stages) -> Iterator[Message]:
    try:
        with importing("--documents TOPIC"):
            topics = import_module("winnow.worker.cli.model_topics")
    except MissingExtraError as error:
        raise CannotStart(str(error)) from error
    yield from topics.messages_of(name, stages)


def documents_options(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options that name documents and say which of them are taken."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS: Final = (
    click.option(
        "--documents", multiple=True, metavar="PATH|TOPIC",
        help="Learn from documents that Winnow has cleaned, near copies once: shards of them, "
        "folders of shards, or a topic. Needs --language.",
    ),
    click.option(
        "--min-confidence", type=click.FloatRange(0, 1), default=0.8, show_default=True,
        help="Only --documents of at least this confidence; 0: also without a confidence.",
    ),
    click.option(
        "--min-words", type=click.IntRange(0), default=100, show_default=True,
        help="Only --documents of at least N words.",
    ),
)  # fmt: skip
