"""An HTTP server for probes and scrapers, with one short request per connection.

The port is open to the pod's network. Data after a client's first request is not read, so that many
requests at once cost no more than one. Connections are few and short, because each uses a file
descriptor: a process without free descriptors can neither open a file nor reach a broker.
"""

import asyncio
import logging
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from winnow.worker.web.server import AddressInUseError

# Three times as many as asyncio accepts at once: a connection is read before others replace it.
MAX_CONNECTIONS: Final = 96
_ACCEPTED_AT_ONCE: Final = 32
# Connections that wait in the kernel; a client whose connection is dropped retries after a second.
_QUEUE: Final = 1024
# Longest time to receive a request, and then to send its answer.
IDLE_S: Final = 5.0
_MAX_HEAD_BYTES: Final = 8192
_REQUEST_LINE: Final = re.compile(rb"([A-Z]{1,16}) (/[!-~]*) HTTP/1\.[01]\r\n")
_METHOD_START: Final = re.compile(rb"[A-Z]{1,16}( |\Z)")
_TEXT: Final = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer."""

    body: bytes
    status: int = HTTPStatus.OK
    content_type: str = _TEXT

    def encoded(self, *, with_body: bool = True) -> bytes:
        """Return the answer as bytes; the connection closes after it."""
        head = (
            f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n"
            f"Content-Type: {self.content_type}\r\nContent-Length: {len(self.body)}\r\n"
            "Connection: close\r\n\r\n"
        )
        return head.encode() + (self.body if with_body else b"")


Handler = Callable[[], Awaitable[Reply]]


@asynccontextmanager
async def serve_once(
    host: str, port: int, handlers: Mapping[str, Handler], logger: logging.Logger
) -> AsyncIterator[int]:
    """Serve GET and HEAD of fixed paths until the block ends; yields the port.

    Raises:
        AddressInUseError: host or port cannot be bound.
    """
    loop = asyncio.get_running_loop()
    connections = _Connections(handlers, logger)
    try:
        server = await loop.create_server(
            lambda: _Connection(connections), host, port, backlog=_ACCEPTED_AT_ONCE
        )
    except OSError as error:
        raise AddressInUseError(f"{host}:{port}: {error.strerror}") from error
    try:
        for listening in server.sockets:
            with socket.fromfd(listening.fileno(), listening.family, listening.type) as same:
                same.listen(_QUEUE)
        bound: int = server.sockets[0].getsockname()[1]
        yield bound
    finally:
        server.close()
        connections.end()


class _Connections:
    """The open connections; at the limit, the oldest one without a running answer is closed."""

    def __init__(self, handlers: Mapping[str, Handler], logger: logging.Logger) -> None:
        self._handlers = handlers
        self._logger = logger
        self._open: dict[_Connection, asyncio.Task[None] | None] = {}

    def add(self, connection: "_Connection") -> None:
        if len(self._open) >= MAX_CONNECTIONS:
            waiting = (each for each, task in self._open.items() if task is None or task.done())
            self.remove(next(waiting, next(iter(self._open)))).abort()
        self._open[connection] = None

    def remove(self, connection: "_Connection") -> "_Connection":
        if task := self._open.pop(connection, None):
            task.cancel()
        return connection

    def answer(self, connection: "_Connection", method: bytes, path: str) -> None:
        self._open[connection] = asyncio.create_task(self._answer(connection, method, path))

    async def _answer(self, connection: "_Connection", method: bytes, path: str) -> None:
        connection.send((await self._reply(method, path)).encoded(with_body=method != b"HEAD"))

    async def _reply(self, method: bytes, path: str) -> Reply:
        handler = self._handlers.get(path)
        if handler is None:
            return Reply(b"not found\n", HTTPStatus.NOT_FOUND)
        if method not in {b"GET", b"HEAD"}:
            return Reply(b"GET only\n", HTTPStatus.METHOD_NOT_ALLOWED)
        try:
            return await handler()
        except Exception:
            self._logger.exception("no answer to %s", path)
            return Reply(b"failed: the log says how\n", HTTPStatus.INTERNAL_SERVER_ERROR)

    def end(self) -> None:
        for connection in list(self._open):
            self.remove(connection).abort()


class _Connection(asyncio.Protocol):
    """Takes one request."""

    def __init__(self, connections: _Connections) -> None:
        self._connections = connections
        self._head = b""
        self._is_asked = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._timer = asyncio.get_running_loop().call_later(IDLE_S, self.abort)
        self._connections.add(self)

    def data_received(self, data: bytes) -> None:
        if self._is_asked:
            return
        self._head += data[: _MAX_HEAD_BYTES + 1 - len(self._head)]
        if request := _REQUEST_LINE.match(self._head):
            if b"\r\n\r\n" in self._head:
                self._is_asked = True
                self._timer.cancel()  # the handler limits the time of its answer
                self._transport.pause_reading()
                path = request[2].partition(b"?")[0].decode("ascii")
                self._connections.answer(self, request[1], path)
            elif len(self._head) > _MAX_HEAD_BYTES:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        elif b"\n" in self._head or not _METHOD_START.match(self._head[:17]):
            self._refuse(HTTPStatus.BAD_REQUEST)
        elif len(self._head) > _MAX_HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - of the protocol
        self._timer.cancel()
        self._connections.remove(self)

    def send(self, answer: bytes) -> None:
        self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(IDLE_S, self.abort)
        self._transport.write(answer)
        self._transport.close()

    def abort(self) -> None:
        self._timer.cancel()
        self._transport.abort()

    def _refuse(self, status: HTTPStatus) -> None:
        self._is_asked = True
        self._transport.pause_reading()
        self.send(Reply(f"{status.phrase.lower()}\n".encode(), status).encoded())
