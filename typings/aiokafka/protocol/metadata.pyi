from typing import Any

class MetadataRequest:
    def __init__(self, topics: list[str] | None = None) -> None: ...

MetadataRequest_v1: Any
MetadataResponse_v1: Any
