"""Bodies of requests while they arrive: bounded in time, and in bytes each and all together."""

import asyncio
from http import HTTPStatus
from typing import Final

from aiohttp import web

from winnow.models.errors import WinnowError


class CutShort(WinnowError):  # noqa: N818 - what became of it
    """A body has not arrived: it was too slow, or is malformed.

    Attributes:
        status: of the answer.
    """

    def __init__(self, status: HTTPStatus, why: str) -> None:
        """Say it to the client."""
        super().__init__(why)
        self.status = status


class Arrivals:
    """Reads bodies. When they take too much memory together, the oldest is given up."""

    def __init__(self, most_bytes: int) -> None:
        """Hold at most so many bytes of bodies that are not complete."""
        self._most_bytes: Final = most_bytes
        self._arrived: Final[dict[asyncio.Timeout, int]] = {}  # the oldest first

    async def read(self, request: web.BaseRequest, seconds: float) -> bytes:
        """Return a body that arrives within these seconds.

        Raises:
            CutShort: it does not, or it is malformed.
            web.HTTPRequestEntityTooLarge: it is longer than the server was told.
        """
        try:
            async with asyncio.timeout(seconds) as deadline:
                self._arrived[deadline] = 0
                try:
                    return await self._read(request, deadline)
                finally:
                    del self._arrived[deadline]
        except TimeoutError as error:
            why = f"the request did not arrive in {seconds:g} s, or others had no room"
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
