"""HTTP around the inspector: routes, limits and headers."""

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

import orjson
from aiohttp import web

from models.errors import InvalidPage, OptionsError
from models.page import DEFAULT_LIMITS
from models.page.view import VIEW_POLICY
from worker.web.inspector.asked import BadRequest
from worker.web.inspector.guard import HostGuard, RateLimit
from worker.web.inspector.lookups import NotFound, SourceUnavailable
from worker.web.inspector.work import Inspector
from worker.web.server import serve_requests

_LOGGER: Final = logging.getLogger("worker.web")
_FOLDER: Final = Path(__file__).parent
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HTML: Final = _TYPES[".html"]
_JSON: Final = "application/json"
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


@dataclass(frozen=True, slots=True)
class WebLimits:
    """What a client may ask of the inspector.

    Attributes:
        body_bytes: of a request: the largest page in base64, and its other members.
        body_s: seconds until a request has arrived.
        work_s: seconds until there is an answer.
        threads: requests that are worked on at a time.
        waiting: requests that may wait beside these; more are sent away.
        rate, burst: requests a second and at once, for each client.
    """

    body_bytes: int = DEFAULT_LIMITS.page_bytes * 4 // 3 + (1 << 16)
    body_s: float = 10.0
    work_s: float = 10.0
    threads: int = 2
    waiting: int = 6
    rate: float = 30.0
    burst: float = 120.0


_DEFAULT_LIMITS: Final = WebLimits()

_File = tuple[str, bytes, str]


@asynccontextmanager
async def serve_inspector(
    host: str,
    port: int,
    inspector: Inspector,
    names: Collection[str] = (),
    limits: WebLimits = _DEFAULT_LIMITS,
) -> AsyncIterator[int]:
    """Serve until the block ends; yields the port, a free one for port 0.

    Args:
        host: name or address to bind.
        port: to bind.
        inspector: answers the requests.
        names: of the host, beside `localhost` and addresses, under which it may be called.
        limits: what a client may ask.

    Raises:
        AddressInUseError: host or port cannot be bound.
    """
    executor = ThreadPoolExecutor(limits.threads, thread_name_prefix="inspect")
    site = _Site(inspector, HostGuard({*names, host}), limits, executor)
    try:
        async with serve_requests(host, port, site.respond, _LOGGER, limits.body_bytes) as bound:
            yield bound
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


class _Site:
    """Routes; all files that are served are known at the start."""

    def __init__(
        self,
        inspector: Inspector,
        guard: HostGuard,
        limits: WebLimits,
        executor: ThreadPoolExecutor,
    ) -> None:
        self._guard = guard
        self._limits = limits
        self._executor = executor
        self._rate = RateLimit(limits.rate, limits.burst, time.monotonic)
        self._at_work = 0
        self._files = _static_files() | {
            "/openapi.json": _file(_JSON, (_FOLDER / "openapi.json").read_bytes()),
            "/api/samples": _file(_JSON, inspector.samples()),
            "/api/options": _file(_JSON, inspector.options()),
            "/api/sources": _file(_JSON, inspector.sources()),
        }
        self._work: dict[str, Callable[[bytes], bytes]] = {
            "/api/explain": inspector.explain,
            "/api/why": inspector.why,
            "/api/clean": inspector.clean,
            "/api/score": inspector.score,
            "/api/lookup": inspector.lookup,
            "/api/recent": inspector.recent,
            "/api/view": inspector.view,
        }

    async def respond(self, request: web.BaseRequest) -> web.Response:
        """Answer a request, whatever it holds."""
        if refusal := self._guard.refusal(request.method, request.headers):
            return _error(refusal.status, refusal.why)
        if file := self._files.get(request.path):
            if request.method not in {"GET", "HEAD"}:
                return _error(HTTPStatus.METHOD_NOT_ALLOWED, "GET only", Allow="GET, HEAD")
            return _response(*file)
        work = self._work.get(request.path)
        if work is None:
            return _error(HTTPStatus.NOT_FOUND, "not found")
        if request.method != "POST":
            return _error(HTTPStatus.METHOD_NOT_ALLOWED, "POST only", Allow="POST")
        return self._too_much(request) or await self._answer(request, work)

    def _too_much(self, request: web.BaseRequest) -> web.Response | None:
        if wait_s := self._rate.wait_s(request.remote or ""):
            after = {"Retry-After": str(math.ceil(wait_s))}
            return _closing(_error(HTTPStatus.TOO_MANY_REQUESTS, "too many requests", **after))
        if self._at_work >= self._limits.threads + self._limits.waiting:
            return _closing(_busy("busy: try again"))
        if (request.content_length or 0) > self._limits.body_bytes:
            return self._too_large()
        return None

    def _too_large(self) -> web.Response:
        why = f"a request has at most {self._limits.body_bytes} bytes"
        return _closing(_error(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why))

    async def _answer(
        self, request: web.BaseRequest, work: Callable[[bytes], bytes]
    ) -> web.Response:
        self._at_work += 1
        try:
            async with asyncio.timeout(self._limits.body_s):
                body = await _body_of(request)
            answer = await self._done(work, body)
        except web.HTTPRequestEntityTooLarge:
            return self._too_large()
        except TimeoutError:
            why = f"the request did not arrive in {self._limits.body_s:g} s"
            return _closing(_error(HTTPStatus.REQUEST_TIMEOUT, why))
        except _WrongType as error:
            return _closing(_error(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, str(error)))
        except BadRequest as error:
            return _error(HTTPStatus.BAD_REQUEST, str(error))
        finally:
            self._at_work -= 1
        return _shown(answer) if request.path == "/api/view" else answer

    async def _done(self, work: Callable[[bytes], bytes], body: bytes) -> web.Response:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._limits.work_s):
                return _response(_JSON, await loop.run_in_executor(self._executor, work, body))
        except TimeoutError:
            return _busy(f"no answer in {self._limits.work_s:g} s")
        except InvalidPage as error:
            why = error.detail or error.reason.value
            return _error(HTTPStatus.UNPROCESSABLE_ENTITY, why, reason=error.reason.value)
        except OptionsError as error:
            return _error(HTTPStatus.BAD_REQUEST, f"options: {error}")
        except NotFound as error:
            return _error(HTTPStatus.NOT_FOUND, str(error))
        except SourceUnavailable as error:
            return _busy(str(error))


class _WrongType(BadRequest):
    """The body is of another content type than its path takes."""


async def _body_of(request: web.BaseRequest) -> bytes:
    """Read the JSON of a request; that of a view is a field of the form that fills the frame.

    Raises:
        BadRequest: the form or the content type is wrong.
        web.HTTPRequestEntityTooLarge: it is longer than the server was told.
    """
    if request.path != "/api/view":
        if request.content_type != _JSON:
            raise _WrongType(f"content type must be {_JSON}")
        return await request.read()
    if request.content_type != "multipart/form-data" or "Origin" not in request.headers:
        raise _WrongType("for the form of the page alone")
    try:
        field = (await request.post()).get("page")
    except (ValueError, AssertionError) as error:
        raise BadRequest("malformed form") from error
    if not isinstance(field, str):
        raise BadRequest("no field page")
    return field.encode(errors="replace")


def _shown(answer: web.Response) -> web.Response:
    """Make what was worked out for a frame a page, or say in a page that there is none."""
    is_page = answer.status == HTTPStatus.OK and isinstance(answer.body, bytes)
    markup = answer.body if is_page else _CANNOT_SHOW
    assert isinstance(markup, bytes)
    return _response(_HTML, markup, VIEW_POLICY, status=answer.status)


def _static_files() -> dict[str, _File]:
    files = {
        f"/{path.name}": _file(_TYPES[path.suffix], path.read_bytes())
        for path in (_FOLDER / "static").iterdir()
        if path.suffix in _TYPES
    }
    files["/"] = files.pop("/index.html")
    return files


def _file(content_type: str, body: bytes) -> _File:
    return content_type, body, _PAGE_POLICY if content_type == _HTML else _NO_PAGE


def _response(
    content_type: str, body: bytes, policy: str = _NO_PAGE, *, status: int = HTTPStatus.OK
) -> web.Response:
    headers = {**_HEADERS, "Content-Type": content_type, "Content-Security-Policy": policy}
    return web.Response(status=status, body=body, headers=headers)


def _error(status: int, why: str, *, reason: str = "", **headers: str) -> web.Response:
    fields = {"error": why} | ({"reason": reason} if reason else {})
    response = _response(_JSON, orjson.dumps(fields), status=status)
    response.headers.update(headers)
    return response


def _busy(why: str) -> web.Response:
    return _error(HTTPStatus.SERVICE_UNAVAILABLE, why, **{"Retry-After": "1"})


def _closing(response: web.Response) -> web.Response:
    """End the connection after this answer: the rest of the request is not read."""
    response.force_close()
    return response
