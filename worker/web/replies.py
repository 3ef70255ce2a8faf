"""HTTP answers that all servers share."""

from collections.abc import Container
from http import HTTPStatus
from typing import Final

from aiohttp import web

from winnow.worker.web.frames import refusal

JSON: Final = "application/json"
# for answers that are not pages: a browser that shows one runs and loads nothing
NO_PAGE: Final = "default-src 'none'; frame-ancestors 'none'"
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-DNS-Prefetch-Control": "off",
    "Cache-Control": "no-store",
}


def headers_of(content_type: str, policy: str = NO_PAGE) -> dict[str, str]:
    """Return the headers of an answer with this content type."""
    return {**_HEADERS, "Content-Type": content_type, "Content-Security-Policy": policy}


def reply(
    content_type: str, body: bytes, policy: str = NO_PAGE, *, status: int = HTTPStatus.OK
) -> web.Response:
    """Return an answer."""
    return web.Response(status=status, body=body, headers=headers_of(content_type, policy))


def error(status: HTTPStatus, why: str, reason: str = "", **headers: str) -> web.Response:
    """Return an error: a message for a person, and a reason for a program if there is one."""
    response = reply(JSON, refusal(status, why, reason).body, status=status)
    response.headers.update(headers)
    return response


def busy() -> web.Response:
    """Return the answer that the server is busy."""
    return error(HTTPStatus.SERVICE_UNAVAILABLE, "busy: try again", **{"Retry-After": "1"})


def misrouted(
    request: web.BaseRequest, gets: Container[str], posts: Container[str]
) -> web.Response | None:
    """Return the answer to an unknown path or a wrong method."""
    if request.path in gets:
        methods = ["GET", "HEAD"]
    elif request.path in posts:
        methods = ["POST"]
    else:
        return error(HTTPStatus.NOT_FOUND, "not found")
    if request.method in methods:
        return None
    only = f"{methods[0]} only"
    return error(HTTPStatus.METHOD_NOT_ALLOWED, only, Allow=", ".join(methods))


def closing(response: web.Response) -> web.Response:
    """Close the connection after this answer; the rest of the request is not read."""
    response.force_close()
    return response
