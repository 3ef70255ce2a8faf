"""A TCP relay on loopback that tests can slow down, cut and mend."""

import asyncio
import contextlib
from typing import Final, Self

CHUNK_BYTES: Final = 1 << 16


class Proxy:
    """Relays connections to one server; an async context manager."""

    def __init__(self, host: str, port: int) -> None:
        """Relay to `host:port`, from a port that is free."""
        self._target = (host, port)
        self._server: asyncio.Server | None = None
        self._links: set[asyncio.Task[None]] = set()
        self._is_cut = False
        self.delay_s = 0.0
        self.chunks_to_server = 0

    @property
    def port(self) -> int:
        """Where clients connect to."""
        assert self._server
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def cut(self) -> None:
        """Break all connections and refuse new ones."""
        self._is_cut = True
        for link in self._links:
            link.cancel()

    def mend(self) -> None:
        """Relay again."""
        self._is_cut = False

    async def __aenter__(self) -> Self:
        """Listen."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Break all connections and stop listening."""
        assert self._server
        self.cut()
        self._server.close()
        await asyncio.gather(*self._links, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = asyncio.ensure_future(self._relay(reader, writer))
        self._links.add(link)
        link.add_done_callback(self._links.discard)
        with contextlib.suppress(asyncio.CancelledError):
            await link

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_writer: asyncio.StreamWriter | None = None
        try:
            if not self._is_cut:
                far_reader, far_writer = await asyncio.open_connection(*self._target)
                async with asyncio.TaskGroup() as both:
                    both.create_task(self._pump(reader, far_writer, requests=True))
                    both.create_task(self._pump(far_reader, writer, requests=False))
        except* OSError:
            pass  # one side has gone: the other is closed below
        finally:
            for end in (writer, far_writer):
                if end:
                    end.transport.abort()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, requests: bool
    ) -> None:
        while chunk := await reader.read(CHUNK_BYTES):
            self.chunks_to_server += requests
            if self.delay_s:
                await asyncio.sleep(self.delay_s)
            writer.write(chunk)
            await writer.drain()
        raise ConnectionResetError
