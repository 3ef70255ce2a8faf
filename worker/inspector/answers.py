"""Path and body of a request -> its answer, also for wrong requests."""

import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

from winnow.models.errors import InvalidPage, OptionsError, WinnowError
from winnow.worker.inspector.lookups import NotFound, SourceUnavailable
from winnow.worker.inspector.work import Inspector
from winnow.worker.web.frames import Answer, BadRequest, refusal

_LOGGER: Final = logging.getLogger("winnow.worker.inspector")
_METHODS: Final[Mapping[str, Callable[[Inspector, bytes], bytes]]] = {
    "/api/explain": Inspector.explain,
    "/api/why": Inspector.why,
    "/api/clean": Inspector.clean,
    "/api/score": Inspector.score,
    "/api/lookup": Inspector.lookup,
    "/api/recent": Inspector.recent,
    "/api/view": Inspector.view,
    "/api/samples": lambda inspector, _: inspector.samples(),
    "/api/options": lambda inspector, _: inspector.options(),
    "/api/sources": lambda inspector, _: inspector.sources(),
}
_STATUSES: Final[Mapping[type[WinnowError], HTTPStatus]] = {
    BadRequest: HTTPStatus.BAD_REQUEST,
    NotFound: HTTPStatus.NOT_FOUND,
    SourceUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
}


def answer_to(inspector: Inspector, path: str, body: bytes) -> Answer:
    """Answer a request; a bug is logged, and answered as an internal error."""
    try:
        return Answer(HTTPStatus.OK, _METHODS[path](inspector, body))
    except InvalidPage as error:
        why = error.detail or error.reason.value
        return refusal(HTTPStatus.UNPROCESSABLE_ENTITY, why, error.reason.value)
    except OptionsError as error:
        return refusal(HTTPStatus.BAD_REQUEST, f"options: {error}")
    except (BadRequest, NotFound, SourceUnavailable) as error:
        return refusal(_STATUSES[type(error)], str(error))
    except Exception:
        _LOGGER.exception("the inspector failed at %s", path)
        return refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "failed: see the log")
