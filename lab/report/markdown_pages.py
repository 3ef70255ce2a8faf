"""Pages next to their rendered Markdown, to compare in a browser.

    python -m winnow.lab.report.markdown_pages OUT SHARED/pages [SET/ID ...] \
        [--screenshots CHROMIUM]

writes `OUT/index.html` and one file per page: left the page without scripts and style sheets, right
its Markdown, rendered by a parser of CommonMark with tables, footnotes and formulas.
Both are in frames that cannot run or load anything. The default pages are ten of the development
sets: tables, code, mathematics, forums, a recipe, an encyclopedia. With CHROMIUM, such as
`chromium-headless-shell`, each file is also drawn as `OUT/NAME.png`.
Needs the packages of `requirements/dev.txt`.
"""

import argparse
import subprocess
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from winnow.lab.sets.labelled import LabelledPage, labelled_pages
from winnow.models import Cleaner, CleanerOptions, Page, TextFormat
from winnow.models.options import Keep
from winnow.models.page.view import VIEW_POLICY, view_of

PAGES: Final = (
    "wcxb/2905",  # an encyclopedia: lists and tables with spans
    "wcxb/0682",  # documentation: commands
    "wcxb/2861",  # documentation: source, definition lists
    "wcxb/1177",  # questions with formulas
    "wcxb/0380",  # mathematics in an abstract
    "wcxb/4072",  # an article with tables
    "wcxb/2020",  # a paper: tables, footnotes, superscripts
    "wcxb/4310",  # questions about source code
    "wcxb/0379",  # an article with quotes
    "recipes/saveur.com-saveur",
)
SIZE: Final = (1600, 2400)  # of a drawing, in pixels
_STYLE: Final = """
body { margin: 0; font: 14px/1.4 sans-serif; display: flex; flex-wrap: wrap; }
h1 { font-size: 16px; flex: 0 0 100%; margin: 4px 8px; }
iframe { flex: 1; height: 2350px; border: 1px solid #999; box-sizing: border-box; width: 50%; }
"""
_RENDERED_STYLE: Final = """
body { font: 15px/1.45 sans-serif; margin: 12px; overflow-wrap: anywhere; }
table { border-collapse: collapse; } th, td { border: 1px solid #999; padding: 2px 6px; }
pre { background: #eee; padding: 8px; white-space: pre-wrap; } code { background: #eee; }
blockquote { border-left: 3px solid #999; margin-left: 8px; padding-left: 8px; color: #444; }
.math { font-family: monospace; background: #eef; }
"""


def parser() -> MarkdownIt:
    """Return a parser of CommonMark and the kernel's extensions, without raw HTML."""
    made = MarkdownIt("commonmark", {"html": False})
    made.enable(["table", "strikethrough"])
    made.use(footnote_plugin, inline=False)
    return made.use(dollarmath_plugin, allow_digits=False, allow_space=False)


def side_by_side(name: str, page: Page, markdown: str) -> str:
    """Return a document with the page on the left and its rendered Markdown on the right."""
    view = view_of(page).decode()
    rendered = f"<style>{_RENDERED_STYLE}</style>{parser().render(markdown)}"
    return (
        f'<!doctype html><meta charset="utf-8"><title>{escape(name)}</title><style>{_STYLE}</style>'
        f"<h1>{escape(name)} {escape(page.url)}</h1>{_frame(view)}{_frame(rendered)}\n"
    )


def _frame(markup: str) -> str:
    policy = f'<meta http-equiv="Content-Security-Policy" content="{escape(_policy())}">'
    return f'<iframe sandbox srcdoc="{escape(policy + markup)}"></iframe>'


def _policy() -> str:
    """Return the policy of views, without directives that only a header may have."""
    parts = (part.strip() for part in VIEW_POLICY.split(";"))
    return "; ".join(part for part in parts if not part.startswith(("sandbox", "frame-ancestors")))


def chosen_pages(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, LabelledPage]]:
    """Yield the named pages, `SET/ID` each, in the order of their sets.

    Raises:
        LabelledError: a set cannot be read.
        SystemExit: a page is not in its set.
    """
    for set_name in dict.fromkeys(name.partition("/")[0] for name in names):
        wanted = {name for name in names if name.startswith(f"{set_name}/")}
        for labelled in labelled_pages(folder / f"{set_name}.tar.zst"):
            name = f"{set_name}/{labelled.page_id}"
            if name in wanted:
                wanted.remove(name)
                yield name, labelled
        if wanted:
            raise SystemExit(f"no such page: {', '.join(sorted(wanted))}")


def draw(chromium: str, document: Path) -> None:
    """Draw a document to a file with the same name and the suffix `.png`.

    Raises:
        CalledProcessError: the program failed.
    """
    width, height = SIZE
    subprocess.run(  # noqa: S603 - the program that the caller names
        [chromium, "--no-sandbox", f"--screenshot={document.with_suffix('.png')}",
         f"--window-size={width},{height}", document.absolute().as_uri()],
        check=True, capture_output=True,
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the documents."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("out", type=Path)
    asked.add_argument("folder", type=Path)
    asked.add_argument("pages", nargs="*", default=list(PAGES))
    asked.add_argument("--screenshots", metavar="CHROMIUM")
    given = asked.parse_args(arguments)
    given.out.mkdir(parents=True, exist_ok=True)
    options = CleanerOptions(format=TextFormat.MARKDOWN, links=Keep.KEEP, images=Keep.KEEP)
    cleaner = Cleaner(options)
    entries = []
    for name, labelled in chosen_pages(given.folder, given.pages):
        page = Page(labelled.facts.url, labelled.html)
        markdown = cleaner.clean(page).text
        document = given.out / f"{name.replace('/', '-')}.html"
        document.write_text(side_by_side(name, page, markdown), encoding="utf-8")
        document.with_suffix(".md").write_text(markdown, encoding="utf-8")
        if given.screenshots:
            draw(given.screenshots, document)
        entries.append(f'<li><a href="{escape(document.name)}">{escape(name)}</a>')
        print(document, flush=True)
    index = f'<!doctype html><meta charset="utf-8"><title>Markdown</title><ul>{"".join(entries)}'
    (given.out / "index.html").write_text(index + "</ul>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
