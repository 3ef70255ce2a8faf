"""Output folders that continue a run: where they are, and why a run cannot start there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from winnow.worker.batch.archives.folders import (
    Folder,
    FolderInUseError,
    ForeignFileError,
    LocalFolder,
)
from winnow.worker.batch.archives.ledger import OtherRunError
from winnow.worker.batch.archives.remote import RemoteFolder
from winnow.worker.batch.archives.shards import MissingPackageError
from winnow.worker.batch.inputs import Argument, InputError
from winnow.worker.cli.failure import CannotGoOn, CannotStart
from winnow.worker.cli.sinks import folder_of


def output_folder(target: Argument) -> Folder:
    """Return the folder for shards, made if it was not there.

    Raises:
        CannotStart: there can be no such folder.
    """
    if isinstance(target, Path):
        return LocalFolder(folder_of(target))
    try:
        return RemoteFolder(target)
    except (InputError, MissingPackageError) as error:
        raise CannotStart(str(error)) from error


@contextmanager
def run_of(name: str, otherwise: str) -> Iterator[None]:
    """Say why a run into a folder of that name cannot start or go on.

    Raises:
        CannotStart: the folder is that of another run (then `otherwise` helps), in use, or has
            files that we did not write.
        CannotGoOn: the folder cannot be written.
    """
    try:
        yield
    except OtherRunError as error:
        raise CannotStart(f"{name}: {error}; {otherwise}") from error
    except (FolderInUseError, ForeignFileError) as error:
        raise CannotStart(f"{name}: {error}") from error
    except OSError as error:
        why = f"{name}: {error.strerror or error}; the same command goes on from here"
        raise CannotGoOn(why) from error
