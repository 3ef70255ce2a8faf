"""Answers over HTTP that all our ports give alike."""

from collections.abc import Container
from http import HTTPStatus
from typing import Final

from aiohttp import web

from winnow.worker.web.frames import refusal

JSON: Final = "application/json"
# for what is no page: a browser that shows it runs and loads nothing
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
    """Return the headers of an answer of this type."""
    return {**_HEADERS, "Content-Type": content_type, "Content-Security-Policy": policy}


def reply(
    content_type: str, body: bytes, policy: str = NO_PAGE, *, status: int = HTTPStatus.OK
) -> web.Response:
    """Return an answer."""
    return web.Response(status=status, body=body, headers=headers_of(content_type, policy))


def error(status: HTTPStatus, why: str, reason: str = "", **headers: str) -> web.Response:
    """Return why there is no other answer: for a person, and for a program if there is a reason."""
    response = reply(JSON, refusal(status, why, reason).body, status=status)
    response.headers.update(headers)
    return response


def busy() -> web.Response:
    """Say that there is no place."""
    return error(HTTPStatus.SERVICE_UNAVAILABLE, "busy: try again", **{"Retry-After": "1"})


def misrouted(
    request: web.BaseRequest, gets: Container[str], posts: Container[str]
) -> web.Response | None:
    """Return why a request reaches nothing: there is no such path, or it has another method."""
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
    """End the connection after this answer: the rest of the request is not read."""
    response.force_close()
    return response
