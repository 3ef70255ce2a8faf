from typing import NamedTuple

class OffsetAndMetadata(NamedTuple):
    offset: int
    metadata: str
