"""Write the labelled pages as other tools get them: SET.jsonl of page id, language, decoded HTML.

    python bench/quality/pages.py CACHE SET...

Every tool gets the same text, so that none is judged by its charset detection: the byte order
mark decides, else strict UTF-8, else the declared charset, else Windows-1252.
"""

import codecs
import re
import sys
from pathlib import Path
from typing import Final

import orjson

from worker.evaluation.tasks import Selection, gold_set_of, set_name, tasks

# Browsers look for the declaration in the first 1024 bytes; old pages put it later.
_DECLARATION_BYTES: Final = 8192
_DECLARED: Final = re.compile(rb"""charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""", re.IGNORECASE)
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decoded(body: bytes) -> str:
    """Return the page as text."""
    for mark, charset in _MARKS:
        if body.startswith(mark):
            return body.decode(charset, errors="replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode(_declared_charset(body), errors="replace")


def _declared_charset(body: bytes) -> str:
    found = _DECLARED.search(body[:_DECLARATION_BYTES])
    name = found[1].decode("ascii") if found else "cp1252"
    # as browsers do: what says Latin-1 is Windows-1252, what says GB 2312 is its superset
    name = {"iso-8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}.get(name.lower(), name)
    try:
        return codecs.lookup(name).name
    except LookupError:
        return "cp1252"


def write_pages(source: Path, folder: Path) -> Path:
    """Write the pages of one set that have gold text; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{set_name(source)}.jsonl"
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as out:
        for task in tasks(source, gold_set_of(source), Selection()):
            record = {
                "page": task.in_set,
                "language": task.wanted.language,
                "html": decoded(task.page.body),
            }
            out.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
    unfinished.replace(path)
    return path


if __name__ == "__main__":
    cache = Path(sys.argv[1])
    for argument in sys.argv[2:]:
        print(write_pages(Path(argument), cache / "pages"))
