"""How pages are fetched: apart from what fetches them, which is slow to import."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Resolve = Callable[[str, int], Awaitable[list[str]]]
Route = Callable[[str, int], tuple[str, int]]


async def system_addresses(host: str, port: int) -> list[str]:
    """Return the addresses that the machine's resolver has for a host."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


def direct(address: str, port: int) -> tuple[str, int]:
    """Connect to the address itself."""
    return address, port


@dataclass(frozen=True, slots=True)
class FetchRules:
    """What is fetched, and how long is waited for it.

    Attributes:
        max_page_bytes: of a page, packed and unpacked.
        is_polite: whether robots.txt decides.
        seconds: for all of a page: its robots.txt, its redirects, its body.
        max_redirects: of one page.
        resolve: returns the addresses of a host.
        route: where to connect instead of an address that was found to be public, for tests.
    """

    max_page_bytes: int
    is_polite: bool = True
    seconds: float = 30.0
    max_redirects: int = 5
    resolve: Resolve = system_addresses
    route: Route = direct
