"""Paths and URLs on the command line."""

import os
from pathlib import Path
from typing import Any

import click

from winnow.worker.batch.inputs import argument_of


class PathName(click.Path):
    """A path that must not be empty: `""`, as of an unset shell variable, would mean `.`."""

    def __init__(self, **rules: Any) -> None:  # noqa: ANN401 - click's
        """Accept the arguments of `click.Path`; values are `pathlib` paths."""
        super().__init__(path_type=Path, **rules)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Refuse an empty value."""
        if value == "":
            self.fail("The path is empty.", param, ctx)
        return super().convert(value, param, ctx)


class PathOrUrl(PathName):
    """A non-empty path, or a URL as it was typed."""

    name = "path or URL"

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401 - as click has it
        """Return a URL as text, anything else as a path."""
        if isinstance(value, str) and isinstance(url := argument_of(value), str):
            return url
        return super().convert(value, param, ctx)
