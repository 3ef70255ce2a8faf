"""A TCP relay on loopback that tests can slow down, cut and mend."""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from typing import Final, Self

CHUNK_BYTES: Final = 1 << 16
SETTLE_S: Final = 0.05


class Proxy:
    """Relays connections to one server; an async context manager."""

    def __init__(self, host: str, port: int) -> None:
        """Relay to `host:port`, from a port that is free."""
        self._target = (host, port)
        self._server: asyncio.Server | None = None
        self._links: set[asyncio.Task[None]] = set()
        self._accepted: set[asyncio.Task[object]] = set()
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
        await asyncio.sleep(SETTLE_S)  # what is half accepted becomes a link, which ends at once
        await asyncio.gather(*self._accepted)
        await asyncio.sleep(0)  # in which the aborted transports close their sockets

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted = asyncio.current_task()
        assert accepted
        self._accepted.add(accepted)
        accepted.add_done_callback(self._accepted.discard)
        link = asyncio.ensure_future(self._relay(reader, writer))
        self._links.add(link)
        link.add_done_callback(self._links.discard)
        with contextlib.suppress(asyncio.CancelledError):
            await link
        writer.transport.abort()  # a link that is cut before it began has not done it

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


class ProxyThread:
    """A `Proxy` with its own event loop, for synchronous tests; a context manager."""

    def __init__(self, port: int) -> None:
        """Relay to a port of loopback."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._proxy = Proxy("127.0.0.1", port)

    def __enter__(self) -> Self:
        """Listen."""
        self._thread.start()
        self._run(self._proxy.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        """Break all connections and stop listening."""
        self._run(self._proxy.__aexit__())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def port(self) -> int:
        """Where clients connect to."""
        return self._proxy.port

    def cut(self) -> None:
        """Break all connections and refuse new ones."""
        self._loop.call_soon_threadsafe(self._proxy.cut)

    def mend(self) -> None:
        """Relay again."""
        self._loop.call_soon_threadsafe(self._proxy.mend)

    def stall(self, seconds: float) -> None:
        """Hold back every chunk for so long; 0 relays at once."""
        self._proxy.delay_s = seconds

    def _run(self, call: Coroutine[object, object, object]) -> None:
        asyncio.run_coroutine_threadsafe(call, self._loop).result(10)
