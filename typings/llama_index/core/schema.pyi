"""What is used of llama_index.core.schema."""

from typing import Any

class Document:
    def __init__(self, *, text: str, metadata: dict[str, Any]) -> None: ...
