from enum import IntEnum
from typing import Any

class ConnectionGroup(IntEnum):
    DEFAULT = 0
    COORDINATION = 1

create_conn: Any

class ClusterMetadata:
    def available_partitions_for_topic(self, topic: str) -> set[int] | None: ...

class AIOKafkaClient:
    cluster: ClusterMetadata
    async def bootstrap(self) -> None: ...
    async def send(self, node_id: int, request: object, **options: object) -> Any: ...
