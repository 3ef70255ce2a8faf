"""Output folders that can continue a run, and why a run cannot start in a folder."""

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
    """Return the folder for shards; it is created if needed.

    Raises:
        CannotStart: the folder cannot be created.
    """
    if isinstance(target, Path):
        return LocalFolder(folder_of(target))
    try:
        return RemoteFolder(target)
    except (InputError, MissingPackageError) as error:
        raise CannotStart(str(error)) from error


@contextmanager
def run_of(name: str, otherwise: str) -> Iterator[None]:
    """Report why a run cannot start or continue in this folder.

    Raises:
        CannotStart: the folder belongs to another run (`otherwise` says what to do), is in use,
            or has foreign files.
        CannotGoOn: the folder cannot be written.
    """
    try:
        yield
    except OtherRunError as error:
        raise CannotStart(f"{name}: {error}; {otherwise}") from error
    except (FolderInUseError, ForeignFileError) as error:
        raise CannotStart(f"{name}: {error}") from error
    except OSError as error:
        why = f"{name}: {error.strerror or error}; run the same command to continue"
        raise CannotGoOn(why) from error
