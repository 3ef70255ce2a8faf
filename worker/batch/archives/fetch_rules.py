"""Rules for fetching pages; separate from the fetcher, which is slow to import."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

Resolve = Callable[[str, int], Awaitable[list[str]]]
Route = Callable[[str, int], tuple[str, int]]


async def system_addresses(host: str, port: int) -> list[str]:
    """Return the addresses of a host from the system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


def direct(address: str, port: int) -> tuple[str, int]:
    """Connect to the address itself."""
    return address, port


@dataclass(frozen=True, slots=True)
class FetchRules:
    """Limits and rules of a fetch.

    Attributes:
        max_page_bytes: limit of a page, both compressed and decoded.
        is_polite: whether robots.txt is obeyed.
        seconds: time limit of a page with its robots.txt, redirects and body.
        max_redirects: maximum redirects per page.
        resolve: returns the addresses of a host.
        route: for tests: where to connect in place of a public address.
    """

    max_page_bytes: int
    is_polite: bool = True
    seconds: float = 30.0
    max_redirects: int = 5
    resolve: Resolve = system_addresses
    route: Route = direct
