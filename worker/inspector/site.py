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
from winnow.worker.inspector.asked import page_field
from winnow.worker.web.frames import Answer, BadRequest
from winnow.worker.web.guard import HostGuard, RateLimit
from winnow.worker.web.intake import Intake, NotTaken
from winnow.worker.web.limits import WebLimits
from winnow.worker.web.replies import JSON, NO_PAGE, closing, error, misrouted, reply
from winnow.worker.web.server import serve_requests

_LOGGER: Final = logging.getLogger("winnow.worker.inspector")
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HTML: Final = _TYPES[".html"]
# accepts the form of the page's frame, and answers with markup
_VIEW: Final = "/api/view"
# The page runs only its own scripts, and never inserts another page's text as markup.
_PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_CANNOT_SHOW: Final = (
    b"<!doctype html><html lang=en><meta charset=utf-8><title>No view</title>"
    b"<body style='font:1rem system-ui;padding:1rem'><p>This page cannot be shown."
)


# content type, content, policy
File = tuple[str, bytes, str]


class Work(Protocol):
    """Answers requests that take time."""

    async def answer(self, path: str, body: bytes) -> Answer:
        """Return the answer, or a refusal with its reason."""


@dataclass(frozen=True, slots=True)
class Site:
    """The files and paths that are served.

    Attributes:
        files: files by path, fixed at the start.
        paths: paths of requests that `work` answers with JSON; `/api/view` accepts a form and
        answers with a page.
        work: answers these requests.
    """

    files: Mapping[str, File]
    paths: Collection[str]
    work: Work


@asynccontextmanager
async def serve_site(
    host: str, port: int, site: Site, names: Collection[str], limits: WebLimits
) -> AsyncIterator[int]:
    """Serve until the block ends; yields the port (a free one for port 0).

    Args:
        host: name or address to bind.
        port: port to bind.
        site: files and paths to serve.
        names: host names to accept, in addition to `localhost` and addresses.
        limits: limits of clients.

    Raises:
        AddressInUseError: host or port cannot be bound.
    """
    answers = _Answers(site, HostGuard({*names, host}), limits)
    async with serve_requests(host, port, answers.respond, _LOGGER, limits) as bound:
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
    return _file(JSON, content)


class _Answers:
    def __init__(self, site: Site, guard: HostGuard, limits: WebLimits) -> None:
        self._site: Final = site
        self._guard: Final = guard
        self._rate: Final = RateLimit(limits.rate, limits.burst, time.monotonic)
        self._intake: Final = Intake(limits)

    async def respond(self, request: web.BaseRequest) -> web.Response:
        """Answer any request."""
        if why_not := self._guard.refusal(request.method, request.headers):
            return error(HTTPStatus(why_not.status), why_not.why)
        if wrong := misrouted(request, self._site.files, self._site.paths):
            return wrong
        if file := self._site.files.get(request.path):
            return reply(*file)
        try:
            self._check(request)
            return await self._answer(request)
        except NotTaken as not_taken:
            return not_taken.response

    def _check(self, request: web.BaseRequest) -> None:
        """Refuse a request before its body is read.

        Raises:
            NotTaken: the request is refused.
        """
        if wait_s := self._rate.wait_s(request.remote or ""):
            after = {"Retry-After": str(math.ceil(wait_s))}
            refused = error(HTTPStatus.TOO_MANY_REQUESTS, "too many requests", **after)
            raise NotTaken(closing(refused))
        self._intake.check(request)
        if wrong := _wrong_type(request):
            raise NotTaken(closing(error(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, wrong)))

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        """Read the body before taking a place, so that a slow client holds none."""
        is_view = request.path == _VIEW
        body = await self._intake.read(request)
        try:
            body = page_field(body) if is_view else body
        except BadRequest as wrong:
            return error(HTTPStatus.BAD_REQUEST, str(wrong))
        with self._intake.place():
            answer = await self._site.work.answer(request.path, body)
        return _shown(answer) if is_view else reply(JSON, answer.body, status=answer.status)


def _wrong_type(request: web.BaseRequest) -> str:
    """Return why the content type is refused; forms are accepted only from the page's frame."""
    if request.path != _VIEW:
        return "" if request.content_type == JSON else f"content type must be {JSON}"
    is_form = request.content_type == "multipart/form-data" and "Origin" in request.headers
    return "" if is_form else "only the form of the inspector's page is accepted"


def _shown(answer: Answer) -> web.Response:
    """Return the answer for a frame as a page; also an error becomes a page."""
    markup = answer.body if answer.status == HTTPStatus.OK else _CANNOT_SHOW
    return reply(_HTML, markup, VIEW_POLICY, status=answer.status)


def _file(content_type: str, body: bytes) -> File:
    return content_type, body, _PAGE_POLICY if content_type == _HTML else NO_PAGE
