"""A Redis of a few commands in this process, whose content tests can read and change."""

from typing import Any, Self

from winnow.streams.cache.redis_client import RedisClient


class FakeRedis:
    """Takes pipelines of GET, GETRANGE, SET and DEL."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        self._replies: list[object] = []

    def client(self) -> RedisClient:
        commands: Any = self
        return RedisClient(commands)

    def pipeline(self, *, transaction: bool) -> Self:
        self._replies = []
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def execute_command(self, name: str, key: str, *given: Any) -> None:  # noqa: ANN401 - as redis-py
        if name == "SET":
            self.values[key] = given[0]
            self._replies.append(True)
        elif name == "DEL":
            self._replies.append(int(self.values.pop(key, None) is not None))
        elif name == "GETRANGE":
            first, last = given
            self._replies.append(self.values.get(key, b"")[first : last + 1])
        else:
            assert name == "GET"
            self._replies.append(self.values.get(key))

    async def execute(self, *, raise_on_error: bool) -> list[object]:
        replies, self._replies = self._replies, []
        return replies

    async def aclose(self) -> None:
        pass
