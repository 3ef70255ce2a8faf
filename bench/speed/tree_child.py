"""One tree of Winnow in a separate process, for `bench.speed.trees`; works with any tree.

    PYTHONPATH=TREE python bench/speed/tree_child.py PAGES

PAGES is a file of JSON: a list of [URL, body in base64]. A line `ENGINE FORMAT FIRST LAST` on
standard input cleans these pages. The answer is a line of JSON: `cpu_s`, and `texts`, a digest of
each page's text, empty for a refused page. The engine `parse` parses the pages with lexbor.
"""

import json
import sys
from base64 import b64decode
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import process_time

from selectolax.lexbor import LexborHTMLParser

from winnow.models.cleaner import Cleaner
from winnow.models.document import Document, Page
from winnow.models.options import CleanerOptions


@cache
def _cleaner(engine: str, form: str) -> Cleaner:
    return Cleaner(CleanerOptions().with_values({"engine": engine, "format": form}))


def _answer(pages: list[Page], engine: str, form: str) -> dict[str, object]:
    if engine == "parse":
        started = process_time()
        for page in pages:
            LexborHTMLParser(page.body)
        return {"cpu_s": process_time() - started, "texts": []}
    cleaner = _cleaner(engine, form)
    started = process_time()
    found = cleaner.clean_batch(pages)
    spent = process_time() - started
    texts = [each.text if isinstance(each, Document) else "" for each in found]
    return {"cpu_s": spent, "texts": [text and sha256(text.encode()).hexdigest() for text in texts]}


def main() -> None:
    """Answer each line until the input ends."""
    stored = json.loads(Path(sys.argv[1]).read_bytes())
    pages = [Page(url, b64decode(body)) for url, body in stored]
    for line in sys.stdin:
        engine, form, first, last = line.split()
        print(json.dumps(_answer(pages[int(first) : int(last)], engine, form)), flush=True)


if __name__ == "__main__":
    main()
