#!/app/.venv/bin/python -IS
"""Probe every worker process of this container; exit 1 if one is not healthy.

The image's HEALTHCHECK, compose, and the chart's probes of pods with several processes call it as
`/app/probe livez` or `/app/probe readyz`. It imports only sockets, so that a call costs a few
milliseconds of CPU, without the start of an HTTP library.
"""

import os
import socket
import sys
import time
from collections.abc import Mapping
from typing import Final

# Below the five-second timeout in compose, chart and image.
DEADLINE_S: Final = 4.0
QUESTIONS: Final = ("livez", "readyz")
WILDCARDS: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what the worker listens on


def failures(question: str, environ: Mapping[str, str]) -> list[str]:
    """Return one line per process that does not answer 200 in time."""
    host = environ.get("WINNOW_WEB_HOST") or "127.0.0.1"
    first_port = int(environ.get("WINNOW_WEB_PORT") or 6066)
    processes = int(environ.get("WINNOW_PROCESSES") or 1)
    deadline = time.monotonic() + DEADLINE_S
    answers = [
        (process, answer(WILDCARDS.get(host, host), first_port + process, question, deadline))
        for process in range(processes)
    ]
    return [f"process {process}: {said}" for process, said in answers if said != "200"]


def answer(host: str, port: int, question: str, deadline: float) -> str:
    """Return the HTTP status from `host:port`, or the error."""
    try:
        with socket.create_connection((host, port), max(deadline - time.monotonic(), 0.1)) as asked:
            asked.settimeout(max(deadline - time.monotonic(), 0.1))
            asked.sendall(f"GET /{question} HTTP/1.0\r\nHost: probe\r\n\r\n".encode())
            status_line = asked.makefile("rb").readline(64).split()
    except OSError as error:
        return f"port {port}: {error}"
    return status_line[1].decode("ascii", "replace") if len(status_line) > 1 else "no HTTP answer"


def main(arguments: list[str]) -> int:
    """Return the exit code: 0 all are healthy, 1 one is not, 2 wrong usage."""
    if len(arguments) != 1 or arguments[0] not in QUESTIONS:
        print("usage: probe livez|readyz", file=sys.stderr)
        return 2
    problems = failures(arguments[0], os.environ)
    print("\n".join(problems) or "ok")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
