"""Read which pages of a labelled set train, choose and test: `splits.json` beside the pages."""

import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

import orjson
import zstandard

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


def read_splits(source: Path) -> Mapping[str, Split]:
    """Return all splits of a folder or .tar.zst archive by name.

    Raises:
        FileNotFoundError: there is no `splits.json` in it.
    """
    packed = _from_archive(source) if source.suffix == ".zst" else (source / _NAME).read_bytes()
    return {
        name: Split(**{part: frozenset(map(str, ids)) for part, ids in parts.items()})
        for name, parts in orjson.loads(packed).items()
    }


def _from_archive(archive: Path) -> bytes:
    with (
        archive.open("rb") as packed,
        zstandard.ZstdDecompressor().stream_reader(packed) as plain,
        tarfile.open(fileobj=plain, mode="r|") as tar,
    ):
        for member in tar:
            content = tar.extractfile(member) if PurePosixPath(member.name).name == _NAME else None
            if content:
                return content.read()
    raise FileNotFoundError(f"{archive}: no {_NAME}")
