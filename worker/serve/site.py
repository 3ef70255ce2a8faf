"""The paths of `winnow serve`: pages go to the processes, the rest is answered here."""

import json
import logging
import pickle
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Protocol

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from winnow.models.errors import InvalidPage, Reason
from winnow.models.options import CleanerOptions
from winnow.worker.serve.asked import (
    LINES,
    Form,
    PageAsked,
    negotiated,
    options_in,
    page_in,
    why_no_page,
)
from winnow.worker.serve.lines import BatchLimits, InTurn, answer_lines
from winnow.worker.serve.metrics import ServeMetrics
from winnow.worker.serve.openapi import described
from winnow.worker.serve.work import CHECK, CLEAN, EXPLAIN, refused
from winnow.worker.web.frames import Answer, BadRequest
from winnow.worker.web.guard import is_same_origin
from winnow.worker.web.intake import Intake, NotTaken, tell_to_send
from winnow.worker.web.limits import WebLimits
from winnow.worker.web.replies import JSON, busy, closing, error, misrouted, reply

LOGGER: Final = logging.getLogger("winnow.worker.serve")
_TEXT: Final = "; charset=utf-8"
_POSTS: Final = frozenset({CLEAN, EXPLAIN})
_OK: Final = json.dumps({"ok": True}).encode()
_ENDPOINTS: Final = b"""\
winnow serve
POST /clean        a page in; JSON, Markdown or text out, as Accept says; or a batch in JSON lines
POST /explain      a page in; each block with its verdict and the reason out
GET /openapi.json  the description of both
GET /livez, /readyz, /metrics
"""


class Work(InTurn, Protocol):
    """Answers requests that take time."""

    async def answer(self, path: str, body: bytes) -> Answer:
        """Return the answer, or a refusal with its reason."""


@dataclass(frozen=True, slots=True)
class ServeLimits:
    """Limits of clients.

    Attributes:
        web: limits of requests.
        batches: maximum batches at the same time.
    """

    web: WebLimits
    batches: int


class ServeSite:
    """Answers requests."""

    def __init__(
        self, work: Work, defaults: CleanerOptions, limits: ServeLimits, metrics: ServeMetrics
    ) -> None:
        """Start without open requests.

        Args:
            work: cleans and explains.
            defaults: default options of requests.
            limits: limits of clients.
            metrics: counts all answers.
        """
        self._work: Final = work
        self._defaults: Final = defaults
        self._limits: Final = limits
        self._metrics: Final = metrics
        self._intake: Final = Intake(limits.web)
        self._batches = 0
        self._gets: Final[Mapping[str, tuple[str, bytes]]] = {
            "/": (f"text/plain{_TEXT}", _ENDPOINTS),
            "/livez": (JSON, _OK),
            "/readyz": (JSON, _OK),
            "/openapi.json": (JSON, described()),
            "/metrics": (CONTENT_TYPE_LATEST, b""),
        }

    async def respond(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer any request, and count it."""
        begun_s = time.monotonic()
        with self._metrics.at_work.track_inprogress():
            response = await self._answered(request)
        is_known = request.path in self._gets or request.path in _POSTS
        path = request.path if is_known else "other"
        self._metrics.answered(path, response.status, time.monotonic() - begun_s)
        return response

    async def _answered(self, request: web.BaseRequest) -> web.StreamResponse:
        try:
            return await self._routed(request)
        except NotTaken as not_taken:
            return not_taken.response
        except BadRequest as wrong:
            return error(HTTPStatus.BAD_REQUEST, str(wrong))
        except InvalidPage as invalid:
            answer = refused(invalid)
            return reply(JSON, answer.body, status=answer.status)

    async def _routed(self, request: web.BaseRequest) -> web.StreamResponse:
        if wrong := misrouted(request, self._gets, _POSTS):
            return wrong
        if request.path == "/metrics":
            return reply(CONTENT_TYPE_LATEST, generate_latest(self._metrics.registry))
        if found := self._gets.get(request.path):
            return reply(*found)
        if not is_same_origin(request.headers):
            return closing(error(HTTPStatus.FORBIDDEN, "sent by another site"))
        self._intake.check(request)
        is_batch = request.path == CLEAN and request.content_type == LINES
        return await (self._batch(request) if is_batch else self._page(request))

    async def _page(self, request: web.BaseRequest) -> web.StreamResponse:
        form = Form(_form_of(request, list(Form) if request.path == CLEAN else [Form.JSON]))
        if hint := why_no_page(request.headers.get("Content-Type", "")):
            why = f"{request.content_type}: {hint}"
            status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
            raise NotTaken(closing(error(status, why, Reason.NOT_HTML)))
        options = options_in(request.query.items(), self._defaults, form)
        body = await self._intake.read(request)
        page = page_in(request.headers, request.query.items(), body, form)
        asked = pickle.dumps(PageAsked(page, options, form))
        with self._intake.place():
            answer = await self._work.answer(request.path, asked)
        if answer.status != HTTPStatus.OK:
            return reply(JSON, answer.body, status=answer.status)
        content_type = form if form is Form.JSON else f"{form}{_TEXT}"
        return reply(content_type, answer.body)

    async def _batch(self, request: web.BaseRequest) -> web.StreamResponse:
        form = _form_of(request, [LINES])
        options = options_in(request.query.items(), self._defaults, form)
        if self._batches >= self._limits.batches:
            return closing(busy())
        self._batches += 1
        try:
            answer = await self._work.answer(CHECK, pickle.dumps(options))
            if answer.status != HTTPStatus.OK:
                return closing(reply(JSON, answer.body, status=answer.status))
            await tell_to_send(request)
            limits = BatchLimits(2 * self._limits.web.processes, self._limits.web.body_s)
            return await answer_lines(request, options, self._work, limits, self._metrics)
        finally:
            self._batches -= 1


def _form_of(request: web.BaseRequest, offered: Sequence[str]) -> str:
    """Return the type of the answer.

    Raises:
        NotTaken: the client accepts none of the available types.
    """
    accepted = ", ".join(request.headers.getall("Accept", [])) or None
    form = negotiated(accepted, offered)
    if form is None:
        why = f"Accept must include one of {', '.join(offered)}"
        raise NotTaken(closing(error(HTTPStatus.NOT_ACCEPTABLE, why)))
    return form
