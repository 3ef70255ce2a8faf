"""Read request bodies with limits on time, on bytes each and on bytes of all together."""

import asyncio
from http import HTTPStatus
from typing import Final

from aiohttp import web

from winnow.models.errors import WinnowError


class CutShort(WinnowError):  # noqa: N818 - what became of it
    """A body did not arrive in time, or is malformed.

    Attributes:
        status: HTTP status of the answer.
    """

    def __init__(self, status: HTTPStatus, why: str) -> None:
        """Keep the message for the client."""
        super().__init__(why)
        self.status = status


class Arrivals:
    """Reads bodies. If they use too much memory together, the oldest is dropped."""

    def __init__(self, most_bytes: int) -> None:
        """Limit the total bytes of incomplete bodies."""
        self._most_bytes: Final = most_bytes
        self._arrived: Final[dict[asyncio.Timeout, int]] = {}  # oldest first

    async def read(self, request: web.BaseRequest, seconds: float) -> bytes:
        """Return the body if it arrives within the given seconds.

        Raises:
            CutShort: it is too slow or malformed.
            web.HTTPRequestEntityTooLarge: it is larger than the server's limit.
        """
        try:
            async with asyncio.timeout(seconds) as deadline:
                self._arrived[deadline] = 0
                try:
                    return await self._read(request, deadline)
                finally:
                    del self._arrived[deadline]
        except TimeoutError as error:
            why = f"the request did not arrive within {seconds:g} s, or memory was short"
            raise CutShort(HTTPStatus.REQUEST_TIMEOUT, why) from error
        except (web.RequestPayloadError, ConnectionError) as error:
            raise CutShort(HTTPStatus.BAD_REQUEST, "malformed body") from error

    async def _read(self, request: web.BaseRequest, deadline: asyncio.Timeout) -> bytes:
        parts = []
        async for part in request.content.iter_any():
            self._arrived[deadline] += len(part)
            if self._arrived[deadline] > request.client_max_size:
                raise web.HTTPRequestEntityTooLarge(
                    request.client_max_size, self._arrived[deadline]
                )
            parts.append(part)
            if sum(self._arrived.values()) > self._most_bytes:
                next(iter(self._arrived)).reschedule(asyncio.get_running_loop().time())
        return b"".join(parts)
