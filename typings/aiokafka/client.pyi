from enum import IntEnum
from typing import Any

class ConnectionGroup(IntEnum):
    DEFAULT = 0
    COORDINATION = 1

create_conn: Any
