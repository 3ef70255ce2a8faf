"""What is used of datatrove.pipeline.readers.base."""

from typing import Any, BinaryIO

from datatrove.data import DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

class DataFolder:
    def open(self, path: str, mode: str) -> BinaryIO: ...
    def resolve_paths(self, path: str) -> str: ...

class BaseDiskReader(PipelineStep):
    data_folder: DataFolder
    default_metadata: dict[str, Any] | None
    def __init__(self, data_folder: str, **options: Any) -> None: ...
    def run(
        self, data: DocumentsPipeline | None = ..., rank: int = ..., world_size: int = ...
    ) -> DocumentsPipeline: ...
