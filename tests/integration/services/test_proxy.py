"""The relay leaves nothing open, whenever it is cut."""

import asyncio
import gc

from tests.services.proxy import Proxy


async def test_connections_that_are_cut_as_soon_as_they_are_made_are_closed() -> None:
    reached: list[asyncio.StreamWriter] = []
    target = await asyncio.start_server(lambda _, writer: reached.append(writer), "127.0.0.1", 0)
    port = target.sockets[0].getsockname()[1]

    async with Proxy("127.0.0.1", port) as proxy:
        clients = [await asyncio.open_connection("127.0.0.1", proxy.port) for _ in range(20)]
    target.close()
    ends = [await asyncio.wait_for(end_of(reader), 5) for reader, _ in clients]
    for writer in [*reached, *(writer for _, writer in clients)]:
        writer.transport.abort()
    await asyncio.sleep(0)
    gc.collect()  # a transport that nobody closed is an error here

    assert ends == [b""] * 20


async def end_of(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
