"""Options that choose which documents a command writes."""

import functools
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from winnow.models._kernel import PAGE_TYPES
from winnow.models.errors import OptionsError
from winnow.models.filtering import DEDUP_BYTES, CopyRule, DocumentFilter
from winnow.worker.batch.archives.ledger import FINGERPRINTS
from winnow.worker.batch.choice import Choice
from winnow.worker.cli.failure import complain
from winnow.worker.cli.paths import PathName
from winnow.worker.terminal import counted

R = TypeVar("R")

_OPTIONS = (
    click.option("--language", "languages", multiple=True, metavar="CODE,...",
                 help="Write only documents in these languages, such as en,de."),
    click.option("--min-confidence", type=click.FloatRange(0, 1), default=0.0,
                 help="Write only documents of at least this confidence."),
    click.option("--min-words", type=click.IntRange(0), default=0,
                 help="Write only documents of at least N words."),
    click.option("--page-type", "page_types", multiple=True, metavar="TYPE,...",
                 help=f"Write only documents of these page types: {', '.join(PAGE_TYPES)}."),
    click.option("--drop-page-type", "dropped_page_types", multiple=True, metavar="TYPE,...",
                 help="Write no documents of these page types."),
    click.option("--dedup", metavar="exact|simhash:N",
                 help="Write only the first of documents with the same text, or with fingerprints "
                 "that differ in at most N bits, 0 to 8."),
    click.option("--dedup-against", "against", multiple=True, type=PathName(),
                 help=f"Also drop copies of documents of an earlier run: {FINGERPRINTS} of its "
                 "output, or its output folder."),
    click.option("--dedup-memory", type=click.FloatRange(32), default=DEDUP_BYTES / 1e6,
                 show_default="1,074", metavar="MB",
                 help="Memory for fingerprints; when it is full, the oldest are forgotten."),
)  # fmt: skip


def choice_options(command: Callable[..., R]) -> Callable[..., R]:
    """Add the options to a command, which receives them as one value, `choice`."""

    @functools.wraps(command)
    def with_choice(
        *arguments: object, languages: tuple[str, ...], min_confidence: float, min_words: int,
        page_types: tuple[str, ...], dropped_page_types: tuple[str, ...], dedup: str | None,
        against: tuple[Path, ...], dedup_memory: float, **others: Any,  # noqa: ANN401 - of the command
    ) -> R:  # fmt: skip
        if against and not dedup:
            raise click.UsageError("--dedup-against needs --dedup")
        try:
            choice = Choice(
                DocumentFilter(
                    _named(languages), min_confidence, min_words,
                    _named(page_types), _named(dropped_page_types),
                ),
                CopyRule.of(dedup) if dedup else None,
                tuple(each / FINGERPRINTS if each.is_dir() else each for each in against),
                int(dedup_memory * 1e6),
            )  # fmt: skip
        except OptionsError as error:
            raise click.UsageError(str(error)) from error
        return command(*arguments, choice=choice, **others)

    decorated: Callable[..., R] = with_choice
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _named(lists: tuple[str, ...]) -> frozenset[str]:
    return frozenset(name.strip() for each in lists for name in each.split(","))


def say_dropped(dropped: Counter[str], forgotten: int) -> None:
    """Print to standard error how many documents were not written, and why."""
    if dropped:
        listed = ", ".join(f"{number:,} {name}" for name, number in sorted(dropped.items()))
        complain(f"{counted(dropped.total(), 'document')} dropped: {listed}")
    if forgotten:
        complain(
            f"{counted(forgotten, 'fingerprint')} forgotten: raise --dedup-memory to find more"
        )
