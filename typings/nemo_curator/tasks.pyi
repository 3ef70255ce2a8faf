"""What is used of nemo_curator.tasks."""

from collections.abc import Iterable, Sequence

class FileGroupTask:
    def __init__(self, *, dataset_name: str, data: Sequence[str]) -> None: ...

class Frame:
    """What is used of a data frame of pandas."""

    columns: Iterable[str]
    def __getitem__(self, name: str) -> Iterable[str]: ...

class DocumentBatch:
    data: Frame
