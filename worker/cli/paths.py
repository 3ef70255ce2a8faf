"""Paths on the command line."""

import os
from pathlib import Path
from typing import Any

import click


class PathName(click.Path):
    """A path that is not empty: `""`, as an unset variable of a shell gives, is the folder `.`."""

    def __init__(self, **rules: Any) -> None:  # noqa: ANN401 - click's
        """Take the rules of `click.Path`; values are `pathlib` paths."""
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
