"""A page of the inspector and its JSON API over HTTP: routes, limits and headers."""

import logging
import math
import time
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final, Protocol

from aiohttp import web

from winnow.models.page.view import VIEW_POLICY
from winnow.worker.inspector.asked import BadRequest, page_field
from winnow.worker.web.arrivals import Arrivals, CutShort
from winnow.worker.web.frames import Answer, refusal
from winnow.worker.web.guard import HostGuard, RateLimit
from winnow.worker.web.limits import WebLimits
from winnow.worker.web.server import serve_requests

_LOGGER: Final = logging.getLogger("winnow.worker.inspector")
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HTML: Final = _TYPES[".html"]
_JSON: Final = "application/json"
# takes the form of the page's frame, and answers with markup
_VIEW: Final = "/api/view"
# The page runs what it brings along, and nothing else; no text of another page is ever markup.
_PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_NO_PAGE: Final = "default-src 'none'; frame-ancestors 'none'"
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-DNS-Prefetch-Control": "off",
    "Cache-Control": "no-store",
}
_CANNOT_SHOW: Final = (
    b"<!doctype html><html lang=en><meta charset=utf-8><title>No view</title>"
    b"<body style='font:1rem system-ui;padding:1rem'><p>This page cannot be shown."
)


# content type, content, policy
File = tuple[str, bytes, str]


class Work(Protocol):
    """Answers requests that take time."""

    async def answer(self, path: str, body: bytes) -> Answer:
        """Return the answer, or why there is none."""


@dataclass(frozen=True, slots=True)
class Site:
    """What is served.

    Attributes:
        files: by path; all of them are known at the start.
        paths: of requests that `work` answers, with JSON; `/api/view` takes a form and answers
            with a page.
        work: answers them.
    """

    files: Mapping[str, File]
    paths: Collection[str]
    work: Work


@asynccontextmanager
async def serve_site(
    host: str, port: int, site: Site, names: Collection[str], limits: WebLimits
) -> AsyncIterator[int]:
    """Serve until the block ends; yields the port, a free one for port 0.

    Args:
        host: name or address to bind.
        port: to bind.
        site: what is served.
        names: of the host, next to `localhost` and addresses, under which it may be called.
        limits: what a client may ask.

    Raises:
        AddressInUseError: host or port cannot be bound.
    """
    answers = _Answers(site, HostGuard({*names, host}), limits)
    async with serve_requests(host, port, answers.respond, _LOGGER, limits.body_bytes) as bound:
        yield bound


def files_of(folder: Path) -> dict[str, File]:
    """Return the files of a folder by path; index.html is at `/`."""
    files = {
        f"/{path.name}": _file(_TYPES[path.suffix], path.read_bytes())
        for path in folder.iterdir()
        if path.suffix in _TYPES
    }
    files["/"] = files.pop("/index.html")
    return files


def json_file(content: bytes) -> File:
    """Return JSON as a file."""
    return _file(_JSON, content)


class _Answers:
    def __init__(self, site: Site, guard: HostGuard, limits: WebLimits) -> None:
        self._site: Final = site
        self._guard: Final = guard
        self._limits: Final = limits
        self._rate: Final = RateLimit(limits.rate, limits.burst, time.monotonic)
        self._arrivals: Final = Arrivals(limits.arriving_bytes)
        self._at_work = 0

    async def respond(self, request: web.BaseRequest) -> web.Response:
        """Answer a request, whatever it holds."""
        if why_not := self._guard.refusal(request.method, request.headers):
            return _error(HTTPStatus(why_not.status), why_not.why)
        if file := self._site.files.get(request.path):
            if request.method not in {"GET", "HEAD"}:
                return _error(HTTPStatus.METHOD_NOT_ALLOWED, "GET only", Allow="GET, HEAD")
            return _response(*file)
        if request.path not in self._site.paths:
            return _error(HTTPStatus.NOT_FOUND, "not found")
        if request.method != "POST":
            return _error(HTTPStatus.METHOD_NOT_ALLOWED, "POST only", Allow="POST")
        return self._refused(request) or await self._answer(request)

    def _refused(self, request: web.BaseRequest) -> web.Response | None:
        """Return why a request is not read."""
        if wait_s := self._rate.wait_s(request.remote or ""):
            after = {"Retry-After": str(math.ceil(wait_s))}
            return _closing(_error(HTTPStatus.TOO_MANY_REQUESTS, "too many requests", **after))
        if self._is_full():
            return _closing(_busy())
        if (request.content_length or 0) > self._limits.body_bytes:
            return self._too_large()
        wrong = _wrong_type(request)
        return _closing(_error(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, wrong)) if wrong else None

    def _is_full(self) -> bool:
        return self._at_work >= self._limits.processes + self._limits.waiting

    def _too_large(self) -> web.Response:
        why = f"a request has at most {self._limits.body_bytes} bytes"
        return _closing(_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why))

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        """Read the body, and only then take a place: a slow client holds none."""
        is_view = request.path == _VIEW
        try:
            body = await self._arrivals.read(request, self._limits.body_s)
            body = page_field(body) if is_view else body
        except web.HTTPRequestEntityTooLarge:
            return self._too_large()
        except CutShort as error:
            return _closing(_error(error.status, str(error)))
        except BadRequest as error:
            return _error(HTTPStatus.BAD_REQUEST, str(error))
        if self._is_full():
            return _busy()
        self._at_work += 1
        try:
            answer = await self._site.work.answer(request.path, body)
        finally:
            self._at_work -= 1
        return _shown(answer) if is_view else _response(_JSON, answer.body, status=answer.status)


def _wrong_type(request: web.BaseRequest) -> str:
    """Return why the content type is refused; a form comes from the frame of the page alone."""
    if "Content-Encoding" in request.headers:
        return "content must not be encoded"
    if request.path != _VIEW:
        return "" if request.content_type == _JSON else f"content type must be {_JSON}"
    is_form = request.content_type == "multipart/form-data" and "Origin" in request.headers
    return "" if is_form else "for the form of the page alone"


def _shown(answer: Answer) -> web.Response:
    """Make what was worked out for a frame a page, or say in a page that there is none."""
    markup = answer.body if answer.status == HTTPStatus.OK else _CANNOT_SHOW
    return _response(_HTML, markup, VIEW_POLICY, status=answer.status)


def _file(content_type: str, body: bytes) -> File:
    return content_type, body, _PAGE_POLICY if content_type == _HTML else _NO_PAGE


def _response(
    content_type: str, body: bytes, policy: str = _NO_PAGE, *, status: int = HTTPStatus.OK
) -> web.Response:
    headers = {**_HEADERS, "Content-Type": content_type, "Content-Security-Policy": policy}
    return web.Response(status=status, body=body, headers=headers)


def _error(status: HTTPStatus, why: str, **headers: str) -> web.Response:
    response = _response(_JSON, refusal(status, why).body, status=status)
    response.headers.update(headers)
    return response


def _busy() -> web.Response:
    return _error(HTTPStatus.SERVICE_UNAVAILABLE, "busy: try again", **{"Retry-After": "1"})


def _closing(response: web.Response) -> web.Response:
    """End the connection after this answer: the rest of the request is not read."""
    response.force_close()
    return response
