"""What is used of datatrove.pipeline.extractors.base."""

from datatrove.data import DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

class BaseExtractor(PipelineStep):
    def __init__(self, timeout: float = ...) -> None: ...
    def run(
        self, data: DocumentsPipeline, rank: int = ..., world_size: int = ...
    ) -> DocumentsPipeline: ...
