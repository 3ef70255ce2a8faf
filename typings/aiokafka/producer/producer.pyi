from typing import Any

DefaultRecordBatchBuilder: Any
