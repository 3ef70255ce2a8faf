from collections.abc import Sequence

class DefaultPartitioner:
    def __call__(
        self, key: bytes | None, all_partitions: Sequence[int], available: Sequence[int]
    ) -> int: ...

def murmur2(data: bytes) -> int: ...
