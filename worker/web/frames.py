"""Frames of bytes between a server and its worker processes."""

import struct
from dataclasses import dataclass
from http import HTTPStatus
from typing import BinaryIO, Final

import orjson

from winnow.models.errors import WinnowError

# bytes of the path, bytes of the body
REQUEST_HEAD: Final = struct.Struct("!II")
# HTTP status, bytes of the body
ANSWER_HEAD: Final = struct.Struct("!HI")


class BadRequest(WinnowError):  # noqa: N818 - the name that HTTP has for it
    """A request is invalid."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP status, and a body: JSON, or the markup of a view."""

    status: int
    body: bytes

    def frame(self) -> bytes:
        """Return the bytes of the answer."""
        return ANSWER_HEAD.pack(self.status, len(self.body)) + self.body


def request_frame(path: str, body: bytes) -> bytes:
    """Return the bytes of a request."""
    name = path.encode()
    return REQUEST_HEAD.pack(len(name), len(body)) + name + body


def read_request(source: BinaryIO) -> tuple[str, bytes] | None:
    """Return path and body of the next request, None at the end of the source."""
    head = source.read(REQUEST_HEAD.size)
    if len(head) < REQUEST_HEAD.size:
        return None
    path_bytes, body_bytes = REQUEST_HEAD.unpack(head)
    return source.read(path_bytes).decode(), source.read(body_bytes)


def refusal(status: HTTPStatus, why: str, reason: str = "") -> Answer:
    """Return an answer that refuses a request.

    Args:
        status: HTTP status.
        why: message for a person.
        reason: code for a program; may be empty.
    """
    fields = {"error": why} | ({"reason": reason} if reason else {})
    return Answer(status, orjson.dumps(fields))
