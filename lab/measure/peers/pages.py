"""Write the labelled pages for other tools: SET.jsonl with page id, language and decoded HTML.

    python -m winnow.lab.measure.peers.pages CACHE SET... [--split test]

Every tool gets the same text as Winnow's engines, so that charset detection is not judged. An
unchanged file keeps its time.
"""

import argparse
import filecmp
from pathlib import Path

import orjson

from winnow.lab.sets.parts import Part
from winnow.lab.sets.tasks import Selection, gold_set_of, set_name, tasks
from winnow.models.document import Page
from winnow.models.errors import InvalidPage
from winnow.models.page import decode


def decoded(page: Page) -> str:
    """Return the page as text; a page that Winnow refuses is read as UTF-8."""
    try:
        return decode(page).markup.decode("utf-8", errors="replace")
    except InvalidPage:
        return page.body.decode("utf-8", errors="replace")


def write_pages(source: Path, folder: Path, part: Part | None = None) -> Path:
    """Write the pages with gold text of one set, or of a part of it; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{set_name(source)}.jsonl"
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as out:
        for task in tasks(source, gold_set_of(source), Selection(part=part)):
            record = {
                "page": task.in_set,
                "language": task.wanted.language,
                "html": decoded(task.page),
            }
            out.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
    if path.exists() and filecmp.cmp(unfinished, path, shallow=False):
        unfinished.unlink()
    else:
        unfinished.replace(path)
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path)
    parser.add_argument("sources", type=Path, nargs="+")
    parser.add_argument("--split", type=Part, help="only pages of the sites of this part")
    chosen = parser.parse_args()
    for each in chosen.sources:
        print(write_pages(each, chosen.cache / "pages", chosen.split))
