"""What is used of datatrove.data."""

from collections.abc import Iterator
from typing import Any, TypeAlias

class MediaType:
    DOCUMENT: int

class Media:
    def __init__(
        self,
        id: str,  # noqa: A002
        type: int,  # noqa: A002
        url: str,
        *,
        media_bytes: bytes | None = ...,
        metadata: dict[str, Any] = ...,
    ) -> None: ...
    media_bytes: bytes | None
    metadata: dict[str, Any]

class Document:
    def __init__(
        self,
        text: str,
        id: str,  # noqa: A002
        media: list[Media] = ...,
        metadata: dict[str, Any] = ...,
    ) -> None: ...
    text: str
    id: str
    media: list[Media]
    metadata: dict[str, Any]

DocumentsPipeline: TypeAlias = Iterator[Document]
