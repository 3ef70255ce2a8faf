"""Turn a CleanEval gold file into the cleaned text that people meant."""

import re
from typing import Final

_URL_LINE: Final = re.compile(r"\AURL:[^\n]*\n?")
# a list mark with the bullet or number that the annotators copied from the page
_BULLET: Final = re.compile(r"^\s*<l>\s*(?:»|\*|[0-9]{1,2}\.\s)", re.MULTILINE | re.IGNORECASE)
_MARK: Final = re.compile(r"<[hpl]>\s*", re.IGNORECASE)
_RULE: Final = re.compile(r"^\s*(?:_{10,}|-{10,})\s*$", re.MULTILINE)
_INDENT: Final = re.compile(r"^\s+", re.MULTILINE)


def cleaneval_text(gold: str) -> str:
    """Return the text of a CleanEval gold file without its URL line and its `<h> <p> <l>` marks."""
    text = _URL_LINE.sub("", gold.replace("\r\n", "\n").replace("\r", "\n"))
    for pattern in (_BULLET, _MARK, _RULE, _INDENT):
        text = pattern.sub("", text)
    return text.strip()
