"""What is used of langchain_core.documents."""

from typing import Any

class Document:
    def __init__(self, *, page_content: str, metadata: dict[str, Any]) -> None: ...
