"""Accept requests for work, with limits on their number and bytes."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

from aiohttp import HttpVersion11, web

from winnow.models.errors import Reason, WinnowError
from winnow.worker.web.arrivals import Arrivals, CutShort
from winnow.worker.web.limits import WebLimits
from winnow.worker.web.replies import busy, closing, error


class NotTaken(WinnowError):  # noqa: N818 - what became of it
    """A request is refused.

    Attributes:
        response: the answer with the reason.
    """

    def __init__(self, response: web.Response) -> None:
        """Keep the answer for the client."""
        super().__init__(response.status)
        self.response = response


class Intake:
    """Reads requests, and gives each complete one a place, so that slow clients hold no places."""

    def __init__(self, limits: WebLimits) -> None:
        """Start without requests."""
        self._limits: Final = limits
        self._arrivals: Final = Arrivals(limits.arriving_bytes)
        self._at_work = 0

    def check(self, request: web.BaseRequest) -> None:
        """Refuse a request early, before its body is read.

        Raises:
            NotTaken: there is no free place, or the body is too large or encoded.
        """
        if self._is_full():
            raise NotTaken(closing(busy()))
        if (request.content_length or 0) > self._limits.body_bytes:
            raise self._too_large()
        if "Content-Encoding" in request.headers:
            why = "content must not be encoded"
            headers = {"Accept-Encoding": "identity"}
            raise NotTaken(closing(error(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, why, **headers)))

    async def read(self, request: web.BaseRequest) -> bytes:
        """Return the body.

        Raises:
            NotTaken: it is too large, too slow or malformed.
        """
        await tell_to_send(request)
        try:
            return await self._arrivals.read(request, self._limits.body_s)
        except web.HTTPRequestEntityTooLarge:
            raise self._too_large() from None
        except CutShort as cut:
            raise NotTaken(closing(error(cut.status, str(cut)))) from cut

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take a place during the block.

        Raises:
            NotTaken: there is no free place.
        """
        if self._is_full():
            raise NotTaken(busy())
        self._at_work += 1
        try:
            yield
        finally:
            self._at_work -= 1

    def _is_full(self) -> bool:
        return self._at_work >= self._limits.processes + self._limits.waiting

    def _too_large(self) -> NotTaken:
        why = f"a request has at most {self._limits.body_bytes} bytes"
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        return NotTaken(closing(error(status, why, Reason.TOO_LARGE)))


async def tell_to_send(request: web.BaseRequest) -> None:
    """Answer `Expect: 100-continue`: without it, curl waits for a second before the body.

    Raises:
        NotTaken: the header has another value.
    """
    expected = request.headers.get("Expect", "").lower()
    if expected == "100-continue" and request.version >= HttpVersion11:
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0
    elif expected:
        why = "Expect must be 100-continue"
        raise NotTaken(closing(error(HTTPStatus.EXPECTATION_FAILED, why)))
