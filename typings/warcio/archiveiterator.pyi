"""What is used of warcio."""

from collections.abc import Iterator
from typing import BinaryIO

class StatusAndHeaders:
    def get_header(self, name: str) -> str | None: ...

class ArcWarcRecord:
    rec_type: str
    rec_headers: StatusAndHeaders
    def content_stream(self) -> BinaryIO: ...

class ArchiveIterator:
    def __init__(self, fileobj: BinaryIO, *, check_digests: bool | str = ...) -> None: ...
    def __iter__(self) -> Iterator[ArcWarcRecord]: ...
