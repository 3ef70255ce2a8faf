"""Read the split of a labelled set into training, tuning and test pages: `splits.json`."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from winnow.lab.sets.labelled import LabelledError, archive_files, json_object

_NAME: Final = "splits.json"


@dataclass(frozen=True, slots=True)
class Split:
    """Page ids of the three parts, disjoint."""

    train: frozenset[str]
    validation: frozenset[str]
    test: frozenset[str]

    @property
    def everything(self) -> frozenset[str]:
        """All pages of the split."""
        return self.train | self.validation | self.test


_PARTS: Final = tuple(field.name for field in fields(Split))


def read_splits(source: Path) -> Mapping[str, Split]:
    """Return all splits of a folder or .tar.zst archive by name.

    Raises:
        LabelledError: `splits.json` is missing or malformed.
    """
    name = f"{source}: {_NAME}"
    packed = _from_archive(source) if source.suffix == ".zst" else _from_folder(source)
    return {
        split: _split(f"{name}: split {split}", parts)
        for split, parts in json_object(name, packed).items()
    }


def _split(name: str, parts: object) -> Split:
    if not isinstance(parts, dict) or parts.keys() != set(_PARTS):
        raise LabelledError(f"{name}: must have the parts {', '.join(_PARTS)}")
    for part, ids in parts.items():
        if not isinstance(ids, list):
            raise LabelledError(f"{name}: {part!r} is not a list of page ids")
    return Split(**{part: frozenset(map(str, ids)) for part, ids in parts.items()})


def _from_folder(folder: Path) -> bytes:
    try:
        return (folder / _NAME).read_bytes()
    except OSError as error:
        raise LabelledError(f"{folder / _NAME}: {error.strerror}") from error


def _from_archive(archive: Path) -> bytes:
    for _, content in archive_files(archive, lambda path: path.name == _NAME):
        return content
    raise LabelledError(f"{archive}: has no {_NAME}")
