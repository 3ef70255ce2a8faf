"""Fetch a URL that a user gave, only from public addresses."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Final

from aiohttp import (
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from winnow.models.document import Page
from winnow.models.errors import InvalidPage, WinnowError
from winnow.worker.batch.archives.addresses import is_public
from winnow.worker.batch.archives.bodies import Coding, unpacked_body
from winnow.worker.batch.archives.fetch_rules import FetchRules
from winnow.worker.batch.archives.responses import is_html
from winnow.worker.batch.archives.robots import MAX_ROBOTS_BYTES, Robots
from winnow.worker.batch.inputs import InputError

AGENT: Final = "winnow"
REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


def fetch_page(url: str, rules: FetchRules) -> Page:
    """Return the page at a URL, with the URL after the last redirect.

    Raises:
        InputError: it cannot be fetched, or is not HTML.
    """
    return asyncio.run(_fetched(url, rules))


class _Refused(WinnowError):  # noqa: N818 - a fact about a URL of others
    """A page is not fetched; the message is the reason."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer of a server."""

    status: int
    location: str
    content_type: str
    encoding: str
    body: bytes


async def _fetched(url: str, rules: FetchRules) -> Page:
    try:
        async with asyncio.timeout(rules.seconds):
            return await _page(URL(url), rules)
    except (_Refused, InvalidPage) as error:
        raise InputError(url, getattr(error, "detail", None) or str(error)) from None
    except TimeoutError:
        raise InputError(url, f"not fetched within {rules.seconds:g} s") from None
    except (ClientError, OSError, ValueError) as error:
        why = str(error) or type(error).__name__
        raise InputError(url, f"cannot be fetched: {why}") from None


async def _page(url: URL, rules: FetchRules) -> Page:
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    found, answer = await _followed(url, rules, rules.max_page_bytes, is_page=True)
    if not 200 <= answer.status <= 299:  # noqa: PLR2004 - of HTTP
        raise _Refused(f"the server answers with status {answer.status}")
    if len(answer.body) > rules.max_page_bytes:
        raise _Refused(f"is larger than {rules.max_page_bytes} bytes, the limit for a page")
    if answer.content_type and not is_html(answer.content_type, b""):
        raise _Refused(f"is not HTML: content type {answer.content_type[:80]!r}")
    body = _unpacked(answer, answer.body, rules.max_page_bytes, is_cut=False)
    if not is_html(answer.content_type, body):
        raise _Refused(f"is not HTML: content type {answer.content_type[:80]!r}")
    return Page(str(found), body, answer.content_type, now)


def _unpacked(answer: _Answer, body: bytes, max_bytes: int, *, is_cut: bool) -> bytes:
    """Decode the content encodings of an answer; aiohttp has joined its chunks."""
    names = [name.strip().lower() for name in answer.encoding.split(",") if name.strip()]
    return unpacked_body(Coding(names, is_cut=is_cut), body, max_bytes, set())


async def _followed(
    url: URL, rules: FetchRules, max_bytes: int, *, is_page: bool
) -> tuple[URL, _Answer]:
    """Return the answer at the end of a URL's redirects; each redirect is checked."""
    asked: dict[URL, Robots] = {}
    for _ in range(rules.max_redirects + 1):
        _check_form(url)
        if is_page and rules.is_polite:
            await _check_robots(url, rules, asked)
        answer = await _asked(url, rules, max_bytes)
        if answer.status not in REDIRECTS or not answer.location:
            return url, answer
        url = url.join(URL(answer.location))
    raise _Refused(f"more than {rules.max_redirects} redirects")


def _check_form(url: URL) -> None:
    if url.scheme not in {"http", "https"} or not url.host:
        raise _Refused(f"only http and https are fetched, not {str(url)[:80]!r}")
    if url.user is not None or url.password is not None:
        raise _Refused("a URL with a user or password is not fetched: documents would contain it")


async def _check_robots(url: URL, rules: FetchRules, asked: dict[URL, Robots]) -> None:
    """Check the robots.txt of a URL's host."""
    origin = url.origin()
    if origin not in asked:
        asked[origin] = Robots(await _robots(origin / "robots.txt", rules), AGENT)
    if not asked[origin].allows(url.raw_path_qs):
        raise _Refused(f"robots.txt of {url.host} does not allow it (--ignore-robots)")


async def _robots(url: URL, rules: FetchRules) -> bytes:
    """Return a robots.txt, empty if it does not exist; raise if the host does not answer."""
    try:
        _, answer = await _followed(url, rules, MAX_ROBOTS_BYTES, is_page=False)
        if 400 <= answer.status <= 499:  # noqa: PLR2004 - of HTTP
            return b""
        if not 200 <= answer.status <= 299:  # noqa: PLR2004 - the same
            raise _Refused(f"status {answer.status}")  # noqa: TRY301 - one text for all reasons
        return _unpacked(answer, answer.body[:MAX_ROBOTS_BYTES], MAX_ROBOTS_BYTES, is_cut=True)
    except (ClientError, OSError, InvalidPage, _Refused) as error:
        why = str(error) or type(error).__name__
        raise _Refused(f"{url} cannot be read: {why} (--ignore-robots)") from None


class _Pinned(AbstractResolver):
    """Resolves hosts only to the addresses that were checked."""

    def __init__(self, targets: list[tuple[str, int]]) -> None:
        self._targets = targets

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        del port, family  # the targets have their own
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address, port in self._targets
        ]

    async def close(self) -> None:
        """Hold nothing."""


async def _asked(url: URL, rules: FetchRules, max_bytes: int) -> _Answer:
    async with _session(await _targets(url, rules)) as session:
        headers = {
            "User-Agent": f"{AGENT}/{version('winnow-web')}",
            "Accept": "text/html, application/xhtml+xml",
            "Accept-Encoding": "gzip, deflate, br, zstd",
        }
        async with session.get(url, headers=headers, allow_redirects=False) as response:
            return await _answer(response, max_bytes)


async def _targets(url: URL, rules: FetchRules) -> list[tuple[str, int]]:
    """Return the addresses of a host, all of them public; they are resolved once."""
    assert url.host is not None  # `_check_form`
    assert url.port is not None  # the scheme has one
    addresses = await rules.resolve(url.host, url.port)
    for address in addresses:
        if not is_public(address):
            raise _Refused(f"{url.host} has the address {address}, which is not public")
    return [rules.route(address, url.port) for address in addresses]


@asynccontextmanager
async def _session(targets: list[tuple[str, int]]) -> AsyncIterator[ClientSession]:
    connector = TCPConnector(
        resolver=_Pinned(targets), use_dns_cache=False, force_close=True, limit=1
    )
    async with ClientSession(
        connector=connector,
        auto_decompress=False,  # decoded later, with a limit, as for archives
        cookie_jar=DummyCookieJar(),
        timeout=ClientTimeout(total=None),  # the whole fetch has one
        trust_env=False,  # a proxy would resolve addresses itself
    ) as session:
        yield session


async def _answer(response: ClientResponse, max_bytes: int) -> _Answer:
    headers = response.headers
    answer = _Answer(
        response.status,
        headers.get("Location", ""),
        headers.get("Content-Type", ""),
        headers.get("Content-Encoding", ""),
        b"",
    )
    if answer.status in REDIRECTS:
        return answer
    body = bytearray()
    while len(body) <= max_bytes and (chunk := await response.content.readany()):
        body += chunk
    return replace(answer, body=bytes(body[: max_bytes + 1]))
