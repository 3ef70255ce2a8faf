from typing import Any

Sender: Any
