"""What is used of datatrove.pipeline.extractors.trafilatura."""

from datatrove.pipeline.extractors.base import BaseExtractor

class Trafilatura(BaseExtractor): ...
