"""What is used of datatrove.pipeline.base."""

from contextlib import AbstractContextManager

from datatrove.data import Document, DocumentsPipeline

class MetricStats:
    total: float

class PipelineStep:
    name: str
    type: str
    stats: dict[str, MetricStats]
    def __init__(self) -> None: ...
    def stat_update(self, *labels: str, value: int = ..., unit: str | None = ...) -> None: ...
    def update_doc_stats(self, document: Document) -> None: ...
    def track_time(self, unit: str | None = ...) -> AbstractContextManager[object]: ...
    def run(
        self, data: DocumentsPipeline, rank: int = ..., world_size: int = ...
    ) -> DocumentsPipeline: ...
