from typing import Any

class FetchRequest:
    API_KEY: int

FetchRequest_v4: Any
FetchResponse_v4: Any
