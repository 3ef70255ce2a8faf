"""Title, author and date by other tools, run in the environment of lab/measure/peers/peers.txt.

    python lab/measure/peers/metadata.py

reads `{"html": TEXT, "url": URL}` lines and answers each with a line of
`{TOOL: {"title": ..., "author": ..., "date": ..., "cpu_ms": MS}}`; a value that a tool does not
find, or fails on, is empty. Both tools get the URL, and look for the date of first publication.
"""

import json
import os
import sys
from collections.abc import Callable
from time import process_time
from typing import Final

from htmldate import find_date
from trafilatura import extract_metadata

Fields = dict[str, str]


def trafilatura(html: str, url: str) -> Fields:
    """Return title, author and date from its metadata."""
    found = extract_metadata(html, default_url=url or None)
    if found is None:
        return {}
    return {
        "title": found.title or "",
        "author": found.author or "",
        "date": found.date or "",
    }


def htmldate(html: str, url: str) -> Fields:
    """Return only the date."""
    return {"date": find_date(html, url=url or None, original_date=True) or ""}


TOOLS: Final[dict[str, Callable[[str, str], Fields]]] = {
    "trafilatura": trafilatura,
    "htmldate": htmldate,
}


def answer(html: str, url: str) -> dict[str, dict[str, str | float]]:
    """Return the values of every tool, with its CPU."""
    answers: dict[str, dict[str, str | float]] = {}
    for name, find in TOOLS.items():
        started = process_time()
        try:
            found = find(html, url)
        except Exception:  # noqa: BLE001 - a failure of the tool is a result: nothing found
            found = {}
        answers[name] = {**found, "cpu_ms": (process_time() - started) * 1000}
    return answers


def serve() -> None:
    """Answer line by line until the input ends."""
    # output of a tool goes to standard error, not into the protocol
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        page = json.loads(line)
        replies.write(json.dumps(answer(page["html"], page["url"])) + "\n")
        replies.flush()


if __name__ == "__main__":
    serve()
