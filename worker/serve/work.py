"""The work of a server process: a page or a line -> its answer, also for a wrong one."""

import logging
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import orjson

from winnow.models.document import Document, Page
from winnow.models.errors import InvalidPage, OptionsError, Reason
from winnow.models.explanation import Most
from winnow.models.ngram import LanguageModels
from winnow.models.options import CleanerOptions
from winnow.streams.isolation import clean_each
from winnow.streams.messages import document_value
from winnow.worker.batch.messages import answer_of, arrival_of, candidate_of
from winnow.worker.cleaning import Cleaners
from winnow.worker.explained import explanation_fields
from winnow.worker.serve.asked import Form, LineAsked, PageAsked
from winnow.worker.web.frames import Answer, refusal
from winnow.worker.web.processes import Answers

CLEAN: Final = "/clean"
EXPLAIN: Final = "/explain"
CHECK: Final = "/check"  # of options, before a batch begins
LINE: Final = "/line"
# blocks per explanation: more would be slow, and nobody reads that many
MOST_EXPLAINED: Final = Most(5000, 20_000)

STATUSES: Final[Mapping[Reason, HTTPStatus]] = {
    Reason.TOMBSTONE: HTTPStatus.BAD_REQUEST,
    Reason.EMPTY: HTTPStatus.BAD_REQUEST,
    Reason.UNDECODABLE: HTTPStatus.BAD_REQUEST,
    Reason.NO_URL: HTTPStatus.BAD_REQUEST,
    Reason.UNREADABLE: HTTPStatus.BAD_REQUEST,
    Reason.TOO_LARGE: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    Reason.NOT_HTML: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    Reason.BINARY: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    Reason.TOO_DEEP: HTTPStatus.UNPROCESSABLE_ENTITY,
    Reason.TOO_MANY_NODES: HTTPStatus.UNPROCESSABLE_ENTITY,
    Reason.TIMEOUT: HTTPStatus.GATEWAY_TIMEOUT,
    Reason.BUG: HTTPStatus.INTERNAL_SERVER_ERROR,
}
_LOGGER: Final = logging.getLogger("winnow.worker.serve")


@dataclass(frozen=True, slots=True)
class ServeParts:
    """The parts of the cleaning processes.

    Attributes:
        options: default options of requests.
        model: file or folder; None for the shipped models.
    """

    options: CleanerOptions
    model: Path | None = None

    def build(self) -> Answers:
        """Map the models, load them into memory, and return the worker.

        Raises:
            ModelError: a model cannot be used.
            OptionsError: the options cannot be used.
        """
        models = LanguageModels.open(self.model) if self.model else LanguageModels.shipped()
        models.read_ahead()
        work = Work(Cleaners(models))
        work.check(self.options)
        return work.answer


class Work:
    """Cleans and explains pages."""

    def __init__(self, cleaners: Cleaners) -> None:
        """Keep the cleaners."""
        self._cleaners: Final = cleaners
        self._answers: Final[Mapping[str, Callable[[Any], Answer]]] = {
            CLEAN: self._clean,
            EXPLAIN: self._explain,
            CHECK: self.check,
            LINE: self._line,
        }

    def answer(self, path: str, body: bytes) -> Answer:
        """Answer a request; `body` is pickled by the server."""
        try:
            return self._answers[path](pickle.loads(body))  # noqa: S301 - written by the parent
        except InvalidPage as error:
            return refused(error)
        except OptionsError as error:
            return refusal(HTTPStatus.BAD_REQUEST, str(error))
        except Exception as error:
            _LOGGER.exception("the server failed at %s", path)
            return refused(InvalidPage(Reason.BUG, type(error).__name__))

    def check(self, options: CleanerOptions) -> Answer:
        """Make the cleaner for some options.

        Raises:
            OptionsError: the options contradict each other.
        """
        self._cleaners.of(options)
        return Answer(HTTPStatus.OK, b"")

    def _clean(self, asked: PageAsked) -> Answer:
        document = self._cleaned(asked.page, asked.options)
        if isinstance(document, InvalidPage):
            return refused(document)
        is_json = asked.form is Form.JSON
        return Answer(HTTPStatus.OK, document_value(document) if is_json else _text(document))

    def _explain(self, asked: PageAsked) -> Answer:
        explanation = self._cleaners.of(asked.options).explain(asked.page, MOST_EXPLAINED)
        return Answer(HTTPStatus.OK, orjson.dumps(explanation_fields(explanation)))

    def _line(self, asked: LineAsked) -> Answer:
        """Answer a message with a line; the status is the same as for a single page."""
        arrival = arrival_of(asked.line, asked.options.limits.page_bytes)
        page = candidate_of(arrival)
        if page is None:
            return Answer(HTTPStatus.NO_CONTENT, answer_of(asked.line, arrival, None))
        result = page if isinstance(page, InvalidPage) else self._cleaned(page, asked.options)
        if isinstance(result, InvalidPage):
            return Answer(STATUSES[result.reason], answer_of(asked.line, arrival, result))
        value = document_value(result)
        return Answer(HTTPStatus.OK, answer_of(asked.line, arrival, value))

    def _cleaned(self, page: Page, options: CleanerOptions) -> Document | InvalidPage:
        return clean_each(self._cleaners.of(options), [page], ["a request"], _report)[0]


def refused(error: InvalidPage) -> Answer:
    """Return why a page gives no document."""
    return refusal(STATUSES[error.reason], error.detail or error.reason, error.reason)


def _text(document: Document) -> bytes:
    """Return the text with a line break at its end, unless it is empty."""
    return f"{document.text}\n".encode() if document.text else b""


def _report(source: str, error: BaseException) -> None:
    _LOGGER.error("%s ran into a bug", source, exc_info=error)
