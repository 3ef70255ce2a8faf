"""A worker process of an HTTP server: `python -m winnow.worker.web.child PARENT`.

It reads requests from standard input and writes answers to standard output, one after another.
Its parent kills it at the deadline of a request.
"""

import os
import pickle
import sys
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO, Final

from winnow.models.errors import ModelError, OptionsError
from winnow.worker.parent import end_with_parent
from winnow.worker.web.frames import Answer, read_request, refusal
from winnow.worker.web.processes import Answers, Parts

_OOM_SCORE: Final = Path("/proc/self/oom_score_adj")
_FIRST_OF_ALL: Final = "1000"


def main(parent: int) -> int:
    """Answer until the parent closes the pipe or ends; returns the exit code."""
    end_with_parent(parent)
    if (
        _OOM_SCORE.exists()
    ):  # if a page uses too much memory, this process is killed, not the worker
        _OOM_SCORE.write_text(_FIRST_OF_ALL)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # other output must not mix with answers
    serve(sys.stdin.buffer, answers)
    return 0


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Build the worker from the first request, confirm it, then answer the other requests."""
    answers_to: Answers | None = None
    while request := read_request(requests):
        path, body = request
        if answers_to is None:
            made = _made(pickle.loads(body))  # noqa: S301 - written by the parent
            answer = made if isinstance(made, Answer) else Answer(HTTPStatus.OK, b"")
            answers_to = None if isinstance(made, Answer) else made
        else:
            answer = answers_to(path, body)
        answers.write(answer.frame())
        answers.flush()


def _made(parts: Parts) -> Answers | Answer:
    try:
        return parts.build()
    except (ModelError, OptionsError) as error:
        return refusal(HTTPStatus.SERVICE_UNAVAILABLE, str(error))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
